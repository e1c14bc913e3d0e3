"""A folder of OBJ files in a zip: unpacked into a temporary folder to be read, packed from one when written."""

from __future__ import annotations

import tempfile
import zipfile
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path, PurePosixPath

from facewright.document import Document
from facewright.errors import BadFile
from facewright.formats import limits
from facewright.formats.arrays_zip import reading_zip
from facewright.formats.files import Memory, Source, Target, open_ordinary, replacing
from facewright.formats.obj.files import ABOUT, read_folder, write_folder

_MAGIC = b"PK\x03\x04"
_DATE = (1980, 1, 1, 0, 0, 0)  # the same rig gives the same bytes


def read_zip(source: Source) -> Document:
    """Read the OBJ files of a zip as those of a folder; they are in one folder of it, with `shapes` beside the neutral.

    Names and sizes are checked before anything is unpacked.
    """
    with tempfile.TemporaryDirectory() as temporary, reading_zip(source) as archive:
        top = _top(archive.names)
        for name in _wanted(archive.names):
            file = Path(temporary, *PurePosixPath(name).parts)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(archive.bytes(name, limit=limits.TEXT))
        try:
            return read_folder(Path(temporary, top))
        except BadFile as problem:
            raise BadFile(str(problem).replace(temporary, str(source))) from problem


def write_zip(document: Document, target: Target) -> None:
    """Write the folder of a rig as a zip."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        write_folder(document, folder)
        with replacing(target) as raw, zipfile.ZipFile(raw, "w", zipfile.ZIP_DEFLATED) as archive:
            for file in sorted(folder.iterdir()):
                archive.writestr(zipfile.ZipInfo(file.name, _DATE), file.read_bytes(), zipfile.ZIP_DEFLATED)


def begins_as_zip(source: Source) -> bool:
    """Whether a file, whatever its suffix, is a zip by its first bytes."""
    if isinstance(source, Memory):
        return source.data.startswith(_MAGIC)
    if source.is_dir():
        return False
    with open_ordinary(source) as file:
        return file.read(len(_MAGIC)) == _MAGIC


def holds_obj_files(data: bytes) -> bool:
    """Whether bytes are a zip with OBJ files."""
    if not data.startswith(_MAGIC):
        return False
    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            return any(_is_obj(name) for name in archive.namelist())
    except (zipfile.BadZipFile, ValueError, OverflowError, EOFError):
        return False


def _top(names: Sequence[str]) -> PurePosixPath:
    """The folder of the neutral; "." is the zip itself."""
    folders = sorted(
        {PurePosixPath(name).parent for name in names if _is_obj(name)}, key=lambda one: (len(one.parts), one)
    )
    if not folders:
        raise BadFile("there is no .obj file in the zip; a zip holds a folder of OBJ files, one of them the neutral")
    top = folders[0]
    others = [str(one) for one in folders if one not in (top, top / "shapes")]
    if others:
        listed = ", ".join([str(top), *others][:6])
        raise BadFile(f"there are OBJ files in several folders of the zip: {listed}; a rig is one folder")
    return top


def _wanted(names: Sequence[str]) -> list[str]:
    return [name for name in names if _is_obj(name) or PurePosixPath(name).name == ABOUT]


def _is_obj(name: str) -> bool:
    """Whether a member is an OBJ file; hidden files and what macOS adds are none."""
    path = PurePosixPath(name)
    shown = not any(part.startswith((".", "__MACOSX")) for part in path.parts)
    return shown and path.suffix.lower() == ".obj"
