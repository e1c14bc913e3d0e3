"""Takes become F-curves with the values that the library finds."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.blender.extension.scene import values
from tests.capture.test_names_and_places import actor

import facewright as fw
from facewright.motion.clip import Clip
from facewright.motion.curve import Curve
from facewright.workflow.take.options import TakeOptions
from facewright.workflow.take.retarget import retarget_clips
from facewright.workflow.take.solve import SolveJob, solve

RATE = 24.0


def read(thing: Any) -> fw.Rig:
    from blender.face import read_face

    return read_face(thing).rig


def played(bpy: Any, thing: Any, clip: Clip, start: int = 1) -> None:
    """Blender's values in every frame are those of the clip."""
    bounds = dict(zip(read(thing).sliders, read(thing).bounds.tolist(), strict=True))
    frames = range(start, start + int(clip.end * RATE) + 1)
    for frame in list(frames)[:: max(1, len(frames) // 40)]:
        bpy.context.scene.frame_set(frame)
        found = values(thing)
        for name, curve in clip.curves.items():
            if name in found:
                wanted = float(np.clip(curve((frame - start) / RATE), *bounds[name]))
                assert found[name] == pytest.approx(wanted, abs=2e-3), (frame, name)


def weights(rig: fw.Rig) -> Clip:
    rng = np.random.default_rng(4)
    times = np.arange(50) / 30
    table = np.clip(np.cumsum(0.1 * rng.normal(size=(50, len(rig.sliders))), axis=0), 0, 1)
    return Clip.from_table("walk", rig.sliders, times, table)


def test_a_table_of_weights_is_mapped_as_by_the_library(bpy: Any, thing: Any, rig: fw.Rig, tmp_path: Path) -> None:
    path = tmp_path / "walk.csv"
    fw.save_clip(weights(rig), path)
    bpy.ops.facewright.import_take(filepath=str(path))
    (wanted,) = retarget_clips(read(thing), [fw.load_clip(path)], TakeOptions(keys=0.005)).clips
    data = thing.data.shape_keys.animation_data
    assert data.action.name == "walk"
    assert data.action_slot.target_id_type == "KEY"
    played(bpy, thing, wanted)


def test_a_recording_of_a_phone_is_mapped_as_by_the_library(bpy: Any, thing: Any, shared_data: Path) -> None:
    path = shared_data / "mocap_livelink" / "alex_rom_3.csv"
    bpy.context.scene.frame_set(10)
    bpy.ops.facewright.import_take(filepath=str(path))
    (wanted,) = retarget_clips(read(thing), [fw.load_clip(path)], TakeOptions(keys=0.005)).clips
    assert len([name for name in wanted.curves if name in values(thing)]) >= 50
    played(bpy, thing, wanted, 10)


@pytest.mark.parametrize("suffix", ["c3d", "trc", "csv"])
def test_markers_are_solved_as_by_the_library(bpy: Any, head: Any, tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"take.{suffix}"
    fw.save_take(actor(30), path)
    rig, take = read(head), fw.load_take(path)
    bpy.ops.facewright.import_take(filepath=str(path))
    wanted = solve(SolveJob(rig, take, fw.bind(rig, take), TakeOptions(keys=0.005))).clip
    assert max(curve.values.max() for curve in wanted.curves.values()) > 0.2
    played(bpy, head, wanted)


@pytest.mark.parametrize("name", ["JawMoCap.csv", "EyebrowsMoCap.csv"])
def test_real_markers_are_solved_as_by_the_library(bpy: Any, head: Any, shared_data: Path, name: str) -> None:
    path = shared_data / "mocap_markers" / name
    rig, take = read(head), fw.load_take(path)
    bpy.ops.facewright.import_take(filepath=str(path))
    wanted = solve(SolveJob(rig, take, fw.bind(rig, take), TakeOptions(keys=0.005))).clip
    played(bpy, head, wanted)


def test_curves_of_every_kind_are_played_as_the_library_plays_them(bpy: Any, head: Any) -> None:
    from blender.curves import read_clip, write_clip

    curves = {
        "jawOpen": Curve([0.0, 0.5, 2.0], [0.0, 0.8, 0.1]),
        "mouthSmileLeft": Curve([0.25, 1.0, 1.5], [0.0, 1.0, 0.4], "step"),
        "browInnerUp": Curve([0.5, 1.0, 2.0], [0.0, 0.9, 0.3], "cubic", tangents=["auto", "auto", "auto"]),
        "cheekPuff": Curve([0.0, 0.7, 2.0], [0.1, 0.9, 0.2], "cubic", slopes=[[0.0, 0.5], [1.0, -1.0], [0.2, 0.0]]),
        "eyeBlinkLeft": Curve([0.0, 0.25, 0.5], [0.0, 1.0, 0.0], outside="cycle"),
        "jawLeft": Curve([0.3], [0.6]),
        "nobody": Curve([0.0], [1.0]),
    }
    clip, keys = Clip("talk", curves, RATE), head.data.shape_keys
    first = write_clip(keys, Clip("old", {"jawOpen": Curve([0.0], [1.0])}), RATE, 1)
    write_clip(keys, clip, RATE, 1)
    assert first.use_fake_user  # what was there is kept
    played(bpy, head, clip)
    back = read_clip(keys, RATE, 1)
    assert back is not None
    for name, curve in back.curves.items():
        np.testing.assert_allclose(curve.values, curves[name](curve.times), atol=2e-4, err_msg=name)
    assert set(back.curves) == set(curves) - {"nobody"}


def test_driven_keys_get_no_curves(bpy: Any, head: Any, tmp_path: Path) -> None:
    from blender.curves import curves_of

    head.data.shape_keys.key_blocks["jawOpen"].driver_add("value").driver.expression = "0.25+0*frame"
    fw.save_clip(weights(read(head)), tmp_path / "walk.csv")
    bpy.ops.facewright.import_take(filepath=str(tmp_path / "walk.csv"))
    assert "jawOpen" not in curves_of(head.data.shape_keys)
    assert len(curves_of(head.data.shape_keys)) == 51


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [("missing.csv", None, "missing.csv"), ("a.csv", b"no,table\n\xff\xfe", "a.csv"), ("a.c3d", b"nothing", "a.c3d"),
     ("a.csv", b"Time,nobody,nothing\n0,1,2\n1,2,3\n", "none of the 2 curves|a.csv")],
)  # fmt: skip
def test_a_wrong_file_is_refused_in_words(
    bpy: Any, head: Any, tmp_path: Path, name: str, content: bytes | None, words: str
) -> None:
    if content is not None:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(RuntimeError, match=words) as raised:
        bpy.ops.facewright.import_take(filepath=str(tmp_path / name))
    assert "Traceback" not in str(raised.value)
    assert head.data.shape_keys.animation_data is None


def test_a_face_is_refused_as_a_take_in_words(bpy: Any, head: Any, tmp_path: Path) -> None:
    fw.save(fw.sample(), tmp_path / "face.glb")
    with pytest.raises(RuntimeError, match="but no take; takes are markers"):
        bpy.ops.facewright.import_take(filepath=str(tmp_path / "face.glb"))
