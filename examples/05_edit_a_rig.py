"""Rigs are never changed; edits give new ones."""

import facewright as fw

rig = fw.sample()
small = fw.edit.drop_shape(rig, "tongueOut")
renamed = fw.edit.rename(small, {"jawOpen": "openMouth"})
mirrored = fw.edit.mirror_shape(renamed, "mouthSmileLeft")
print(f"{len(rig.shapes)} shapes, then {len(renamed.shapes)}; openMouth is there: {'openMouth' in renamed.sliders}")
print(f"mouthSmileLeft mirrored: {mirrored}")
