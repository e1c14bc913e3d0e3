"""Edits of a rig: functions that take a rig and return a new one. The rig that was given stays as it was.

Shapes: `add_shape`, `replace_shape`, `fit_shape`, `scale_shape`, `duplicate_shape`, `drop_shape`, `rename`, `reorder`,
`move_shape`, `combine_shapes`; `free_name` for a new one.
Correctives: `extract_corrective` from a sculpt of a pose, `drive_corrective` by other factors, `soften_pair` for two
sliders that overshoot together.
Sliders: `set_bounds`, `set_groups`, `move_sliders`, `add_exclusive`, `remove_exclusive`, `add_tie`, `remove_tie`, and
for negative ends `join_sliders` and `part_slider`.
In-betweens: `additive_in_betweens`, `target_in_betweens`.
By hand: `touch_up` with a `Brush` and its `Dab`s.
Sides: `mirror_shape`, `flip_shape`, `symmetrise_shape`, `split_shape` with its `split_shares`, `merge_shapes`, and
`symmetry`, which finds the pairs of vertices that they use.
Rules of the modeller: `add_rule`, `replace_rule`, `drop_rule`.
The whole rig: `bake_pose`, `scale`, `prune`, `extract_parts`, `merge`.
`mirror_shape`, `flip_shape`, `symmetrise_shape` and `prune` return the rig with a measure of what was lost: `Mirrored`
and `Pruned`; `merge_shapes` returns it with the names that changed: `Merged`.
"""

from facewright.rig.edit.bake import bake_pose, combine_shapes, scale
from facewright.rig.edit.brush import Brush, Dab, TouchUp, touch_up
from facewright.rig.edit.drive import drive_corrective
from facewright.rig.edit.extract import extract_corrective
from facewright.rig.edit.in_betweens import additive_in_betweens, target_in_betweens
from facewright.rig.edit.merge_shapes import Merged, merge_shapes
from facewright.rig.edit.mirror import Mirrored, mirror_shape
from facewright.rig.edit.offsets import fit_shape, scale_shape
from facewright.rig.edit.parts import extract_parts, merge
from facewright.rig.edit.pruning import Pruned, prune
from facewright.rig.edit.rules import add_rule, drop_rule, replace_rule
from facewright.rig.edit.shapes import (
    add_shape,
    drop_shape,
    duplicate_shape,
    free_name,
    move_shape,
    rename,
    reorder,
    replace_shape,
)
from facewright.rig.edit.sides import flip_shape, symmetrise_shape
from facewright.rig.edit.sliders import (
    add_exclusive,
    add_tie,
    move_sliders,
    remove_exclusive,
    remove_tie,
    set_bounds,
    set_groups,
)
from facewright.rig.edit.soften import soften_pair
from facewright.rig.edit.split import split_shape, split_shares
from facewright.rig.edit.two_ends import join_sliders, part_slider
from facewright.rig.symmetry import Symmetry, symmetry

__all__ = [
    "Brush",
    "Dab",
    "Merged",
    "Mirrored",
    "Pruned",
    "Symmetry",
    "TouchUp",
    "add_exclusive",
    "add_rule",
    "add_shape",
    "add_tie",
    "additive_in_betweens",
    "bake_pose",
    "combine_shapes",
    "drive_corrective",
    "drop_rule",
    "drop_shape",
    "duplicate_shape",
    "extract_corrective",
    "extract_parts",
    "fit_shape",
    "flip_shape",
    "free_name",
    "join_sliders",
    "merge",
    "merge_shapes",
    "mirror_shape",
    "move_shape",
    "move_sliders",
    "part_slider",
    "prune",
    "remove_exclusive",
    "remove_tie",
    "rename",
    "reorder",
    "replace_rule",
    "replace_shape",
    "scale",
    "scale_shape",
    "set_bounds",
    "set_groups",
    "soften_pair",
    "split_shape",
    "split_shares",
    "symmetrise_shape",
    "symmetry",
    "target_in_betweens",
    "touch_up",
]
