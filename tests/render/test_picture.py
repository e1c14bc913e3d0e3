from pathlib import Path
from typing import Any

import numpy as np
import pytest

from facewright.arrays import Floats, Ints
from facewright.errors import BadValue
from facewright.mesh.polygons import Polygons
from facewright.render import Heat, contact_sheet, face_picture, frame, material_named, mesh_picture
from facewright.render.camera import Camera
from facewright.render.clipping import project
from facewright.render.material import EYE, HAIR, SKIN, TEETH, TONGUE
from facewright.rig.rig import Part, Rig
from facewright.rig.shape import Shape
from tests.render.meshes import ball

SIZE = (120, 100)


def lumpy() -> tuple[Floats, Ints]:
    """A ball with a nose and a chin: something to throw shadows."""
    points, triangles = ball(32)
    nose = np.exp(-20 * ((points - (0, 0, 1)) ** 2).sum(axis=1))
    chin = np.exp(-8 * ((points - (0, -0.8, 0.6)) ** 2).sum(axis=1))
    return points * (0.8, 1.1, 0.9) + nose[:, None] * (0, 0, 0.4) + chin[:, None] * (0, -0.1, 0.3), triangles


@pytest.mark.parametrize("options", [{}, {"wire": True}, {"view": "threequarter", "samples": 1}], ids=str)
@pytest.mark.parametrize("scale", [1e-6, 0.01, 100.0, 1e6])
def test_a_picture_does_not_know_the_unit(options: dict[str, Any], scale: float) -> None:
    points, triangles = lumpy()
    one = mesh_picture(points, triangles, size=SIZE, **options)
    other = mesh_picture(points * scale, triangles, size=SIZE, **options)
    assert np.abs(one.astype(int) - other).max() <= 1


def test_moving_the_face_moves_the_camera_with_it() -> None:
    points, triangles = lumpy()
    one = mesh_picture(points, triangles, size=SIZE)
    assert np.abs(one.astype(int) - mesh_picture(points + np.array([8, -4, 2]), triangles, size=SIZE)).max() <= 1


def test_a_ball_is_lit_from_the_upper_left_and_stands_on_a_dark_ground() -> None:
    points, triangles = ball(40)
    got = mesh_picture(points, triangles, size=(200, 200)).astype(float).mean(axis=2)
    assert got[80, 80] > 1.5 * got[150, 140]
    assert got[100, 100] > 100
    assert got[0].max() < 40


def test_smooth_shading_shows_no_facets() -> None:
    points, triangles = ball(16)
    got = mesh_picture(points, triangles, size=(240, 240)).astype(float).mean(axis=2)[90:150, 90:150]
    # Flat shading of a ball of 16 rings steps by over 10 levels from facet to facet.
    assert np.abs(np.diff(got, axis=1)).max() < 4


def test_copies_of_a_vertex_at_a_seam_do_not_show() -> None:
    points, triangles = ball(16)
    whole = mesh_picture(points, triangles, size=SIZE)
    split = points[triangles].reshape(-1, 3)
    apart = mesh_picture(split, np.arange(len(split)).reshape(-1, 3), size=SIZE)
    assert np.abs(whole.astype(int) - apart).max() <= 1


def test_a_transparent_picture_over_its_background_is_the_picture_with_that_background() -> None:
    points, triangles = lumpy()
    color = (0.2, 0.3, 0.4)
    clear = mesh_picture(points, triangles, size=SIZE, background=None)
    solid = mesh_picture(points, triangles, size=SIZE, background=color)
    assert clear.shape == (*SIZE[::-1], 4)
    inside, outside = clear[:, :, 3] == 255, clear[:, :, 3] == 0
    assert inside.mean() > 0.3
    assert outside.mean() > 0.2
    assert np.abs(clear[inside][:, :3].astype(int) - solid[inside]).max() <= 1
    assert np.abs(solid[outside] - np.array(color) * 255).max() <= 1
    assert not clear[outside].any()


def test_more_samples_make_softer_edges_and_leave_the_middle_alone() -> None:
    points, triangles = ball(40)
    alpha = {n: mesh_picture(points, triangles, size=SIZE, background=None, samples=n)[:, :, 3] for n in (1, 4, 16)}
    assert [len(np.unique(alpha[n])) for n in (1, 4)] == [2, 5]
    assert len(np.unique(alpha[16])) > 12
    # The coverage of the disc is its area, the better the more samples.
    errors = [abs(alpha[n].sum() / 255 - alpha[16].sum() / 255) for n in (1, 4)]
    assert errors[1] < 0.004 * alpha[16].sum() / 255


def test_heat_paints_the_map_and_colors_paint_themselves() -> None:
    points, triangles = ball(24)
    up = mesh_picture(points, triangles, size=SIZE, heat=Heat(points[:, 1], map="diverging")).astype(int)
    assert up[30, 60, 0] > up[30, 60, 2] + 40  # warm above
    assert up[75, 60, 2] > up[75, 60, 0] + 40  # cool below
    green = mesh_picture(points, triangles, size=SIZE, colors=np.tile([0.1, 0.8, 0.1], (len(points), 1))).astype(int)
    assert green[50, 60, 1] > green[50, 60, [0, 2]].max() + 60


def test_colors_of_no_cover_leave_the_material() -> None:
    points, triangles = ball(24)
    cover = np.column_stack([np.tile([0, 0, 1.0], (len(points), 1)), points[:, 0] > 0])
    got = mesh_picture(points, triangles, size=SIZE, colors=cover).astype(int)
    assert got[50, 85, 2] > got[50, 85, 0] + 60
    assert got[50, 35, 0] > got[50, 35, 2] + 30


def test_wire_draws_the_edges_that_are_asked_for_and_no_others() -> None:
    square = np.array([(-1, -1, 0), (1, -1, 0), (1, 1, 0), (-1, 1, 0)], float)
    triangles = [(0, 1, 2), (0, 2, 3)]
    plain, some, every = (
        mesh_picture(square, triangles, size=(101, 101), wire=wire).astype(int).sum(axis=2)
        for wire in (False, [(0, 1), (1, 2), (2, 3), (3, 0)], True)
    )
    diagonal = np.arange(20, 80)
    assert (every[100 - diagonal, diagonal] < 0.85 * plain[100 - diagonal, diagonal]).all()
    assert (some[100 - diagonal, diagonal] > 0.97 * plain[100 - diagonal, diagonal]).all()
    rows = np.flatnonzero(some[:, 60] < 0.95 * plain[:, 60])
    assert len(rows) >= 2


def test_parts_choose_their_material_by_name() -> None:
    names = ["head", "Eye_L", "eyelashes", "upper_teeth", "tongue", "eyelid", "helper-l-eye", "EyeBrows", "body"]
    wanted = [SKIN, EYE, HAIR, TEETH, TONGUE, SKIN, EYE, HAIR, SKIN]
    assert [material_named(name) for name in names] == wanted


def middles_on_picture(camera: Camera, spread: Floats, size: tuple[int, int]) -> Floats:
    clip = project(camera, np.stack([-spread, spread]), size)
    return np.unique(np.rint(clip[:, 0] / clip[:, 3]))


def pupil_near(row: Floats, middle: float, reach: float = 40) -> float:
    """Middle of the dark columns within reach."""
    columns = np.arange(len(row))
    return float(columns[(np.abs(columns - middle) < reach) & (row < 0.2 * row.max())].mean())


@pytest.mark.parametrize("halves", [1, 2])
def test_an_eye_has_a_dark_pupil_in_a_white_ball_and_it_turns_with_the_eye(halves: int) -> None:
    points, triangles = ball(24)
    spread = np.array([3.0, 0, 0])
    eyes = np.concatenate([points - spread, points + spread]) if halves == 2 else points
    faces = np.concatenate([triangles, triangles + len(points)]) if halves == 2 else triangles
    parts = (Part("eyes", 0, len(eyes)),)
    size = (200 * halves, 200)
    camera = frame(eyes, aspect=halves, perspective=False)
    ahead = mesh_picture(eyes, faces, size=size, parts=parts, camera=camera).astype(int).sum(axis=2)
    turn = np.radians(25)
    matrix = np.array([[np.cos(turn), 0, np.sin(turn)], [0, 1, 0], [-np.sin(turn), 0, np.cos(turn)]])
    middles = np.where(eyes[:, :1] > 0, spread, -spread) if halves == 2 else 0
    turned = (eyes - middles) @ matrix.T + middles
    aside = mesh_picture(turned, faces, size=size, parts=parts, camera=camera, rest=eyes).astype(int).sum(axis=2)
    for one in middles_on_picture(camera, spread * (halves - 1), size):
        before, after = (pupil_near(row, one) for row in (ahead[100], aside[100]))
        assert abs(before - one) < 3
        assert after > one + 15


def test_the_inside_of_an_open_surface_is_darker_than_its_outside() -> None:
    points, triangles = ball(24)
    half = triangles[(points[triangles][:, :, 2].mean(axis=1) < 0)]
    camera = frame(points)
    inside = mesh_picture(points, half, size=SIZE, camera=camera).astype(int)
    outside = mesh_picture(points * (1, 1, -1), half[:, ::-1], size=SIZE, camera=camera).astype(int)
    assert inside[50, 60].sum() < 0.5 * outside[50, 60].sum()


def test_a_hat_throws_a_shadow_on_what_is_under_it() -> None:
    floor = np.array([(-2, -2, 0), (2, -2, 0), (2, 2, 0), (-2, 2, 0)], float)
    hat = np.array([(-0.9, 0.3, 0.7), (-0.3, 0.3, 0.7), (-0.3, 0.9, 0.7), (-0.9, 0.9, 0.7)])
    both = np.concatenate([floor, hat])
    triangles = np.array([(0, 1, 2), (0, 2, 3), (4, 5, 6), (4, 6, 7)])
    camera = frame(floor, perspective=False)
    with_hat = mesh_picture(both, triangles, size=(200, 200), camera=camera).astype(int).sum(axis=2)
    without = mesh_picture(both, triangles[:2], size=(200, 200), camera=camera).astype(int).sum(axis=2)
    change = without - with_hat
    rows, columns = np.nonzero(change > 120)
    assert len(rows) > 200
    # The key light hangs on the upper left, so the shadow falls to the lower right of the hat.
    assert columns.mean() > 80
    assert abs(change[180, 180]) < 12


def test_nothing_to_see_gives_the_background() -> None:
    points, triangles = ball(8)
    empty = mesh_picture(points, np.zeros((0, 3), int), size=SIZE)
    assert empty.max() < 60
    away = frame(points + np.array([1000, 0, 0]))
    np.testing.assert_array_equal(mesh_picture(points, triangles, size=SIZE, camera=away), empty)


def test_mistakes_say_what_would_have_worked() -> None:
    points, triangles = ball(8)
    with pytest.raises(BadValue, match="colors or heat"):
        mesh_picture(points, triangles, colors=np.zeros((len(points), 3)), heat=points[:, 0])
    with pytest.raises(BadValue, match="heat must have shape"):
        mesh_picture(points, triangles, heat=points[:5, 0])
    with pytest.raises(BadValue, match="triangles has index"):
        mesh_picture(points, triangles + 5)
    with pytest.raises(BadValue, match="1, 2, 4, 8, 16 samples"):
        mesh_picture(points, triangles, samples=3)
    with pytest.raises(BadValue, match="covers vertices"):
        mesh_picture(points, triangles, parts=(Part("head", 0, 10_000),))
    with pytest.raises(BadValue, match="one for each part"):
        mesh_picture(points, triangles, materials=(SKIN, EYE))
    with pytest.raises(BadValue, match="not finite"):
        mesh_picture(points * np.nan, triangles)


def square_rig() -> Rig:
    neutral = np.array([(-1, -1, 0), (1, -1, 0), (1, 1, 0), (-1, 1, 0)], float)
    stretch = Shape("stretch", np.array([2, 3]), np.array([(0, -0.9, 0), (0, -0.9, 0)], float))
    return Rig(neutral=neutral, polygons=Polygons.of([(0, 1, 2, 3)]), shapes=(stretch,))


def test_a_posed_rig_is_seen_from_where_its_neutral_face_is_seen() -> None:
    rig = square_rig()
    open_, shut = face_picture(rig, size=SIZE), face_picture(rig, {"stretch": 1.0}, size=SIZE)
    camera = frame(rig.neutral, aspect=SIZE[0] / SIZE[1])
    posed = rig.neutral + rig.deltas()[0]
    np.testing.assert_array_equal(shut, mesh_picture(posed, rig.triangles, size=SIZE, camera=camera, rest=rig.neutral))
    assert open_[20, 60].sum() > 3 * shut[20, 60].sum()
    assert np.abs(open_[85, 60].astype(int) - shut[85, 60]).max() < 40


def test_a_rigs_wire_shows_its_polygons_and_not_their_diagonals() -> None:
    rig = square_rig()
    plain, wired = (face_picture(rig, size=(101, 101), wire=wire).astype(int).sum(axis=2) for wire in (False, True))
    assert wired[50, 50] > 0.97 * plain[50, 50]
    assert (wired < 0.95 * plain).sum() > 200


def test_real_faces_come_out_bright_on_dark_from_all_views(shared_data: Path) -> None:
    data = np.load(shared_data / "ict_face" / "ict_face.npz")
    rig = Rig(neutral=data["neutral"], polygons=Polygons.of(data["quads"]))
    for view in ("front", "threequarter", "side"):
        got = face_picture(rig, size=(160, 200), view=view, background=None)
        face = got[got[:, :, 3] == 255][:, :3].astype(float)
        assert 0.2 < len(face) / (160 * 200) < 0.8
        assert 90 < face.mean() < 190
        assert face.std() > 20
        assert (face[:, 0] > face[:, 2]).mean() > 0.85  # skin is warm


def test_a_contact_sheet_holds_every_picture_unchanged_over_its_label() -> None:
    rng = np.random.default_rng(0)
    pictures = [rng.integers(0, 256, (60, 80, 3), dtype=np.uint8) for _ in range(5)]
    sheet = contact_sheet(pictures, list("abcde"), columns=3, title="five")
    windows = np.lib.stride_tricks.sliding_window_view(sheet, (1, 1, 3))[:, :, 0, 0, 0]
    for one in pictures:
        rows, columns = np.nonzero((windows == one[0, 0]).all(axis=2))
        assert any(np.array_equal(sheet[y : y + 60, x : x + 80], one) for y, x in zip(rows, columns, strict=True))
    plain = contact_sheet(pictures, columns=3)
    assert plain.shape[0] < sheet.shape[0]
    assert plain.shape[1] == sheet.shape[1]


def test_a_transparent_picture_on_a_sheet_shows_the_paper() -> None:
    clear = np.zeros((30, 30, 4), np.uint8)
    clear[10:20, 10:20] = (200, 100, 50, 255)
    sheet = contact_sheet([clear], paper=(1, 0, 1))
    assert (sheet == (255, 0, 255)).all(axis=2).sum() == sheet.shape[0] * sheet.shape[1] - 100


def test_sheets_that_cannot_be_are_refused() -> None:
    one = np.zeros((10, 10, 3), np.uint8)
    for pictures, labels in (([], []), ([one], ["a", "b"]), ([one, one[:5]], [])):
        with pytest.raises(BadValue):
            contact_sheet(pictures, labels)
