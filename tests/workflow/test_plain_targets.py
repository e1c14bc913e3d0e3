"""Clips of rigs with in-betweens and combinations, as plain targets with keys of their own."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import facewright as fw
from tests.laws.test_corrective_laws import RIGS
from tests.laws.things import random_rig


def animated(rig: fw.Rig, seed: int) -> fw.Document:
    """A document with a clip whose curves have keys of their own, and a pose."""
    rng = np.random.default_rng([4, seed])
    low, high = rig.bounds.T
    curves = {
        name: fw.Curve(np.sort(rng.uniform(0, 2, 6)), rng.uniform(low[i], high[i], 6))
        for i, name in enumerate(rig.sliders)
    }
    clips = (fw.Clip("one", curves, 24.0), fw.Clip("some", {"s0": curves["s0"]}), fw.Clip("none", {}))
    return fw.Document(rig, clips, rng.uniform(low, high), locked=("s1",))


def faces(document: fw.Document) -> list[np.ndarray]:
    """The pose, and every frame of every clip."""
    rig = document.rig
    clips = [fw.evaluate(rig, clip.sample(rig.sliders, np.arange(48) / clip.rate)) for clip in document.clips]
    return [fw.evaluate(rig, document.pose), *clips]


@pytest.mark.parametrize("kind", RIGS)
@pytest.mark.parametrize("seed", range(3))
def test_baked_clips_are_the_rig_at_every_frame(kind: str, seed: int) -> None:
    rig = RIGS[kind](seed)
    document = animated(rig, seed)
    # Frames of a clip begin at its first key, so that all clips begin at a frame.
    document = replace(document, clips=tuple(from_zero(clip) for clip in document.clips))
    made = fw.plain_targets(document)
    assert made.document.rig.is_linear
    assert not made.dropped
    assert made.error == 0
    assert made.document.locked == ("s1",)
    assert "targets with their own keys" in str(made)
    for one, other in zip(faces(document), faces(made.document), strict=True):
        np.testing.assert_allclose(other, one, atol=1e-12 * rig.size)


def from_zero(clip: fw.Clip) -> fw.Clip:
    curves = {name: fw.Curve([0.0, *curve.times], [0.0, *curve.values]) for name, curve in clip.curves.items()}
    return replace(clip, curves=curves)


@pytest.mark.parametrize("kind", RIGS)
def test_what_is_dropped_is_off_by_what_is_said(kind: str) -> None:
    rig = RIGS[kind](1)
    document = animated(rig, 1)
    document = replace(document, clips=tuple(from_zero(clip) for clip in document.clips))
    bent = [rig.shape(name) for name in fw.plain_targets(document).made]
    sizes = [np.linalg.norm(shape.offsets, axis=1).max() / rig.size for shape in bent]
    made = fw.plain_targets(document, tolerance=float(np.median(sizes)))
    assert made.dropped
    assert set(made.dropped).isdisjoint(made.document.rig.shape_names)
    off = max(
        np.linalg.norm(other - one, axis=-1).max()
        for one, other in zip(faces(document), faces(made.document), strict=True)
    )
    assert 0 < off <= made.error * rig.size * (1 + 1e-9)
    assert made.dropped[0] in str(made)


def test_a_rig_of_plain_targets_stays_as_it_is() -> None:
    document = fw.Document(random_rig(1, shapes=3))
    made = fw.plain_targets(document)
    assert made.document.rig is document.rig
    assert "nothing was changed" in str(made)


def test_a_wrong_tolerance_is_refused() -> None:
    with pytest.raises(fw.BadValue, match="a share of the rig's size"):
        fw.plain_targets(fw.Document(random_rig(1, shapes=3)), tolerance=-1)


@pytest.mark.parametrize("kind", RIGS)
def test_a_program_that_knows_only_gltf_plays_the_same_faces(kind: str, tmp_path: Path) -> None:
    rig = RIGS[kind](2)
    document = animated(rig, 2)
    document = replace(document, clips=tuple(from_zero(clip) for clip in document.clips))
    fw.save(fw.plain_targets(document).document, tmp_path / "plain.gltf")
    foreign = without_extras(tmp_path / "plain.gltf")
    read = fw.load_document(foreign)
    assert read.rig.is_linear
    clip, other = document.clips[0], read.clips[0]
    frames = clip.times()
    wanted = fw.evaluate(rig, clip.sample(rig.sliders, frames))
    found = fw.evaluate(read.rig, other.sample(read.rig.sliders, frames))
    np.testing.assert_allclose(found, wanted, atol=2e-6 * rig.size)


def without_extras(path: Path) -> Path:
    """The file as a program sees it that does not know our extras: names of targets are all that is left."""

    def cut(part: Any) -> Any:
        if isinstance(part, dict):
            names = {"targetNames": part["extras"]["targetNames"]} if "targetNames" in part.get("extras", {}) else {}
            rest = {key: cut(value) for key, value in part.items() if key != "extras"}
            return rest | ({"extras": names} if names else {})
        return [cut(each) for each in part] if isinstance(part, list) else part

    foreign = path.with_name("foreign.gltf")
    foreign.write_text(json.dumps(cut(json.loads(path.read_text()))))
    return foreign
