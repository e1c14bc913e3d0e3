"""An image file, by itself or as a part of a larger file whose memory it shares; it is checked when it is used."""

from __future__ import annotations

from dataclasses import dataclass, field

from facewright.errors import BadFile
from facewright.image.encoded import MEDIA, Encoded

_STARTS = {
    b"\x89PNG": "image/png",
    b"\xff\xd8\xff": "image/jpeg",
    b"RIFF": "image/webp",
    b"\xabKTX 20\xbb": "image/ktx2",
}


def media_of(data: bytes) -> str:
    """The media type of an image file by its first bytes; "" where it is of another kind."""
    return next((kind for start, kind in _STARTS.items() if data.startswith(start)), "")


@dataclass(frozen=True, eq=False)
class ImageFile:
    """The bytes from `start` to `stop` of a file, and the media type that the file states for them."""

    media: str  # such as image/png; "" where none is stated
    container: bytes = field(repr=False)
    start: int = 0
    stop: int | None = None  # None: the end

    @property
    def data(self) -> bytes:
        """The bytes of the image file."""
        return self.container[self.start : self.stop]

    def encoded(self) -> Encoded:
        """The image, with its media type, its size and its first bytes checked."""
        self.check()
        return Encoded(self.data)

    def check(self) -> None:
        """Raise where the stated media type is none that is shown."""
        if self.media not in MEDIA:
            raise BadFile(f"an image is {self.media or 'of no stated type'}; {', '.join(MEDIA)} are shown")

    def same_as(self, other: ImageFile) -> bool:
        """Whether two images have the same media type and the same bytes."""
        if self.container is other.container and (self.start, self.stop) == (other.start, other.stop):
            return self.media == other.media
        return self.media == other.media and self.data == other.data
