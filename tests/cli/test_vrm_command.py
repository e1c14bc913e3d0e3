"""`facewright vrm`: expressions listed, shown, made and changed from the command line."""

import json
from pathlib import Path

import numpy as np
import pytest

import facewright as fw
from facewright.rig.expression import ExpressionBind
from tests.cli.command import assert_one_paragraph, run
from tests.formats.test_vrm import new_avatar


@pytest.fixture
def avatar(tmp_path: Path) -> Path:
    return new_avatar().save(tmp_path / "avatar.vrm")


def done(*words: object) -> None:
    found = run("vrm", *words)
    assert found.returncode == 0, found.stderr


def test_expressions_are_listed_with_what_they_drive(avatar: Path) -> None:
    assert "shout (on or off, mouth: block): open 0.9" in run("vrm", "list", avatar).stdout
    listed = json.loads(run("vrm", "list", avatar, "--json").stdout)["expressions"]
    assert listed[0]["binds"] == {"smile": 1.0, "smile (brows)": 0.5}


def test_expressions_are_made_and_changed_and_the_file_has_them(avatar: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.vrm"
    done("add", avatar, "grin", "raise=0.5", "wink", "-o", out)
    done("bind", out, "grin", "lower=0.25", "wink=0", "-o", out, "--force")
    done("rename", out, "grin=smirk", "-o", out, "--force")
    done("change", out, "smirk", "--binary", "--blink", "blend", "-o", out, "--force")
    done("drop", out, "aa", "-o", out, "--force")
    found = {one.name: one for one in fw.load_document(out).expressions}
    assert set(found) == {"happy", "blink", "shout", "smirk"}
    assert found["smirk"].binds == (ExpressionBind("raise", 0.5), ExpressionBind("lower", 0.25))
    assert (found["smirk"].is_binary, found["smirk"].blink) == (True, "blend")


def test_a_face_is_posed_by_its_expressions(avatar: Path, tmp_path: Path) -> None:
    done("show", avatar, "blink=0.5", "-o", tmp_path / "posed.vrm")
    posed = fw.load_document(tmp_path / "posed.vrm")
    np.testing.assert_allclose(posed.pose[posed.rig.slider_index("wink")], 0.4, atol=1e-6)


def test_a_wrong_name_lists_the_right_ones(avatar: Path, tmp_path: Path) -> None:
    found = run("vrm", "show", avatar, "hapy=1", "-o", tmp_path / "x.vrm")
    assert found.returncode == 2
    assert "happy" in found.stderr
    wrong = run("vrm", "change", avatar, "happy", "--blink", "never", "-o", tmp_path / "x.vrm")
    assert "blend" in wrong.stderr


def test_what_an_avatar_states_is_shown_and_changed(avatar: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.vrm"
    done("meta", avatar, "authors=Jo Doe, Kim", "allowRedistribution=yes", "-o", out)
    assert "authors: Jo Doe, Kim" in run("vrm", "meta", out).stdout
    found = json.loads(run("vrm", "meta", out, "--json").stdout)["meta"]
    assert (found["authors"], found["allowRedistribution"]) == (["Jo Doe", "Kim"], True)
    assert_one_paragraph(run("vrm", "meta", avatar, "authors=Jo"), "give both")
    assert_one_paragraph(run("vrm", "meta", avatar, "author=Jo", "-o", out, "--force"), "field of an avatar", "authors")
    assert_one_paragraph(run("vrm", "meta", avatar, "authors=Jo", "-o", tmp_path / "a.glb"), "only .vrm files")


def test_a_face_is_converted_to_an_avatar_with_its_author(tmp_path: Path) -> None:
    fw.save(fw.samples.mask(100), tmp_path / "face.glb")
    out = tmp_path / "me.vrm"
    told = run("convert", tmp_path / "face.glb", out, "--avatar", "authors=Jo Doe", "--avatar", "name=Jo")
    assert told.returncode == 0, told.stderr
    found = json.loads(run("vrm", "meta", out, "--json").stdout)["meta"]
    assert (found["name"], found["authors"]) == ("Jo", ["Jo Doe"])
    wrong = run("convert", tmp_path / "face.glb", tmp_path / "b.glb", "--avatar", "authors=Jo")
    assert_one_paragraph(wrong, "--avatar says what a .vrm file states")
