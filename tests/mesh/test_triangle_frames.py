"""Frames and gradients of triangles."""

import numpy as np

from facewright.mesh.triangle_frames import edge_pairs, frames, gradients, has_frame

RNG = np.random.default_rng(3)
POINTS = RNG.normal(size=(9, 3))
TRIANGLES = np.array([[0, 1, 2], [2, 1, 3], [4, 5, 6], [6, 7, 8]])


def test_an_even_growth_has_a_gradient_that_grows_alike_in_all_directions() -> None:
    np.testing.assert_allclose(gradients(POINTS, 3 * POINTS, TRIANGLES), np.tile(3 * np.eye(3), (4, 1, 1)), atol=1e-12)


def test_a_turn_is_its_own_gradient() -> None:
    turn = np.linalg.qr(RNG.normal(size=(3, 3)))[0]
    turn *= np.sign(np.linalg.det(turn))
    found = gradients(POINTS, POINTS @ turn.T + 5, TRIANGLES)
    np.testing.assert_allclose(found, np.tile(turn, (4, 1, 1)), atol=1e-12)


def test_a_gradient_takes_the_edges_at_rest_to_the_posed_ones() -> None:
    posed = POINTS + RNG.normal(size=POINTS.shape)
    taken = edge_pairs(POINTS, TRIANGLES) @ gradients(POINTS, posed, TRIANGLES).swapaxes(1, 2)
    np.testing.assert_allclose(taken, edge_pairs(posed, TRIANGLES), atol=1e-12)


def test_the_normal_of_a_frame_stands_on_its_edges() -> None:
    found = frames(POINTS, TRIANGLES)
    np.testing.assert_allclose(np.einsum("tae,ta->te", found[:, :, :2], found[:, :, 2]), 0, atol=1e-12)


def test_triangles_on_a_line_have_no_frame_in_any_unit() -> None:
    points = np.array([[0, 0, 0], [1, 0, 0], [2, 0, 0], [0, 1, 0.0]])
    for scale in (1e-3, 1, 1e3):
        assert has_frame(scale * points, np.array([[0, 1, 2], [0, 1, 3], [1, 1, 3]])).tolist() == [False, True, False]
