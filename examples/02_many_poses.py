"""Many poses at once, and how each slider moves one point: weights (frames, sliders) and the Jacobian."""

import numpy as np

import facewright as fw

rig = fw.sample()
pose = fw.Evaluator(rig)  # prepared once, used often
weights = np.zeros((24, len(rig.sliders)))
weights[:, rig.slider_index("jawOpen")] = np.linspace(0, 1, 24)
frames = pose(weights)  # (24, v, 3)
chin = int(np.linalg.norm(frames[-1] - frames[0], axis=1).argmax())
print(f"vertex {chin} moves most: its y goes from {frames[0, chin, 1]:.2f} to {frames[-1, chin, 1]:.2f}")

slopes = fw.jacobian(rig, vertices=[chin])[0]  # (3, sliders)
strongest = np.argsort(-np.linalg.norm(slopes, axis=0))[:3]
print("these sliders move it most:", ", ".join(rig.sliders[i] for i in strongest))
