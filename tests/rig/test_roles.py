"""What sliders are for, which go together, and sets of them, by their names."""

from dataclasses import replace

import numpy as np
import pytest

import facewright as fw
from facewright.errors import BadValue, UnknownName
from facewright.rig import edit
from facewright.rig.rig import Part
from facewright.rig.roles import role_of
from facewright.rig.slider_sets import set_on, sliders_in
from facewright.rig.ties import ties_of

ROLES = {
    "eyeLookDownLeft": "gaze",
    "EyeLookIn_R": "gaze",
    "LookLeft": "gaze",
    "eyesLookUp_L": "gaze",
    "pupilDilate": "pupil",
    "viseme_aa": "viseme",
    "viseme_PP": "viseme",
    "Fcl_MTH_A": "viseme",
    "vrc.v_oh": "viseme",
    "tongueOut": "tongue",
    "Tongue_Up": "tongue",
    "Fcl_ALL_Joy": "preset",
    "Fcl_ALL_Angry": "preset",
    "happy": "preset",
    "Sorrow": "preset",
    "eyeBlinkLeft": "skin",
    "Fcl_EYE_Close": "skin",
    "Fcl_BRW_Angry": "skin",
    "jawOpen": "skin",
    "mouthClose": "skin",
    "s12": "skin",
}


@pytest.mark.parametrize("name", ROLES)
def test_a_name_tells_the_role(name: str) -> None:
    assert role_of(name) == ROLES[name]


def named(*names: str, **fields: object) -> fw.Rig:
    shapes = [fw.Shape.from_dense(name, np.full((3, 3), 0.1 * i + 0.1)) for i, name in enumerate(names)]
    return replace(fw.Rig(np.eye(3), [[0, 1, 2]], shapes, groups=["mouth"] * len(names)), **fields)  # type: ignore[arg-type]


def test_ties_are_found_by_names_and_stated_ones_count_instead() -> None:
    rig = named("Mouth_Close", "JawOpen", "smile")
    assert ties_of(rig) == (("Mouth_Close", "JawOpen"),)
    assert ties_of(replace(rig, ties=())) == ()
    assert ties_of(replace(rig, ties=[("smile", "JawOpen")])) == (("smile", "JawOpen"),)  # type: ignore[arg-type]
    assert ties_of(named("mouthClose", "smile")) == ()


def test_ties_of_unknown_or_equal_sliders_are_refused() -> None:
    with pytest.raises(UnknownName):
        named("a", "b", ties=(("a", "c"),))
    with pytest.raises(BadValue, match="cannot be tied to itself"):
        named("a", "b", ties=(("a", "a"),))


def test_stated_ties_follow_renamed_removed_and_merged_sliders() -> None:
    rig = named("a", "b", "c", ties=(("a", "b"), ("b", "c")))
    assert edit.rename(rig, {"a": "d"}).ties == (("d", "b"), ("b", "c"))
    assert edit.drop_shape(rig, "c").ties == (("a", "b"),)
    other = named("mouthClose", "jawOpen", parts=(Part("teeth", 0, 3),))
    assert edit.merge(rig, other).ties == (("a", "b"), ("b", "c"), ("mouthClose", "jawOpen"))
    assert edit.merge(named("a"), other).ties is None


def test_sets_of_sliders() -> None:
    rig = replace(named("jawOpen", "Eye_Blink_L", "wag"), groups=("jaw", "eye", "other"))
    assert sliders_in(rig, "all") == rig.sliders
    assert sliders_in(rig, "arkit") == ("jawOpen", "Eye_Blink_L")
    assert sliders_in(rig, "eye") == ("Eye_Blink_L",)
    assert sliders_in(rig, ["wag"]) == ("wag",)
    for wrong in ("eyes", ["wagg"], "Arkit"):
        with pytest.raises(UnknownName):
            sliders_in(rig, wrong)
    with pytest.raises(BadValue, match="at least one"):
        sliders_in(rig, [])
    with pytest.raises(BadValue, match="ARKit"):
        sliders_in(named("wag"), "arkit")


def test_a_set_on_another_rig() -> None:
    rig = replace(named("jawOpen", "x"), groups=("jaw", "other"))
    assert set_on(rig, "", {}) == ""
    assert set_on(rig, "jaw", {}) == "jaw"
    assert set_on(rig, "eye", {}) == ""
    assert set_on(rig, "arkit", {}) == "arkit"
    assert set_on(named("x"), "arkit", {}) == ""
    assert set_on(rig, ("open", "gone"), {"open": "jawOpen"}) == ("jawOpen",)
    assert set_on(rig, ("gone",), {}) == ""
