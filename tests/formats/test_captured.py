"""A document's take is kept with it: positions to the last bit, gaps as gaps, and everything that was said of it."""

import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from tests.capture.acting import acted
from tests.some import some

from facewright.document import Document
from facewright.errors import BadFile, BadValue, FacewrightError
from facewright.formats.fwface.take import MEMBER, POSITIONS
from facewright.formats.json_files import load_binding, save_binding
from facewright.formats.registry import load_document, save
from facewright.motion.take import Take
from facewright.rig import captured as captured_module
from facewright.rig.binding import SurfacePoint
from facewright.rig.captured import Captured, SolvedClip


def document(*, single: bool = False) -> Document:
    made = acted(frames=12, gaps=0.2)
    take = made.take
    if single:
        take = replace(take, positions=take.positions.astype(np.float32).astype(float))
    record = SolvedClip("clip 1", np.array([0, 1, 2]), np.array([[1, 4]]), ("a word",))
    pairs = {take.names[4]: SurfacePoint((3, 9, 12), (0.25, 0.5, 0.25))}
    told = replace(made.binding, notes=("said",), mirrored=True)
    captured = Captured(
        take, pairs, told, "names", told.moved(pairs), (take.names[0],), (7,), record, {made.rig.sliders[1]: 0.2}
    )
    return Document(made.rig, captured=captured)


def assert_same_captured(one: Captured | None, other: Captured | None) -> None:
    assert one is not None
    assert other is not None
    np.testing.assert_array_equal(one.take.positions, other.take.positions)
    for name in ("names", "rate", "unit", "name", "notes"):
        assert getattr(one.take, name) == getattr(other.take, name), name
    for name in ("pairs", "origin", "ignored", "neutral", "rest_pose"):
        assert getattr(one, name) == getattr(other, name), name
    for a, b in ((one.base, other.base), (one.binding, other.binding)):
        assert (a is None) == (b is None)
        if a is not None and b is not None:
            assert (a.markers, a.unit, a.mirrored, a.notes) == (b.markers, b.unit, b.mirrored, b.notes)
            for name in ("vertices", "barycentric", "rest"):
                np.testing.assert_array_equal(getattr(a, name), getattr(b, name))
            np.testing.assert_array_equal(a.to_rig.rotation, b.to_rig.rotation)
    assert (one.solved is None) == (other.solved is None)
    if one.solved is not None and other.solved is not None:
        assert (one.solved.clip, one.solved.notes) == (other.solved.clip, other.solved.notes)
        np.testing.assert_array_equal(one.solved.status, other.solved.status)
        np.testing.assert_array_equal(one.solved.doubted, other.solved.doubted)


@pytest.mark.parametrize("single", [False, True])
def test_a_take_comes_back_from_a_file_as_it_was(tmp_path: Path, single: bool) -> None:
    before = document(single=single)
    save(before, tmp_path / "face.fwface")
    assert_same_captured(load_document(tmp_path / "face.fwface").captured, before.captured)
    with zipfile.ZipFile(tmp_path / "face.fwface") as file:
        assert file.getinfo(POSITIONS).file_size < (5 if single else 9) * some(before.captured).take.positions.size
    save(load_document(tmp_path / "face.fwface"), tmp_path / "again.fwface")
    assert (tmp_path / "again.fwface").read_bytes() == (tmp_path / "face.fwface").read_bytes()


def test_a_document_without_a_take_has_none_afterwards(tmp_path: Path) -> None:
    save(replace(document(), captured=None), tmp_path / "face.fwface")
    assert load_document(tmp_path / "face.fwface").captured is None


def damaged(path: Path, change: Callable[[Any], object]) -> None:
    """The file with its take.json changed."""
    with zipfile.ZipFile(path) as file:
        members = {name: file.read(name) for name in file.namelist()}
    told = msgspec.json.decode(members[MEMBER])
    change(told)
    members[MEMBER] = msgspec.json.encode(told)
    with zipfile.ZipFile(path, "w") as file:
        for name, data in members.items():
            file.writestr(name, data)


@pytest.mark.parametrize(
    ("change", "word"),
    [
        (lambda told: told["names"].append("more"), "shape"),
        (lambda told: told.update(unit="furlong"), "furlong"),
        (lambda told: told.update(rate=-3), "frames a second"),
        (lambda told: told["glue"]["pairs"].update(nobody={"vertices": [0, 1, 2], "shares": [1, 0, 0]}), "nobody"),
        (lambda told: told["glue"].update(neutral=10**6), "rest"),
        (lambda told: told["glue"]["solved"].update(status=[-1]), "status"),
        (lambda told: told["glue"]["base"].update(rotation=[[1, 0, 0], [0, 1, 0], [0, 0, 2]]), "rotation"),
        (lambda told: told["glue"]["binding"]["markers"]["marker 3"].update(vertices=[0, 1, 10**6]), "vert"),
    ],
)
def test_a_damaged_take_is_told_in_words(tmp_path: Path, change: Callable[..., Any], word: str) -> None:
    save(document(), tmp_path / "face.fwface")
    damaged(tmp_path / "face.fwface", change)
    with pytest.raises(FacewrightError, match=word):
        load_document(tmp_path / "face.fwface")


def test_a_take_without_its_positions_is_told_in_words(tmp_path: Path) -> None:
    save(document(), tmp_path / "face.fwface")
    with zipfile.ZipFile(tmp_path / "face.fwface") as file:
        members = {name: file.read(name) for name in file.namelist() if name != POSITIONS}
    with zipfile.ZipFile(tmp_path / "face.fwface", "w") as file:
        for name, data in members.items():
            file.writestr(name, data)
    with pytest.raises(BadFile, match="take_positions"):
        load_document(tmp_path / "face.fwface")


def test_a_take_that_is_too_long_to_be_kept_is_told_what_works(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(captured_module, "MOST", 100)
    with pytest.raises(BadValue, match="facewright solve"):
        Captured(Take(("a", "b", "c"), np.zeros((40, 3, 3)), 60.0, "cm"))


def test_pairs_of_vertices_that_the_rig_lacks_are_refused() -> None:
    made = document()
    pairs = {some(made.captured).take.names[1]: SurfacePoint.vertex(made.rig.vertex_count)}
    with pytest.raises(BadValue, match="pairs"):
        replace(made, captured=replace(some(made.captured), pairs=pairs))


def test_notes_of_a_binding_are_kept_in_its_file(tmp_path: Path) -> None:
    binding = some(some(document().captured).binding)
    save_binding(binding, tmp_path / "binding.json")
    assert load_binding(tmp_path / "binding.json").notes == ("said",)
