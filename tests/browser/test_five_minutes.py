"""A job of five minutes: a take underneath, two layers of poses over it, a sound, and the export, opened by Blender."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import facewright as fw
from facewright.motion.bake_layers import baked_clip
from tests.blender.conftest import BLENDER
from tests.browser.studio import Studio
from tests.browser.test_layers import set_slider
from tests.browser.test_timeline import go_to
from tests.reference.sounds import tone_file
from tests.studio.served import Served

SECONDS, RATE = 5, 30
ADDED = {20: {"mouthSmileLeft": 0.8, "mouthSmileRight": 0.8}, 60: {"browInnerUp": 0.7}, 110: {"jawOpen": 0.6}}
INSTEAD = {30: {"eyeBlinkLeft": 0.0}, 75: {"eyeBlinkLeft": 1.0}, 120: {"eyeBlinkLeft": 0.2}}


def recorded(shared_data: Path, to: Path) -> Path:
    """The beginning of a recorded performance."""
    lines = (shared_data / "mocap_livelink" / "alex_rom_3.csv").read_text().splitlines()
    to.write_text("\n".join(lines[: SECONDS * RATE + 1]) + "\n")
    return to


def key_poses(studio: Studio, poses: dict[int, dict[str, float]]) -> None:
    for frame, pose in poses.items():
        go_to(studio, frame)
        for slider, value in pose.items():
            set_slider(studio, slider, value)
        studio.page.keyboard.press("k")
        studio.until(lambda at=frame: _has_key(studio, at), f"frame {frame} is keyed")


def _has_key(studio: Studio, frame: int) -> bool:
    return any(abs(time - frame / RATE) < 1e-3 for curve in studio.look("curves") for time in curve["times"])


@pytest.mark.long  # every step of it is in a test of its own
def test_a_take_two_layers_six_poses_and_a_sound_are_exported_and_arrive(
    opened: Callable[[Served], Studio], skinned_server: Served, shared_data: Path, tmp_path: Path
) -> None:
    studio = opened(skinned_server)
    page = studio.page
    page.locator("#take").set_input_files(recorded(shared_data, tmp_path / "line.csv"))
    studio.until(lambda: (studio.look("clip") or {}).get("name") == "line", "the recording is there")
    (tmp_path / "line.wav").write_bytes(tone_file(float(SECONDS)))
    page.get_by_role("tab", name="Reference").click()
    page.locator("#choose-sound").set_input_files(tmp_path / "line.wav")
    studio.until(lambda: studio.look("sound") is not None, "the sound is there")
    page.get_by_role("tab", name="Clip").click()
    page.get_by_role("button", name="Additive", exact=True).click()
    studio.until(lambda: studio.look("layer") == "additive 1", "there is a layer")
    key_poses(studio, ADDED)
    page.get_by_role("tab", name="Clip").click()
    page.get_by_role("button", name="Override", exact=True).first.click()
    studio.until(lambda: studio.look("layer") == "override 1", "there is another")
    key_poses(studio, INSTEAD)
    studio.shot("five minutes 1 layers over a take")
    page.locator("#export").click()
    page.get_by_role("menuitem", name="With options …").click()
    page.get_by_role("button", name="straight").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Download").click()
    download.value.save_as(tmp_path / "line.glb")
    page.locator("#export").click()
    page.get_by_role("menuitem", name="With options …").click()
    page.get_by_role("button", name="fwface").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Download").click()
    download.value.save_as(tmp_path / "line.fwface")
    assert not studio.complaints

    work = fw.load_document(tmp_path / "line.fwface")
    assert work.sound is not None
    clip = work.clip_named("line")
    assert [layer.name for layer in clip.layers] == ["additive 1", "override 1"]
    times = np.arange(SECONDS * RATE - 2) / RATE
    whole = baked_clip(clip, dict(zip(work.rig.sliders, map(tuple, work.rig.bounds.tolist()), strict=True)))
    wanted = whole.sample(work.rig.sliders, times)
    assert wanted[60, work.rig.slider_index("browInnerUp")] == pytest.approx(0.7, abs=0.01)
    (exported,) = fw.load_document(tmp_path / "line.glb").clips
    np.testing.assert_allclose(exported.sample(work.rig.sliders, times), wanted, atol=1e-4)
    if BLENDER.exists():
        found = arrived_in_blender(tmp_path / "line.glb", dict(zip(work.rig.sliders, wanted.T, strict=True)))
        looks_as_recorded(work.rig, found, whole.sample(["EyeYawLeft", "EyePitchLeft"], times))


def arrived_in_blender(file: Path, wanted: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """That Blender shows the face in its size, with its skin, and with these values at all frames.

    Returns the values of the gaze sliders. In a file for other programs they make the angles of the eyes that the phone
    recorded beside them.
    """
    script, frames = Path(__file__).parents[1] / "blender" / "played.py", len(next(iter(wanted.values())))
    words = [str(BLENDER), str(script), str(file), str(RATE), str(frames)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    found = json.loads(next(line for line in done.stdout.splitlines() if line.startswith('{"tall"')))
    assert found["tall"] == pytest.approx(0.288, rel=2e-2)
    assert "head" in found["skins"]
    gaze = {}
    for name, listed in found["curves"].items():
        for keys, values in listed:
            assert keys < 2 * frames  # those of the recording, which are between frames, and frames where layers bend
            if name.startswith("eyeLook"):
                gaze[name] = np.array(values)
            else:
                np.testing.assert_allclose(values, wanted[name], atol=1e-4, err_msg=name)
    return gaze


def looks_as_recorded(rig: fw.Rig, gaze: dict[str, np.ndarray], angles: np.ndarray) -> None:
    """That the left eyeball is turned by these angles (frames, 2), yaw and pitch, at every tenth frame."""
    eye = slice(rig.part("left eye").start, rig.part("left eye").stop)
    at_rest = rig.neutral[eye] - rig.neutral[eye].mean(axis=0)
    assert np.ptp(angles[:, 1]) > 0.05
    for frame in range(0, len(angles), 10):
        points = fw.evaluate(rig, {name: values[frame] for name, values in gaze.items()})[eye]
        turn, _ = Rotation.align_vectors(points - points.mean(axis=0), at_rest)
        np.testing.assert_allclose(turn.as_euler("YXZ")[:2], angles[frame], atol=0.02)
