"""The native format keeps everything, refuses what it cannot trust, and never leaves half a file."""

import io
import json
import subprocess
import sys
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.formats.format_rigs import NAMES, SEEDS, assert_same_clip, assert_same_rig, document

from facewright.document import Document
from facewright.errors import BadFile, BadValue
from facewright.formats.fwface import FORMAT
from facewright.formats.fwface.files import write
from facewright.formats.fwface.upgrade import upgrade

SIX = ["jawOpen", "smile", "blink", "jawOpen_half", "jaw+blink", "idle"]


@settings(max_examples=40, deadline=None)
@given(names=st.lists(NAMES, min_size=6, max_size=6, unique=True), seed=SEEDS)
def test_a_document_comes_back_equal_in_everything(
    names: list[str], seed: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("native") / "face.fwface"
    one = document(names, seed)
    FORMAT.write(one, path)
    other = FORMAT.read(path)
    assert_same_rig(one.rig, other.rig)
    np.testing.assert_array_equal(other.pose, one.pose)
    for clip, again in zip(one.clips, other.clips, strict=True):
        assert_same_clip(clip, again)
    assert dict(other.attachments) == dict(one.attachments)
    assert dict(other.extra) == dict(one.extra)


def test_the_same_document_gives_the_same_bytes(tmp_path: Path) -> None:
    one = document(SIX, 3)
    FORMAT.write(one, tmp_path / "a.fwface")
    FORMAT.write(FORMAT.read(tmp_path / "a.fwface"), tmp_path / "b.fwface")
    assert (tmp_path / "a.fwface").read_bytes() == (tmp_path / "b.fwface").read_bytes()


def test_packing_changes_the_size_and_nothing_else(tmp_path: Path) -> None:
    one = document(SIX, 3)
    write(one, tmp_path / "packed.fwface", packed=True)
    assert_same_rig(one.rig, FORMAT.read(tmp_path / "packed.fwface").rig)


def test_unknown_members_and_keys_survive_and_the_json_is_readable(tmp_path: Path) -> None:
    path = saved(tmp_path)
    rewrite(path, lambda data: data | {"from_the_future": {"x": [1]}}, {"future/part.bin": b"\x00\x01"})
    again = tmp_path / "again.fwface"
    FORMAT.write(FORMAT.read(path), again)
    with zipfile.ZipFile(again) as archive:
        text = archive.read("document.json").decode()
        assert archive.read("future/part.bin") == b"\x00\x01"
    assert json.loads(text)["from_the_future"] == {"x": [1]}
    assert len(text.splitlines()) > 30


def test_an_extra_key_named_like_one_of_ours_survives_without_harm(tmp_path: Path) -> None:
    path = tmp_path / "face.fwface"
    one = replace(document(SIX, 1), extra={"version": 99, "shapes": "mine", "other": 1})
    FORMAT.write(one, path)
    again = FORMAT.read(path)
    assert dict(again.extra) == {"version": 99, "shapes": "mine", "other": 1}
    assert_same_rig(one.rig, again.rig)


def test_an_exception_in_the_middle_of_writing_leaves_the_old_file(tmp_path: Path) -> None:
    path = saved(tmp_path)
    before = path.read_bytes()
    one = document(SIX, 2)
    broken = replace(one, attachments={"fine": b"", "last": "not bytes"})  # type: ignore[dict-item]
    with pytest.raises(TypeError):
        FORMAT.write(broken, path)
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


def test_being_killed_in_the_middle_of_writing_leaves_the_old_file(tmp_path: Path) -> None:
    path = saved(tmp_path)
    before = path.read_bytes()
    script = (
        "import os, sys; from pathlib import Path; from facewright.formats.files import replacing\n"
        "with replacing(Path(sys.argv[1])) as file:\n"
        "    file.write(b'half'); file.flush(); os.kill(os.getpid(), 9)\n"
    )
    done = subprocess.run([sys.executable, "-c", script, str(path)])
    assert done.returncode != 0
    assert path.read_bytes() == before


def test_a_newer_version_is_refused_in_words(tmp_path: Path) -> None:
    path = saved(tmp_path)
    rewrite(path, lambda data: data | {"version": 2})
    with pytest.raises(BadFile, match="version 2, this program reads up to 1"):
        FORMAT.read(path)


def test_upgrades_go_step_by_step_to_the_newest() -> None:
    steps = {
        1: lambda data: {**data, "trail": [*data["trail"], "1 to 2"]},
        2: lambda data: {**data, "trail": [*data["trail"], "2 to 3"]},
    }
    one = {"version": 1, "trail": []}
    assert upgrade(one, steps=steps, newest=3) == {"version": 3, "trail": ["1 to 2", "2 to 3"]}
    assert upgrade({"version": 2, "trail": []}, steps=steps, newest=3)["trail"] == ["2 to 3"]
    assert one == {"version": 1, "trail": []}


@pytest.mark.parametrize("version", [None, 0, "1", True, 1.0])
def test_a_version_that_is_none_is_refused(version: bool | float | str | None) -> None:
    with pytest.raises(BadFile, match="version must be a whole number"):
        upgrade({"version": version})


@pytest.mark.parametrize("name", ["../escape", "/etc/passwd", "a//b", "C:\\x", "a\\b", "", ".", "new\nline"])
def test_an_attachment_that_would_leave_its_folder_is_not_written(name: str, tmp_path: Path) -> None:
    with pytest.raises(BadValue, match="no safe name"):
        FORMAT.write(Document(document(SIX, 1).rig, attachments={name: b""}), tmp_path / "x.fwface")
    assert not list(tmp_path.iterdir())


def test_an_attachment_named_like_a_member_of_ours_is_not_written(tmp_path: Path) -> None:
    with pytest.raises(BadValue, match="itself uses that name"):
        FORMAT.write(Document(document(SIX, 1).rig, attachments={"document.json": b""}), tmp_path / "x.fwface")


@pytest.mark.parametrize("name", ["../escape.txt", "/abs", "a/../../b"])
def test_a_member_that_would_leave_its_folder_is_refused(name: str, tmp_path: Path) -> None:
    path = saved(tmp_path)
    rewrite(path, dict, {name: b"evil"})
    with pytest.raises(BadValue, match="no safe name"):
        FORMAT.read(path)


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_two_members_of_one_name_are_refused(tmp_path: Path) -> None:
    path = saved(tmp_path)
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("document.json", "{}")
    with pytest.raises(BadFile, match=r"two members named document\.json"):
        FORMAT.read(path)


def test_a_flipped_bit_in_an_array_is_noticed(tmp_path: Path) -> None:
    path = saved(tmp_path)
    data = bytearray(path.read_bytes())
    with zipfile.ZipFile(path) as archive:
        start = archive.getinfo("arrays/shape_offsets.npy").header_offset
    data[start + 400] ^= 4
    path.write_bytes(data)
    with pytest.raises(BadFile, match="damaged"):
        FORMAT.read(path)


def test_an_array_that_claims_more_than_it_has_is_refused_before_memory_is_taken(tmp_path: Path) -> None:
    path = saved(tmp_path)
    stream = io.BytesIO()
    np.lib.format.write_array_header_1_0(stream, {"descr": "<f8", "fortran_order": False, "shape": (10**15, 3)})
    rewrite(path, dict, {"arrays/neutral.npy": stream.getvalue()})
    with pytest.raises(BadFile, match="claims shape"):
        FORMAT.read(path)


def test_a_zip_bomb_is_refused(tmp_path: Path) -> None:
    path = saved(tmp_path)
    with zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED) as archive, archive.open("bomb", "w") as member:
        for _ in range(300):
            member.write(bytes(1 << 20))
    with pytest.raises(BadFile, match="would unpack"):
        FORMAT.read(path)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"format": "other"}, 'must say "format"'),
        ({"sliders": [{"name": 3}]}, r"Expected `str`, got `int`.*sliders\[0\]\.name"),
        ({"shapes": []}, "shape_starts must have shape"),
        ({"pose": {"nobody": 1.0}}, "no slider named 'nobody'"),
        ({"parts": [{"name": "a", "start": 0, "stop": 10**9}]}, "parts cover"),
        ({"clips": [{"name": "a", "rate": 30, "curves": [{"slider": "x", "keys": -5}]}]}, "keys"),
        ({"clips": [{"name": "a", "rate": -30}]}, "rate is a positive number"),
    ],
)
def test_wrong_json_is_refused_in_words(change: dict[str, Any], words: str, tmp_path: Path) -> None:
    path = saved(tmp_path)
    rewrite(path, lambda data: data | change)
    with pytest.raises((BadFile, BadValue, KeyError), match=words):
        FORMAT.read(path)


@pytest.mark.parametrize("starts", [[0, 5, 3, 0, 0, 0], [1, 1, 1, 1, 1, 1], [0, 0, 0, 0, 0, 10**6]])
def test_starts_that_do_not_fit_are_refused(starts: list[int], tmp_path: Path) -> None:
    path = saved(tmp_path)
    stream = io.BytesIO()
    np.save(stream, np.array(starts))
    rewrite(path, dict, {"arrays/shape_starts.npy": stream.getvalue()})
    with pytest.raises((BadFile, BadValue), match="shape_starts"):
        FORMAT.read(path)


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04", b"no zip at all" * 100])
def test_no_zip_is_refused_in_words(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "x.fwface").write_bytes(content)
    with pytest.raises(BadFile, match="damaged, or no zip"):
        FORMAT.read(tmp_path / "x.fwface")


def saved(folder: Path) -> Path:
    path = folder / "face.fwface"
    FORMAT.write(document(SIX, 1), path)
    return path


def rewrite(path: Path, change: Callable[[Any], Any], members: dict[str, bytes] | None = None) -> None:
    """The same zip with its JSON changed and members added or replaced."""
    with zipfile.ZipFile(path) as archive:
        content = {info.filename: archive.read(info) for info in archive.infolist()}
    content["document.json"] = json.dumps(change(json.loads(content["document.json"]))).encode()
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in (content | (members or {})).items():
            archive.writestr(name, data)


def test_a_member_without_a_name_is_refused_in_words(tmp_path: Path) -> None:
    path = tmp_path / "face.fwface"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("x", b"")
    data = bytearray(path.read_bytes())
    entry = data.index(b"PK\x01\x02")
    data[entry + 28 : entry + 32] = b"\0\0\1\0"  # no letter of a name, and what was one is something else
    path.write_bytes(data)
    with pytest.raises(BadValue, match="'' is no safe name"):
        FORMAT.read(path)
