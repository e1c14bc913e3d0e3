"""The embedded head: its surface, and what must not show or bend in a pose."""

import numpy as np
import pytest

import facewright as fw
from facewright.render import frame, rasterise
from facewright.samples.head import people, sample
from tests.samples.surfaces import border, edges_of, volume

EVERYONE = [*people()[:2], *(pytest.param(person, marks=pytest.mark.long) for person in people()[2:])]
INNER = ("upper teeth", "lower teeth", "upper gums", "lower gums", "tongue")


def shown(rig: fw.Rig, pose: dict[str, float], parts: tuple[str, ...]) -> float:
    """The share of the picture's covered samples, from the front, where some of these parts are seen."""
    positions = fw.evaluate(rig, rig.weights(pose))
    samples = rasterise(frame(rig.neutral), positions, rig.triangles, (900, 900))
    first = rig.triangles[samples.triangle, 0]
    ranges = [rig.part(name) for name in parts]
    return float(np.mean(np.any([(first >= part.start) & (first < part.stop) for part in ranges], axis=0)))


def test_every_vertex_is_a_corner_and_every_polygon_is_a_quad_of_four_vertices() -> None:
    rig = sample()
    quads = rig.polygons.uniform()
    assert quads is not None
    assert quads.shape[1] == 4
    assert (np.diff(np.sort(quads, axis=1), axis=1) > 0).all()
    assert np.array_equal(np.unique(quads), np.arange(rig.vertex_count))


def test_no_edge_has_more_than_two_polygons_and_neighbours_agree_on_their_outside() -> None:
    rig = sample()
    for part in rig.parts:
        assert set(edges_of(rig, part.name).values()) == {1}, part.name


def test_the_head_ends_in_one_clean_loop_at_the_neck() -> None:
    rig = sample()
    (loop,) = border(rig, "head")
    assert len(loop) == 42
    assert (rig.neutral[loop, 1] < rig.neutral[:, 1].min() + 6).all()
    steps = np.linalg.norm(np.diff(rig.neutral[[*loop, loop[0]]], axis=0), axis=1)
    assert steps.max() < 2.5


@pytest.mark.parametrize("part", ["left eye", "right eye", "upper gums", "lower gums"])
def test_eyeballs_and_gums_are_closed(part: str) -> None:
    assert border(sample(), part) == []


@pytest.mark.parametrize("person", EVERYONE)
def test_polygons_are_counterclockwise_from_outside(person: str) -> None:
    rig = sample(person)
    (loop,) = border(rig, "head")
    assert 3000 < volume(rig, "head", rig.neutral[loop].mean(axis=0)) < 7000  # cubic centimetres
    for part in rig.parts[1:]:
        inside = rig.neutral[part.start : part.stop].mean(axis=0)
        assert volume(rig, part.name, inside) > 0, part.name


def test_no_two_parts_share_a_place_in_the_texture() -> None:
    rig = sample()
    assert rig.uvs is not None
    quads = rig.uvs.coordinates[rig.uvs.corners].reshape(-1, 4, 2)
    first = rig.polygons.corners[::4]
    for part in rig.parts[1:]:
        own = (first >= part.start) & (first < part.stop)
        low, high = quads[own].min(axis=1), quads[own].max(axis=1)
        others = np.unique(quads[~own].reshape(-1, 2), axis=0)[:, None]
        assert not ((others > low) & (others < high)).all(axis=2).any(), part.name


@pytest.mark.parametrize("person", EVERYONE)
def test_a_neutral_face_has_its_mouth_closed_and_its_eyes_open(person: str) -> None:
    rig = sample(person)
    assert shown(rig, {}, INNER) < 3e-4
    assert shown(rig, {}, ("left eye", "right eye")) > 0.004


@pytest.mark.parametrize("person", EVERYONE)
def test_a_blink_hides_the_eyeball(person: str) -> None:
    rig = sample(person)
    for side in ("Left", "Right"):
        assert shown(rig, {f"eyeBlink{side}": 1}, (f"{side.lower()} eye",)) < 2e-5


@pytest.mark.parametrize("person", EVERYONE)
@pytest.mark.parametrize(("shapes", "lids"), [("arkit", "eyeBlinkLeft"), ("units", "eye-left-closure")])
def test_lids_close_evenly_and_meet_at_1_and_not_before(person: str, shapes: str, lids: str) -> None:
    rig = sample(person, shapes=shapes)
    rest, half, nearly, shut = (shown(rig, {lids: value}, ("left eye",)) for value in (0.0, 0.5, 0.9, 1.0))
    assert 0.4 * rest < half < 0.6 * rest
    assert 0.01 * rest < nearly < 0.15 * rest
    assert shut < 0.005 * rest


@pytest.mark.parametrize("person", EVERYONE)
def test_expression_units_close_the_eyes_too(person: str) -> None:
    rig = sample(person, shapes="units")
    assert shown(rig, {"eye-left-closure": 1, "eye-right-closure": 1}, ("left eye", "right eye")) < 3e-5


def test_an_open_jaw_shows_teeth_and_tongue_and_a_closed_mouth_on_it_hides_them() -> None:
    rig = sample()
    assert shown(rig, {"jawOpen": 1}, INNER) > 0.01
    assert shown(rig, {"jawOpen": 1, "mouthClose": 1}, INNER) < 5e-4


@pytest.mark.parametrize("person", EVERYONE)
@pytest.mark.parametrize("shapes", ["arkit", "units"])
def test_no_shape_bends_eyeballs_or_teeth(person: str, shapes: str) -> None:
    rig = sample(person, shapes=shapes)
    for part in ("left eye", "right eye", "upper teeth", "lower teeth", "lower gums"):
        a, b = np.array(list(edges_of(rig, part))).T
        rest = np.linalg.norm(rig.neutral[a] - rig.neutral[b], axis=1)
        for shape in rig.shapes:
            posed = rig.neutral + shape.dense(rig.vertex_count)
            away = np.linalg.norm(posed[a] - posed[b], axis=1)
            np.testing.assert_allclose(away, rest, atol=4e-3, err_msg=f"{shape.name} {part}")


def test_the_jaw_takes_lower_teeth_and_tongue_along_but_not_the_upper_teeth() -> None:
    for rig, opening in ((sample(), "jawOpen"), (sample(shapes="units"), "mouth-open")):
        delta = rig.shape(opening).dense(rig.vertex_count)
        by_part = {part.name: delta[part.start : part.stop, 1] for part in rig.parts}
        assert by_part["lower teeth"].max() < -0.5
        assert by_part["tongue"].mean() < -0.5
        assert not by_part["upper teeth"].any()


@pytest.mark.parametrize(("direction", "axis", "sign"), [("Up", 1, 1), ("Down", 1, -1), ("Out", 0, 1), ("In", 0, -1)])
def test_eyes_turn_where_they_look_about_their_middles(direction: str, axis: int, sign: int) -> None:
    rig = sample()
    part = rig.part("left eye")
    posed = fw.evaluate(rig, rig.weights({f"eyeLook{direction}Left": 1}))[part.start : part.stop]
    rest = rig.neutral[part.start : part.stop]
    pupil = rest[:, 2].argmax()
    middle = (rest.min(axis=0) + rest.max(axis=0)) / 2
    radius = rest[pupil, 2] - middle[2]
    assert 12 < sign * np.degrees(np.arcsin((posed[pupil] - middle)[axis] / radius)) < 30
    np.testing.assert_allclose(np.linalg.norm(posed - middle, axis=1), radius, atol=3e-3)
