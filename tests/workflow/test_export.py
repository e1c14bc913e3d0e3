"""A document as files for other programs: regions become shapes, except in the native format, and that is said."""

import io
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from facewright.document import Document
from facewright.errors import BadValue, UnknownName
from facewright.formats.registry import load_document
from facewright.motion.clip import Clip
from facewright.motion.curve import Curve
from facewright.regions.segment import segment
from facewright.samples.mask import mask
from facewright.workflow.export import MEDIA, ExportOptions, export, save_baked
from facewright.workflow.file_kind import FileKind, kind_of
from facewright.workflow.rename import rename_sliders
from tests.session.rigged import rigged


@cache
def face() -> Document:
    """A face whose first region differs from the rest, with a clip."""
    rig = mask(vertices=400, shapes=6)
    regions = segment(rig)
    local = np.zeros((len(regions.names), len(rig.sliders)))
    local[0, 0] = 0.4
    times = np.array([0.0, 1.0])
    clip = Clip("talk", {rig.sliders[1]: Curve(times, np.array([0.0, 1.0]))}, 24.0)
    return Document(rig, regions=regions, local=local, clips=(clip,), clip="talk")


@pytest.mark.parametrize(
    ("kind", "held"),
    {"fwface": "rig", "glb": "rig", "obj": "rig", "npz": "rig", "csv": "clip", "png": "picture"}.items(),
)
def test_every_kind_is_a_file_of_its_kind(kind: str, held: str) -> None:
    assert kind in MEDIA
    assert kind_of((f"face.{kind}", export(face(), kind).data)) is FileKind(held)


def test_regions_become_shapes_except_in_the_native_format(tmp_path: Path) -> None:
    own = save_baked(face(), tmp_path / "face.fwface")
    assert own.note == ""
    assert own.document is face()
    baked = save_baked(face(), tmp_path / "face.glb")
    assert "shape" in baked.note
    assert baked.document.local is None
    assert load_document(tmp_path / "face.glb").rig.sliders == baked.document.rig.sliders != face().rig.sliders
    assert export(face(), "glb").note.endswith("Programs without regions show the same face.")
    assert export(face(), "fwface").note == ""
    assert export(replace(face(), local=None), "glb").note == ""


def test_a_table_has_a_key_on_every_frame() -> None:
    rows = export(face(), "csv").data.decode().splitlines()
    assert rows[0].startswith("time,")
    assert len(rows) == 1 + 25
    with pytest.raises(BadValue, match="no clip is chosen"):
        export(replace(face(), clip=""), "csv")
    with pytest.raises(UnknownName, match="talk"):
        export(face(), "csv", ExportOptions(clip="sing"))


def test_a_picture_has_the_size_that_was_asked_for() -> None:
    from PIL import Image

    options = ExportOptions.from_texts({"width": "64", "height": "48", "view": "side", "name": "unknown ones are left"})
    assert options == ExportOptions(width=64, height=48, view="side")
    assert Image.open(io.BytesIO(export(face(), "png", options).data)).size == (64, 48)


@pytest.mark.parametrize(
    ("texts", "words"),
    [
        ({"width": "15"}, "from 16 to 4096"),
        ({"width": "1e3"}, "width is a number of pixels"),
        ({"height": "99999999999"}, "height is a number of pixels"),
        ({"view": "behind"}, "threequarter"),
    ],
)
def test_wrong_options_say_what_would_have_worked(texts: dict[str, str], words: str) -> None:
    with pytest.raises((BadValue, UnknownName), match=words):
        ExportOptions.from_texts(texts)


def test_what_is_not_there_is_refused_in_words() -> None:
    with pytest.raises(UnknownName, match="fwface"):
        export(face(), "doc")
    with pytest.raises(BadValue, match="no take is bound"):
        export(face(), "json")


def test_renamed_sliders_are_renamed_in_clips_and_locks_and_regions() -> None:
    document = face()
    assert document.regions is not None
    one, two = document.rig.sliders[:2]
    region = document.regions.names[0]
    curve = Curve(np.array([0.0, 1.0]), np.array([0.0, 0.2]))
    clip = replace(document.clips[0], curves={two: curve, f"{one} @ {region}": curve})
    found = rename_sliders(replace(document, clips=(clip,), locked=(two,)), {one: "smile", two: "jaw"})
    assert found.rig.sliders[:2] == ("smile", "jaw")
    assert found.locked == ("jaw",)
    assert set(found.clips[0].curves) == {"jaw", f"smile @ {region}"}


def test_plain_targets_are_exported_where_they_are_asked_for_and_what_was_done_is_said() -> None:
    document = replace(rigged(), local=None)
    made = export(document, "glb", ExportOptions.from_texts({"plain": "yes"}))
    assert load_document(made.data).rig.is_linear
    assert made.note == "3 in-betweens and combinations are targets with their own keys now."
    fewer = export(document, "glb", ExportOptions.from_texts({"plain": "yes", "tolerance": "10"}))
    assert "3 were dropped, without which no vertex is off by more than" in fewer.note
    assert not load_document(export(document, "glb").data).rig.is_linear
    with pytest.raises(BadValue, match=r"a share of the face's size.* not 'much'"):
        ExportOptions.from_texts({"plain": "yes", "tolerance": "much"})
