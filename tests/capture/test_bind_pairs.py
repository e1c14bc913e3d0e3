"""Markers glued where somebody clicked."""

from dataclasses import replace

import numpy as np
import pytest

from facewright.capture.bind import bind
from facewright.errors import BadValue
from facewright.rig.binding import SurfacePoint
from tests.capture.acting import acted, moved_away


def test_a_clicked_point_is_kept_exactly_and_says_as_much_as_a_vertex() -> None:
    made = acted(frames=30, head=False)
    rig, take = made.rig, made.take
    vertices = [int(v) for v in made.binding.vertices[:, 0]]
    by_vertex = bind(rig, take, dict(zip(take.names[:8], vertices[:8], strict=True)), neutral=0)
    by_point = bind(
        rig,
        take,
        {name: SurfacePoint.vertex(v) for name, v in zip(take.names[:8], vertices[:8], strict=True)},
        neutral=0,
    )
    np.testing.assert_allclose(by_point.to_rig.rotation, by_vertex.to_rig.rotation, atol=1e-12)
    a, b, c = (int(v) for v in rig.triangles[7])
    between = SurfacePoint((a, b, c), (0.2, 0.3, 0.5))
    moved = by_point.moved({take.names[3]: between})
    place = 0.2 * rig.neutral[a] + 0.3 * rig.neutral[b] + 0.5 * rig.neutral[c]
    np.testing.assert_allclose(moved.places(rig.neutral)[3], place, atol=1e-12)
    np.testing.assert_array_equal(np.delete(moved.vertices, 3, 0), np.delete(by_point.vertices, 3, 0))


def test_three_clicked_pairs_bring_a_take_from_anywhere_onto_the_rig() -> None:
    made = acted(frames=30, head=False)
    _, away = moved_away(made.binding)
    take = replace(made.take, positions=away(made.take.positions))
    corners = {name: int(made.binding.vertices[i, 0]) for i, name in enumerate(take.names) if i in (2, 25, 51)}
    found = bind(made.rig, take, {name: SurfacePoint.vertex(v) for name, v in corners.items()}, neutral=0)
    np.testing.assert_allclose(found.to_rig.scale, away.inverse().scale, rtol=0.15)


@pytest.mark.parametrize("shares", [(0.5, 0.5, 0.5), (-0.2, 0.6, 0.6), (np.nan, 0.5, 0.5)])
def test_shares_that_are_none_are_refused(shares: tuple[float, float, float]) -> None:
    with pytest.raises(BadValue, match=r"shares|finite"):
        SurfacePoint((0, 1, 2), shares)


def test_a_point_of_another_rig_is_refused() -> None:
    made = acted(frames=5)
    with pytest.raises(BadValue, match="they go from 0 to"):
        bind(made.rig, made.take, {made.take.names[0]: SurfacePoint.vertex(made.rig.vertex_count)})
