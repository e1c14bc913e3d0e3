"""Small JSON files with text that is none, nesting without end, and numbers that no array holds: refused by name."""

import json
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import facewright as fw
from facewright.errors import BadFile
from facewright.formats.json_files import load_binding, load_landmarks, load_regions, save_binding
from facewright.formats.prior_file import load_prior
from facewright.rig.binding import bind_vertices
from facewright.samples import mask
from facewright.workflow.build.poses_file import load_poses
from facewright.workflow.drag.pins_file import load_pins
from facewright.workflow.file_kind import FileKind, kind_of
from facewright.workflow.open import open_any
from facewright.workflow.pose_file import load_pose_file

LOADERS: tuple[Callable[[Path], object], ...] = (
    load_binding, load_landmarks, load_pins, load_pose_file, load_poses, load_prior, load_regions, open_any,
)  # fmt: skip
KEYS = ("pins", "pairs", "poses", "weights", "markers", "regions", "covariance")
TEXTS = {
    "no text": [b'{"%s": "\xff\xfe"}' % key.encode() for key in KEYS] + [b'{"\xff": 1}'],
    "nested": [b'{"%s": ' % key.encode() + b"[" * 100_000 for key in KEYS] + [b"[" * 100_000, b'{"a":' * 100_000],
    "large": [b'{"%s": [1%s]}' % (key.encode(), b"0" * 400) for key in KEYS],
}


@pytest.mark.parametrize("kind", TEXTS)
@pytest.mark.parametrize("load", LOADERS, ids=lambda load: load.__name__)
def test_a_hostile_text_is_refused_by_the_name_of_its_file(
    load: Callable[[Path], object], kind: str, tmp_path: Path
) -> None:
    path = tmp_path / "small.json"
    for text in TEXTS[kind]:
        path.write_bytes(text)
        with pytest.raises(fw.FacewrightError, match=r"small\.json"):
            load(path)


BAD: dict[str, Any] = {
    "scale": 1e308,
    "offset": [1e308, 0, 0],
    "vertices": [10**30, 1, 1],
    "rest": [1e308, 0, 0],
    "shares": [1e308, 1e308, -1e308],
    "facewright_binding": 10**30,
}


@pytest.mark.parametrize("key", BAD)
def test_a_binding_with_hostile_numbers_is_refused_by_name(key: str, tmp_path: Path) -> None:
    path = tmp_path / "binding.json"
    save_binding(bind_vertices(mask(vertices=150, shapes=5, seed=3), {"a": 3, "b": 50, "c": 90}), path)
    stored = json.loads(path.read_bytes())
    (stored["markers"]["a"] if key in ("vertices", "rest", "shares") else stored)[key] = BAD[key]
    path.write_text(json.dumps(stored))
    with pytest.raises(BadFile, match=r"binding\.json") as raised:
        load_binding(path)
    assert raised.value.__cause__ is None or isinstance(raised.value.__cause__, fw.FacewrightError)


def test_a_face_that_single_precision_cannot_hold_is_not_written_as_gltf(tmp_path: Path) -> None:
    rig = mask(vertices=150, shapes=5, seed=3)
    for factor in (1e39, 1e-40, 1e-46):
        with pytest.raises(fw.FacewrightError, match="single precision"):
            fw.save(scaled(rig, factor), tmp_path / "face.glb")
        assert not list(tmp_path.iterdir())
    for factor in (1e30, 1e-28):
        fw.save(scaled(rig, factor), tmp_path / "face.glb")
        np.testing.assert_allclose(fw.load(tmp_path / "face.glb").neutral / factor, rig.neutral, atol=1e-5)


def test_a_clip_that_single_precision_cannot_hold_is_not_written_as_gltf(tmp_path: Path) -> None:
    rig = mask(vertices=150, shapes=5, seed=3)
    clip = fw.Clip("far", {rig.sliders[0]: fw.Curve([0.0, 1.0], [0.0, 1e39])})
    with pytest.raises(fw.FacewrightError, match="single precision"):
        fw.save(fw.Document(rig, (clip,)), tmp_path / "face.glb")


def scaled(rig: fw.Rig, by: float) -> fw.Rig:
    shapes = [fw.Shape(one.name, one.vertices, one.offsets * by, one.sliders, one.at) for one in rig.shapes]
    return fw.Rig(rig.neutral * by, rig.polygons, shapes, rig.sliders)


@pytest.mark.parametrize("kind", TEXTS)
def test_bytes_whose_kind_is_asked_for_are_refused_by_their_name_or_known(kind: str) -> None:
    for text in TEXTS[kind]:
        with suppress(BadFile):  # any other error fails the test
            assert kind_of(("small.json", text)) in FileKind
    with pytest.raises(BadFile, match=r"small\.json"):
        kind_of(("small.json", TEXTS["nested"][-1]))
