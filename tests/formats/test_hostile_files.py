"""Small hostile files are read or refused in words, within a second or a few and a gigabyte."""

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.bounded import bounded
from tests.formats.hostile import FILES, WHOLE, Maker

from facewright.errors import UnknownName
from facewright.formats.npy import load_numbers
from facewright.formats.registry import load_document
from facewright.formats.sources import naming
from facewright.formats.takes import load_take
from facewright.image.codec import pixels
from facewright.image.encoded import Encoded
from facewright.workflow.build.poses_file import load_poses
from facewright.workflow.open import open_any

READERS: dict[str, Callable[[Path], object]] = {
    **dict.fromkeys((".csv", ".trc", ".c3d"), load_take),
    ".json": load_poses,
    ".npy": load_numbers,
    ".png": open_any,
}


def opened(path: Path) -> object:
    found = open_any(path)
    with naming(path):
        return pixels(found).shape if isinstance(found, Encoded) else found


def loaded(data: bytes) -> object:
    return load_document(data)


@pytest.mark.parametrize(
    "make",
    [
        *(pytest.param(make, id=name) for name, make in FILES.items()),
        *(pytest.param(make, id=f"{name}_whole", marks=pytest.mark.long) for name, make in WHOLE.items()),
    ],
)
def test_a_hostile_file_is_read_or_refused_by_name_within_bounds(make: Maker, tmp_path: Path) -> None:
    path = make(tmp_path)
    outcome = bounded(opened, path)
    assert outcome.kind in ("returned", "refused"), outcome.text
    if outcome.kind == "refused":
        assert path.name in outcome.text
        assert len(outcome.text) < 2000


def test_bytes_of_empty_lines_are_told_from_an_obj_file_at_once() -> None:
    outcome = bounded(loaded, b"\n" * 10_000_000 + b"x")
    assert outcome.kind == "refused"
    assert "no known format" in outcome.text


def test_an_unknown_name_among_thousands_of_similar_ones_is_refused_at_once() -> None:
    known = tuple(f"{'ab' * 29}{i:06d}" for i in range(20_000))
    outcome = bounded(UnknownName, "slider", "ba" * 32, known)
    assert outcome.kind == "returned"
    assert "did you mean slider00003" in str(UnknownName("slider", "slidr00003", [f"slider{i:05d}" for i in range(9)]))


@pytest.mark.parametrize("name", [name for name in FILES if name.startswith("a_pipe_named_")])
def test_a_pipe_is_refused_without_waiting_for_a_writer(name: str, tmp_path: Path) -> None:
    path = FILES[name](tmp_path)
    outcome = bounded(READERS.get(path.suffix, load_document), path)
    assert outcome.kind == "refused", outcome.text
    assert path.name in outcome.text
