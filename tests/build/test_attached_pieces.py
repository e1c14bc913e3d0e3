"""Pieces that lie on a skin follow the places where they are rooted; others stay."""

import numpy as np

from facewright.build.attached_pieces import AttachedPieces, WithParts
from facewright.build.registration.face_mesh import FaceMesh
from facewright.mesh.polygons import Polygons
from facewright.rig.rig import Part, Rig

SIDE = 11


def sheet() -> Rig:
    """A square from -1 to 1 in the plane z = 0."""
    x, y = np.meshgrid(np.linspace(-1, 1, SIDE), np.linspace(-1, 1, SIDE))
    rows = np.arange(SIDE * SIDE).reshape(SIDE, SIDE)
    quads = np.stack([rows[:-1, :-1], rows[:-1, 1:], rows[1:, 1:], rows[1:, :-1]], axis=-1).reshape(-1, 4)
    return Rig(np.stack([x.ravel(), y.ravel(), np.zeros(SIDE * SIDE)], axis=1), quads)


def strip(left: float, low: float, high: float) -> Rig:
    """A quad that stands on the sheet, from one height to another."""
    points = [[left, 0, low], [left + 0.1, 0, low], [left + 0.12, 0.01, high], [left + 0.02, 0.01, high]]
    return Rig(points, [[0, 1, 2, 3]])


def moved(*strips: Rig) -> tuple[np.ndarray, np.ndarray]:
    """Offsets of the strips where the sheet is lifted by its x, and how far the pieces are from it."""
    corners = np.concatenate([one.polygons.corners + 4 * number for number, one in enumerate(strips)])
    parts = Rig(
        np.concatenate([one.neutral for one in strips]),
        Polygons(corners, np.full(len(strips), 4)),
        parts=[Part(str(number), 4 * number, 4 * number + 4) for number in range(len(strips))],
    )
    face = FaceMesh(sheet(), "the sheet")
    whole = WithParts(face, parts)
    count = face.rig.vertex_count
    pieces = AttachedPieces(whole, whole.rig.neutral, face.whole, face.rig.size, count)
    offsets = np.zeros((whole.rig.vertex_count, 3))
    offsets[:count, 2] = face.rig.neutral[:, 0]
    found = pieces.moved(offsets)
    np.testing.assert_array_equal(found[:count], offsets[:count])
    return found[count:], pieces.far[count:]


def test_a_lash_moves_with_its_root_also_at_its_tip() -> None:
    offsets, far = moved(strip(0.33, 0.0, 0.05))
    np.testing.assert_allclose(offsets[:, 2], [0.33, 0.43, 0.43, 0.33], atol=1e-12)
    np.testing.assert_allclose(far, [0, 0, 0.05, 0.05], atol=1e-12)


def test_what_stands_off_or_only_touches_stays() -> None:
    offsets, far = moved(strip(-0.4, 0.1, 0.2), strip(0.1, 0.0, 0.5), strip(0.5, 0.01, 0.02))
    assert not offsets[:8].any()
    assert np.isinf(far[:8]).all()
    np.testing.assert_allclose(offsets[8:, 2], [0.5, 0.6, 0.6, 0.5], atol=0.021)  # it floats near to the sheet


def test_roots_that_lie_on_the_skin_exactly_are_no_part_of_it() -> None:
    offsets, _ = moved(strip(0.0, 0.0, 0.05))
    np.testing.assert_allclose(offsets[:, 2], [0.0, 0.1, 0.1, 0.0], atol=1e-12)
