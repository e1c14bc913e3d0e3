"""Clips as JSON: frames of ARKit and MediaPipe scripts, one object a line, and exports of Audio2Face."""

import json
from pathlib import Path

import numpy as np
import pytest

import facewright as fw
from facewright.errors import BadFile
from facewright.formats.clips import load_clip, save_clip
from facewright.motion.clip import Clip
from facewright.workflow.file_kind import FileKind, kind_of
from facewright.workflow.open import open_any

JAW = np.array([0.0, 0.25, 0.5, 0.75])
TIMES = np.arange(4) / 60
ARKIT = [{"time": t, "blendShapes": {"jawOpen": w, "mouthClose": 0.1}} for t, w in zip(TIMES, JAW, strict=True)]
FLAT = [{"frame": 7 + i, "jawOpen": w, "note": "x"} for i, w in enumerate(JAW)]
AUDIO2FACE = {
    "exportFps": 60.0,
    "trackPath": "voice.wav",
    "numPoses": 2,
    "numFrames": 4,
    "facsNames": ["jawOpen", "mouthClose"],
    "weightMat": [[w, 0.1] for w in JAW],
}


def mediapipe(weight: float) -> list[dict[str, object]]:
    names = ("_neutral", "jawOpen", "mouthClose")
    return [
        {"index": i, "score": score, "displayName": "", "categoryName": name}
        for i, (name, score) in enumerate(zip(names, (1e-6, weight, 0.1), strict=True))
    ]


RESULTS = [{"faceBlendshapes": [{"categories": mediapipe(w)}], "timestamp_ms": 33 * i} for i, w in enumerate(JAW)]
KINDS = {
    "frames of ARKit": ARKIT,
    "frames under a key": {"fps": 60, "frames": [{"blendShapes": one["blendShapes"]} for one in ARKIT]},
    "times in milliseconds": [{"timestamp": 1e12 + 16 * i, **one} for i, one in enumerate(RESULTS)],
    "MediaPipe in JavaScript": RESULTS,
    "MediaPipe in Python": [{"face_blendshapes": [mediapipe(w)]} for w in JAW],
    "lists of categories": [mediapipe(w) for w in JAW],
    "Audio2Face": AUDIO2FACE,
}


def written(folder: Path, value: object, name: str = "talk.json") -> Path:
    path = folder / name
    path.write_text(json.dumps(value))
    return path


@pytest.mark.parametrize("value", KINDS.values(), ids=KINDS)
def test_weights_are_read_from_what_programs_write(value: object, tmp_path: Path) -> None:
    path = written(tmp_path, value)
    assert kind_of(path) is FileKind.CLIP
    clip = open_any(path)
    assert isinstance(clip, Clip)
    assert clip.name == "talk"
    assert set(clip.curves) == {"jawOpen", "mouthClose"}
    np.testing.assert_allclose(clip.curves["jawOpen"].values, JAW)
    np.testing.assert_allclose(clip.curves["mouthClose"].values, 0.1)
    assert clip.curves["jawOpen"].times[0] == 0


@pytest.mark.parametrize(
    ("kind", "step"),
    [
        ("frames of ARKit", 1 / 60),
        ("frames under a key", 1 / 60),
        ("Audio2Face", 1 / 60),
        ("times in milliseconds", 0.033),  # the key that says so goes before the one that may be anything
        ("MediaPipe in JavaScript", 0.033),
        ("MediaPipe in Python", 1 / 30),
    ],
)
def test_times_are_those_of_the_frames_or_the_rate_s(kind: str, step: float, tmp_path: Path) -> None:
    clip = load_clip(written(tmp_path, KINDS[kind]))
    np.testing.assert_allclose(clip.curves["jawOpen"].times, step * np.arange(4), atol=1e-12)


@pytest.mark.parametrize(("unit", "count"), [("seconds", 1.0), ("thousandths", 1e3), ("millionths", 1e6)])
def test_a_timestamp_far_from_the_next_is_in_smaller_units(unit: str, count: float, tmp_path: Path) -> None:
    frames = [{"timestamp": 5 + count * i / 50, "weights": {"jawOpen": w}} for i, w in enumerate(JAW)]
    clip = load_clip(written(tmp_path, frames))
    np.testing.assert_allclose(clip.curves["jawOpen"].times, np.arange(4) / 50, atol=1e-9)
    assert clip.rate == 50


def test_numbers_beside_a_frame_s_count_are_weights(tmp_path: Path) -> None:
    clip = load_clip(written(tmp_path, FLAT), rate=25)
    assert list(clip.curves) == ["jawOpen"]
    np.testing.assert_allclose(clip.curves["jawOpen"].times, np.arange(4) / 25)


def test_one_object_a_line_and_frames_without_a_face(tmp_path: Path) -> None:
    lines = [*RESULTS[:2], {"faceBlendshapes": [], "timestamp_ms": 70}, *({**one, "x": 1} for one in RESULTS[3:])]
    path = tmp_path / "talk.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)) + "\n\n")
    assert kind_of(path) is FileKind.CLIP
    clip = load_clip(path)
    np.testing.assert_allclose(clip.curves["jawOpen"].times, [0, 0.033, 0.099])
    np.testing.assert_allclose(clip.curves["jawOpen"].values, JAW[[0, 1, 3]])


def test_a_weight_that_a_frame_does_not_name_is_off(tmp_path: Path) -> None:
    frames = [{"weights": {"jawOpen": 0.5}}, {"weights": {"mouthClose": 0.25}}]
    clip = load_clip(written(tmp_path, frames))
    np.testing.assert_array_equal(clip.curves["jawOpen"].values, [0.5, 0])
    np.testing.assert_array_equal(clip.curves["mouthClose"].values, [0, 0.25])


def test_a_clip_is_written_and_read_again_also_as_bytes(tmp_path: Path) -> None:
    clip = Clip.from_table("talk", ["jawOpen", "mouthClose"], TIMES, np.column_stack([JAW, JAW[::-1]]))
    save_clip(clip, tmp_path / "talk.json")
    for source in (tmp_path / "talk.json", (tmp_path / "talk.json").read_bytes()):
        again = load_clip(source)
        assert again.rate == pytest.approx(60)
        for name, curve in clip.curves.items():
            np.testing.assert_allclose(again.curves[name].values, curve.values)
            np.testing.assert_allclose(again.curves[name].times, curve.times)


def test_frames_drive_a_rig_by_names(tmp_path: Path) -> None:
    rig = fw.sample()
    moved = fw.retarget(load_clip(written(tmp_path, AUDIO2FACE)), rig).clip
    assert set(moved.curves) == {"jawOpen", "mouthClose"}


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ([], "no frames"),
        ({"frames": []}, "no frames"),
        ([{"blendShapes": {}}], "no frame has weights"),
        ([3], "frame 0 is no object"),
        ([{"blendShapes": {"jawOpen": "a"}}], "a weight of 'jawOpen' is a number, not 'a'"),
        ([{"blendShapes": {"jawOpen": True}}], "is a number, not 'True'"),
        ([{"time": 1, "weights": {"a": 1}}, {"time": 1, "weights": {"a": 1}}], "frame 1: time 1 does not come after 1"),
        ({**AUDIO2FACE, "facsNames": []}, "no facsNames"),
        ({**AUDIO2FACE, "facsNames": ["a", "a"]}, "a name twice"),
        ({**AUDIO2FACE, "weightMat": [[1]]}, "row 0 of weightMat does not have 2 numbers"),
        ({**AUDIO2FACE, "weightMat": []}, "no rows"),
        ({**AUDIO2FACE, "exportFps": 0}, "rate is a positive number"),
        ([{"faceBlendshapes": [[{"score": 1}]]}], "a category has no name"),
    ],
)
def test_what_is_wrong_is_said(value: object, words: str, tmp_path: Path) -> None:
    path = written(tmp_path, value)
    with pytest.raises(BadFile, match=words) as problem:
        load_clip(path)
    assert "talk.json" in str(problem.value)


def test_text_that_is_no_json_and_a_rate_of_nothing_are_refused(tmp_path: Path) -> None:
    (tmp_path / "talk.json").write_text('[{"time": 0,')
    with pytest.raises(BadFile, match="cannot be read"):
        load_clip(tmp_path / "talk.json")
    with pytest.raises(BadFile, match="rate"):
        load_clip(written(tmp_path, ARKIT), rate=0)


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        ([{"vertex": 3, "target": [0, 0, 0]}], FileKind.PINS),
        ({"weights": {"jawOpen": 1}}, FileKind.POSE),
        ({"jawOpen": 1}, FileKind.POSE),
        ({"poses": [{"file": "a.obj"}]}, FileKind.POSES),
    ],
)
def test_other_json_files_are_what_they_were(value: object, kind: FileKind, tmp_path: Path) -> None:
    assert kind_of(written(tmp_path, value)) is kind


def test_frames_with_no_time_between_them_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "weights.json"
    path.write_text('[{"timestamp_ms": 0, "blendShapes": {"a": 0}}, {"timestamp_ms": 1e-322, "blendShapes": {"a": 1}}]')
    with pytest.raises(BadFile, match="no time between"):
        load_clip(path)
