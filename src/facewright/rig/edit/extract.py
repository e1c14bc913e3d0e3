"""Corrective extraction: a combination or an in-between that brings the face in one pose exactly to a sculpt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike

from facewright.arrays import Floats, lengths, numbers
from facewright.errors import BadValue, OtherTopology, UnknownName
from facewright.options import suggests_options
from facewright.rig.edit.shapes import add_shape
from facewright.rig.evaluate import evaluate
from facewright.rig.rig import Rig
from facewright.rig.shape import Shape, Span

_ROUNDING = 1e-7  # of the rig's size: what single precision cannot tell from no motion


@suggests_options
def extract_corrective(
    rig: Rig,
    name: str,
    pose: Mapping[str, float] | ArrayLike,
    sculpt: ArrayLike,
    *,
    sliders: Sequence[str] | None = None,
    spans: Mapping[str, tuple[float, float]] | None = None,
    additive: bool = True,
) -> Rig:
    """Add a shape with which the rig, in a pose given as names to values or as (n,), is the sculpt (v, 3).

    The shape is fully on where each of its sliders has its value of the pose: an in-between for one slider, a
    combination for several. Offsets below 1e-7 of the rig's size are rounding, and are left out.
    sliders: those that drive the shape; by default all that are not 0 in the pose. What the others do in the pose is
    taken as it is there, and remains theirs.
    spans: where the factors of some sliders fall to 0, on both sides of their values; by default at 0 and at the
    slider's end.
    additive: of an in-between, whether it is added to what its slider does, or is the slider's target there.
    """
    values = rig.pose(pose)
    wanted = _sculpt(rig, sculpt)
    driving = on_in_pose(rig, values) if sliders is None else tuple(sliders)
    at = _values(rig, values, driving)
    empty = Shape(name, [], np.zeros((0, 3)), driving, at, _spans(rig, driving, at, spans or {}, additive), additive)
    offsets = wanted - evaluate(add_shape(rig, empty), values)
    offsets[np.linalg.norm(offsets, axis=1) <= _ROUNDING * rig.size] = 0
    return add_shape(rig, Shape.from_dense(name, offsets).driven_as(empty))


def on_in_pose(rig: Rig, pose: Mapping[str, float] | ArrayLike) -> tuple[str, ...]:
    """The sliders that are not 0 in a pose: those that a corrective of it is proposed for."""
    return tuple(name for name, value in zip(rig.sliders, rig.pose(pose), strict=True) if value != 0)


def _sculpt(rig: Rig, sculpt: ArrayLike) -> Floats:
    given = numbers("sculpt", sculpt)
    if given.ndim == 2 and len(given) != rig.vertex_count:
        raise OtherTopology(
            f"the sculpt has {len(given)} vertices, the rig {rig.vertex_count}; a sculpt of another topology has to be "
            "registered first (`facewright register`)"
        )
    return lengths("sculpt", given, (rig.vertex_count, 3))


def _values(rig: Rig, pose: Floats, sliders: Sequence[str]) -> list[float]:
    """The values of some sliders in a pose, at which a corrective can be."""
    at = [float(pose[rig.slider_index(name)]) for name in sliders]
    if not at:
        raise BadValue("the pose is the neutral: a corrective is for sliders that are on; move at least one")
    for name, value in zip(sliders, at, strict=True):
        if value == 0:
            raise BadValue(f"slider {name!r} is 0 in the pose; a corrective is for sliders that are on there")
        low, high = rig.bounds[rig.slider_index(name)].tolist()
        if not low <= value <= high:
            raise BadValue(f"slider {name!r} goes from {low:g} to {high:g}; a corrective at {value:g} is never full")
    if len(at) == 1 and abs(at[0]) >= abs(_end(rig, sliders[0], at[0])):
        raise BadValue(
            f"slider {sliders[0]!r} alone is at its end there, where its own shape can be replaced; a "
            "corrective is for two or more sliders, or for one before its end"
        )
    return at


def _end(rig: Rig, slider: str, value: float) -> float:
    """The end of a slider on the side of a value."""
    low, high = rig.bounds[rig.slider_index(slider)].tolist()
    return float(high if value > 0 else low)


def _spans(
    rig: Rig, sliders: Sequence[str], at: Sequence[float], given: Mapping[str, tuple[float, float]], additive: bool
) -> list[Span]:
    """The ends of each factor."""
    for name in given:
        if name not in sliders:
            raise UnknownName("slider of the corrective", name, sliders)
    if len(sliders) == 1 and additive and at[0] == 1:  # before its end; by itself it would be a straight line
        given = {sliders[0]: (0.0, _end(rig, sliders[0], 1.0)), **given}
    return [given.get(name) for name in sliders]
