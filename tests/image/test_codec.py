import struct
import zlib
from typing import Any

import numpy as np
import pytest

from facewright.errors import BadFile, BadValue, MissingExtra
from facewright.image.codec import encoded, media_of, pixels
from facewright.image.encoded import MOST_PIXELS, Encoded

PICTURE = np.random.default_rng(0).integers(0, 256, (37, 52, 3), dtype=np.uint8)
KTX2 = b"\xabKTX 20\xbb\r\n\x1a\n" + struct.pack("<IIIII", 0, 1, 640, 480, 0) + bytes(40)


def png_of(width: int, height: int, data: bytes = b"") -> bytes:
    """A PNG that claims a size."""

    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(data)) + chunk(b"IEND", b"")


@pytest.mark.parametrize("media", ["image/png", "image/webp"])
def test_lossless_files_give_the_picture_back(media: str) -> None:
    file = encoded(PICTURE, media)
    assert (file.media, file.width, file.height) == (media, 52, 37)
    np.testing.assert_array_equal(pixels(file), PICTURE)


def test_every_kind_of_file_says_its_size_and_type() -> None:
    from io import BytesIO

    from PIL import Image

    kinds: list[tuple[str, str, dict[str, Any]]] = [
        ("JPEG", "image/jpeg", {}),
        ("JPEG", "image/jpeg", {"progressive": True}),
        ("PNG", "image/png", {}),
        ("WEBP", "image/webp", {"lossless": True}),
        ("WEBP", "image/webp", {"quality": 80}),
        ("WEBP", "image/webp", {"quality": 80, "exif": b"Exif\0\0MM\0*\0\0\0\x08\0\0"}),
    ]
    for name, media, options in kinds:
        buffer = BytesIO()
        Image.fromarray(PICTURE).save(buffer, name, **options)
        file = Encoded(buffer.getvalue())
        assert (file.media, file.width, file.height) == (media, 52, 37)
        assert pixels(file).shape == PICTURE.shape
    assert (Encoded(KTX2).media, Encoded(KTX2).width, Encoded(KTX2).height) == ("image/ktx2", 640, 480)


def test_grey_and_transparent_pictures_are_read_as_asked() -> None:
    grey = encoded(PICTURE[..., 0])
    np.testing.assert_array_equal(pixels(grey, channels=1), PICTURE[..., 0])
    np.testing.assert_array_equal(pixels(grey)[..., 2], PICTURE[..., 0])
    clear = np.concatenate([PICTURE, np.full((37, 52, 1), 9, np.uint8)], axis=2)
    np.testing.assert_array_equal(pixels(encoded(clear)), PICTURE)


def test_a_picture_is_brought_to_a_size() -> None:
    assert pixels(encoded(PICTURE), size=(26, 18)).shape == (18, 26, 3)
    even = encoded(np.full((40, 40, 3), 77, np.uint8))
    assert (pixels(even, size=(90, 13)) == 77).all()


def test_a_file_that_unpacks_to_too_much_is_refused_before_it_is_unpacked() -> None:
    side = int(MOST_PIXELS**0.5) + 1
    with pytest.raises(BadFile, match="pixels are read"):
        Encoded(png_of(side, side))
    with pytest.raises(BadFile, match="pixels are read"):
        Encoded(png_of(0, 5))


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"GIF89a not one of ours",
        b"\x89PNG\r\n\x1a\n",
        b"\xff\xd8\xff",
        b"\xff\xd8\xff\xe0\x00\x10",
        b"\xff\xd8\xff\xe0\x00\x00\xff\xe0\x00\x00",
        b"\xff\xd8\xff\xe0\x00\x02\x00\x00\x00",
        b"RIFF\0\0\0\0WEBPVP8X",
        b"RIFF\0\0\0\0WEBPVP8L\0\0",
        b"RIFF\0\0\0\0WEBPNONE" + bytes(40),
        b"\xabKTX 20\xbb\r\n\x1a\n\0\0",
    ],
)
def test_what_is_no_picture_is_told_in_words(data: bytes) -> None:
    with pytest.raises(BadFile):
        Encoded(data)


def test_a_broken_picture_is_told_in_words_when_it_is_unpacked() -> None:
    whole = encoded(PICTURE).data
    with pytest.raises(BadFile, match="cannot be unpacked"):
        pixels(Encoded(whole[:200]))
    with pytest.raises(BadFile, match="cannot be unpacked"):
        pixels(Encoded(png_of(30, 30, b"short")))
    with pytest.raises(BadFile, match="within its header"):
        pixels(Encoded(KTX2))


def test_only_what_can_be_written_is() -> None:
    with pytest.raises(BadValue, match="ktx2"):
        encoded(PICTURE, "image/ktx2")
    with pytest.raises(BadValue, match="bytes of shape"):
        encoded(PICTURE.astype(np.float32))
    assert media_of(".JPEG") == "image/jpeg"
    with pytest.raises(BadValue, match="tga"):
        media_of(".tga")


def test_without_pillow_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    file = encoded(PICTURE)
    monkeypatch.setitem(sys.modules, "PIL", None)
    with pytest.raises(MissingExtra, match=r"pip install 'facewright\[texture\]'"):
        pixels(file)
