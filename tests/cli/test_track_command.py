"""`facewright track`: from depth images to a clip and a page."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import facewright as fw
from facewright.build.registration.face_mesh import FaceMesh
from tests.cli.command import assert_one_paragraph, run
from tests.tracking.depth_of import LENS, before_camera, depth_of


@pytest.fixture
def depth(tmp_path: Path) -> Path:
    """A jaw that opens in four frames, in millimetres."""
    made, rig = tmp_path / "depth", fw.sample()
    made.mkdir()
    for i in range(4):
        frame = depth_of(rig, rig.pose({"jawOpen": 0.2 * i}), before_camera(rig), noise=0.0005, seed=i)
        Image.fromarray(np.rint(10_000 * frame.depth).astype(np.uint16)).save(made / f"{i:03}.png")
    about = {"fx": LENS.fx, "fy": LENS.fy, "cx": LENS.cx, "cy": LENS.cy, "depth_scale": 0.0001, "rate": 10}
    (made / "intrinsics.json").write_text(json.dumps(about))
    return made


def test_depth_becomes_a_clip_and_a_page(depth: Path, tmp_path: Path) -> None:
    out, page = tmp_path / "take.csv", tmp_path / "take.html"
    done = run("track", "sample", depth, "-o", out, "--report", page)
    assert done.returncode == 0, done.stderr
    assert "4 of 4 frames seen" in done.stderr
    clip = fw.load_clip(out)
    jaw = clip.sample(("jawOpen",), clip.times())[:, 0]
    assert jaw[3] > jaw[0] + 0.25
    text = page.read_text("utf8")
    assert "followed face" in text
    assert text.count("data:image/png") >= 2


def test_what_cannot_be_followed_is_told_before_anything_is_written(depth: Path, tmp_path: Path) -> None:
    out = tmp_path / "take.glb"
    assert_one_paragraph(run("track", "sample", tmp_path / "none", "-o", out), "a scan is")
    assert_one_paragraph(run("track", "sample", depth, "-o", tmp_path / "take.png"), "is written as")
    assert_one_paragraph(run("track", "sample", depth, "--unit", "m", "-o", out), "seem to be in")
    assert_one_paragraph(run("track", "sample", depth, "--rest", "9", "-o", out), "frame 9")
    assert not out.exists()


def test_landmarks_and_mirrored_pictures_are_told_apart(depth: Path, tmp_path: Path) -> None:
    out, rig, marks = tmp_path / "take.csv", fw.sample(), tmp_path / "marks.json"
    found = FaceMesh(rig, "the rig").landmarks
    at = LENS.project(before_camera(rig)(rig.neutral[list(found.values())]))
    frame = dict(zip(found, at.tolist(), strict=True))
    marks.write_text(json.dumps({"frames": [frame, None, frame, frame]}))
    done = run("track", "sample", depth, "-o", out, "--landmarks", marks)
    assert done.returncode == 0, done.stderr
    assert "beside the face" not in done.stderr
    other = {name: [LENS.width - 1 - x, y] for name, (x, y) in frame.items()}
    (depth / "landmarks.json").write_text(json.dumps({"frames": [other, None, other, other]}))
    assert_one_paragraph(run("track", "sample", depth, "-o", out), "the pictures are mirrored (--mirror")
    for path in depth.glob("*.png"):
        Image.open(path).transpose(Image.Transpose.FLIP_LEFT_RIGHT).save(path)
    done = run("track", "sample", depth, "-o", out, "--mirror")
    assert done.returncode == 0, done.stderr
    assert "4 of 4 frames seen" in done.stderr
    marks.write_text(json.dumps({"frames": [frame]}))
    assert_one_paragraph(run("track", "sample", depth, "-o", out, "--landmarks", marks), "landmarks of 1 frames for 4")


@pytest.mark.long
def test_a_refined_rig_is_written_with_what_improved(tmp_path: Path) -> None:
    rig, made = fw.sample(), tmp_path / "depth.npz"
    shares = 0.5 - 0.5 * np.cos(np.linspace(0, 6, 14))
    poses = [rig.pose({"jawOpen": each, "browInnerUp": 1 - each}) for each in shares]
    frames = [depth_of(rig, pose, before_camera(rig), noise=0.0005, seed=i) for i, pose in enumerate(poses)]
    lens = np.array([[LENS.fx, 0, LENS.cx], [0, LENS.fy, LENS.cy], [0, 0, 1]])
    np.savez(made, depth=np.array([each.depth for each in frames]), intrinsics=lens)
    out, page, refined = tmp_path / "take.csv", tmp_path / "take.html", tmp_path / "refined.fwface"
    given = ("--report", page, "--refine", 10, "--rig-out", refined, "--template", "sample")
    done = run("track", "sample", made, "-o", out, *given)
    assert done.returncode == 0, done.stderr
    assert "refined by 10 frames; in 4 others" in done.stderr
    assert "Refined rig" in page.read_text("utf8")
    assert fw.load(refined).sliders == rig.sliders


def test_a_refined_rig_is_not_written_without_refining(depth: Path, tmp_path: Path) -> None:
    out, refined = tmp_path / "take.csv", tmp_path / "refined.fwface"
    assert_one_paragraph(run("track", "sample", depth, "-o", out, "--rig-out", refined), "give --refine")
    assert_one_paragraph(run("track", "sample", depth, "-o", out, "--template", "sample"), "give --refine")
    (tmp_path / "empty.npz").touch()
    wrong = run("track", "sample", depth, "-o", out, "--refine", 10, "--template", tmp_path / "empty.npz")
    assert_one_paragraph(wrong, f"facewright: {tmp_path / 'empty.npz'}: ")  # and not the frames' name
    assert_one_paragraph(run("track", "sample", depth, "-o", out, "--refine", 3), "8 frames or more")


@pytest.mark.long  # what many files share is tried by quicker commands
def test_several_scans_are_followed_each_with_its_own_folder(depth: Path, tmp_path: Path) -> None:
    other = tmp_path / "again"
    shutil.copytree(depth, other)
    (tmp_path / "out").mkdir()
    done = run("track", "sample", depth, other, "-o", tmp_path / "out" / "{take}.csv", "--jobs", 1)
    assert done.returncode == 0, done.stderr
    alone = run("track", "sample", depth, "-o", tmp_path / "alone.csv")
    assert alone.returncode == 0, alone.stderr
    results = [tmp_path / "out" / "depth.csv", tmp_path / "out" / "again.csv", tmp_path / "alone.csv"]
    assert len({path.read_bytes() for path in results}) == 1
