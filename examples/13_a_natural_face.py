"""Learn how an actor's face moves from a clip, and pose by it: a corner of the mouth goes up, and the cheeks squint."""

import numpy as np

import facewright as fw

rig = fw.sample()
times = np.arange(300) / 30
smile, talk = np.clip(np.sin(times), 0, 1), 0.25 - 0.25 * np.cos(5 * times)
habits = {
    "mouthSmileLeft": smile,
    "mouthSmileRight": 0.9 * smile,
    "cheekSquintLeft": 0.6 * smile,
    "cheekSquintRight": 0.6 * smile,
    "jawOpen": talk,
}
clip = fw.Clip.from_table("an actor", list(habits), times, np.stack(list(habits.values()), axis=1))

prior = fw.Prior.learn(rig, clip)  # or several clips, solved takes, arrays of weights
fw.save_prior(prior, "actor.json")  # or with the face: fw.Document(rig, prior=prior)
print(prior)

smiling = fw.evaluate(rig, {"mouthSmileLeft": 0.7})
corner = int(np.linalg.norm(smiling - rig.neutral, axis=1).argmax())
pin = fw.Pin(vertex=corner, target=smiling[corner])
for name, known in (("by names alone", None), ("as the actor does", fw.load_prior("actor.json"))):
    found = fw.PoseSolver(rig, prior=known).solve([pin], method="natural")
    used = ", ".join(f"{slider} {value:.2f}" for slider, value in list(found.moved.items())[:5])
    print(f"{name}: {used}")
