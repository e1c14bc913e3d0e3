"""Where markers sit by their names, and where the same places are on a rig by its shapes."""

from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import facewright as fw
from facewright.capture.bind import bind
from facewright.capture.marker_names import marker_name, place_markers
from facewright.capture.places import FacePlaces, hidden_from_front
from facewright.errors import BadValue
from facewright.mesh.align import Similarity
from facewright.mesh.exposure import exposed
from facewright.motion.take import Take
from facewright.rig.binding import Binding
from tests.capture.acting import acted

# An actor's face: where markers of these names are, centimetres.
FACE = {
    "ForeHead_M": (0, 9.5, -0.5),
    "Leyebrow_Inside": (1.6, 5.6, 1.0),
    "Leyebrow_M": (4, 5.9, 0),
    "Leyebrow_Outside": (6, 4.8, -2.5),
    "Reyebrow_Inside": (-1.6, 5.6, 1.0),
    "Reyebrow_M": (-4, 5.9, 0),
    "Reyebrow_Outside": (-6, 4.8, -2.5),
    "Leye_Up": (3.5, 3.6, 0),
    "Leye_Down": (3.5, 1.0, 0),
    "Leye_Inside": (1.4, 2.2, 0.4),
    "Leye_Outside": (5.8, 2.2, -1.6),
    "Reye_Up": (-3.5, 3.6, 0),
    "Reye_Down": (-3.5, 1.0, 0),
    "Reye_Inside": (-1.4, 2.2, 0.4),
    "Reye_Outside": (-5.8, 2.2, -1.6),
    "NoseHead": (0, 0, 4),
    "Lcheek_Down": (5, -3.5, -1.5),
    "Rcheek_Down": (-5, -3.5, -1.5),
    "Mouth_Up": (0, -2.8, 2.0),
    "Mouth_Down": (0, -6.2, 1.3),
    "Mouth_Lend": (3.4, -4.4, 0),
    "Mouth_Rend": (-3.4, -4.4, 0),
    "Chin": (0, -8.6, 0),
}


def actor(frames: int = 40, **changes: Any) -> Take:
    """The face at rest, with a little noise, talking now and then."""
    rng = np.random.default_rng(0)
    positions = np.repeat(np.array(list(FACE.values()))[None], frames, axis=0)
    jaw = [list(FACE).index(name) for name in ("Mouth_Down", "Chin")]
    positions[:, jaw, 1] -= np.where(np.arange(frames) % 20 > 14, 2.0, 0.0)[:, None]
    positions += 0.005 * rng.normal(size=positions.shape)
    return replace(Take(tuple(FACE), positions, 60.0, "cm", "actor"), **changes)


@cache
def bound(person: str = "default") -> Binding:
    """The actor's markers on a sample."""
    return bind(fw.sample(person), actor())


@pytest.mark.parametrize(
    ("name", "region", "words"),
    [
        ("Leyebrow_Inside", "brow", {"left", "inside"}),
        ("Mouth_Lend", "mouth", {"left", "end"}),
        ("Mouth_UpR1", "mouth", {"up", "right"}),
        ("ForeHead_M", "forehead", {"middle"}),
        ("NoseHead", "nose", {"tip"}),
        ("Alex:RMOUTHCORNER", "mouth", {"right", "end"}),
        ("lip_upper_left", "mouth", {"up", "left"}),
        ("Chin_R1", "chin", {"right"}),
        ("LFHD", "", set()),
    ],
)
def test_a_name_says_where_its_marker_sits(name: str, region: str, words: set[str]) -> None:
    said = marker_name(name)
    assert (said.region, set(said.words)) == (region, words)


def test_places_are_shown_by_the_middle_of_the_markers_about_them() -> None:
    shown = place_markers(FACE)
    sided = {f"{place} {side}" for place in ("eye", "brow", "mouth") for side in ("left", "right")}
    assert set(shown) == sided | {"mouth", "nose", "chin"}
    assert shown["mouth"] == ("Mouth_Up", "Mouth_Down")
    assert "eye left" not in place_markers(["Leye_Inside", "Leye_Up"])  # one corner alone is not the middle


def test_the_places_of_the_sample_are_where_a_face_has_them() -> None:
    found = FacePlaces(fw.sample()).found
    assert len(found) == 9
    for place in ("eye", "brow", "mouth"):
        left, right = found[f"{place} left"], found[f"{place} right"]
        np.testing.assert_allclose(left * (-1, 1, 1), right, atol=0.15)
        assert left[0] > 1
    heights = [found[name][1] for name in ("brow left", "eye left", "nose", "mouth", "chin")]
    assert heights == sorted(heights, reverse=True)
    assert max(found, key=lambda name: found[name][2]) == "nose"


def test_the_corners_of_the_mouth_are_where_the_lips_end() -> None:
    rig = fw.sample()
    places = FacePlaces(rig)
    opened = fw.evaluate(rig, {"jawOpen": 1.0}) - rig.neutral
    corner, seam = places.found["mouth left"], places.found["mouth"]
    beyond = rig.neutral[:, 0] > corner[0] + 0.6
    near = np.linalg.norm(rig.neutral - corner, axis=1) < 1.2
    assert np.ptp(opened[near & beyond & places.skin, 1]) < 0.5 * np.ptp(
        opened[np.linalg.norm(rig.neutral - seam, axis=1) < 1, 1]
    )


def test_what_has_something_before_it_is_hidden() -> None:
    positions = np.array([[0, 0, 1], [1, 0, 1], [0, 1, 1], [0.2, 0.2, 0], [3, 3, 0.0]])
    points = np.array([[0.2, 0.2, 0.0], [3, 3, 0], [0.2, 0.2, 1]])
    assert hidden_from_front(points, positions, np.array([[0, 1, 2]]), 0.01).tolist() == [True, False, False]


@pytest.mark.parametrize("person", ["default", "kenji"])
def test_markers_are_bound_by_their_names(person: str) -> None:
    rig = fw.sample(person)
    binding = bound(person)
    at = dict(zip(binding.markers, binding.places(rig.neutral), strict=True))
    found = FacePlaces(rig).found
    for marker, place in (("Mouth_Lend", "mouth left"), ("Chin", "chin"), ("NoseHead", "nose")):
        assert np.linalg.norm(at[marker] - found[place]) < 0.4
    opened = fw.evaluate(rig, {"jawOpen": 1.0})
    moved = dict(
        zip(binding.markers, np.linalg.norm(binding.places(opened) - binding.places(rig.neutral), axis=1), strict=True)
    )
    assert moved["Mouth_Down"] > 5 * moved["Mouth_Up"]
    assert moved["ForeHead_M"] < 1e-6
    np.testing.assert_allclose(at["Leye_Up"] * (-1, 1, 1), at["Reye_Up"], atol=0.25)


def test_where_the_actor_stands_and_in_which_unit_does_not_matter() -> None:
    rig, take = fw.sample(), actor()
    away = Similarity(np.array([[0, 0, 1.0], [1, 0, 0], [0, 1, 0]]), np.array([100.0, 5, -3]))
    a, b, c = (
        bind(rig, one, neutral=0)
        for one in (take, replace(take, positions=away(np.array(take.positions))), take.in_unit("mm"))
    )
    np.testing.assert_allclose(a.places(rig.neutral), b.places(rig.neutral), atol=1e-6)
    np.testing.assert_allclose(a.places(rig.neutral), c.places(rig.neutral), atol=1e-6)
    assert c.to_rig.scale == pytest.approx(a.to_rig.scale / 10)


def test_a_mirrored_take_is_noticed() -> None:
    binding = bind(fw.sample(), actor().mirrored())
    assert binding.mirrored
    assert any("mirror image" in note for note in binding.notes)
    np.testing.assert_allclose(binding.places(fw.sample().neutral), bound().places(fw.sample().neutral), atol=1e-6)


def test_a_unit_that_makes_no_face_is_named_with_the_one_that_would() -> None:
    notes = bind(fw.sample(), actor(unit="m")).notes
    assert any("no face" in note and "--unit cm" in note for note in notes)
    assert not any("no face" in note for note in bound().notes)


def test_the_unit_that_is_said_already_is_not_offered() -> None:
    huge = replace(actor(), positions=1e4 * actor().positions).really_in("mm")
    (note,) = [note for note in bind(fw.sample(), huge).notes if "no face" in note]
    assert "--unit" not in note
    assert "in any other metric unit" in note


def test_markers_sit_on_skin_that_can_be_seen() -> None:
    rig = fw.sample()
    seen = exposed(rig.neutral, rig.triangles)
    deep = replace(actor(), positions=actor().positions - np.array([0.0, 0.0, 1.0]))  # an actor with deep-set eyes
    for binding in (bound(), bind(rig, deep)):
        assert seen[binding.vertices].all()


def test_a_marker_that_is_named_wrongly_is_doubted() -> None:
    take = actor().renamed({"Chin": "NoseHead", "NoseHead": "Chin"})
    assert any("is it named right?" in note for note in bind(fw.sample(), take).notes)


def test_the_rest_is_what_the_take_comes_back_to_and_can_be_named() -> None:
    binding = bind(fw.sample(), actor(frames=200))
    np.testing.assert_allclose(binding.rest[list(FACE).index("Chin")], FACE["Chin"], atol=0.02)
    opened = bind(fw.sample(), actor(frames=200), neutral=17)
    assert opened.rest[list(FACE).index("Chin"), 1] < FACE["Chin"][1] - 1


def test_pairs_put_markers_right_on_their_vertices() -> None:
    made = acted(frames=30, head=False)
    pairs = {
        name: int(vertex) for name, vertex in zip(made.binding.markers[::6], made.binding.vertices[::6, 0], strict=True)
    }
    found = bind(made.rig, made.take, pairs, neutral=0)
    for name, vertex in pairs.items():
        np.testing.assert_allclose(found.places(made.rig.neutral)[found.index(name)], made.rig.neutral[vertex])
    assert len(found) == len(made.binding)


def test_unlabelled_markers_and_those_never_seen_are_not_bound() -> None:
    take = actor()
    positions = np.concatenate([take.positions, np.zeros((40, 1, 3)), np.full((40, 1, 3), np.nan)], axis=1)
    found = bind(fw.sample(), Take((*take.names, "*12", "Lcheek_Up"), positions, 60.0, "cm"))
    assert found.markers == take.names


def test_what_cannot_be_bound_is_refused_in_words() -> None:
    rig = fw.sample()
    with pytest.raises(BadValue, match="give pairs of marker and vertex"):
        bind(rig, actor().renamed({name: f"p{i}" for i, name in enumerate(FACE)}))
    with pytest.raises(BadValue, match="at least three pairs"):
        bind(rig, actor(), {"Chin": 3})
    with pytest.raises(BadValue, match="they go from 0"):
        bind(rig, actor(), {"Chin": 3, "NoseHead": 10**6, "Mouth_Up": 4})
    with pytest.raises(BadValue, match="not in the take"):
        bind(rig, actor(), {"Chin": 3, "Nase": 9, "Mouth_Up": 4})
    with pytest.raises(BadValue, match="neutral frame"):
        bind(rig, actor(), neutral=4000)


@pytest.mark.parametrize(
    ("name", "face"),
    [
        ("JawMoCap", "ICT face"),
        ("EyebrowsMoCap", "embedded head"),
        pytest.param("JawMoCap", "embedded head", marks=pytest.mark.long),
        pytest.param("EyebrowsMoCap", "ICT face", marks=pytest.mark.long),
    ],
)
def test_the_real_markers_are_bound_left_on_left_and_low_on_low(shared_data: Path, name: str, face: str) -> None:
    from facewright.formats.takes import load_take

    take = load_take(shared_data / "mocap_markers" / f"{name}.csv")
    rig = fw.sample() if face == "embedded head" else fw.load(shared_data / "ict_face" / "ict_face.npz")
    binding = bind(rig, take)
    at = dict(zip(binding.markers, binding.places(rig.neutral), strict=True))
    for left, right in (("Lcheek_Up", "Rcheek_Up"), ("Mouth_Lend", "Mouth_Rend"), ("Leye_Up", "Reye_Up")):
        assert at[left][0] > 0 > at[right][0]
    assert at["ForeHead_M"][1] > at["Leyebrow_M"][1] > at["Leye_Down"][1] > at["Mouth_Up"][1] > at["Chin"][1]
    assert not binding.mirrored
