"""Every edit of a rig, in one place to look. Each is a function from rig to rig, or to a result that holds one."""

from facewright.rig.bake import add_corrective, bake_pose, combine_shapes, scale
from facewright.rig.mirror import Mirrored, mirror_shape
from facewright.rig.parts import extract_parts, merge
from facewright.rig.prune import Pruned, prune
from facewright.rig.shapes import add_shape, drop_shape, rename, reorder, replace_shape
from facewright.rig.split import split_shape
from facewright.rig.symmetry import Symmetry, symmetry

__all__ = [
    "Mirrored",
    "Pruned",
    "Symmetry",
    "add_corrective",
    "add_shape",
    "bake_pose",
    "combine_shapes",
    "drop_shape",
    "extract_parts",
    "merge",
    "mirror_shape",
    "prune",
    "rename",
    "reorder",
    "replace_shape",
    "scale",
    "split_shape",
    "symmetry",
]
