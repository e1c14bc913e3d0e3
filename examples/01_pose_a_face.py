"""A face in three lines: the embedded head, a pose by names, positions."""

import facewright as fw

rig = fw.sample()
positions = fw.evaluate(rig, {"jawOpen": 0.6, "mouthSmileLeft": 0.8, "mouthSmileRight": 0.8})
moved = abs(positions - rig.neutral).max()
print(f"{rig.vertex_count} vertices, {len(rig.sliders)} sliders; the farthest vertex moved {moved:.2f} cm")
