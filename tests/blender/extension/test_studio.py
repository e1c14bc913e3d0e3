"""A face goes to a running studio and comes back, one call each way."""

import os
import re
import signal
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.blender.extension.scene import add, bent, choose, pose, shown, values

import facewright as fw
from facewright.motion.clip import Clip
from facewright.motion.curve import Curve
from facewright.studio.remote import RemoteStudio

PROGRAM = Path(__file__).resolve().parents[3] / ".venv" / "bin" / "facewright"
PATIENCE = 60


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a studio of the environment of `make`, which has what a studio needs."""
    if not PROGRAM.exists():
        pytest.skip("there is no studio: make sets it up in .venv")
    state = tmp_path_factory.mktemp("state")
    process = subprocess.Popen(
        [PROGRAM, "studio", "--no-browser", "--state", state],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1", "NO_COLOR": "1", "COLUMNS": "300"},
    )
    assert process.stdout is not None
    try:
        found = re.search(r"http://127\.0\.0\.1:\d+/\?token=\S+", process.stdout.readline())
        assert found
        yield found[0]
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(PATIENCE)
        process.stdout.close()


def test_a_face_goes_to_the_studio_and_comes_back(bpy: Any, studio: str, rig: fw.Rig, rng: np.random.Generator) -> None:
    from blender.curves import curves_of, write_clip

    rig = bent(rig, rng, ("jawOpen", "mouthPucker", "mouthLeft"))
    thing = add(bpy, rig)
    thing.scale, thing.rotation_euler = (0.01, 0.01, 0.01), (0.1, 0.2, 0.3)
    clip = Clip("talk", {"jawOpen": Curve([0.0, 1.0], [0.0, 1.0])}, 24.0)
    write_clip(thing.data.shape_keys, clip, 24.0, 1)
    bpy.context.scene.facewright.studio = studio
    bpy.context.view_layer.update()
    pose(thing, {"mouthPucker": 0.5})
    bpy.ops.facewright.send()
    remote = RemoteStudio.enter(studio)
    there = fw.load_document(remote.fetch(), format="fwface")
    assert (there.unit, there.rig.sliders) == ("m", rig.sliders)
    assert there.clips[0].name == "talk"
    assert there.pose[there.rig.slider_index("mouthPucker")] == pytest.approx(0.5)
    np.testing.assert_allclose(fw.evaluate(there.rig, there.pose), shown(bpy, thing), atol=1e-5 * there.rig.size)

    changed = replace(there, pose=there.rig.weights({"mouthRollLower": 0.75}), rig=there.rig.with_shape(
        replace(there.rig.shape("mouthRollLower"), offsets=2 * there.rig.shape("mouthRollLower").offsets)
    ))  # fmt: skip
    data = BytesIO()
    fw.save(changed, data, format="fwface")
    remote.send("face.fwface", data.getvalue())
    bpy.ops.facewright.receive()
    assert bpy.context.active_object == thing
    assert values(thing)["mouthRollLower"] == pytest.approx(0.75)
    assert values(thing)["mouthPucker"] == 0
    assert set(curves_of(thing.data.shape_keys)) == {"jawOpen"}
    np.testing.assert_allclose(shown(bpy, thing), fw.evaluate(changed.rig, changed.pose), atol=1e-5 * changed.rig.size)
    assert len(bpy.data.objects) == 1


def test_a_face_of_other_polygons_becomes_a_new_object(bpy: Any, studio: str) -> None:
    bpy.ops.mesh.primitive_cube_add()
    cube = bpy.context.active_object
    bpy.context.scene.facewright.studio = studio
    bpy.ops.facewright.receive()
    made = bpy.context.active_object
    assert made != cube
    assert len(made.data.shape_keys.key_blocks) > 50
    choose(bpy, made)
    bpy.ops.facewright.drag(triangle=10, offset=(0, 0, 0.01))


def test_a_face_without_shapes_is_a_plain_mesh_and_changes_no_other(bpy: Any, studio: str, head: Any) -> None:
    data = BytesIO()
    fw.save(fw.Document(fw.Rig(fw.sample().neutral, fw.sample().polygons)), data, format="fwface")
    RemoteStudio.enter(studio).send("bare.fwface", data.getvalue())
    bpy.context.scene.facewright.studio = studio
    with pytest.raises(RuntimeError, match="has no shapes; nothing was changed"):
        bpy.ops.facewright.receive()
    bpy.ops.object.select_all(action="DESELECT")
    bpy.context.view_layer.objects.active = None
    bpy.ops.facewright.receive()
    assert bpy.context.active_object.data.shape_keys is None


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("http://example.org/?token=x", "on this machine"),
        ("http://127.0.0.1:1/?token=x", "no studio answers on port 1"),
    ],
)
def test_a_studio_that_is_not_there_is_told_in_words(bpy: Any, head: Any, address: str, words: str) -> None:
    bpy.context.scene.facewright.studio = address
    for operator in (bpy.ops.facewright.send, bpy.ops.facewright.receive):
        with pytest.raises(RuntimeError, match=words):
            operator()


def test_the_address_is_not_saved_with_the_scene(bpy: Any, head: Any, tmp_path: Path) -> None:
    """It holds the studio's secret."""
    bpy.context.scene.facewright.studio = "http://127.0.0.1:1/?token=verysecret"
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "scene.blend"), compress=False)
    assert b"verysecret" not in (tmp_path / "scene.blend").read_bytes()
