"""KTX2 files are unpacked bit for bit as Basis Universal's own transcoder does; damaged ones are told in words."""

import random
import sys
import zlib
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from facewright.errors import BadFile, FacewrightError, MissingExtra
from facewright.formats.registry import load_document
from facewright.image.codec import encoded, for_browsers, pixels
from facewright.image.encoded import Encoded
from facewright.image.ktx2.uastc.fields import partition_bits
from facewright.image.ktx2.uastc.modes import SOLID, mode_numbers, mode_of
from facewright.image.ktx2.uastc.partitions import THREE, TWO, TWO_OF_THREE
from facewright.image.ktx2.unpack import unpack
from tests.fuzz import mutate
from tests.image.ktx2_files import GREY_AND_OPACITY, HERE, RGB, ktx2, transcoded
from tests.some import some

FILES = {path.stem: path.read_bytes() for path in sorted(HERE.glob("*.ktx2"))}
RGBA8, RGB8, BGRA8, R8, BC7, ASTC = 37, 29, 50, 9, 146, 157
TEXELS = np.arange(5 * 7 * 4, dtype=np.uint8).reshape(5, 7, 4)


def test_the_encoders_files_are_unpacked_as_the_transcoder_does(tmp_path: Path) -> None:
    theirs = transcoded(tmp_path, *FILES.values())
    for name, data, wanted in zip(FILES, FILES.values(), theirs, strict=True):
        found = unpack(Encoded(data))
        assert found.shape[2] == (4 if name in ("etc1s-alpha", "uastc-zstd") else 3)
        np.testing.assert_array_equal(found, some(wanted)[..., : found.shape[2]], err_msg=name)


def test_the_skin_of_the_scanned_face_is_unpacked_as_the_transcoder_does(shared_data: Path, tmp_path: Path) -> None:
    materials = load_document(shared_data / "facecap" / "facecap.glb").materials
    assert materials is not None
    image = materials.image(0)
    assert image.media == "image/ktx2"
    data = image.data
    (wanted,) = transcoded(tmp_path, data)
    assert some(wanted).shape == (1024, 1024, 4)
    np.testing.assert_array_equal(pixels(Encoded(data)), some(wanted)[..., :3])


def blocks_of(mode: int, rng: np.random.Generator) -> np.ndarray:
    """Blocks (n, 16) of one mode, in each division that it has, otherwise of any bits."""
    low = np.flatnonzero(mode_numbers() == mode)
    blocks = rng.integers(0, 256, (24 * 24, 16), dtype=np.uint8)
    blocks[:, 0] = rng.choice(low, len(blocks)) | blocks[:, 0] & 128
    if mode == SOLID or not (partitions := mode_of(mode).partitions):
        return blocks
    bits = np.unpackbits(blocks, axis=1, bitorder="little")
    start, count = mode_of(mode).start, partition_bits(mode_of(mode))
    bits[:, start : start + count] = (np.arange(len(blocks)) % len(partitions))[:, None] >> np.arange(count) & 1
    return np.packbits(bits, axis=1, bitorder="little")


def test_every_mode_of_uastc_in_every_division_is_unpacked_as_the_transcoder_does(tmp_path: Path) -> None:
    rng = np.random.default_rng(4)
    files = [ktx2((96, 96), blocks_of(mode, rng).tobytes()) for mode in range(19)]
    for mode, (data, wanted) in enumerate(zip(files, transcoded(tmp_path, *files), strict=True)):
        np.testing.assert_array_equal(unpack(Encoded(data)), wanted, err_msg=f"mode {mode}")
    assert (len(TWO), len(THREE), len(TWO_OF_THREE)) == (30, 11, 19)


@pytest.mark.parametrize(("mode", "index"), [(19, 0), (2, 30), (3, 11), (7, 19), (16, 31)])
def test_a_block_that_uastc_does_not_have_is_refused(mode: int, index: int) -> None:
    blocks = blocks_of(mode, np.random.default_rng(0))[:1] if mode < 19 else np.full((1, 16), 0x45, np.uint8)
    if mode < 19:
        bits = np.unpackbits(blocks, axis=1, bitorder="little")
        start, count = mode_of(mode).start, partition_bits(mode_of(mode))
        bits[:, start : start + count] = index >> np.arange(count) & 1
        blocks = np.packbits(bits, axis=1, bitorder="little")
    with pytest.raises(BadFile, match="UASTC does not have"):
        unpack(Encoded(ktx2((4, 4), blocks.tobytes())))


def test_opacity_is_kept_only_where_the_file_says_that_there_is_some() -> None:
    level = blocks_of(10, np.random.default_rng(1)).tobytes()
    shapes = [unpack(Encoded(ktx2((96, 96), level, channels=one))).shape[2] for one in (RGB, 3, GREY_AND_OPACITY)]
    assert shapes == [3, 4, 4]


def test_plain_texels_come_back_in_any_order_of_channels_and_compression() -> None:
    rgb = np.ascontiguousarray(TEXELS[..., :3])
    level = TEXELS.tobytes()
    zipped = zlib.compress(level)
    for data, wanted in (
        (ktx2((7, 5), level, format=RGBA8), TEXELS),
        (ktx2((7, 5), rgb.tobytes(), format=RGB8), rgb),
        (ktx2((7, 5), level, format=BGRA8), TEXELS[..., [2, 1, 0, 3]]),
        (ktx2((7, 5), TEXELS[..., 0].tobytes(), format=R8), TEXELS[..., [0, 0, 0]]),
        (ktx2((7, 5), zipped, format=RGBA8, scheme=3, unpacked=len(level)), TEXELS),
        (ktx2((7, 5), level, format=RGBA8, orientation=b"ru"), TEXELS[::-1]),
        (ktx2((7, 5), level, format=RGBA8, orientation=b"ld"), TEXELS[:, ::-1]),
        (ktx2((7, 5), level, format=RGBA8, orientation=b"rd"), TEXELS),
    ):
        np.testing.assert_array_equal(unpack(Encoded(data)), wanted)


def test_it_is_scaled_made_grey_and_shown_to_browsers_as_a_png_file_would_be() -> None:
    file, as_png = Encoded(FILES["etc1s"]), encoded(pixels(Encoded(FILES["etc1s"])))
    np.testing.assert_array_equal(pixels(file, size=(31, 20)), pixels(as_png, size=(31, 20)))
    np.testing.assert_array_equal(pixels(file, channels=1), pixels(as_png, channels=1))
    shown = for_browsers(file)
    assert shown.media == "image/png"
    np.testing.assert_array_equal(pixels(shown), pixels(file))
    assert for_browsers(as_png) is as_png
    with Image.open(BytesIO(for_browsers(Encoded(FILES["etc1s-alpha"])).data)) as opened:
        np.testing.assert_array_equal(np.array(opened), unpack(Encoded(FILES["etc1s-alpha"])))


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (ktx2((8, 8), bytes(64), format=BC7), "format 146.*ETC1S .BasisLZ., UASTC"),
        (ktx2((8, 8), bytes(64), format=ASTC), "format 157"),
        (ktx2((8, 8), bytes(64), model=167), "colour model 167.*are unpacked here"),
        (ktx2((8, 8), bytes(64), model=163), "colour model 163"),
        (ktx2((8, 8), bytes(64), faces=6), "6 faces; a single flat picture"),
        (ktx2((8, 8), bytes(64), layers=2), "an array of pictures"),
        (ktx2((8, 8), bytes(64), depth=2), "a volume"),
        (ktx2((8, 8), bytes(64), levels=2**31), "levels"),
        (ktx2((8, 8), bytes(64), scheme=9), "scheme 9; none, BasisLZ, Zstandard and zlib"),
        (ktx2((8, 8), bytes(63)), "63 bytes; 64 are needed"),
        (ktx2((8, 8), bytes(65)), "65 bytes; 64 are needed"),
        (ktx2((8, 8), zlib.compress(bytes(10**6)), scheme=3, unpacked=64), "65 bytes; 64"),
        (ktx2((8, 8), zlib.compress(bytes(10**6)), scheme=3, unpacked=10**6), "claims 1000000 bytes; 64"),
        (ktx2((8, 8), b"nothing", scheme=3, unpacked=64), "zlib stream is damaged"),
        (ktx2((8, 8), b"nothing", scheme=2, unpacked=64), "Zstandard stream is damaged"),
        (ktx2((8, 8), bytes(64))[:-1], "ends at"),
        (ktx2((8, 8), bytes(64))[:79], "within its header"),
    ],
)
def test_what_is_not_unpacked_is_told_in_words(data: bytes, words: str) -> None:
    with pytest.raises(BadFile, match=words):
        pixels(Encoded(data))


def test_without_zstandard_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "zstandard", None)
    with pytest.raises(MissingExtra, match=r"zstandard: pip install 'facewright\[texture\]'"):
        pixels(Encoded(FILES["uastc-zstd"]))


@pytest.mark.parametrize("name", FILES)
def test_a_damaged_file_is_a_picture_or_our_own_error(name: str) -> None:
    """Sizes stay as they are: what a large picture costs is another matter."""
    rng = random.Random(name)
    outcomes: set[object] = set()
    size = FILES[name][20:28]
    for _ in range(250):
        data = rng.choice(mutate.BYTES)(FILES[name], rng)
        try:
            outcomes.add(pixels(Encoded(data[:20] + size + data[28:])).dtype)
        except FacewrightError:
            outcomes.add("refused")
    assert "refused" in outcomes


def test_every_shortened_file_is_refused() -> None:
    data = FILES["etc1s-alpha"]
    for end in range(28, len(data), 37):
        with pytest.raises(BadFile):
            pixels(Encoded(data[:end]))
