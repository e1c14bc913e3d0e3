"""A name means the same in every spelling, and two sets of names pair one to one or say why not."""

import json
import struct
from itertools import chain
from pathlib import Path

import numpy as np
import pytest

from facewright.errors import UnknownName
from facewright.rig.name_tables import ARKIT, CONVENTIONS, FACS, LIVE_LINK, MAKEHUMAN, OCULUS, VRM, VRM0
from facewright.rig.names import canonical_name, convention_names, convention_of, group_of, match_names, mirror_name
from facewright.rig.spelling import spelling
from tests.some import some

GROUPS = {"brow", "eye", "cheek", "nose", "jaw", "mouth", "tongue"}


def spelled(style: str, name: str) -> str:
    """An ARKit name written in another style."""
    words, side = spelling(name).words, spelling(name).side
    letter = side[0] if side else ""
    camel = words[0] + "".join(word.capitalize() for word in words[1:])
    return {
        "apple": name,
        "live link": name[0].upper() + name[1:],
        "camel_L": camel + (f"_{letter}" if side else ""),
        "camel.L": camel + (f".{letter}" if side else ""),
        "camelL": camel + letter,
        "L_camel": (f"{letter}_" if side else "") + camel,
        "Left first": (side + camel[0].upper() + camel[1:]) if side else camel,
        "snake": "_".join((*words, *([side.lower()] if side else []))),
        "SNAKE": "_".join((*words, *([side] if side else []))).upper(),
        "kebab": "-".join((*words, *([side.lower()] if side else []))),
        "spaces": " ".join((*words, *([side] if side else []))).title(),
        "lower": name.lower(),
        "namespace": f"head_geo:{camel}" + (f"_{letter}" if side else ""),
        "member": f"blendShape1.{name}",
    }[style]


STYLES = (
    "apple", "live link", "camel_L", "camel.L", "camelL", "L_camel", "Left first", "snake", "SNAKE", "kebab", "spaces",
    "lower", "namespace", "member",
)  # fmt: skip


@pytest.mark.parametrize("style", STYLES)
def test_all_52_in_any_spelling_mean_the_arkit_name(style: str) -> None:
    assert [canonical_name(spelled(style, name)) for name in ARKIT] == list(ARKIT)


@pytest.mark.parametrize("style", STYLES)
def test_all_52_in_any_spelling_pair_with_every_other_spelling(style: str) -> None:
    a = [spelled(style, name) for name in ARKIT]
    for other in STYLES:
        b = [spelled(other, name) for name in ARKIT]
        found = match_names(a, b)
        assert found.pairs == dict(zip(a, b, strict=True))
        assert found.summary() == "52 paired, 0 approximate, 0 ambiguous, 0 and 0 left"


@pytest.mark.parametrize("style", STYLES)
def test_mirroring_a_name_twice_gives_it_back_in_its_own_spelling(style: str) -> None:
    for name in ARKIT:
        written = spelled(style, name)
        other = mirror_name(written)
        if spelling(name).side is None:
            assert other is None
        else:
            assert other != written
            assert mirror_name(some(other)) == written
            assert canonical_name(some(other)) == mirror_name(name)


@pytest.mark.parametrize(
    ("name", "mirrored"),
    [
        ("eyeBlink_L", "eyeBlink_R"),
        ("L_smile", "R_smile"),
        ("eye-left-closure", "eye-right-closure"),
        ("EYE_BLINK_LEFT", "EYE_BLINK_RIGHT"),
        ("eyeblinkleft", "eyeblinkright"),
        ("l_head:brow.R", "l_head:brow.L"),
        ("jawLeft", "jawRight"),
        ("AU12L", "AU12R"),
        ("lipSuck_LB", "lipSuck_RB"),
        ("lipPucker_R+lipSuck_RT+jawDrop", "lipPucker_L+lipSuck_LT+jawDrop"),
        ("jawOpen", None),
        ("viseme_RR", None),
        ("bright", None),
        ("L", None),
        ("LT", None),
        ("chinRaiser_T", None),
    ],
)
def test_a_mirrored_name_keeps_its_spelling_and_a_central_name_has_none(name: str, mirrored: str | None) -> None:
    assert mirror_name(name) == mirrored


def test_facecap_names_pair_with_all_of_arkit(shared_data: Path) -> None:
    data = (shared_data / "facecap" / "facecap_decoded.glb").read_bytes()
    document = json.loads(data[20 : 20 + struct.unpack("<I", data[12:16])[0]])
    names = next(mesh["extras"]["targetNames"] for mesh in document["meshes"] if "extras" in mesh)
    assert sorted(match_names(names, ARKIT).pairs.values()) == sorted(ARKIT)
    assert convention_of(names).conventions == {"arkit _L/_R": 52}


def test_live_link_columns_pair_with_all_of_arkit_and_the_angles_are_left(shared_data: Path) -> None:
    with (shared_data / "mocap_livelink" / "alex_rom_3.csv").open(encoding="utf8") as file:
        columns = file.readline().strip().split(",")[2:]
    found = match_names(columns, ARKIT)
    assert sorted(found.pairs.values()) == sorted(ARKIT)
    assert len(found.left_a) == 9
    assert not found.ambiguous
    assert not found.approximate


def test_ict_names_pair_with_arkit_except_where_one_has_halves_of_the_other(shared_data: Path) -> None:
    with np.load(shared_data / "ict_face" / "ict_face.npz") as data:
        names = data["names"].tolist()
    found = match_names(names, ARKIT)
    assert len(found.pairs) == 49
    assert found.ambiguous == {
        "browInnerUp": ("browInnerUp_L", "browInnerUp_R"),
        "cheekPuff": ("cheekPuff_L", "cheekPuff_R"),
    }
    assert found.left_a == ("PupilDilate_L", "PupilDilate_R", "cheekRaiser_L", "cheekRaiser_R")
    assert found.left_b == ("tongueOut",)


def test_a_name_that_could_be_two_is_ambiguous_and_neither_is_chosen() -> None:
    found = match_names(["mouthSmile_L", "SmileLeft"], ["MouthSmileLeft", "mouth_smile_left", "smile.L"])
    assert found.pairs == {"SmileLeft": "smile.L"}
    assert found.ambiguous == {"mouthSmile_L": ("MouthSmileLeft", "mouth_smile_left")}
    assert found.left_a == found.left_b == ()


def test_a_name_that_is_there_in_the_same_spelling_is_taken_before_another_spelling() -> None:
    found = match_names(["eyeBlinkLeft", "eyeBlink_L"], ["eyeBlinkLeft"])
    assert found.pairs == {"eyeBlinkLeft": "eyeBlinkLeft"}
    assert found.left_a == ("eyeBlink_L",)


def test_alike_is_approximate_and_gives_way_to_the_same() -> None:
    assert match_names(["aa"], ["jawOpen"]).approximate == {"aa": "jawOpen"}
    found = match_names(["aa", "jaw_open"], ["jawOpen"])
    assert found.pairs == {"jaw_open": "jawOpen"}
    assert found.left_a == ("aa",)


def test_a_left_half_is_never_taken_for_a_right_one() -> None:
    found = match_names(["smile_L"], ["smile_R"])
    assert (found.left_a, found.left_b) == (("smile_L",), ("smile_R",))


def test_a_jaw_going_left_is_no_half_of_anything() -> None:
    found = match_names(["jaw"], ["jawLeft", "jawRight"])
    assert found.left_a == ("jaw",)
    assert not found.ambiguous


@pytest.mark.parametrize(("a", "b"), [(a, b) for a in CONVENTIONS for b in CONVENTIONS])
def test_every_name_has_one_place_in_a_match(a: str, b: str) -> None:
    found = match_names(CONVENTIONS[a], CONVENTIONS[b])
    unsure = set(found.ambiguous) | set(chain.from_iterable(found.ambiguous.values()))
    places = [set(found.pairs), set(found.approximate), unsure & set(CONVENTIONS[a]), set(found.left_a)]
    assert sorted(chain.from_iterable(places)) == sorted(CONVENTIONS[a])
    paired = [*found.pairs.values(), *found.approximate.values()]
    assert len(set(paired)) == len(paired)


def test_a_match_the_other_way_round_finds_the_same_pairs() -> None:
    there, back = match_names(MAKEHUMAN, ARKIT), match_names(ARKIT, MAKEHUMAN)
    assert {b: a for a, b in there.pairs.items()} == back.pairs
    assert {b: a for a, b in there.approximate.items()} == back.approximate
    assert there.ambiguous == back.ambiguous


def test_makehuman_vrm_and_visemes_meet_arkit_where_they_mean_the_same() -> None:
    assert match_names(MAKEHUMAN, ARKIT).pairs["eyebrows-left-extern-up"] == "browOuterUpLeft"
    assert match_names(VRM, ARKIT).pairs == {"blinkLeft": "eyeBlinkLeft", "blinkRight": "eyeBlinkRight"}
    assert match_names(VRM, ["eyeBlink"]).pairs == {"blink": "eyeBlink"}
    assert set(match_names(VRM0, VRM).pairs) == set(VRM0)
    assert match_names(OCULUS, VRM).pairs["viseme_E"] == "ee"
    assert match_names(OCULUS, ARKIT).approximate["viseme_U"] == "mouthPucker"
    assert canonical_name("AU01") == "browInnerUp"
    assert canonical_name("AU12_R") == "mouthSmileRight"


def test_every_shape_of_a_known_convention_that_moves_a_part_of_the_face_is_in_its_group() -> None:
    for name in ARKIT:
        assert name.startswith(group_of(name))
    for name in (*MAKEHUMAN, *OCULUS, *(f"AU{number}" for number in FACS)):
        assert group_of(name) in GROUPS or name == "neck-platysma"
    assert group_of("eyebrows-left-up") == "brow"
    assert group_of("LipsTogether") == "mouth"
    assert group_of("browraise") == "brow"
    assert group_of("happy") == "other"
    assert [group_of(name) for name in ("Fcl_BRW_Angry", "cheekSquint_L", "EyeSquint_L")] == ["brow", "cheek", "eye"]


def test_renaming_to_a_convention_keeps_what_has_no_name_there() -> None:
    names = ["eyeBlink_L", "EyeBlink_R", "jawOpen", "earWiggle", "browInnerUp_L", "browInnerUp_R"]
    assert convention_names(names) == {
        "eyeBlink_L": "eyeBlinkLeft",
        "EyeBlink_R": "eyeBlinkRight",
        "jawOpen": "jawOpen",
    }
    assert convention_names(["eyeBlinkLeft"], "live link") == {"eyeBlinkLeft": "EyeBlinkLeft"}
    with pytest.raises(UnknownName, match="arkit"):
        convention_names(names, "arkti")


def test_the_conventions_of_mixed_names_are_each_counted() -> None:
    found = convention_of((*ARKIT, *OCULUS, "eye_blink_left", "earWiggle"))
    assert found.conventions == {"arkit": 52, "oculus visemes": 15, "arkit, spelled otherwise": 1}
    assert found.unknown == ("earWiggle",)
    assert str(found) == "52 arkit, 15 oculus visemes, 1 arkit, spelled otherwise, 1 of no known convention"
    assert str(convention_of([])) == "no names"


def test_a_match_reads_as_text() -> None:
    found = match_names(["eyeBlink_L", "aa", "blink", "earWiggle"], ["eyeBlinkLeft", "jawOpen", "AU45", "AU43"])
    assert str(found).splitlines() == [
        "eyeBlink_L = eyeBlinkLeft",
        "aa ~ jawOpen (approximate)",
        "blink ? AU45 or AU43 (ambiguous)",
        "in the first set only: earWiggle",
    ]
    assert found.summary() == "1 paired, 1 approximate, 1 ambiguous, 1 and 0 left"


def test_live_link_writes_apples_names_in_its_own_order() -> None:
    assert sorted(LIVE_LINK) == sorted(name[0].upper() + name[1:] for name in ARKIT)
    assert LIVE_LINK[14:18] == ("JawForward", "JawRight", "JawLeft", "JawOpen")
    assert LIVE_LINK[20:25] == ("MouthPucker", "MouthRight", "MouthLeft", "MouthSmileLeft", "MouthSmileRight")
    assert (LIVE_LINK[0], LIVE_LINK[-1]) == ("EyeBlinkLeft", "TongueOut")


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("Eye_L_Look_L", "eyeLookOutLeft"),
        ("Eye_L_Look_R", "eyeLookInLeft"),
        ("Eye_R_Look_L", "eyeLookInRight"),
        ("Eye_R_Look_Up", "eyeLookUpRight"),
        ("Brow_Raise_Inner_L", "browInnerUpLeft"),
        ("Mouth_Down_Lower_R", "mouthLowerDownRight"),
        ("CTRL_expressions_eyeLookLeftL", "eyeLookOutLeft"),
        ("CTRL_expressions_eyeLookLeftR", "eyeLookInRight"),
        ("CTRL_expressions_mouthUpperLipRollInR", "mouthRollUpperRight"),
        ("EyeClosedRight", "eyeBlinkRight"),
        ("MouthRaiserLower", "mouthShrugLower"),
        ("まばたき", "eyeBlink"),
        ("ウィンク２右", "eyeBlinkRight"),
        ("お", "oh"),
    ],
)
def test_names_of_programs_mean_arkit_s_shapes(name: str, meant: str) -> None:
    assert canonical_name(name) == meant


@pytest.mark.parametrize("convention", ["metahuman", "reallusion", "unified expressions", "mmd"])
def test_names_of_programs_are_recognised_and_none_is_there_twice(convention: str) -> None:
    names = CONVENTIONS[convention]
    assert len(set(names)) == len(names)
    recognised = convention_of(names)
    assert next(iter(recognised.conventions)) == convention
    assert recognised.unknown == ()


def test_a_recording_of_arkit_plays_on_shapes_of_other_programs() -> None:
    """How many of ARKit's 52 find a slider of their own: exactly, and by likeness."""
    found = {
        label: match_names(ARKIT, CONVENTIONS[label]) for label in ("metahuman", "reallusion", "unified expressions")
    }
    assert found["reallusion"].pairs["eyeLookInLeft"] == "Eye_L_Look_R"
    assert found["unified expressions"].pairs["mouthSmileLeft"] == "MouthCornerPullLeft"
    assert {label: len(each.pairs) for label, each in found.items()} == {
        "metahuman": 41, "reallusion": 46, "unified expressions": 48,
    }  # fmt: skip
