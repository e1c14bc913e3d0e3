"""A library of poses in a folder: a JSON file for each, and its picture as a PNG file beside it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from facewright.errors import BadFile, BadValue, FacewrightError, UnknownName
from facewright.formats.files import read_up_to, write_atomically
from facewright.rig.library_pose import LibraryPose

_LARGEST = 1 << 20  # bytes of a pose
_MOST = 2000  # poses of a folder that are listed
_LARGEST_PICTURE = 4 << 20  # bytes
_PNG = b"\x89PNG\r\n\x1a\n"
_UNSAFE = re.compile(r"[^\w .()+-]+")
_RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)  # names that Windows refuses
_LONGEST = 80  # characters of a file's name without its suffix


@dataclass(frozen=True, eq=False)
class FolderPose:
    """A pose in a folder."""

    file: str  # its name without the suffix
    pose: LibraryPose
    has_picture: bool


@dataclass(frozen=True, eq=False)
class PoseListing:
    """The poses of a folder by name, and the files that are none, each with the reason."""

    poses: tuple[FolderPose, ...]
    refused: tuple[str, ...]


class PoseFolder:
    """Poses in a folder. Only files directly in it are read and written."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def listing(self) -> PoseListing:
        """What the folder holds; one that does not exist holds nothing."""
        if not self.path.is_dir():
            return PoseListing((), ())
        files = sorted(self.path.glob("*.json"))
        poses, refused = [], [f"{len(files) - _MOST} more files are not listed"] if len(files) > _MOST else []
        for file in files[:_MOST]:
            try:
                poses.append(FolderPose(file.stem, self._read(file), file.with_suffix(".png").is_file()))
            except (FacewrightError, OSError) as problem:
                refused.append(f"{file.name}: {problem}")
        return PoseListing(tuple(sorted(poses, key=lambda one: one.pose.name.lower())), tuple(refused))

    def load(self, file: str) -> LibraryPose:
        """The pose of a file, by its name with or without the suffix, or by the pose's own name."""
        name = file.removesuffix(".json")
        if _is_plain(name) and (self.path / f"{name}.json").is_file():
            return self._read(self.path / f"{name}.json")
        listed = self.listing().poses
        for one in listed:
            if one.pose.name == file:
                return one.pose
        raise UnknownName(f"pose in {self.path.name}", file, (one.pose.name for one in listed))

    def save(self, pose: LibraryPose, picture: bytes = b"") -> str:
        """Write a pose, in place of the one of its name, with a picture (PNG). Returns the file's name, no suffix."""
        if picture and not picture.startswith(_PNG):
            raise BadValue("the picture of a pose is a PNG file")
        self.path.mkdir(parents=True, exist_ok=True)
        stem = self._stem(pose.name)
        from facewright.formats.schema.library_pose import pose_text  # what reads JSON is loaded where there is some

        write_atomically(self.path / f"{stem}.json", pose_text(pose).encode())
        if picture:
            write_atomically(self.path / f"{stem}.png", picture)
        return stem

    def picture(self, file: str) -> bytes:
        """The picture of a pose as PNG; a pose without one raises."""
        path = self._path(file).with_suffix(".png")
        data = read_up_to(path, _LARGEST_PICTURE) if path.is_file() else b""
        if not data.startswith(_PNG):
            raise BadFile(f"{path.name} is no PNG file")
        return data

    def delete(self, file: str) -> None:
        """Delete a pose and its picture."""
        path = self._path(file)
        if not path.is_file():
            raise UnknownName(f"pose in {self.path.name}", file, (one.file for one in self.listing().poses))
        path.unlink()
        path.with_suffix(".png").unlink(missing_ok=True)

    def _read(self, file: Path) -> LibraryPose:
        from facewright.formats.schema.library_pose import pose_from_text

        return pose_from_text(read_up_to(file, _LARGEST), file.stem)

    def _path(self, file: str) -> Path:
        if not _is_plain(file):
            raise BadValue(f"a pose of a folder is named without a path, not {file[:60]!r}")
        return self.path / f"{file}.json"

    def _stem(self, name: str) -> str:
        """A file's name for a pose: that of the pose of the same name, or one that is free."""
        wanted = _UNSAFE.sub("-", name).strip(" .-")[:_LONGEST].strip(" .-") or "pose"
        wanted = f"{wanted}-" if _RESERVED.fullmatch(wanted) else wanted
        for number in range(1, _MOST + 2):
            stem = wanted if number == 1 else f"{wanted} {number}"
            path = self.path / f"{stem}.json"
            if not path.exists() or self._name_in(path) == name:
                return stem
        raise BadValue(f"{self.path.name} has too many poses named {name!r}")

    def _name_in(self, file: Path) -> str:
        try:
            return self._read(file).name
        except (FacewrightError, OSError):
            return ""


def _is_plain(name: str) -> bool:
    return bool(name) and not re.search(r"[/\\:\0]", name) and name.strip(".") != ""
