"""A real face through one format after the other comes out as it went in."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial import cKDTree
from tests.formats import test_production_rig
from tests.formats.usd_needed import NEEDS_USD

import facewright as fw
from facewright.formats import fbx, fwface, gltf, npz, obj, usd
from facewright.formats.file_joints import file_joints
from facewright.motion.cut import cut_clip
from facewright.samples import sample


@pytest.mark.long  # a quicker test holds the same
@NEEDS_USD
def test_the_scanned_face_goes_through_all_formats_unharmed(shared_data: Path, tmp_path: Path) -> None:
    document = npz.FORMAT.read(shared_data / "ict_face" / "ict_face.npz")
    chain = {"face.fbx": fbx, "face.usdc": usd, "face.glb": gltf, "folder": obj, "face.fwface": fwface, "face.npz": npz}
    for name, module in chain.items():
        module.FORMAT.write(document, tmp_path / name)
        document = module.FORMAT.read(tmp_path / name)
    with np.load(shared_data / "ict_face" / "ict_face.npz") as given, np.load(tmp_path / "face.npz") as found:
        close = 1e-6 * np.ptp(given["neutral"], axis=0).max()
        assert found["names"].tolist() == given["names"].tolist()
        np.testing.assert_array_equal(found["faces"], given["quads"])
        np.testing.assert_allclose(found["neutral"], given["neutral"], rtol=0, atol=close)
        np.testing.assert_allclose(found["deltas"], given["deltas"], rtol=0, atol=close)


def head() -> fw.Document:
    """The embedded head with a clip of curves that bend, of every kind."""
    rig, rng = sample(), np.random.default_rng(5)
    times = np.array([0.0, 0.3, 0.7, 1.5])
    kinds = ("cubic", "linear", "step")
    curves = {name: fw.Curve(times, rng.uniform(size=4), kinds[n % 3]) for n, name in enumerate(rig.sliders[:12])}  # type: ignore[arg-type]
    return fw.Document(rig, (fw.Clip("talk", curves, 30.0),), unit="cm")


def production() -> fw.Document:
    """The production rig with two seconds of its animation."""
    found = test_production_rig.document()
    return fw.Document(found.rig, (cut_clip(found.clips[0], 20.0, 22.0),), unit="cm")


@NEEDS_USD
@pytest.mark.filterwarnings("ignore:a face alone is an avatar")
@pytest.mark.parametrize(
    "make", [head, pytest.param(production, marks=[pytest.mark.long, test_production_rig.pytestmark])]
)
def test_shapes_in_betweens_combinations_and_clips_go_through_the_files_of_other_programs(
    make: object, tmp_path: Path
) -> None:
    assert callable(make)
    given = make()
    fw.save(given, tmp_path / "given.npz")
    document = replace(fw.load_document(tmp_path / "given.npz"), clips=given.clips, unit=given.unit)  # npz has no clips
    for name in ("face.fbx", "face.usdc", "face.vrm", "face.glb", "face.fwface"):
        fw.save(document, tmp_path / name)
        document = fw.load_document(tmp_path / name)
    assert document.rig.shape_names == given.rig.shape_names
    assert [(one.factors, one.additive) for one in document.rig.shapes] == [
        (one.factors, one.additive) for one in given.rig.shapes
    ]
    times = given.clips[0].times()
    one, other = (each.clips[0].sample(given.rig.sliders, times) for each in (given, document))
    assert np.abs(one - other).max() <= 1e-4
    moved = [fw.evaluate(each.rig, one[::10]) for each in (given, document)]
    assert np.abs(moved[0] - moved[1]).max() <= 1e-5 * given.rig.size
    fw.save(document, tmp_path / "face.npz")
    with np.load(tmp_path / "face.npz") as found:
        assert tuple(found["names"].tolist()) == given.rig.shape_names
        np.testing.assert_allclose(found["deltas"], given.rig.deltas(), atol=1e-5 * given.rig.size)


REAL = ("fbx/*.fbx", "gltf_samples/*.glb", "facecap/facecap.glb", "vrm/*.vrm")


@NEEDS_USD
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("suffix", [".glb", ".fbx", pytest.param(".usda", marks=pytest.mark.long), ".vrm", ".fwface"])
def test_every_real_file_goes_into_the_files_of_other_programs_and_comes_back(
    suffix: str, shared_data: Path, tmp_path: Path
) -> None:
    files = [file for pattern in REAL for file in sorted(shared_data.glob(pattern))]
    assert files
    for file in files:
        given = fw.load_document(file)
        if suffix == ".vrm" and has_skeleton(given):
            continue  # of a character that is no avatar
        path = tmp_path / f"{file.stem}{suffix}"
        fw.save(given, path)
        back = fw.load_document(path)
        assert set(given.rig.shape_names) == set(back.rig.shape_names), file.name
        assert len(given.clips) == len(back.clips), file.name
        assert_poses_alike(given, back, file.name)


def has_skeleton(document: fw.Document) -> bool:
    joints = file_joints(document)
    return joints is not None and bool(joints.names) and not document.expressions


def assert_poses_alike(given: fw.Document, back: fw.Document, name: str) -> None:
    """That slider values, and all frames of the clips, put the same vertices to the same places."""
    size, rng = given.rig.size, np.random.default_rng(3)
    poses = [dict(zip(given.rig.sliders, rng.uniform(size=len(given.rig.sliders)), strict=True))]
    for one, other in zip(given.clips, back.clips, strict=True):
        for time in rng.uniform(one.start, one.end, 5):
            poses.append(dict(zip(given.rig.sliders, one.sample(given.rig.sliders, [time])[0], strict=True)))
            theirs = dict(zip(back.rig.sliders, other.sample(back.rig.sliders, [time])[0], strict=True))
            for slider, value in poses[-1].items():
                assert abs(theirs[slider] - value) <= 1e-4, (name, one.name, slider)
    for pose in poses:
        apart, _ = cKDTree(fw.evaluate(back.rig, pose)).query(fw.evaluate(given.rig, pose))
        assert np.max(apart) <= 1e-5 * size, name
