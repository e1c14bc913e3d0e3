"""Files are opened below named folders and nowhere else, whatever the path says."""

import os
from pathlib import Path

import msgspec
import pytest

from facewright.document import Document
from facewright.errors import BadFile, FacewrightError
from facewright.formats.files import digest
from facewright.formats.registry import save
from facewright.samples import mask
from facewright.studio.files import FileChanged, Folders
from facewright.studio.state_directory import StateDirectory
from facewright.studio.workspace import Workspace


@pytest.fixture
def named(tmp_path: Path) -> Folders:
    root = tmp_path / "rigs"
    (root / "below").mkdir(parents=True)
    for name in ("a.glb", "below/b.fwface", "below/notes.txt", ".hidden.glb"):
        (root / name).write_bytes(b"x")
    (tmp_path / "secret.glb").write_bytes(b"secret")
    (root / "link.glb").symlink_to(tmp_path / "secret.glb")
    (root / "out").symlink_to(tmp_path)
    return Folders.of([root])


def test_a_file_below_a_named_folder_is_found(named: Folders, tmp_path: Path) -> None:
    assert named.existing("rigs/a.glb") == tmp_path / "rigs" / "a.glb"
    assert named.existing("rigs/below/b.fwface").name == "b.fwface"
    assert named.written(tmp_path / "rigs" / "below" / "b.fwface") == "rigs/below/b.fwface"
    assert named.written(tmp_path / "secret.glb") == ""


@pytest.mark.parametrize(
    "path",
    [
        "rigs/../secret.glb", "../secret.glb", "rigs/below/../../secret.glb", "/etc/passwd", "secret.glb", "", "/",
        "rigs",
        "rigs/link.glb", "rigs/out/secret.glb", "rigs/.hidden.glb", "rigs\\..\\secret.glb", "rigs/a.glb\0.fwface",
        "rigs/none.glb", "rigs/below", "c:/x.glb",
        "rigs//../../secret.glb", "./rigs/a.glb/../../../secret.glb", "~/x.glb",
    ],
)  # fmt: skip
def test_every_way_out_is_closed(named: Folders, path: str) -> None:
    with pytest.raises(FacewrightError):
        named.existing(path)


@pytest.mark.parametrize(
    "path", ["rigs/../x.fwface", "rigs/out/x.fwface", "rigs/x.glb", "rigs/none/x.fwface", "x.fwface"]
)
def test_nothing_is_written_outside_or_as_another_kind(named: Folders, path: str) -> None:
    with pytest.raises(FacewrightError):
        named.new(path, ".fwface")


def test_a_new_file_may_be_written_below(named: Folders, tmp_path: Path) -> None:
    assert named.new("rigs/below/new.fwface", ".fwface") == tmp_path / "rigs" / "below" / "new.fwface"


def test_the_list_has_what_can_be_opened_and_follows_no_links(named: Folders) -> None:
    assert [file.path for file in named.listed()] == ["rigs/a.glb", "rigs/below/b.fwface"]


def test_two_folders_of_one_name_are_told_apart(tmp_path: Path) -> None:
    for place in ("one", "two"):
        (tmp_path / place / "rigs").mkdir(parents=True)
    both = Folders.of([tmp_path / "one" / "rigs", tmp_path / "two" / "rigs"])
    assert list(both.roots) == ["rigs", "rigs 2"]
    with pytest.raises(FacewrightError, match="no such folder"):
        Folders.of([tmp_path / "three"])


def test_names_that_are_not_utf_8_do_not_spoil_the_list_nor_a_start(tmp_path: Path) -> None:
    odd = os.fsdecode(b"odd \xff\xfe")
    (tmp_path / odd / odd).mkdir(parents=True)
    for place in ("", odd):
        for name in ("plain.glb", f"{odd}.glb", f"{odd}.fwface"):
            (tmp_path / odd / place / name).write_bytes(b"x")
    save(Document(mask(600, 8)), tmp_path / odd / f"{odd}.fwface")
    folders = Folders.of([tmp_path / odd])
    assert [file.path for file in folders.listed()] == ["odd ??/plain.glb"]
    msgspec.json.encode(folders.listed())
    assert folders.existing("odd ??/plain.glb").is_file()
    state = StateDirectory(tmp_path / "state")
    workspace = Workspace(state, folders, lambda run, newest=None: run(), str(tmp_path / odd), skin=False)
    workspace.begin(tmp_path / odd / f"{odd}.fwface")
    assert (workspace.trouble, workspace.context.name) == ("", "odd ??")
    workspace.save(None)
    assert (workspace.trouble, workspace.context.name) == ("", "odd ??")
    workspace.context.saves_to.encode()
    (tmp_path / odd / f"{odd}.fwface").write_bytes(b"another program's")
    with pytest.raises(FileChanged) as changed:
        workspace.save(None)
    str(changed.value).encode()
    workspace.close()
    state.close()


def test_links_in_a_circle_are_no_file(named: Folders, tmp_path: Path) -> None:
    (tmp_path / "rigs" / "one.glb").symlink_to("two.glb")
    (tmp_path / "rigs" / "two.glb").symlink_to("one.glb")
    with pytest.raises(BadFile, match="there is no such file"):
        named.existing("rigs/one.glb")
    assert "rigs/one.glb" not in [file.path for file in named.listed()]


def test_what_is_no_ordinary_file_is_not_saved_over(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "face.fwface")  # reading it would wait for ever
    with pytest.raises(BadFile, match="this is no file that can be read"):
        digest(tmp_path / "face.fwface")
    assert digest(tmp_path / "other.fwface") == ""
