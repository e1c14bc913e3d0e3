"""Every edit of a rig, in one place to look. Each is a function from rig to rig, or to a result that holds one."""

from facewright.rig.bake import add_corrective, bake_pose, combine_shapes, scale
from facewright.rig.prune import prune
from facewright.rig.shapes import add_shape, drop_shape, rename, reorder, replace_shape

__all__ = [
    "add_corrective",
    "add_shape",
    "bake_pose",
    "combine_shapes",
    "drop_shape",
    "prune",
    "rename",
    "reorder",
    "replace_shape",
    "scale",
]
