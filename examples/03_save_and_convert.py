"""One rig in every format; what each loses is said by the format itself."""

from pathlib import Path

import facewright as fw

rig = fw.sample()
for target in ("head.fwface", "head.glb", "head.npz", "head_objs"):
    fw.save(rig, target)
    again = fw.load(target)
    error = abs(again.neutral - rig.neutral).max() / rig.size
    size = sum(f.stat().st_size for f in ([Path(target)] if Path(target).is_file() else Path(target).iterdir()))
    print(f"{target:12} {size / 1e6:6.2f} MB, {len(again.shapes)} shapes, largest error {error:.1e} of the head's size")
