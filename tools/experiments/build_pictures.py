"""Pictures of built rigs."""

import numpy as np
from tools.experiments.faces import close_up

import facewright as fw
from facewright.arrays import Floats
from facewright.render.camera import Camera, frame
from facewright.render.face_renderer import face_picture
from facewright.render.heat import Heat
from facewright.render.sheet_layout import contact_sheet
from facewright.render.tone import Bytes
from facewright.samples.actor import Actor

SIZE = (340, 390)


def examples_picture(known: Actor, rigs: dict[str, fw.Rig], pose: Floats) -> Bytes:
    """A pose that was no example: the truth, and how far each rig is from it."""
    camera, truth = close_up(known.rig, SIZE), fw.evaluate(known.rig, pose)
    off = {name: np.linalg.norm(fw.evaluate(rig, pose) - truth, axis=1) for name, rig in rigs.items()}
    highest = max(error.max() for error in off.values())
    tiles = {"the actor's own": face_picture(known.rig, pose, size=SIZE, camera=camera)}
    for name, rig in rigs.items():
        tiles[f"{name}, off by (cm)"] = face_picture(
            rig, pose, size=SIZE, camera=camera, heat=Heat(off[name], low=0.0, high=highest)
        )
    return contact_sheet(list(tiles.values()), list(tiles), columns=len(tiles))


def variants_picture(known: Actor, rigs: dict[str, fw.Rig], shape: str) -> Bytes:
    """One shape at full value, as each way makes it."""
    camera = close_up(known.rig, SIZE)
    tiles = {"the actor's own": known.rig} | rigs
    shots = [face_picture(rig, {shape: 1.0}, size=SIZE, camera=camera) for rig in tiles.values()]
    return contact_sheet(shots, list(tiles), columns=len(tiles))


def closing_picture() -> Bytes:
    """Lids and lips on two people, transferred with and without contacts."""
    template, shots, labels = fw.sample(), [], []
    for person in ("kenji", "amara"):
        face = fw.sample(person)
        for name, closing in (("transfer alone", {}), ("kept closed", None)):
            rig = fw.transfer(template, face, closing=closing)
            blink, mouth = {"eyeBlinkLeft": 1, "eyeBlinkRight": 1}, {"jawOpen": 1, "mouthClose": 1}
            for pose, camera in ((blink, _about(rig, "left eye")), (mouth, _about(rig, "lower teeth"))):
                shots.append(face_picture(rig, pose, size=(420, 220), camera=camera))
                labels.append(f"{person}, {name}")
    order = [0, 2, 1, 3, 4, 6, 5, 7]
    return contact_sheet([shots[i] for i in order], [labels[i] for i in order], columns=2)


def _about(rig: fw.Rig, name: str) -> Camera:
    part = rig.part(name)
    middle = rig.neutral[part.start : part.stop].mean(axis=0) * [0, 1, 1]
    half = np.array([5.3, 2.7, 0.5]) if "eye" in name else np.array([4.6, 2.35, 0.5])
    return frame(np.array([middle - half, middle + half]), aspect=420 / 220, margin=0.0)


def shapes_picture() -> Bytes:
    """Some of the embedded head's shapes on another person."""
    rig = fw.transfer(fw.sample(), fw.sample("edith"))
    names = ["jawOpen", "mouthSmileLeft", "mouthPucker", "mouthFunnel", "browInnerUp", "cheekPuff", "noseSneerLeft"]
    names += ["eyeWideRight", "mouthFrownRight", "tongueOut"]
    size, camera = (250, 290), close_up(rig, (250, 290))
    shots = [face_picture(rig, {name: 1.0}, size=size, camera=camera, samples=2) for name in names]
    return contact_sheet(shots, names, columns=5)
