"""Divide a face into regions and pose one of them alone."""

import numpy as np

import facewright as fw

rig = fw.sample()
regions = fw.segment(rig, threshold=0.75)
print(regions.count, "regions:", ", ".join(regions.names_at(0)))
print("two levels from the top:", ", ".join(regions.names_at(regions.levels - 3)))

weights = fw.region_weights(rig, regions, {"jawOpen": 0.2})  # (regions, sliders)
corner = int(np.linalg.norm(rig.shape("mouthSmileLeft").dense(rig.vertex_count), axis=1).argmax())
region = regions.names_at(0)[regions.labels()[corner]]
pin = fw.Pin(vertex=corner, target=fw.evaluate_regions(rig, regions, weights)[corner] + [0.3, 0.8, -0.3])
found = fw.PoseSolver(fw.confined_rig(rig, regions, region, weights)).solve([pin], weights[regions.node(region)])
weights = fw.moved_within(rig, regions, weights, region, found.weights)
print(f"{region}:", {name: round(by, 2) for name, by in found.moved.items()})
