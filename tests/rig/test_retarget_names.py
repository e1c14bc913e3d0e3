"""Names of recordings and rigs as they are found: affixes, aliases beside ARKit's names, OpenFace, maps by hand."""

import numpy as np
import pytest

from facewright.errors import BadValue, UnknownName
from facewright.motion.clip import Clip
from facewright.rig.name_tables import ARKIT
from facewright.rig.names import canonical_name, match_names
from facewright.rig.retarget import MappedName, retarget
from facewright.rig.rig import Rig
from facewright.rig.shape import Shape

TIMES = np.array([0.0, 0.5, 1.0])


def rig_with(*names: str) -> Rig:
    shapes = tuple(Shape.from_dense(name, np.full((3, 3), i + 1.0)) for i, name in enumerate(names))
    return Rig(np.arange(9.0).reshape(3, 3) ** 1.1, np.array([[0, 1, 2]]), shapes)


def clip_with(values: dict[str, list[float]]) -> Clip:
    return Clip.from_table("take", list(values), TIMES, np.array(list(values.values())).T)


BLINKS = clip_with({"EyeBlinkLeft": [0, 0.4, 1], "EyeBlinkRight": [0, 0.2, 1]})


def test_the_same_words_pair_before_an_alias() -> None:
    rig = rig_with("Fcl_EYE_Close", "Fcl_EYE_Close_L", "Fcl_EYE_Close_R", "eyeBlinkLeft", "eyeBlinkRight")
    found = retarget(BLINKS, rig)
    assert found.sources == {"eyeBlinkLeft": ("EyeBlinkLeft",), "eyeBlinkRight": ("EyeBlinkRight",)}
    assert found.idle == ("Fcl_EYE_Close", "Fcl_EYE_Close_L", "Fcl_EYE_Close_R")


def test_a_curve_with_a_slider_of_its_own_drives_no_whole_beside_it() -> None:
    whole = clip_with({"eyeBlink": [0, 0.4, 1]})
    assert retarget(BLINKS, rig_with("eyeBlink", "eyeBlink_L", "eyeBlink_R")).idle == ("eyeBlink",)
    assert retarget(whole, rig_with("eyeBlink", "eyeBlink_L", "eyeBlink_R")).sources == {"eyeBlink": ("eyeBlink",)}


def test_an_alias_is_used_where_nothing_has_the_same_words() -> None:
    assert retarget(BLINKS, rig_with("Fcl_EYE_Close")).sources == {"Fcl_EYE_Close": ("EyeBlinkLeft", "EyeBlinkRight")}


@pytest.mark.parametrize(
    ("name", "meaning"),
    [
        ("face_shapes.ai_browDown_L", "browDownLeft"),
        ("A14_Eye_Blink_Left", "eyeBlinkLeft"),
        ("A01_Brow_Inner_Up", "browInnerUp"),
        ("CTRL_expressions_browDownL", "browDownLeft"),
        ("CTRL_expressions_mouthCornerPullR", "mouthSmileRight"),
        ("CTRL_expressions_jawOpen", "jawOpen"),
        ("blendShape1.vrc_v_aa", "aa"),
        ("head_geo_BS.jawOpen_Mesh", "jawOpen"),
        ("BS_mouthSmile_R_target", "mouthSmileRight"),
        ("jawOpen_mouthSmile_L", "jawOpenMouthSmileLeft"),
        ("half_eyeBlink_L", "halfEyeBlinkLeft"),
        ("face_a", "faceA"),
    ],
)
def test_words_that_say_nothing_are_no_part_of_a_meaning_and_all_others_are(name: str, meaning: str) -> None:
    assert canonical_name(name) == meaning


@pytest.mark.parametrize("head", ["zoe.rig01_", "Zoe_Low_", "gubbins:zoe-", "A07_x_"])
def test_a_beginning_that_most_names_share_is_seen_through(head: str) -> None:
    names = [f"{head}{name}" for name in ARKIT]
    assert match_names([*names, "extra"], ARKIT).pairs == dict(zip(names, ARKIT, strict=True))


def test_intensities_of_openface_go_to_both_sides_as_shares_of_five() -> None:
    clip = clip_with({"AU12_r": [0, 2.5, 5], "AU45_r": [1, 0, 6], "AU12_c": [0, 1, 1]})
    found = retarget(clip, rig_with("mouthSmileLeft", "mouthSmileRight", "eyeBlink"))
    for side in ("Left", "Right"):
        np.testing.assert_allclose(found.clip.curves[f"mouthSmile{side}"].values, [0, 0.5, 1])
    np.testing.assert_allclose(found.clip.curves["eyeBlink"].values, [0.2, 0, 1])
    assert found.left == ("AU12_c",)


def test_right_sides_of_action_units_stay_right_sides_where_there_are_left_ones() -> None:
    clip = clip_with({"AU12_r": [0, 0.5, 1], "AU12_l": [0, 0.2, 0.4]})
    found = retarget(clip, rig_with("mouthSmileLeft", "mouthSmileRight"))
    np.testing.assert_allclose(found.clip.curves["mouthSmileRight"].values, [0, 0.5, 1])
    np.testing.assert_allclose(found.clip.curves["mouthSmileLeft"].values, [0, 0.2, 0.4])


def test_a_map_says_which_curve_drives_which_slider_and_names_say_the_rest() -> None:
    clip = clip_with({"Happy": [0, 0.5, 1], "JawOpen": [0, 1, 0.5], "gizmo": [1, 1, 0], "EyeBlinkLeft": [0, 0, 1]})
    rig = rig_with("corners", "jawOpen", "eyeBlink_L", "puff")
    names = [
        MappedName("Happy", "corners", 0.5),
        MappedName("gizmo", "corners", 0.25),
        MappedName("JawOpen", "puff"),
        MappedName("EyeBlinkLeft", ""),
        MappedName("absent", "puff"),
    ]
    found = retarget(clip, rig, names=names)
    np.testing.assert_allclose(found.clip.curves["corners"].values, [0.25, 0.5, 0.5])
    assert found.sources == {"corners": ("Happy", "gizmo"), "puff": ("JawOpen",)}
    assert (found.left, found.idle, found.mapped) == (("EyeBlinkLeft",), ("jawOpen", "eyeBlink_L"), 3)


def test_a_map_with_unknown_names_is_refused() -> None:
    with pytest.raises(UnknownName, match=r"no slider named 'jawOpn'.*jawOpen"):
        retarget(BLINKS, rig_with("jawOpen"), names=[MappedName("EyeBlinkLeft", "jawOpn")])
    with pytest.raises(BadValue, match="the map names no curve of take: it has a, the clip has EyeBlinkLeft"):
        retarget(BLINKS, rig_with("jawOpen"), names=[MappedName("a", "jawOpen")])
    with pytest.raises(BadValue, match=r"it has a{64}\.\.\., the clip"):  # names are shown in part
        retarget(BLINKS, rig_with("jawOpen"), names=[MappedName("a" * 3000, "jawOpen")])
    with pytest.raises(BadValue, match="finite"):
        MappedName("a", "b", float("nan"))
