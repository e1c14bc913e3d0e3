"""Avatars: their expressions are data of the document, and other programs see the same after any edit of the rig."""

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.spatial import cKDTree
from tests.cli.command import run
from tests.formats.gltf_files import Tiny, errors, run_node, unpack

import facewright as fw
from facewright.arrays import Floats
from facewright.errors import BadValue, FacewrightWarning, UnknownName
from facewright.formats.avatar_meta import avatar_meta
from facewright.rig import edit
from facewright.rig.evaluate import evaluate
from facewright.rig.expression import Expression, ExpressionBind, pose_of_expressions
from facewright.samples.mask import mask
from facewright.workflow.edited_rig import with_edited_rig
from facewright.workflow.rename import rename_sliders

AVATAR = "vrm/100Avatars_021_Polydancer.vrm"
BONES = (
    "hips", "spine", "head", "leftUpperLeg", "leftLowerLeg", "leftFoot", "rightUpperLeg", "rightLowerLeg", "rightFoot",
    "leftUpperArm", "leftLowerArm", "leftHand", "rightUpperArm", "rightLowerArm", "rightHand",
)  # fmt: skip
TURNED = np.array([-1.0, 1.0, -1.0])  # avatars of VRM 0 look the other way


@pytest.fixture
def avatar(shared_data: Path) -> fw.Document:
    return fw.load_document(shared_data / AVATAR)


def new_avatar() -> Tiny:
    """An avatar of VRM 1.0 with two meshes, which share one target."""
    rng = np.random.default_rng(1)
    tiny = Tiny(extensionsUsed=["VRMC_vrm"])
    for size, names in ((100, ["smile", "wink", "open"]), (120, ["smile", "raise", "lower"])):
        rig = mask(size)
        targets = rng.normal(0, 0.3, (3, rig.vertex_count, 3))
        tiny.mesh(rig.neutral, rig.triangles, targets, names)
    bones = [{"name": name, "children": [number + 1]} for number, name in enumerate(BONES[:-1])]
    tiny.nodes(*bones, {"name": BONES[-1]}, {"mesh": 0, "name": "head"}, {"mesh": 1, "name": "brows"})
    head, brows = len(BONES), len(BONES) + 1
    tiny.json["extensions"] = {
        "VRMC_vrm": {
            "specVersion": "1.0",
            "meta": {"name": "tiny", "authors": ["us"], "licenseUrl": "https://vrm.dev/licenses/1.0/"},
            "humanoid": {"humanBones": {name: {"node": number} for number, name in enumerate(BONES)}},
            "expressions": {
                "preset": {
                    "happy": {
                        "morphTargetBinds": [
                            {"node": head, "index": 0, "weight": 1.0},
                            {"node": brows, "index": 0, "weight": 0.5},
                        ],
                        "overrideBlink": "blend",
                        "extras": {"by": "hand"},
                    },
                    "blink": {"morphTargetBinds": [{"node": head, "index": 1, "weight": 0.8}]},
                    "aa": {"morphTargetBinds": [{"node": head, "index": 2, "weight": 1.0}]},
                },
                "custom": {
                    "shout": {
                        "morphTargetBinds": [{"node": head, "index": 2, "weight": 0.9}],
                        "isBinary": True,
                        "overrideMouth": "block",
                    }
                },
            },
        }
    }  # fmt: skip
    return tiny


def in_three(*shown: tuple[Path, Mapping[str, float]]) -> list[tuple[list[str], Floats]]:
    """Expressions, and places of all vertices, as @pixiv/three-vrm has them."""
    words = [word for path, values in shown for word in (str(path), json.dumps(values))]
    found = [json.loads(line) for line in run_node("three_vrm.mjs", *words)]
    return [(one["expressions"], np.array(one["places"])) for one in found]


def assert_moves_alike(document: fw.Document, values: dict[str, float], path: Path, side: Floats) -> list[str]:
    """That the file moves the same vertices in three-vrm as the document does here; returns its expressions there."""
    presets = {one.name: one.preset or one.name for one in document.expressions}
    ((names, places),) = in_three((path, {presets[name]: value for name, value in values.items()}))
    ours = evaluate(document.rig, pose_of_expressions(document.rig, document.expressions, values))
    apart, _ = cKDTree(places * side).query(ours)
    assert np.max(apart) < 1e-5 * document.rig.size
    still, _ = cKDTree(places * side).query(document.rig.neutral)
    assert np.max(still) > 1e-3 * document.rig.size, "nothing moves, so that nothing was compared"
    return names


def test_an_avatar_that_nobody_changed_is_the_same_file(avatar: fw.Document, shared_data: Path, tmp_path: Path) -> None:
    assert [(one.name, one.preset) for one in avatar.expressions][:2] == [("A", "aa"), ("E", "ee")]
    assert avatar.expressions[0].binds == (ExpressionBind("blendShape1.vrc_v_aa", 1.0),)
    fw.save(avatar, tmp_path / "same.vrm")
    assert (tmp_path / "same.vrm").read_bytes() == (shared_data / AVATAR).read_bytes()


def test_inspect_lists_its_expressions(shared_data: Path) -> None:
    assert "8 expressions: A, E, I" in run("inspect", shared_data / AVATAR).stdout
    assert json.loads(run("inspect", shared_data / AVATAR, "--json").stdout)["expressions"][0] == "A"


def test_it_looks_at_us(avatar: fw.Document) -> None:
    """Its feet point to where it looks."""
    feet = avatar.rig.neutral[avatar.rig.neutral[:, 1] < 0.08 * avatar.rig.size]
    middle = avatar.rig.neutral[:, 2].mean()
    assert abs(feet[:, 2].max() - middle) > abs(feet[:, 2].min() - middle)


def test_shapes_come_and_go_and_expressions_still_drive_the_same(
    avatar: fw.Document, shared_data: Path, tmp_path: Path
) -> None:
    before = len(errors(shared_data / AVATAR))
    names = avatar.rig.shape_names
    changed = rename_sliders(avatar, {"blendShape1.vrc_v_aa": "aah"})
    for name in names[:3]:
        changed = with_edited_rig(changed, edit.drop_shape(changed.rig, name))
    rng = np.random.default_rng(2)
    new = fw.Shape.from_dense("grin", 0.01 * rng.normal(size=changed.rig.neutral.shape))
    changed = with_edited_rig(changed, edit.add_shape(changed.rig, new))
    changed = with_edited_rig(changed, edit.reorder(changed.rig, ["grin", "aah"]))
    grin = Expression("Grin", (ExpressionBind("grin", 1.0), ExpressionBind("aah", 0.25)))
    changed = replace(changed, expressions=(*changed.expressions, grin))
    fw.save(changed, tmp_path / "changed.vrm")
    assert len(errors(tmp_path / "changed.vrm")) <= before
    assert "Grin" in assert_moves_alike(changed, {"A": 0.6, "Grin": 0.5}, tmp_path / "changed.vrm", TURNED)
    saved = fw.load_document(tmp_path / "changed.vrm")
    assert saved.expressions == changed.expressions
    np.testing.assert_allclose(saved.rig.neutral, avatar.rig.neutral, rtol=0, atol=1e-6)
    tree, _ = unpack((tmp_path / "changed.vrm").read_bytes())
    old, _ = unpack((shared_data / AVATAR).read_bytes())
    kept = {key: value for key, value in tree["extensions"]["VRM"].items() if key != "blendShapeMaster"}
    assert kept == {key: old["extensions"]["VRM"][key] for key in kept}


def test_an_avatar_of_the_new_version_overrides_and_switches_as_others_do(tmp_path: Path) -> None:
    path = new_avatar().save(tmp_path / "new.vrm")
    document = fw.load_document(path)
    happy, blink, aah, shout = document.expressions
    assert happy.binds == (ExpressionBind("smile", 1.0), ExpressionBind("smile (brows)", 0.5))
    assert (happy.blink, happy.more, shout.is_binary, shout.mouth) == (
        "blend",
        {"extras": {"by": "hand"}},
        True,
        "block",
    )
    for values in ({"blink": 0.9}, {"happy": 0.7}, {"aa": 0.5, "shout": 0.4}, {"aa": 0.5, "shout": 0.6}):
        assert_moves_alike(document, values, path, np.ones(3))
    changed = replace(document, expressions=(replace(happy, blink="none"), blink, aah, replace(shout, name="roar")))
    fw.save(changed, tmp_path / "again.vrm")
    assert errors(tmp_path / "again.vrm") == []
    names = assert_moves_alike(changed, {"roar": 1.0, "blink": 0.5, "happy": 0.3}, tmp_path / "again.vrm", np.ones(3))
    assert set(names) == {"happy", "blink", "aa", "roar"}
    tree, _ = unpack((tmp_path / "again.vrm").read_bytes())
    assert tree["extensions"]["VRMC_vrm"]["expressions"]["preset"]["happy"]["extras"] == {"by": "hand"}


def test_meshes_that_an_expression_drives_alike_share_a_slider_and_the_file_stays(tmp_path: Path) -> None:
    tiny = new_avatar()
    presets = tiny.json["extensions"]["VRMC_vrm"]["expressions"]["preset"]
    path = tiny.save(tmp_path / "apart.vrm")
    fw.save(fw.load_document(path), tmp_path / "same.vrm")
    first, _ = unpack(path.read_bytes())
    again, _ = unpack((tmp_path / "same.vrm").read_bytes())
    assert again == first
    presets["happy"]["morphTargetBinds"][1]["weight"] = 1.0
    together = fw.load_document(tiny.save(tmp_path / "together.vrm"))
    assert "smile (brows)" not in together.rig.shape_names
    assert_moves_alike(together, {"happy": 0.7}, tmp_path / "together.vrm", np.ones(3))


def test_blinks_are_taken_back_as_far_as_a_smile_is_on() -> None:
    rig = mask(100)
    shapes = tuple(fw.Shape.from_dense(name, np.ones((rig.vertex_count, 3))) for name in ("wink", "grin"))
    rig = replace(rig, shapes=shapes, sliders=(), bounds=None, groups=())  # type: ignore[arg-type]
    blink = Expression("blink", (ExpressionBind("wink", 1.0),), "blink")
    happy = Expression("happy", (ExpressionBind("grin", 0.5),), "happy", blink="blend")
    np.testing.assert_allclose(pose_of_expressions(rig, [blink, happy], {"blink": 1.0, "happy": 0.3}), [0.7, 0.15])
    blocking = replace(happy, blink="block")
    np.testing.assert_allclose(pose_of_expressions(rig, [blink, blocking], {"blink": 1, "happy": 0.1}), [0, 0.05])
    with pytest.raises(UnknownName, match="blnk"):
        pose_of_expressions(rig, [blink], {"blnk": 1})


def test_expressions_go_into_documents_and_into_glb_files(avatar: fw.Document, tmp_path: Path) -> None:
    for name in ("avatar.fwface", "avatar.glb"):
        fw.save(avatar, tmp_path / name)
        assert fw.load_document(tmp_path / name).expressions == avatar.expressions


def test_a_face_alone_becomes_an_avatar_that_others_open(tmp_path: Path) -> None:
    rig = mask(200)
    smile = Expression("happy", (ExpressionBind(rig.shape_names[0], 0.8),), "happy")
    clip = fw.Clip("nod", {"headPitch": fw.Curve([0.0, 1.0], [0.0, 0.3]), rig.sliders[1]: fw.Curve([0.0, 1.0], [0, 1])})
    document = fw.Document(rig, (clip,), unit="cm", expressions=(smile,))
    with pytest.warns(FacewrightWarning, match="no body"):
        fw.save(document, tmp_path / "face.vrm")
    assert errors(tmp_path / "face.vrm") == []
    metres = replace(document, rig=edit.scale(rig, 0.01))
    assert assert_moves_alike(metres, {"happy": 1.0}, tmp_path / "face.vrm", np.ones(3)) == ["happy"]
    back = fw.load_document(tmp_path / "face.vrm")
    assert (back.expressions, back.unit) == ((smile,), "cm")
    assert set(back.clips[0].curves) == set(clip.curves)
    np.testing.assert_allclose(back.rig.neutral, rig.neutral, rtol=0, atol=1e-6 * rig.size)
    fw.save(back, tmp_path / "again.vrm")
    assert (tmp_path / "again.vrm").read_bytes() == (tmp_path / "face.vrm").read_bytes()


STATED = {
    "name": "Jo", "authors": "Jo Doe, Max Roe", "contactInformation": "jo@example.org", "avatarPermission": "everyone",
    "commercialUsage": "personalProfit", "allowRedistribution": "yes", "creditNotation": "unnecessary",
}  # fmt: skip


def test_who_made_an_avatar_and_what_others_may_do_is_stated_as_others_read_it(tmp_path: Path) -> None:
    with pytest.warns(FacewrightWarning, match="no body$"):
        fw.save(mask(100), tmp_path / "face.vrm", avatar=STATED)
    assert errors(tmp_path / "face.vrm") == []
    (line,) = run_node("three_vrm.mjs", str(tmp_path / "face.vrm"), "{}")
    theirs = json.loads(line)["meta"]
    wanted = {**STATED, "authors": ["Jo Doe", "Max Roe"], "allowRedistribution": True}
    assert {name: theirs[name] for name in wanted} == wanted
    assert theirs["licenseUrl"] == "https://vrm.dev/licenses/1.0/"
    back = fw.load_document(tmp_path / "face.vrm")
    assert avatar_meta(back).items() >= wanted.items()
    fw.save(back, tmp_path / "again.vrm", avatar={"authors": "Kim"})
    again = avatar_meta(fw.load_document(tmp_path / "again.vrm"))
    assert again == {**avatar_meta(back), "authors": ["Kim"]}
    with pytest.warns(FacewrightWarning, match="its author is 'unknown'"):
        fw.save(mask(100), tmp_path / "bare.vrm")
    bare = avatar_meta(fw.load_document(tmp_path / "bare.vrm"))
    assert bare == {"name": "bare", "authors": ["unknown"], "licenseUrl": "https://vrm.dev/licenses/1.0/"}


def test_an_avatar_of_the_old_version_states_what_it_can(avatar: fw.Document, tmp_path: Path) -> None:
    before = avatar_meta(avatar)
    fw.save(avatar, tmp_path / "old.vrm", avatar={"authors": "Kim, Lee", "commercialUsage": "corporation"})
    after = avatar_meta(fw.load_document(tmp_path / "old.vrm"))
    assert after == {**before, "author": "Kim, Lee", "commercialUssageName": "Allow"}
    with pytest.raises(BadValue, match="VRM 0 cannot state creditNotation; it can state name"):
        fw.save(avatar, tmp_path / "old.vrm", avatar={"creditNotation": "required"})


@pytest.mark.parametrize(
    ("stated", "words"),
    [
        ({"author": "Jo"}, "field of an avatar"),
        ({"authors": " , "}, "an avatar has an author"),
        ({"allowRedistribution": "maybe"}, "yes or no"),
        ({"modification": "all"}, "prohibited, allowModification"),
        ({"licenseUrl": "mine"}, "an address such as https://vrm.dev"),
    ],
)
def test_what_an_avatar_cannot_state_is_refused(stated: dict[str, str], words: str, tmp_path: Path) -> None:
    with pytest.raises(fw.FacewrightError, match=words):
        fw.save(mask(100), tmp_path / "face.vrm", avatar=stated)
    with pytest.raises(BadValue, match=r"only \.vrm files"):
        fw.save(mask(100), tmp_path / "face.glb", avatar={"authors": "Jo"})


def test_an_opened_face_that_nobody_changed_becomes_an_avatar(tmp_path: Path) -> None:
    fw.save(mask(100), tmp_path / "face.glb")
    with pytest.warns(FacewrightWarning, match="no body"):
        fw.save(fw.load_document(tmp_path / "face.glb"), tmp_path / "face.vrm")
    tree, _ = unpack((tmp_path / "face.vrm").read_bytes())
    assert "VRMC_vrm" in tree["extensions"]


def test_a_file_whose_extensions_are_damaged_becomes_an_avatar_again(tmp_path: Path) -> None:
    tiny = new_avatar()
    tiny.json["extensions"] = 7
    document = fw.load_document(tiny.save(tmp_path / "wrong.vrm"))
    with pytest.warns(FacewrightWarning, match="no body"):
        fw.save(document, tmp_path / "mended.vrm")
    assert errors(tmp_path / "mended.vrm") == []


def test_a_character_with_a_skeleton_that_is_no_avatars_is_not_saved_as_one(shared_data: Path, tmp_path: Path) -> None:
    robot = fw.load_document(shared_data / "gltf_samples" / "RobotExpressive.glb")
    with pytest.raises(BadValue, match="skeleton of its own"):
        fw.save(robot, tmp_path / "robot.vrm")


def test_a_bind_of_a_shape_that_is_gone_is_said(avatar: fw.Document, tmp_path: Path) -> None:
    gone = with_edited_rig(avatar, edit.drop_shape(avatar.rig, "blendShape1.vrc_v_aa"))
    with pytest.warns(FacewrightWarning, match="vrc_v_aa"):
        fw.save(gone, tmp_path / "gone.vrm")


@pytest.mark.parametrize(
    "wrong",
    [
        {"morphTargetBinds": 3},
        {"morphTargetBinds": [{"node": 99, "index": 0, "weight": 1}, {"node": "a", "index": None}, 7]},
        {"morphTargetBinds": [{"node": len(BONES), "index": -1, "weight": 1}], "overrideBlink": "sometimes"},
        {"morphTargetBinds": [{"node": len(BONES), "index": 0, "weight": 10**400}]},
        7,
    ],
)
def test_what_is_wrong_in_an_expression_drives_nothing(wrong: Any, tmp_path: Path) -> None:
    tiny = new_avatar()
    tiny.json["extensions"]["VRMC_vrm"]["expressions"]["preset"]["happy"] = wrong
    document = fw.load_document(tiny.save(tmp_path / "wrong.vrm"))
    assert not any(one.binds for one in document.expressions if one.name == "happy")


def test_an_avatar_whose_list_of_expressions_is_damaged_is_written_with_new_ones(tmp_path: Path) -> None:
    tiny = new_avatar()
    tiny.json["extensions"]["VRMC_vrm"]["expressions"] = 7
    document = fw.load_document(tiny.save(tmp_path / "wrong.vrm"))
    grin = Expression("grin", (ExpressionBind("wink", 1.0),))
    fw.save(replace(document, expressions=(grin,)), tmp_path / "mended.vrm")
    assert fw.load_document(tmp_path / "mended.vrm").expressions == (grin,)
