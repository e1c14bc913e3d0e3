"""Every vertex's partner on the other side of the face."""

from pathlib import Path

import numpy as np
import pytest

from facewright.arrays import Ints
from facewright.errors import BadValue, UnknownName
from facewright.mesh.plane import Plane
from facewright.mesh.polygons import Polygons
from facewright.rig.edit import scale, symmetry
from facewright.rig.rig import Part, Rig
from facewright.rig.symmetry import Method

from .conftest import COLUMNS, ROWS, grid_positions, grid_quads

MIRROR = (np.arange(COLUMNS * ROWS).reshape(ROWS, COLUMNS)[:, ::-1]).ravel()


def turned(quads: Ints, seed: int = 0) -> Ints:
    """The same polygons, each starting at another corner, in another order."""
    rng = np.random.default_rng(seed)
    return rng.permutation([np.roll(quad, rng.integers(4)) for quad in quads])


@pytest.mark.parametrize("method", ["auto", "topology", "position"])
@pytest.mark.parametrize("size", [0.01, 1.0, 100.0])
def test_both_methods_find_the_partners_of_a_symmetric_face_of_any_size(face: Rig, method: Method, size: float) -> None:
    found = symmetry(scale(face, size), method=method)
    np.testing.assert_array_equal(found.partner, MIRROR)
    assert found.matched == face.vertex_count
    assert found.worst < 1e-12
    assert bool(found.by_topology.all()) == (method != "position")


def test_polygons_may_start_at_any_corner_and_come_in_any_order(face: Rig) -> None:
    for seed in range(5):
        rig = Rig(face.neutral, Polygons.of(turned(grid_quads(), seed)))
        np.testing.assert_array_equal(symmetry(rig, method="topology").partner, MIRROR)


def test_topology_finds_partners_on_an_uneven_face_where_positions_cannot() -> None:
    rng = np.random.default_rng(4)
    x = grid_positions()
    uneven = x + 0.09 * rng.normal(size=x.shape) + 0.3 * np.maximum(x[:, :1], 0) * [1, 0.5, 0]
    rig = Rig(uneven, Polygons.of(grid_quads()))
    by_topology, by_position = symmetry(rig, method="topology"), symmetry(rig, method="position")
    np.testing.assert_array_equal(by_topology.partner, MIRROR)
    assert by_topology.worst > 0.01
    assert by_position.matched < rig.vertex_count


def test_triangles_cut_one_way_all_over_have_partners_by_position_only(face: Rig) -> None:
    rig = Rig(face.neutral, Polygons.of(face.triangles))
    assert symmetry(rig, method="topology").matched == 0
    found = symmetry(rig)
    np.testing.assert_array_equal(found.partner, MIRROR)
    assert not found.by_topology.any()


def test_pieces_on_either_side_are_each_other_s_partners() -> None:
    eye = grid_positions(5, 5) * 0.2
    left = eye + np.array([0.5, 0.3, 0])
    right = left * [-1, 1, 1]
    order = np.random.default_rng(2).permutation(25)  # the right eye's vertices come in another order
    quads = np.vstack([grid_quads(5, 5), 25 + np.argsort(order)[grid_quads(5, 5)][:, ::-1]])
    rig = Rig(np.vstack([left, right[order]]), Polygons.of(quads), parts=(Part("left", 0, 25), Part("right", 25, 50)))
    found = symmetry(rig, method="topology")
    np.testing.assert_array_equal(found.partner[25:], order)
    np.testing.assert_array_equal(found.partner[found.partner], np.arange(50))


def test_a_piece_that_is_exact_in_space_but_tied_otherwise_goes_by_position() -> None:
    tooth = grid_positions(5, 4) + np.array([2.0, 0, 0])
    other = tooth * [-1, 1, 1]
    other[[6, 7]] = other[[7, 6]]  # two points of the other tooth have each other's polygons
    rig = Rig(np.vstack([tooth, other]), Polygons.of(np.vstack([grid_quads(5, 4), 20 + grid_quads(5, 4)[:, ::-1]])))
    by_topology, found = symmetry(rig, method="topology"), symmetry(rig)
    assert by_topology.matched == 40
    assert by_topology.partner[6] == 26
    assert by_topology.worst > 0.05
    assert found.partner[6] == 27
    assert found.worst < 1e-9
    assert not found.by_topology.any()


def test_lips_that_touch_are_told_apart_by_the_way_they_face() -> None:
    x, y = np.meshgrid(np.linspace(-1, 1, 9), np.linspace(0, 1, 4))
    upper = np.stack([x, y, -0.5 * y - 0.2 * x**2], axis=-1).reshape(-1, 3)
    lips = np.vstack([upper, upper * [1, -1, 1]])  # the first rows lie on each other
    order = np.random.default_rng(0).permutation(len(lips))
    now = np.argsort(order)
    quads = now[np.vstack([grid_quads(9, 4), 36 + grid_quads(9, 4)[:, ::-1]])]
    partner = symmetry(Rig(lips[order], Polygons.of(quads)), method="position").partner
    assert (partner >= 0).all()
    assert ((order < 36) == (order[partner] < 36)).all()


def test_partners_are_mutual_and_a_vertex_without_one_says_so(face: Rig) -> None:
    extra = np.vstack([face.neutral, [[0.61, 0.4, 2.0]]])
    found = symmetry(Rig(extra, face.polygons))
    assert found.partner[-1] == -1
    assert found.matched == face.vertex_count
    has = np.flatnonzero(found.partner >= 0)
    np.testing.assert_array_equal(found.partner[found.partner[has]], has)
    assert "63 of 64 vertices have a partner, 63 of them by topology" in str(found)


def test_a_given_plane_is_kept(face: Rig) -> None:
    moved = Rig(face.neutral + np.array([0.5, 0, 0]), face.polygons)
    assert symmetry(moved, plane=Plane(np.array([1, 0, 0]), 0.5)).worst < 1e-12
    assert (
        symmetry(moved, plane=Plane(np.array([1, 0, 0])), method="position", tolerance=1e-6).matched < face.vertex_count
    )


def test_a_wrong_method_or_tolerance_is_refused(face: Rig) -> None:
    with pytest.raises(UnknownName, match="auto, topology, position"):
        symmetry(face, method="magic")  # type: ignore[arg-type]
    with pytest.raises(BadValue, match="tolerance"):
        symmetry(face, tolerance=np.nan)


def test_a_rig_without_vertices_is_symmetric() -> None:
    assert symmetry(Rig(np.zeros((0, 3)), [])).matched == 0


def test_the_ict_face_and_another_person_of_its_topology_have_the_same_partners(shared_data: Path) -> None:
    with np.load(shared_data / "ict_face" / "ict_face.npz") as data:
        neutral, quads, identity = data["neutral"], data["quads"], data["identity"]
    person = neutral + np.tensordot(np.random.default_rng(0).normal(size=len(identity)), identity, 1)
    base, other = (symmetry(Rig(points, Polygons.of(quads)), method="topology") for points in (neutral, person))
    assert base.matched == other.matched == len(neutral)
    np.testing.assert_array_equal(base.partner, other.partner)
    assert base.worst < 2e-4
