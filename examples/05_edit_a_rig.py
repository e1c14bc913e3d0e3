"""Rigs are never changed; edits give new ones."""

import facewright as fw
from facewright.rig import edit, mirror

rig = fw.sample()
small = edit.drop_shape(rig, "tongueOut")
renamed = edit.rename(small, {"jawOpen": "openMouth"})
mirrored = mirror.mirror_shape(renamed, "mouthSmileLeft")
print(f"{len(rig.shapes)} shapes, then {len(renamed.shapes)}; openMouth is there: {'openMouth' in renamed.sliders}")
print(f"mouthSmileLeft mirrored: {mirrored}")
