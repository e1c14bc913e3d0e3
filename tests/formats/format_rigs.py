"""Small random documents with everything in them, and what it means that two are the same."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from hypothesis import strategies as st

from facewright.document import Document
from facewright.mesh.polygons import Polygons, Uvs
from facewright.motion.clip import Clip
from facewright.motion.curve import Curve
from facewright.motion.tangents import Tangent
from facewright.rig.rig import Part, Rig
from facewright.rig.rules import OnlyMovedBy, Rule, StaysWithin
from facewright.rig.shape import Shape

NAMES = st.text(
    st.characters(exclude_categories=("Cs", "Cc")) | st.sampled_from(list("abAB_%/\\:. ~*neutral")),
    min_size=1,
    max_size=12,
)
SEEDS = st.integers(0, 2**32 - 1)
KINDS: tuple[Tangent, ...] = ("auto", "step", "broken", "linear")


def document(names: list[str], seed: int) -> Document:
    """A rig with quads and n-gons, parts, UVs with a seam, in-betweens, combinations; clips and a pose."""
    rng = np.random.default_rng(seed)
    rig = random_rig(names, rng)
    keys = np.cumsum(rng.uniform(0.01, 1, 4))
    curves = {
        names[0]: Curve(keys, rng.normal(size=4), "cubic", rng.normal(size=(4, 2))),
        names[1]: Curve(keys[:2], rng.normal(size=2), "step"),
        names[2]: Curve(keys, rng.normal(size=4), "cubic", rng.normal(size=(4, 2)), KINDS, "cycle"),
    }
    clips = (Clip("take", curves, 60.0), Clip("empty", {}, 24000 / 1001))
    attachments = {"notes/read me.txt": b"hello", "blob": rng.bytes(50)}
    return Document(rig, clips, rng.uniform(-1, 2, len(rig.sliders)), attachments, {"later": {"list": [1, 2.5, None]}})


def random_rig(names: list[str], rng: np.random.Generator) -> Rig:
    """Names: three sliders with plain shapes, then an in-between, a combination, a slider without a shape."""
    vertices = int(rng.integers(9, 20))
    cut = int(rng.integers(4, vertices - 3))
    faces = [rng.choice(cut, size=n, replace=False) for n in (3, 4, 4)]
    faces += [cut + rng.choice(vertices - cut, size=3, replace=False)]
    corners = sum(map(len, faces))
    uvs = Uvs(rng.uniform(size=(6, 2)), rng.integers(-1, 6, size=corners))
    a, b, c, between, both, idle = names[:6]
    return Rig(
        rng.normal(size=(vertices, 3)) * 10.0 ** rng.integers(-3, 4),
        Polygons.of(faces),
        (
            random_shape(a, vertices, rng),
            random_shape(between, vertices, rng, (a,), 0.4),
            random_shape(b, vertices, rng),
            random_shape(c, vertices, rng),
            random_shape(both, vertices, rng, (a, c)),
            random_shape(f"{both} half", vertices, rng, (a, c, b), (1.0, 0.5, -0.25)),
            replace(random_shape(f"{both} span", vertices, rng, (c, b), (0.5, 1.0)), spans=(None, (0.25, np.inf))),
            replace(random_shape(f"{between} more", vertices, rng, (b,), 0.3), additive=True, spans=((0.1, 0.6),)),
        ),
        (c, a, b, idle),
        rng.uniform([-1, 0.5], [0, 3], (4, 2)),
        ("mouth", "brow", "brow", "other"),
        (Part("head", 0, cut), Part("left eye", cut, vertices)),
        uvs,
        ((a, b),),
        (OnlyMovedBy("brow", np.array([2, 0]), (a, b), 0.01), StaysWithin("all", np.arange(vertices), 0.3)),
        ((a, c),),
    )


def random_shape(
    name: str,
    vertices: int,
    rng: np.random.Generator,
    sliders: tuple[str, ...] = (),
    at: float | tuple[float, ...] = (),
) -> Shape:
    moved = np.sort(rng.choice(vertices, size=int(rng.integers(0, vertices + 1)), replace=False))
    return Shape(name, moved, rng.normal(size=(len(moved), 3)), sliders, at)


def assert_same_rig(one: Rig, other: Rig, tolerance: float = 0.0) -> None:
    """Equal in everything; positions to a tolerance given as a share of the rig's size."""
    close = tolerance * max(float(np.ptp(one.neutral, axis=0).max()), 1e-300)
    np.testing.assert_allclose(other.neutral, one.neutral, rtol=0, atol=close)
    assert other.shape_names == one.shape_names
    np.testing.assert_allclose(other.deltas(), one.deltas(), rtol=0, atol=close)
    assert [(shape.factors, shape.additive) for shape in other.shapes] == [
        (shape.factors, shape.additive) for shape in one.shapes
    ]
    assert_same_polygons(one, other)
    assert (other.sliders, other.groups, other.parts) == (one.sliders, one.groups, one.parts)
    assert other.exclusive == one.exclusive
    assert other.ties == one.ties
    assert [rule_text(rule) for rule in other.rules] == [rule_text(rule) for rule in one.rules]
    np.testing.assert_array_equal(other.bounds, one.bounds)


def rule_text(rule: Rule) -> str:
    return repr({key: value.tolist() if isinstance(value, np.ndarray) else value for key, value in vars(rule).items()})


def assert_same_polygons(one: Rig, other: Rig) -> None:
    np.testing.assert_array_equal(other.polygons.counts, one.polygons.counts)
    np.testing.assert_array_equal(other.polygons.corners, one.polygons.corners)
    assert (other.uvs is None) == (one.uvs is None)
    if one.uvs is not None and other.uvs is not None:
        np.testing.assert_array_equal(other.uvs.coordinates, one.uvs.coordinates)
        np.testing.assert_array_equal(other.uvs.corners, one.uvs.corners)


def assert_same_clip(one: Clip, other: Clip) -> None:
    assert (other.name, other.rate) == (one.name, one.rate)
    assert_same_curves(one.curves, other.curves)
    for layer, again in zip(one.layers, other.layers, strict=True):
        assert (layer.name, layer.kind, layer.muted, layer.solo) == (again.name, again.kind, again.muted, again.solo)
        assert_same_curves(layer.curves, again.curves)
        if isinstance(layer.weight, Curve):
            assert isinstance(again.weight, Curve)
            assert_same_curves({"": layer.weight}, {"": again.weight})
        else:
            assert layer.weight == again.weight


def assert_same_curves(one: Mapping[str, Curve], other: Mapping[str, Curve]) -> None:
    assert tuple(other) == tuple(one)
    for name, curve in one.items():
        again = other[name]
        assert again.interpolation == curve.interpolation
        np.testing.assert_array_equal(again.times, curve.times)
        np.testing.assert_array_equal(again.values, curve.values)
        if curve.slopes is not None:
            np.testing.assert_array_equal(again.slopes, curve.slopes)
        assert again.outside == curve.outside
        assert (again.tangents is None) == (curve.tangents is None)
        if curve.tangents is not None:
            np.testing.assert_array_equal(again.tangents, curve.tangents)
