"""Degenerate rigs and takes: every operation gives finite numbers or a sentence, in every unit."""

import warnings
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass, replace
from functools import cache
from io import BytesIO
from typing import Any

import numpy as np
import pytest

import facewright as fw
from facewright.samples import mask


@cache
def plain() -> fw.Rig:
    return mask(100, 4, seed=3)


def of_shapes(*offsets: np.ndarray) -> fw.Rig:
    shapes = [fw.Shape.from_dense(f"s{number}", each) for number, each in enumerate(offsets)]
    return fw.Rig(plain().neutral, plain().polygons, tuple(shapes))


def on(points: np.ndarray) -> fw.Rig:
    """The shapes of the plain rig on other points at rest."""
    return replace(plain(), neutral=points)


def few(count: int) -> fw.Rig:
    """So many vertices, and the triangles that they can have."""
    points = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0]])[:count]
    triangles = fw.Polygons(np.arange(count // 3 * 3), np.full(count // 3, 3))
    offsets = np.tile([0.0, 0.1, 0.0], (count, 1))
    return fw.Rig(points, triangles, (fw.Shape.from_dense("up", offsets),))


def first() -> np.ndarray:
    return np.asarray(plain().deltas()[0])


RIGS: dict[str, Callable[[], fw.Rig]] = {
    "plain": plain,
    "no shapes": lambda: of_shapes(),
    "one shape": lambda: of_shapes(first()),
    "the same shape five times": lambda: of_shapes(*[first()] * 5),
    "opposite shapes": lambda: of_shapes(first(), -first()),
    "a shape of zeros": lambda: of_shapes(0 * first(), first()),
    "a shape of one vertex": lambda: of_shapes(np.eye(len(first()))[0][:, None] * [0.0, 1.0, 0.0]),
    "a shape too small for single precision": lambda: of_shapes(1e-30 * first(), first()),
    "shapes of very different sizes": lambda: of_shapes(1e-6 * first(), 1e6 * plain().deltas()[1]),
    "all vertices on a line": lambda: on(plain().neutral * [1.0, 0.0, 0.0]),
    "all vertices in a plane": lambda: on(plain().neutral * [1.0, 1.0, 0.0]),
    "all vertices at one point": lambda: on(0 * plain().neutral + 3.0),
    "far from the origin": lambda: on(plain().neutral + 1e6 * plain().size),
    "no vertices": lambda: few(0),
    "one vertex": lambda: few(1),
    "two vertices": lambda: few(2),
    "one triangle": lambda: few(3),
}


def pin(rig: fw.Rig, way: float) -> fw.Pin:
    """The first vertex aside, by a share of the rig's size."""
    at = rig.neutral[0] if rig.vertex_count else np.zeros(3)
    return fw.Pin(vertex=0, target=at + way * (rig.size or 1.0))


def dragged(rig: fw.Rig) -> Any:
    return fw.solve_pose(rig, [pin(rig, 0.1)])


def many_pins(rig: fw.Rig) -> Any:
    """A thousand that agree, and one that does not."""
    return fw.solve_pose(rig, [*[pin(rig, 0.1)] * 1000, pin(rig, -0.1)])


def held(rig: fw.Rig) -> Any:
    start = np.zeros(len(rig.sliders))
    return fw.PoseSolver(rig).attenuate(fw.Selection(np.arange(min(3, 3 * rig.vertex_count))), start, 1.0)


def solved(rig: fw.Rig) -> Any:
    """A take of two frames, one with a gap; markers on the first, the middle and the last vertex."""
    vertices = [0, rig.vertex_count // 2, rig.vertex_count - 1]
    binding = fw.bind_vertices(rig, {f"m{number}": vertex for number, vertex in enumerate(vertices)})
    seen = np.repeat(rig.neutral[vertices][None], 2, axis=0)
    seen[1, 0] = np.nan
    return fw.solve_take(rig, fw.Take(binding.markers, seen, 30.0, "cm", "two frames"), binding)


def built(rig: fw.Rig) -> Any:
    weights = np.eye(len(rig.sliders))[:1]
    return fw.build_rig(rig, rig.neutral, fw.evaluate(rig, weights), weights)


def kept(rig: fw.Rig) -> Any:
    file = BytesIO()
    fw.save(rig, file, format="glb")
    return fw.load(file.getvalue())


MARKERS = {f"m{number}": 9 * number for number in range(8)}


def seen(frames: int = 3) -> np.ndarray:
    """Positions (frames, 8, 3) of markers on the plain rig, which opens its first slider."""
    weights = np.linspace(0, 1, frames)[:, None] * np.eye(len(plain().sliders))[0]
    return np.stack([fw.evaluate(plain(), each)[list(MARKERS.values())] for each in weights] or [np.zeros((8, 3))])


def take_of(positions: np.ndarray, rate: float = 30.0, names: int | None = None) -> fw.Take:
    return fw.Take(tuple(MARKERS)[:names], positions, rate, "cm")


TAKES: dict[str, Callable[[], fw.Take]] = {
    "no frames": lambda: take_of(np.zeros((0, 8, 3))),
    "one frame": lambda: take_of(seen(2)[:1]),
    "no markers": lambda: take_of(np.zeros((3, 0, 3)), names=0),
    "one marker": lambda: take_of(seen()[:, :1], names=1),
    "nothing seen": lambda: take_of(np.full((3, 8, 3), np.nan)),
    "infinite places": lambda: take_of(np.full((3, 8, 3), np.inf)),
    "one marker seen once": lambda: take_of(np.where(np.arange(24).reshape(3, 8, 1) == 9, seen(), np.nan)),
    "markers on a line": lambda: take_of(seen() * [1.0, 0.0, 0.0]),
    "markers in a plane": lambda: take_of(seen() * [1.0, 1.0, 0.0]),
    "markers at one point": lambda: take_of(0 * seen() + 2.0),
    "frames that are the same": lambda: take_of(np.repeat(seen()[:1], 5, axis=0)),
    "far away": lambda: take_of(seen() + 1e9),
    "a billionth in size": lambda: take_of(seen() * 1e-9),
    "a billion times in size": lambda: take_of(seen() * 1e9),
    "one marker far away": lambda: take_of(seen() + 1e9 * np.eye(8)[0][:, None]),
    "a frame in a quarter of an hour": lambda: take_of(seen(), 1e-3),
    "a million frames a second": lambda: take_of(seen(), 1e6),
    "fewer frames than that": lambda: take_of(seen(), 1e-38),
    "more frames than that": lambda: take_of(seen(), 1e300),
}

WORK: dict[str, Callable[[fw.Rig], Any]] = {
    "evaluate": lambda rig: fw.evaluate(rig, np.full(len(rig.sliders), 0.5)),
    "drag": dragged,
    "drag a thousand pins": many_pins,
    "hold": held,
    "solve a take": solved,
    "segment": fw.segment,
    "transfer": lambda rig: fw.transfer(plain(), rig.neutral),
    "transfer from": lambda rig: fw.transfer(rig, 1.1 * rig.neutral),
    "build": built,
    "interference": fw.interference,
    "lint": fw.lint,
    "summary": fw.summarise,
    "compare": lambda rig: fw.compare_rigs(rig, rig),
    "glb": kept,
}


def numbers(value: Any, name: str = "result", depth: int = 0) -> Iterator[tuple[str, np.ndarray]]:
    """All arrays and numbers in a result, with their names."""
    if isinstance(value, np.ndarray | float | np.floating):
        found = np.asarray(value)
        if found.dtype.kind == "f":
            yield name, found
    elif is_dataclass(value) and depth < 4:
        for each in fields(value):
            if each.repr or not each.name.startswith("_"):
                yield from numbers(getattr(value, each.name), f"{name}.{each.name}", depth + 1)
    elif isinstance(value, list | tuple) and depth < 4:
        for number, each in enumerate(value[:50]):
            yield from numbers(each, f"{name}[{number}]", depth + 1)
    elif isinstance(value, dict) and depth < 4:
        for key, each in value.items():
            yield from numbers(each, f"{name}[{key!r}]", depth + 1)


def check(work: str, rig: fw.Rig) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # a division by zero, or an overflow, is none of our warnings
        warnings.simplefilter("ignore", fw.FacewrightWarning)
        try:
            found = WORK[work](rig)
        except fw.FacewrightError:
            return
    if work == "solve a take":
        found = (found.weights, found.clip)  # residuals are NaN where a marker was not seen
    for name, array in numbers(found):
        assert np.isfinite(array).all(), name


@pytest.mark.parametrize("name", TAKES)
def test_degenerate_takes_have_an_answer_or_a_sentence(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", fw.FacewrightWarning)
        try:
            take = TAKES[name]()
            found = fw.solve_take(plain(), take, fw.bind_vertices(plain(), MARKERS))
        except fw.FacewrightError:
            return
    assert found.weights.shape == (len(take), len(plain().sliders))
    for told, array in numbers((found.weights, found.clip)):
        assert np.isfinite(array).all(), told


def scaled(rig: fw.Rig, by: float) -> fw.Rig:
    shapes = tuple(replace(shape, offsets=shape.offsets * by) for shape in rig.shapes)
    return replace(rig, neutral=rig.neutral * by, shapes=shapes)


@pytest.mark.parametrize("work", WORK)
def test_degenerate_rigs_have_an_answer_or_a_sentence(work: str) -> None:
    for name, make in RIGS.items():
        try:
            check(work, make())
        except Exception as problem:
            raise AssertionError(f"{work} of {name}: {problem!r}") from problem


@pytest.mark.long  # in one unit there is a quicker one
@pytest.mark.parametrize("by", [1e-9, 1e9])
@pytest.mark.parametrize("work", WORK)
def test_degenerate_rigs_of_any_size_have_an_answer_or_a_sentence(work: str, by: float) -> None:
    for name, make in RIGS.items():
        try:
            check(work, scaled(make(), by))
        except Exception as problem:
            raise AssertionError(f"{work} of {name}: {problem!r}") from problem


@pytest.mark.long  # many
@pytest.mark.parametrize("work", ["evaluate", "drag", "drag a thousand pins", "glb"])
def test_five_thousand_sliders_have_an_answer_or_a_sentence(work: str) -> None:
    rng = np.random.default_rng(5)
    each = (np.where(rng.random((100, 1)) < 0.1, rng.normal(size=(100, 3)), 0.0) for _ in range(5000))
    check(work, of_shapes(*each))
