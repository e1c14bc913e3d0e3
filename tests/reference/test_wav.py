"""WAV files of every kind that is read, damaged ones, and the peaks of their waveforms."""

import contextlib
import io
import struct
import wave

import numpy as np
import pytest

from facewright.errors import BadFile, BadValue
from facewright.reference.peaks import sound_peaks
from facewright.reference.wav import wav_bytes, wav_layout, wav_samples
from tests.reference.sounds import tone


def file_of(
    samples: np.ndarray, bits: int, *, is_float: bool = False, extensible: bool = False, rate: int = 8000
) -> bytes:
    """A WAV file, written here independently of the library."""
    channels = samples.shape[1]
    if is_float:
        raw = samples.astype(f"<f{bits // 8}").tobytes()
    elif bits == 8:
        raw = (np.round(samples * 127) + 128).astype(np.uint8).tobytes()
    else:
        whole = np.round(samples.astype(np.float64) * (2 ** (bits - 1) - 1)).astype("<i4")
        raw = whole.view(np.uint8).reshape(-1, 4)[:, : bits // 8].tobytes()
    code = 3 if is_float else 1
    head = struct.pack("<HHIIHH", code, channels, rate, rate * channels * bits // 8, channels * bits // 8, bits)
    if extensible:
        head = (
            struct.pack("<H", 0xFFFE)
            + head[2:]
            + struct.pack("<HHI", 22, bits, 0)
            + struct.pack("<H", code)
            + bytes(14)
        )
    odd = b"LIST" + struct.pack("<I", 3) + b"abc\0"  # a chunk of an odd length, with its padding
    body = b"WAVE" + b"fmt " + struct.pack("<I", len(head)) + head + odd + b"data" + struct.pack("<I", len(raw)) + raw
    return b"RIFF" + struct.pack("<I", len(body)) + body


@pytest.mark.parametrize("extensible", [False, True])
@pytest.mark.parametrize(
    ("bits", "is_float"), [(8, False), (16, False), (24, False), (32, False), (32, True), (64, True)]
)
def test_every_kind_of_samples_is_read(bits: int, is_float: bool, extensible: bool) -> None:
    wanted = tone(0.05, channels=2)
    found, rate = wav_samples(file_of(wanted, bits, is_float=bool(is_float), extensible=extensible))
    assert (rate, found.shape) == (8000, wanted.shape)
    np.testing.assert_allclose(found, wanted, atol=1e-7 if is_float else 2.0 ** (2 - bits))


def test_samples_are_those_that_the_standard_library_reads() -> None:
    data = wav_bytes(tone(0.1, channels=2), 8000)
    with wave.open(io.BytesIO(data)) as file:
        assert (file.getnchannels(), file.getframerate(), file.getsampwidth()) == (2, 8000, 2)
        whole = np.frombuffer(file.readframes(file.getnframes()), "<i2").reshape(-1, 2)
    np.testing.assert_array_equal(wav_samples(data)[0], (whole / 32768).astype(np.float32))
    assert wav_bytes(*wav_samples(data)) == data, "16 bits come back exactly"


def test_what_is_no_number_is_silence_and_what_is_too_loud_is_cut_off() -> None:
    loud = np.array([[np.nan], [3.0], [-3.0], [0.5]], np.float32)
    assert wav_samples(file_of(loud, 32, is_float=True))[0][0, 0] == 0
    np.testing.assert_array_equal(
        wav_samples(wav_bytes(loud, 100))[0][:, 0], np.array([0, 32767 / 32768, -1, 0.5], np.float32)
    )
    with pytest.raises(BadValue, match="shape"):
        wav_bytes(np.zeros(3), 100)


def test_a_file_that_was_streamed_has_all_that_is_there() -> None:
    data = file_of(tone(0.05), 16)
    at = data.index(b"data") + 4
    for length in (0, 0xFFFFFFFF):
        assert wav_layout(data[:at] + struct.pack("<I", length) + data[at + 4 :]).frames == 400


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda d: d[:44], "ends before its samples"),
        (lambda d: d[:-100], "cut off"),
        (lambda d: b"RIFX" + d[4:], "no WAV file"),
        (lambda d: d.replace(struct.pack("<HH", 1, 1), struct.pack("<HH", 6, 1), 1), "kind 6 with 16 bits"),
        (lambda d: d.replace(struct.pack("<HH", 1, 1), struct.pack("<HH", 1, 0), 1), "0 channels"),
        (lambda d: d.replace(b"fmt ", b"junk", 1), "before it says what they are"),
        (lambda d: d[: d.index(b"data")] + b"data" + struct.pack("<I", 1) + b"a", "no samples"),
    ],
)  # fmt: skip
def test_a_damaged_file_is_refused_in_words(change, words: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(BadFile, match=words):
        wav_layout(change(file_of(tone(0.05), 16)))


def test_any_bytes_give_a_sound_or_an_error_of_ours() -> None:
    rng, data = np.random.default_rng(5), file_of(tone(0.02), 24, extensible=True)
    for _ in range(500):
        broken = bytearray(data[: rng.integers(1, len(data) + 1)])
        for at in rng.integers(0, len(broken), 3):
            broken[at] = rng.integers(256)
        with contextlib.suppress(BadFile):
            assert np.isfinite(wav_samples(bytes(broken))[0]).all()


def test_peaks_are_the_extremes_of_each_stretch_whatever_the_blocks() -> None:
    samples = np.random.default_rng(3).uniform(-1, 1, (300_000, 2)).astype(np.float32)
    peaks, rate = sound_peaks(file_of(samples, 32, is_float=True, rate=44100))
    length = round(44100 / rate)
    for k in (0, 7, len(peaks) - 2, len(peaks) - 1):
        part = samples[k * length : (k + 1) * length]
        np.testing.assert_allclose(peaks[k], [part.min(), part.max()], atol=1e-7)
    assert len(peaks) == -(-len(samples) // length)
