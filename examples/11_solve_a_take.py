"""Record a face with markers, and find again what its sliders did."""

import numpy as np

import facewright as fw

rig = fw.sample()
times = np.arange(120) / 60
weights = np.zeros((120, len(rig.sliders)))
weights[:, rig.sliders.index("jawOpen")] = 0.4 - 0.4 * np.cos(3 * times)
weights[:, rig.sliders.index("mouthSmileLeft")] = np.clip(times - 0.5, 0, 0.7)

moving = np.flatnonzero(np.linalg.norm(rig.deltas(), axis=2).max(axis=0) > 0.3)
binding = fw.bind_vertices(rig, {f"m{i}": int(v) for i, v in enumerate(moving[:: len(moving) // 40])})
seen = binding.places(fw.evaluate(rig, weights)) + 0.02 * np.random.default_rng(0).normal(size=(120, len(binding), 3))
fw.save_take(fw.Take(binding.markers, seen, 60.0, "cm"), "take.csv")  # or .c3d, .trc

take = fw.load_take("take.csv")
result = fw.solve_take(rig, take, binding)  # markers with names such as Chin_R1 need no more than fw.bind(rig, take)
print(f"{len(result)} frames, markers {result.millimetres * np.nanmean(result.residual):.2f} mm off")
for name in ("jawOpen", "mouthSmileLeft"):
    column = rig.sliders.index(name)
    print(name, "is wrong by", f"{np.abs(result.weights[:, column] - weights[:, column]).mean():.3f}", "on average")
fw.save(fw.Document(rig, (result.clip,)), "take.glb")
