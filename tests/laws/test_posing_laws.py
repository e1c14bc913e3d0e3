"""Laws of dragging, every one against every thing."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import facewright as fw
from facewright.pose.drag import Drag
from facewright.solve.solution import Status
from tests.laws.things import THINGS, Scene, scaled, scene
from tests.some import some

SEEDS = [range(1), pytest.param(range(1, 4), marks=pytest.mark.long)]


def started(scene: Scene, **options: Any) -> Drag:
    return fw.PoseSolver(scene.rig).drag(scene.pins, scene.start, scene.method, **options)


def a_unit_changes_nothing_but_the_size(scene: Scene) -> None:
    weights = started(scene).to(scene.targets).weights
    for factor in (0.01, 100.0):
        other = scaled(scene, factor)
        found = started(other).to(other.targets)
        np.testing.assert_allclose(found.weights, weights, atol=1e-6)


def what_a_slider_counts_to_changes_nothing_else(scene: Scene) -> None:
    weights = started(scene).to(scene.targets).weights
    counts = np.resize([1.0, 100.0, 10.0], len(weights))
    other = replace(scene, rig=counted(scene.rig, counts), start=scene.start * counts)
    found = started(other).to(scene.targets).weights
    np.testing.assert_allclose(found / counts, weights, atol=1e-6)


def counted(rig: fw.Rig, counts: np.ndarray) -> fw.Rig:
    """The same face, each slider counting to another number (n,)."""
    to = dict(zip(rig.sliders, counts, strict=True))

    def recounted(shape: fw.Shape) -> fw.Shape:
        size, at, spans = 1.0, [], []
        for slider, value, span in shape.factors:
            straight = shape.is_combination and value == 1 and span is None  # the slider's value itself
            size *= to[slider] if straight else 1.0
            at.append(1.0 if straight else value * to[slider])
            spans.append(None if span is None else tuple(end * to[slider] for end in span))
        return replace(shape, offsets=shape.offsets / size, at=tuple(at), spans=tuple(spans))

    return replace(rig, shapes=tuple(map(recounted, rig.shapes)), bounds=rig.bounds * counts[:, None])


def no_drag_gives_the_start_exactly(scene: Scene) -> None:
    drag = started(scene)
    np.testing.assert_array_equal(drag.to(drag.places).weights, scene.start)


def a_drag_out_and_back_returns(scene: Scene) -> None:
    drag = started(scene)
    for share in (0.3, 1.0, 2.0, 0.5):
        drag.to(drag.places + share * (scene.targets - drag.places))
    np.testing.assert_array_equal(drag.to(drag.places).weights, scene.start)


def the_way_of_a_drag_does_not_matter(scene: Scene) -> None:
    drag = started(scene)
    for share in (1.5, -1.0, 0.2):
        drag.to(drag.places + share * (scene.targets - drag.places))
    fresh = started(scene).to(scene.targets)
    np.testing.assert_allclose(drag.to(scene.targets).weights, fresh.weights, atol=1e-7)


def a_small_move_of_a_pin_makes_a_small_change(scene: Scene) -> None:
    drag = started(replace(scene, rig=replace(scene.rig, exclusive=())))
    coarse, fine = (largest_jump(drag, scene, steps) for steps in (32, 256))
    assert fine <= coarse / 2 + 1e-6


def largest_jump(drag: Drag, scene: Scene, steps: int) -> float:
    way = scene.targets - drag.places
    poses = [drag.to(drag.places + share * way).weights for share in np.linspace(0, 1.2, steps)]
    return float(np.abs(np.diff(poses, axis=0)).max())


def weights_stay_within_bounds(scene: Scene) -> None:
    drag = started(scene)
    for share in (-3.0, 0.7, 5.0):
        weights = drag.to(drag.places + share * (scene.targets - drag.places)).weights
        low, high = scene.rig.bounds.T
        assert (weights >= low).all()
        assert (weights <= high).all()


def locked_sliders_stay(scene: Scene) -> None:
    names = scene.rig.sliders[::2]
    weights = started(scene, locked=names).to(scene.targets).weights
    chosen = [scene.rig.slider_index(name) for name in names]
    np.testing.assert_array_equal(weights[chosen], scene.start[chosen])


def a_hold_pin_holds(scene: Scene) -> None:
    free = fw.solve_pose(scene.rig, scene.pins[:-1], scene.start, scene.method)
    held = replace(scene.pins[-1], hold=True)
    found = fw.solve_pose(scene.rig, [*scene.pins[:-1], held], scene.start, scene.method)
    moved = {name: place_of(scene.rig, held, what.weights) for name, what in (("free", free), ("held", found))}
    place = place_of(scene.rig, held, scene.start)
    wanted = np.linalg.norm(scene.targets[:-1] - started(scene).places[:-1])
    assert np.linalg.norm(moved["held"] - place) <= 0.04 * wanted
    assert np.linalg.norm(moved["held"] - place) <= np.linalg.norm(moved["free"] - place) + 1e-3 * wanted


def place_of(rig: fw.Rig, pin: fw.Pin, weights: np.ndarray) -> np.ndarray:
    positions = fw.evaluate(rig, weights)
    if pin.vertex is not None:
        return np.asarray(positions[pin.vertex])
    return np.asarray(some(pin.barycentric) @ positions[rig.triangles[pin.triangle]])


def pins_come_nearer(scene: Scene) -> None:
    drag = started(scene)
    before = np.linalg.norm(scene.targets - drag.places)
    found = drag.to(scene.targets)
    assert found.status is Status.SOLVED
    assert np.linalg.norm(found.residual) < 0.2 * before


def residuals_are_distances_of_the_face(scene: Scene) -> None:
    found = started(scene).to(scene.targets)
    far = [np.linalg.norm(place_of(scene.rig, pin, found.weights) - pin.target) for pin in scene.pins]
    np.testing.assert_allclose(found.residual, far, atol=1e-9 * scene.rig.size)


def rival_pins_on_one_point_meet_in_the_middle(scene: Scene) -> None:
    pin = scene.pins[0]
    place = place_of(scene.rig, pin, scene.start)
    middle = replace(pin, target=(place + pin.target) / 2)
    one = fw.solve_pose(scene.rig, [middle], scene.start, scene.method).weights
    both = fw.solve_pose(scene.rig, [pin, replace(pin, target=place)], scene.start, scene.method)
    np.testing.assert_allclose(
        place_of(scene.rig, pin, both.weights),
        place_of(scene.rig, pin, one),
        atol=float(0.05 * np.linalg.norm(some(pin.target) - place)),
    )
    assert all(both.reasons)


LAWS = [
    a_unit_changes_nothing_but_the_size,
    what_a_slider_counts_to_changes_nothing_else,
    no_drag_gives_the_start_exactly,
    a_drag_out_and_back_returns,
    the_way_of_a_drag_does_not_matter,
    a_small_move_of_a_pin_makes_a_small_change,
    weights_stay_within_bounds,
    locked_sliders_stay,
    a_hold_pin_holds,
    pins_come_nearer,
    residuals_are_distances_of_the_face,
    rival_pins_on_one_point_meet_in_the_middle,
]


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
@pytest.mark.parametrize("thing", THINGS)
@pytest.mark.parametrize("seeds", SEEDS)
@pytest.mark.parametrize("method", ["bounded", "natural", pytest.param("automatic", marks=pytest.mark.long)])
def test_law_of_dragging(law: Callable[..., Any], thing: str, seeds: range, method: str) -> None:
    for seed in seeds:
        law(scene(thing, seed, method))
