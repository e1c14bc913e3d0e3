"""A power cut at any moment of a save: the file is the one before or the one after it, and whole."""

import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from tests.power_cut import PowerCut

import facewright as fw
from facewright.samples import mask
from facewright.workflow.batch.record import JobRecord, find_record, keep_record

RIG = mask(vertices=100, shapes=3)
Save = Callable[[Path, float], object]
Load = Callable[[Path], float]


def save_document(path: Path, value: float) -> None:
    clip = fw.Clip("talk", {RIG.sliders[0]: fw.Curve([0.0, 1.0], [0.0, value])})
    fw.save(fw.Document(RIG, (clip,), pose=np.full(len(RIG.sliders), value)), path)


def loaded(path: Path) -> float:
    return float(fw.load_document(path).clips[0].curves[RIG.sliders[0]](np.array([1.0]))[0])


def save_record(path: Path, value: float) -> None:
    keep_record(path.parent, JobRecord(name="take", command="solve", status="done", key=str(value), version="1"))


def record(path: Path) -> float:
    found = find_record(path.parent, "solve", "take")
    assert found is not None
    return float(found.key)


KEPT: dict[str, tuple[Save, Load]] = {
    **dict.fromkeys(("face.fwface", "face.glb", "face.gltf", "face.fbx"), (save_document, loaded)),
    "record.json": (save_record, record),
}


@pytest.mark.parametrize("name", KEPT)
def test_after_a_power_cut_a_file_is_the_one_before_or_the_one_after(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save, load = KEPT[name]
    folder, after = tmp_path / "kept", tmp_path / "after"
    folder.mkdir()
    save(folder / name, 0.25)
    disk, moments, found = PowerCut(monkeypatch, folder), [0], set[float]()

    def cut() -> None:
        moments[0] += 1
        disk.moment, asleep = lambda: None, disk.moment
        for left in disk.outcomes(after):
            found.add(load(left / name))
        shutil.rmtree(after)
        disk.moment = asleep

    disk.moment = cut
    save(folder / name, 0.75)
    assert moments[0] >= 6
    assert found == {0.25, 0.75}
    disk.moment = lambda: None
    assert {load(left / name) for left in disk.outcomes(after)} == {0.75}, "what was saved is there"
