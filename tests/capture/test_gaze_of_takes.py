"""Whether the markers of a take tell where the eyes look, so that gaze is solved."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

import facewright as fw
from facewright.rig.binding import bind_vertices
from facewright.rig.rig import Rig
from tests.capture.acting import Acted, a_rig, acted, smooth

GAZE = [4, 5]  # sliders that are named as gaze
TOLD = "the markers tell where the eyes look, so gaze is solved too"
NOT_TOLD = "the markers do not tell where the eyes look: gaze stays at rest"


@cache
def looking_rig() -> Rig:
    rig = a_rig()
    return fw.edit.rename(rig, {rig.sliders[4]: "eyeLookUpLeft", rig.sliders[5]: "eyeLookUpRight"})


def played(rig: Rig, *, looks: bool, markers: list[int] | None = None) -> Acted:
    """A take of an actor who looks up now and then, or never."""
    frames, rng = 200, np.random.default_rng(4)
    weights = np.clip(0.35 * smooth(rng, frames, len(rig.sliders)) + 0.15, 0, 1)
    weights[:, GAZE] *= looks
    if markers is None:
        markers = np.linspace(3, rig.vertex_count - 4, 60).astype(int).tolist()
    binding = bind_vertices(rig, {f"marker {i}": int(v) for i, v in enumerate(markers)})
    seen = binding.places(fw.evaluate(rig, weights)) + 0.003 * rng.normal(size=(frames, len(markers), 3))
    still = np.tile(np.eye(3), (frames, 1, 1)), np.zeros((frames, 3))
    return Acted(rig, binding, fw.Take(binding.markers, seen, 60.0, "cm", "played"), weights, *still)


def gaze_of(made: Acted, **options: bool) -> tuple[float, str]:
    found = fw.solve_take(made.rig, made.take, made.binding, **options)  # type: ignore[arg-type]
    said = [note for note in found.notes if "eyes look" in note]
    return float(np.abs(found.weights[:, GAZE]).max()), " ".join(said)


def test_gaze_is_solved_where_the_markers_tell_it_and_else_stays() -> None:
    looking, not_looking = (played(looking_rig(), looks=looks) for looks in (True, False))
    largest, said = gaze_of(looking)
    assert said == TOLD
    assert largest > 0.5
    assert gaze_of(not_looking) == (0.0, NOT_TOLD)


def test_who_says_what_is_solved_is_obeyed_and_told_nothing() -> None:
    looking, not_looking = (played(looking_rig(), looks=looks) for looks in (True, False))
    assert gaze_of(looking, gaze=False) == (0.0, "")
    assert gaze_of(not_looking, gaze=True)[1] == ""
    told = fw.solve_take(looking.rig, looking.take, looking.binding, sliders="all")
    assert not any("eyes look" in note for note in told.notes)


def test_what_the_markers_decide_is_what_saying_it_gives() -> None:
    for looks in (True, False):
        made = played(looking_rig(), looks=looks)
        told = fw.solve_take(made.rig, made.take, made.binding)
        said = fw.solve_take(made.rig, made.take, made.binding, gaze=looks)
        np.testing.assert_array_equal(told.weights, said.weights)


def test_markers_that_gaze_does_not_move_leave_it_at_rest() -> None:
    rig = looking_rig()
    by_gaze = np.linalg.norm(rig.deltas()[GAZE], axis=2).max(axis=0)
    elsewhere = np.flatnonzero(by_gaze < 1e-3 * by_gaze.max())
    made = played(rig, looks=True, markers=elsewhere[np.linspace(0, len(elsewhere) - 1, 40).astype(int)].tolist())
    assert gaze_of(made) == (0.0, NOT_TOLD)


def test_on_a_rig_that_does_not_fit_the_actor_nothing_follows_for_gaze() -> None:
    made = played(looking_rig(), looks=True)
    rng = np.random.default_rng(9)
    sway = smooth(rng, len(made.take), made.take.positions.shape[1] * 3).reshape(made.take.positions.shape)
    typical = np.sqrt(((made.take.positions - made.binding.rest) ** 2).mean())
    other = replace(made, take=replace(made.take, positions=made.take.positions + 0.5 * typical * sway))
    assert gaze_of(other) == (0.0, NOT_TOLD)


@pytest.mark.parametrize("looks", [True, False])
def test_what_markers_tell_does_not_depend_on_the_scenes_unit(looks: bool) -> None:
    made = played(looking_rig(), looks=looks)
    small = made.scaled(0.01)
    small = replace(small, take=replace(small.take, unit="m"), binding=replace(small.binding, unit="m"))
    assert gaze_of(small)[1] == gaze_of(made)[1]


def test_a_rig_without_gaze_has_nothing_to_decide() -> None:
    made = acted(frames=40)
    assert gaze_of(made)[1] == ""


def test_regions_have_the_gaze_that_the_markers_tell() -> None:
    made = played(looking_rig(), looks=True)
    regions = fw.segment(made.rig)
    found = fw.solve_take(made.rig, made.take, made.binding, regions)
    assert TOLD in found.notes
    assert found.region_weights is not None
    assert np.abs(found.region_weights[:, :, GAZE]).max() > 0.5
