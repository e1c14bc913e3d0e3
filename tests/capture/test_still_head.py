"""A head that does not move: all that the markers do is the face."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import facewright as fw
from facewright.capture.solver import solve_take
from facewright.errors import UnknownName
from facewright.rig.head_motion import ANGLES, OFFSETS
from tests.capture.acting import Acted, acted, mesh_error


def whole_faces() -> Acted:
    """A take whose weights sum to 1 at most, as the paper's do, and in which all markers move."""
    made = acted(frames=40, head=False)
    weights = made.weights / max(1.0, made.weights.sum(axis=1).max())
    seen = made.binding.places(fw.evaluate(made.rig, weights))
    moves = np.argsort(np.linalg.norm(seen - made.binding.rest, axis=2).min(axis=0))[-24:]
    binding = made.binding.only(tuple(made.binding.markers[i] for i in moves))
    return replace(made, weights=weights, binding=binding, take=fw.Take(binding.markers, seen[:, moves], 60.0, "cm"))


def test_a_still_head_is_not_moved_and_its_curves_are_zero() -> None:
    made = acted(frames=40, head=False, noise=0.02)
    found = solve_take(made.rig, made.take, made.binding, head="still")
    np.testing.assert_array_equal(found.head.rotations, np.tile(np.eye(3), (40, 1, 1)))
    assert not any(found.clip.curves[name].values.any() for name in (*ANGLES, *OFFSETS))
    assert mesh_error(made.rig, found.weights, made.weights) < 0.06


def test_with_a_still_head_the_convex_form_finds_whole_face_weights_exactly() -> None:
    made = whole_faces()
    still, markers = (
        solve_take(made.rig, made.take, made.binding, method="convex", head=head) for head in ("still", "markers")
    )
    np.testing.assert_allclose(still.weights, made.weights, atol=1e-5)
    assert np.abs(markers.weights - made.weights).max() > 0.01


def test_a_helmet_that_was_put_on_anew_is_brought_to_its_binding() -> None:
    made = whole_faces()
    turn, shift = Rotation.from_rotvec((0.1, -0.2, 0.05)).as_matrix(), np.array([2.0, -1.0, 0.5])
    away = replace(made.take, positions=made.take.positions @ turn.T + shift)
    found = solve_take(made.rig, away, made.binding, head="still")
    assert any("stands elsewhere than the binding" in note for note in found.notes)
    assert mesh_error(made.rig, found.weights, made.weights) < 0.2
    here = solve_take(made.rig, made.take, made.binding, head="still")
    assert not any("elsewhere" in note for note in here.notes)


@pytest.mark.parametrize("wrong", ["stil", True])
def test_another_word_for_the_head_is_refused(wrong: object) -> None:
    made = acted(frames=4, head=False)
    with pytest.raises(UnknownName, match="still"):
        solve_take(made.rig, made.take, made.binding, head=wrong)  # type: ignore[arg-type]
