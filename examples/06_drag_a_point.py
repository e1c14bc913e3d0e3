"""Pose by dragging: a mouth corner goes up and out, the sliders follow, inside their bounds."""

import numpy as np

import facewright as fw

rig = fw.sample()
smile = fw.evaluate(rig, {"mouthSmileLeft": 1.0})
corner = int(np.linalg.norm(smile - rig.neutral, axis=1).argmax())

solver = fw.PoseSolver(rig)
for method in ("bounded", "pinv", "transpose"):
    found = solver.solve([fw.Pin(vertex=corner, target=smile[corner])], method=method)
    used = ", ".join(f"{name} {value:.2f}" for name, value in list(found.moved.items())[:3])
    outside = int(((found.weights < 0) | (found.weights > 1)).sum())
    print(f"{method:10} moves {len(found.moved):2} sliders ({used} ...), {outside} outside their bounds")
