"""Folders that may not be written, and files that another program has locked: words, and nothing is lost.

The rights of files do not bind the user root, so that all that asks the system to write is refused here instead.
"""

import builtins
import errno
import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from facewright.errors import BadFile
from facewright.formats.registry import load_document, save
from facewright.session.edits.pose import SetWeights
from facewright.studio.files import Folders
from facewright.studio.state_directory import StateDirectory
from facewright.studio.workspace import Workspace
from tests.cli.command import assert_one_paragraph, run
from tests.session.faces import document

_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT


@contextmanager
def read_only(folder: Path) -> Iterator[None]:
    """Nothing below a folder can be made, opened for writing, written, replaced or removed."""
    plain_open, plain_os_open = builtins.open, os.open
    plain_mkstemp: Callable[..., Any] = tempfile.mkstemp

    def refused(path: Any) -> bool:
        return isinstance(path, str | Path) and Path(path).absolute().is_relative_to(folder)

    def refusing(run: Callable[..., Any]) -> Callable[..., Any]:
        def run_or_refuse(path: Any, *arguments: Any, **options: Any) -> Any:
            return refuse(path) if refused(path) else run(path, *arguments, **options)

        return run_or_refuse

    def refuse(path: Any) -> Any:
        raise OSError(errno.EROFS, "Read-only file system", str(path))

    def opened(path: Any, mode: str = "r", *arguments: Any, **options: Any) -> Any:
        if refused(path) and set(mode) & set("wax+"):
            refuse(path)
        return plain_open(path, mode, *arguments, **options)

    def os_opened(path: Any, flags: int, *arguments: Any, **options: Any) -> Any:
        if refused(path) and flags & _WRITING:
            refuse(path)
        return plain_os_open(path, flags, *arguments, **options)

    def made(*arguments: Any, dir: Any = None, **options: Any) -> Any:
        if refused(dir):
            refuse(dir)
        return plain_mkstemp(*arguments, dir=dir, **options)

    def not_written(handle: int, data: Any) -> int:
        raise OSError(errno.EROFS, "Read-only file system")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(builtins, "open", opened)
        patch.setattr(os, "open", os_opened)
        patch.setattr(os, "write", not_written)
        patch.setattr(tempfile, "mkstemp", made)
        for name in ("mkdir", "unlink", "rename", "replace", "rmdir"):
            patch.setattr(os, name, refusing(getattr(os, name)))
        yield


def test_a_save_into_a_folder_that_may_not_be_written_names_the_file_and_leaves_it(tmp_path: Path) -> None:
    path = tmp_path / "face.fwface"
    save(document(), path)
    before = path.read_bytes()
    with read_only(tmp_path):
        with pytest.raises(OSError, match=r"Read-only file system.*face\.fwface"):
            save(document(2), path)
        assert path.read_bytes() == before
    assert os.listdir(tmp_path) == ["face.fwface"]


def test_a_command_says_so_and_ends_with_a_mistake(tmp_path: Path) -> None:
    save(document(), tmp_path / "face.fwface")
    with read_only(tmp_path):
        told = run("convert", tmp_path / "face.fwface", tmp_path / "face.glb")
    assert_one_paragraph(told, "face.glb")
    assert "Read-only file system" in told.stderr


def test_a_state_folder_that_may_not_be_written_is_refused_with_what_would_work(tmp_path: Path) -> None:
    with read_only(tmp_path), pytest.raises(BadFile, match="Read-only file system; name another folder with --state"):
        StateDirectory(tmp_path)


def test_a_state_folder_that_becomes_read_only_is_said_and_what_was_done_meanwhile_is_kept_later(
    tmp_path: Path,
) -> None:
    files = tmp_path / "files"
    files.mkdir()
    state = StateDirectory(tmp_path / "state")
    workspace = Workspace(state, Folders({"files": files}), lambda run, newest=None: run(), skin=False)
    workspace.begin(None)
    context = workspace.context
    slider = context.document.value.rig.sliders[0]
    context.apply(SetWeights(weights={slider: 0.25}))
    workspace.save("files/face.fwface")
    with read_only(tmp_path):
        context.apply(SetWeights(weights={slider: 0.5}))
        assert context.document.value.pose[0] == 0.5
        assert "Autosave does not work: Read-only file system" in workspace.trouble
        with pytest.raises(OSError, match=r"Read-only file system.*face\.fwface"):
            workspace.save(None)
        assert context.document.unsaved
        assert load_document(files / "face.fwface").pose[0] == 0.25
    context.apply(SetWeights(weights={slider: 0.75}))
    workspace.check()
    assert workspace.trouble == ""
    workspace.save(None)
    workspace.close()
    state.close()
    assert load_document(files / "face.fwface").pose[0] == 0.75


def test_a_file_that_another_program_has_locked_stays_and_leaves_nothing_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on Windows, where a file that is open elsewhere cannot be replaced."""
    path = tmp_path / "face.fwface"
    save(document(), path)
    before = path.read_bytes()

    def locked(source: str, target: Path) -> None:
        raise PermissionError(13, "The process cannot access the file because it is being used by another process")

    monkeypatch.setattr(os, "replace", locked)
    with pytest.raises(PermissionError, match=r"used by another process.*face"):
        save(document(2), path)
    monkeypatch.undo()
    assert path.read_bytes() == before
    assert os.listdir(tmp_path) == ["face.fwface"]
    save(document(2), path)
    assert load_document(path).rig.neutral.tobytes() == document(2).rig.neutral.tobytes()
