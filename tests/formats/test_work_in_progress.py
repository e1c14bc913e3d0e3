"""Pins, held points, locked sliders and the clip at hand are kept in the native file."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.formats.format_rigs import document
from tests.formats.test_fwface import SIX, rewrite

from facewright.document import Document, HeldPoints, PlacedPin, X, Z
from facewright.errors import BadFile, BadValue
from facewright.formats.fwface import FORMAT
from facewright.formats.registry import load_document


def worked_on() -> Document:
    one = document(SIX, 5)
    return replace(
        one,
        pins=(
            PlacedPin(id=3, vertex=1, axes="xy", hold=True),
            PlacedPin(id=9, triangle=0, barycentric=(0.5, 0.25, 0.25), strength=2.0),
        ),
        held=HeldPoints(np.array([0, 2]), np.array([X, X + Z]), on=True, alpha=7.5),
        locked=(one.rig.sliders[1],),
        clip=one.clips[0].name,
        time=0.25,
    )


def test_work_in_progress_comes_back_as_it_was(tmp_path: Path) -> None:
    one = worked_on()
    FORMAT.write(one, tmp_path / "a.fwface")
    again = FORMAT.read(tmp_path / "a.fwface")
    assert again.pins == one.pins
    assert again.held.vertices.tolist() == [0, 2]
    assert again.held.axes.tolist() == [X, X + Z]
    assert again.held.coordinates.tolist() == [0, 6, 8]
    assert (again.held.on, again.held.alpha) == (True, 7.5)
    assert (again.locked, again.clip, again.time) == (one.locked, one.clip, 0.25)
    assert dict(again.extra) == dict(one.extra)


def test_a_file_without_work_opens_without_any(tmp_path: Path) -> None:
    FORMAT.write(worked_on(), tmp_path / "a.fwface")
    rewrite(tmp_path / "a.fwface", lambda data: {key: value for key, value in data.items() if key != "work"})
    again = FORMAT.read(tmp_path / "a.fwface")
    assert (again.pins, len(again.held), again.locked, again.clip, again.time) == ((), 0, (), "", 0.0)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"pins": [{"id": 1, "vertex": 10**6}]}, "pin 1 sits on vertex 1000000; they go from 0 to"),
        ({"pins": [{"id": 1, "vertex": 0}, {"id": 1, "vertex": 1}]}, "two pins have the same number"),
        ({"pins": [{"id": 1, "vertex": 0, "axes": "w"}]}, "some of x, y and z"),
        ({"pins": [{"id": 1, "vertex": 0, "triangle": 0}]}, "a vertex, or on a triangle"),
        ({"pins": [{"id": 1, "triangle": 0, "barycentric": [1, 1, 1]}]}, "sum to 1"),
        ({"held": {"vertices": [0, 0], "axes": [1, 1]}}, "without repeats"),
        ({"held": {"vertices": [0], "axes": [8]}}, "index 8"),
        ({"held": {"vertices": [0], "axes": []}}, "1 points are held, but 0 axes"),
        ({"locked": ["nobody"]}, "no slider named 'nobody'"),
        ({"clip": "nothing"}, "no clip named 'nothing'"),
    ],
)
def test_work_that_does_not_fit_the_rig_is_refused_in_words(change: dict[str, Any], words: str, tmp_path: Path) -> None:
    FORMAT.write(worked_on(), tmp_path / "a.fwface")
    rewrite(tmp_path / "a.fwface", lambda data: data | {"work": change})
    with pytest.raises((BadFile, BadValue), match=words):
        load_document(tmp_path / "a.fwface")
