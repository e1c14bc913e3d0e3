"""Views of the camera, and what is noted of sound and picture of reference beside the bytes of their files."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from facewright.errors import BadFile, BadValue
from facewright.reference.bookmark import CameraBookmark
from facewright.reference.media_file import MediaFile
from facewright.reference.plane import Placement, ReferencePlane
from facewright.reference.sound import ReferenceSound

Store = Callable[[MediaFile], str]  # stores the bytes of a file, and returns where
Fetch = Callable[[str], bytes]  # the bytes at a place; none where they are not there


class BookmarkEntry(msgspec.Struct):
    """A view of the camera; angles in radians, the field of view in degrees, lengths in sizes of the face."""

    name: str
    yaw: float
    pitch: float
    distance: float
    target: tuple[float, float, float] = (0.0, 0.0, 0.0)
    field_of_view: float = 18.0
    orthographic: bool = False

    @classmethod
    def of(cls, bookmark: CameraBookmark) -> BookmarkEntry:
        return msgspec.convert(bookmark, cls, from_attributes=True)

    def value(self) -> CameraBookmark:
        return CameraBookmark(**msgspec.structs.asdict(self))


class MediaEntry(msgspec.Struct):
    """A file: its name, its checksum, and where its bytes are."""

    name: str
    media: str
    digest: str
    place: str = ""  # "": nowhere, the file is missing

    @classmethod
    def of(cls, file: MediaFile, store: Store) -> MediaEntry:
        return cls(file.name, file.media, file.digest, "" if file.is_missing else store(file))

    def value(self, fetch: Fetch) -> MediaFile:
        return MediaFile(self.name, self.media, fetch(self.place) if self.place else b"", self.digest)


class SoundEntry(msgspec.Struct, omit_defaults=True):
    """A sound beside the clips."""

    file: MediaEntry
    rate: int
    channels: int
    frames: int
    offset: float = 0.0
    volume: float = 1.0
    muted: bool = False


class PlaneEntry(msgspec.Struct, omit_defaults=True):
    """A picture or a video with the face."""

    file: MediaEntry
    placement: Placement = "behind"
    x: float = 0.0
    y: float = 0.0
    scale: float = 1.0
    opacity: float = 1.0
    offset: float = 0.0


class ReferenceEntry(msgspec.Struct, omit_defaults=True):
    """All that is kept of reference."""

    sound: SoundEntry | None = None
    plane: PlaneEntry | None = None

    @classmethod
    def of(cls, sound: ReferenceSound | None, plane: ReferencePlane | None, store: Store) -> ReferenceEntry:
        """`store` is asked for each file that is there."""
        return cls(
            None if sound is None else SoundEntry(MediaEntry.of(sound.file, store), *_fields(sound)),
            None if plane is None else PlaneEntry(MediaEntry.of(plane.file, store), *_fields(plane)),
        )

    def value(self, fetch: Fetch) -> tuple[ReferenceSound | None, ReferencePlane | None]:
        """`fetch` is asked for each file that was there."""
        try:
            return (
                None if self.sound is None else ReferenceSound(self.sound.file.value(fetch), *_fields(self.sound)),
                None if self.plane is None else ReferencePlane(self.plane.file.value(fetch), *_fields(self.plane)),
            )
        except BadValue as problem:
            raise BadFile(f"the JSON does not describe reference: {problem}") from problem


def _fields(of: ReferenceSound | ReferencePlane | SoundEntry | PlaneEntry) -> tuple[Any, ...]:
    """All but the file, in the order in which values and entries have them."""
    names = SoundEntry.__struct_fields__ if hasattr(of, "rate") else PlaneEntry.__struct_fields__
    return tuple(getattr(of, name) for name in names[1:])
