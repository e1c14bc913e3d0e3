"""A file of sound, picture or video as a document keeps it: its bytes, its name, and a checksum."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field

from facewright.errors import BadFile, BadValue

MOST_BYTES = 256 << 20  # of one file
SUFFIXES = {
    "audio/wav": ".wav",
    "image/png": ".png",
    "image/jpeg": ".jpg",
    "image/webp": ".webp",
    "video/mp4": ".mp4",
    "video/webm": ".webm",
    "video/x-matroska": ".mkv",
    "video/x-msvideo": ".avi",
}


@dataclass(frozen=True)
class MediaFile:
    """The bytes of a file. Without bytes it is missing: the name and the checksum say which file to look for."""

    name: str
    media: str  # one of SUFFIXES
    data: bytes = field(repr=False, compare=False)
    digest: str = ""  # of the bytes; worked out where it is not given

    def __post_init__(self) -> None:
        if self.media not in SUFFIXES:
            raise BadFile(f"{self.name}: {self.media!r} is none of {', '.join(SUFFIXES)}")
        if len(self.data) > MOST_BYTES:
            raise BadFile(
                f"{self.name} has {len(self.data) >> 20} MB; a document takes reference files of up to"
                f" {MOST_BYTES >> 20} MB: shorten it, or make its picture smaller"
            )
        found = checksum(self.data) if self.data else self.digest
        if not found:
            raise BadValue(f"{self.name}: a file that is missing is known by its checksum, and there is none")
        if self.digest and self.digest != found:
            raise BadFile(f"{self.name} is damaged: its checksum is another one")
        object.__setattr__(self, "digest", found)

    @property
    def is_missing(self) -> bool:
        """Whether the bytes are not there."""
        return not self.data

    @property
    def suffix(self) -> str:
        """The usual suffix of such files, such as .wav."""
        return SUFFIXES[self.media]


def checksum(data: bytes) -> str:
    """The checksum of a file's bytes, as text."""
    return hashlib.blake2b(data, digest_size=20).hexdigest()
