"""What a file holds: decided here for the command line and the studio, by its content, then by its suffix."""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

import msgspec

from facewright.errors import BadFile, UnknownFormat
from facewright.formats import limits
from facewright.formats.clips import READ as CLIP_SUFFIXES
from facewright.formats.clips.weights_json import is_weights_json
from facewright.formats.csv_table import read_rows
from facewright.formats.files import open_ordinary, read_text
from facewright.formats.registry import formats
from facewright.formats.scans.zipped import is_zipped_scan
from facewright.formats.sources import naming
from facewright.formats.takes.csv import is_marker_table
from facewright.image.encoded import MEDIA
from facewright.reference.container import SOUND_SUFFIXES, VIDEO_SUFFIXES, container_of

_HEAD = 1 << 20  # bytes that are looked at; of JSON all are
# Spaces and comments begin with different characters, so that there is one way to match them, and no search.
_OBJ = re.compile(rb"\A(?:\s|#[^\n]*\n)*(?:v|vn|vt|f|o|g|s|mtllib|usemtl)[ \t]")
_PICTURES = (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"\xabKTX 20\xbb\r\n\x1a\n")
_C3D_MAGIC = 0x50  # the second byte of every C3D file


class FileKind(StrEnum):
    """What a file holds."""

    RIG = "rig"
    CLIP = "clip"
    TAKE = "take"
    BINDING = "binding"
    REGIONS = "regions"
    LANDMARKS = "landmarks"
    POSE = "pose"
    PINS = "pins"
    POSES = "poses"
    PICTURE = "picture"
    NUMBERS = "numbers"
    PRIOR = "prior"
    SOUND = "sound"
    VIDEO = "video"
    SCAN = "scan"

    @property
    def words(self) -> str:
        """What it is, for a person."""
        return _WORDS[self]

    @property
    def suffixes(self) -> tuple[str, ...]:
        """Suffixes of files that hold it, lower case and with the dot."""
        if self is FileKind.RIG:
            return tuple(suffix for format in formats() for suffix in format.suffixes if suffix)
        return _SUFFIXES.get(self, (".json",))


_WORDS = {
    FileKind.RIG: "a rig",
    FileKind.CLIP: "a clip of weights",
    FileKind.TAKE: "a take of markers",
    FileKind.BINDING: "a binding of markers",
    FileKind.REGIONS: "regions",
    FileKind.LANDMARKS: "pairs of landmarks",
    FileKind.POSE: "a pose",
    FileKind.PINS: "pins",
    FileKind.POSES: "a list of example poses",
    FileKind.PICTURE: "a PNG, JPEG, WebP or KTX2 picture",
    FileKind.NUMBERS: "an array of numbers",
    FileKind.PRIOR: "a prior of poses",
    FileKind.SOUND: "a sound",
    FileKind.VIDEO: "a video",
    FileKind.SCAN: "a depth or scan sequence",
}
_SUFFIXES = {
    FileKind.CLIP: CLIP_SUFFIXES,
    FileKind.TAKE: (".c3d", ".trc", ".csv"),
    FileKind.PICTURE: (*MEDIA.values(), ".jpeg"),
    FileKind.NUMBERS: (".npy",),
    FileKind.SOUND: SOUND_SUFFIXES,
    FileKind.VIDEO: VIDEO_SUFFIXES,
    FileKind.SCAN: (".npz", ".zip", ".ply"),
}


_USUAL = (FileKind.RIG, FileKind.CLIP, FileKind.TAKE)
_ABSENT = msgspec.Raw()


class _Keys(msgspec.Struct):
    """Keys of a JSON object by which its kind is known; the values are not looked at."""

    asset: msgspec.Raw = _ABSENT
    facewright_binding: msgspec.Raw = _ABSENT
    markers: msgspec.Raw = _ABSENT
    regions: msgspec.Raw = _ABSENT
    pairs: msgspec.Raw = _ABSENT
    pins: msgspec.Raw = _ABSENT
    poses: msgspec.Raw = _ABSENT
    weights: msgspec.Raw = _ABSENT
    covariance: msgspec.Raw = _ABSENT


_BY_KEY = {
    "asset": FileKind.RIG,
    "facewright_binding": FileKind.BINDING,
    "markers": FileKind.BINDING,
    "regions": FileKind.REGIONS,
    "pairs": FileKind.LANDMARKS,
    "pins": FileKind.PINS,
    "poses": FileKind.POSES,
    "weights": FileKind.POSE,
    "covariance": FileKind.PRIOR,
}


@dataclass(frozen=True)
class _File:
    name: str
    head: bytes
    whole: Callable[[], bytes]

    @property
    def suffix(self) -> str:
        return Path(self.name).suffix.lower()


def kind_of(source: Path | tuple[str, bytes]) -> FileKind:
    """What a file holds, or what bytes with a name hold."""
    if isinstance(source, tuple):
        name, data = source
        with naming(Path(name)):
            return _kind(_File(name, data[:_HEAD], lambda: data.removeprefix(BOM_UTF8)))
    if source.is_dir():
        is_scan = any(each.suffix.lower() in (".png", ".ply") for each in source.iterdir())
        return FileKind.SCAN if is_scan else FileKind.RIG  # a folder of OBJ files
    with naming(source), open_ordinary(source) as file:
        return _kind(_File(str(source), file.read(_HEAD), lambda: read_text(source, limits.JSON)))


def needs_whole(name: str, head: bytes) -> bool:
    """Whether the beginning of a file does not tell its kind: the keys of a JSON file may be anywhere."""
    return _json_start(head) in (b"{", b"[") and Path(name).suffix.lower() != ".gltf"


def openable_suffixes(*kinds: FileKind) -> list[str]:
    """Suffixes of files of some kinds, or of all."""
    return list(dict.fromkeys(suffix for kind in kinds or FileKind for suffix in kind.suffixes))


def _kind(file: _File) -> FileKind:
    if not file.head:
        raise BadFile(f"{file.name} is empty")
    found = FileKind.CLIP if file.suffix == ".vrma" else _binary(file.head) or _text(file)
    if found is None:
        raise UnknownFormat(_why_unknown(file), [f"{kind.words}: {' '.join(kind.suffixes)}" for kind in FileKind])
    return found


def _why_unknown(file: _File) -> str:
    """What is wrong, and what would have worked, in few words: `known` of the error is the whole list."""
    named = [kind.words for kind in FileKind if file.suffix in kind.suffixes]
    if file.suffix == ".json":
        return f"{file.name} is JSON of no kind that is opened, such as a pose, pins or regions"
    if named:
        return f"{file.name} does not hold what its name says, {' or '.join(named)}: it is damaged, or something else"
    some = ", ".join(f"{kind.words} ({' '.join(kind.suffixes[:3])} ...)" for kind in _USUAL)
    return f"{file.name} is no file that is opened. Others are: {some}, pictures, sounds and videos"


def _binary(head: bytes) -> FileKind | None:
    if head.startswith((b"ply\n", b"ply\r")) or (head.startswith(b"PK\x03\x04") and is_zipped_scan(head)):
        return FileKind.SCAN
    # .glb; .fwface, .npz and .usdz are ZIP files; .fbx; .usdc; .usda
    if head.startswith((b"glTF", b"PK\x03\x04", b"Kaydara FBX Binary", b"PXR-USDC", b"#usda")):
        return FileKind.RIG
    if head.startswith(b"\x93NUMPY"):
        return FileKind.NUMBERS
    if head.startswith(_PICTURES) or (head.startswith(b"RIFF") and head[8:12] == b"WEBP"):
        return FileKind.PICTURE
    if (played := container_of(head)) is not None:
        return FileKind.SOUND if played.kind == "sound" else FileKind.VIDEO
    if len(head) >= 512 and head[1] == _C3D_MAGIC and b"\0" in head[:512]:
        return FileKind.TAKE
    return None


def _text(file: _File) -> FileKind | None:
    start = _json_start(file.head)
    if start in (b"{", b"["):
        return _json(file, is_list=start == b"[")
    if file.head.startswith(b"PathFileType"):
        return FileKind.TAKE
    if file.suffix == ".csv":
        return _table(file.head)
    if _OBJ.match(file.head):
        return FileKind.RIG
    by_suffix = (kind for kind in (FileKind.RIG, FileKind.TAKE, FileKind.PICTURE) if file.suffix in kind.suffixes)
    return next(by_suffix, None)


def _json_start(head: bytes) -> bytes:
    """The first byte after a byte order mark and spaces."""
    return head.lstrip(b"\xef\xbb\xbf \t\r\n")[:1]


def _json(file: _File, *, is_list: bool) -> FileKind | None:
    if file.suffix == ".gltf":  # it may be larger than other JSON files
        return FileKind.RIG
    if is_weights_json(file.whole()):
        return FileKind.CLIP
    try:
        if is_list:
            msgspec.json.decode(file.whole(), type=list[msgspec.Raw])
            return FileKind.PINS
        found = msgspec.json.decode(file.whole(), type=_Keys)
        kind = next((kind for key, kind in _BY_KEY.items() if len(getattr(found, key))), None)
        if kind is None:
            msgspec.json.decode(file.whole(), type=dict[str, float])
            kind = FileKind.POSE
    except msgspec.ValidationError:
        return None
    except msgspec.DecodeError as problem:
        raise BadFile(f"{file.name}: this is no whole JSON file: {problem}") from problem
    return kind


def _table(head: bytes) -> FileKind:
    """A table of markers has three columns for each; any other is one of weights."""
    try:
        _, header = next(read_rows(head.partition(b"\n")[0]), (0, []))
    except BadFile:
        return FileKind.CLIP
    return FileKind.TAKE if is_marker_table(header) else FileKind.CLIP
