"""Selected motion attenuation: tag points of the brow, and later slider moves leave them alone."""

import numpy as np

import facewright as fw

rig = fw.sample()
posed = rig.weights({"browInnerUp": 0.7})
brow = np.argsort(-np.linalg.norm(fw.evaluate(rig, posed) - rig.neutral, axis=1))[:6]

wanted = rig.weights({"browInnerUp": 0.7, "eyeBlinkLeft": 0.6, "browDownLeft": 0.5, "noseSneerLeft": 0.8})
held = fw.Attenuation(rig, brow, reference=posed)
attenuated = held.solve(wanted).weights

start = fw.evaluate(rig, posed)[brow]
for name, weights in (("plain sliders", wanted), ("attenuated", attenuated)):
    drift = np.linalg.norm(fw.evaluate(rig, weights)[brow] - start, axis=1).max()
    print(f"{name:14} the brow drifts by {drift:.3f} cm")
