"""What a file has besides the face is drawn with it, and one key or button isolates the face."""

import io
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from scipy.spatial import cKDTree

import facewright as fw
from facewright.formats.character import character_of
from facewright.render.poser import Poser
from facewright.rig.head_rig import HeadRig
from tests.browser.studio import Studio
from tests.browser.test_controls import drag_control, positions
from tests.formats.eye_joint_file import EyeJointFile
from tests.formats.gltf_files import errors
from tests.formats.test_gltf_skins import SkinnedFile, in_three
from tests.formats.test_vrm import AVATAR
from tests.studio.served import Served

CM = 0.01  # exports are in metres, and the face is as large as one in centimetres


def picture(studio: Studio) -> np.ndarray:
    with Image.open(io.BytesIO(studio.face())) as shown:
        return np.asarray(shown.convert("RGB")).astype(int)


@pytest.mark.long
def test_the_hands_of_a_robot_are_drawn_and_the_face_is_isolated(
    studio: Studio, server: Served, shared_data: Path
) -> None:
    server.upload(shared_data / "gltf_samples" / "RobotExpressive.glb")
    studio.until(lambda: studio.look("carried") == 2, "both hands are drawn")
    studio.ready()
    whole = picture(studio)
    studio.shot("130 whole character")
    button = studio.page.get_by_role("button", name="The face alone, without hair, body and all else that the file has")
    button.click()
    studio.until(lambda: studio.look("carried") == 0, "the face is isolated")
    alone = picture(studio)
    assert (np.abs(whole - alone).max(axis=2) > 60).mean() > 0.004  # of the picture: two hands
    studio.page.locator(".viewport canvas").first.focus()
    studio.page.keyboard.press("Shift+F")
    studio.until(lambda: studio.look("carried") == 2, "all is drawn again")
    again = picture(studio)
    assert (np.abs(whole - again).max(axis=2) > 60).mean() < 0.001


def exported(studio: Studio, path: Path) -> Path:
    studio.page.locator("#export").click()
    with studio.page.expect_download() as download:
        studio.page.get_by_role("menuitem", name=re.compile("GLB|glTF")).first.click()
    download.value.save_as(path)
    return path


def assert_drawn_as_three_shows(studio: Studio, file: Path, unit: float = 1.0) -> np.ndarray:
    """That the vertices which the page draws are where three.js itself shows those of a file; returns them."""
    drawn, (places,) = positions(studio), in_three(file)
    apart, _ = cKDTree(places / unit).query(drawn)
    assert len(drawn) == 400
    assert np.max(apart) < 1e-5 * np.linalg.norm(np.ptp(drawn, axis=0))
    return drawn


def test_a_skinned_and_quantised_face_is_opened_posed_solved_and_saved_as_three_shows_it(
    studio: Studio, server: Served, tmp_path: Path
) -> None:
    file = SkinnedFile().tiny().save(tmp_path / "skinned.glb")
    server.upload(file)
    studio.until(lambda: studio.look("weights") == pytest.approx({"smile": 0.7}), "the face is opened in its pose")
    studio.ready()
    opened = assert_drawn_as_three_shows(studio, file)
    studio.drag_slider("smile", -0.4)
    studio.committed(1)
    posed = assert_drawn_as_three_shows(studio, exported(studio, tmp_path / "posed.glb"), CM)
    assert np.abs(posed - opened).max() > 0.05
    vertex = int(opened[:, 2].argmax())
    studio.drag(studio.vertex(vertex), (25, -20))
    studio.committed(3)  # the pin, the drag
    solved = assert_drawn_as_three_shows(studio, exported(studio, tmp_path / "solved.glb"), CM)
    assert np.abs(solved - posed).max() > 1e-3
    assert errors(tmp_path / "solved.glb") == []
    studio.shot("131 skinned and quantised")


def test_the_head_of_an_avatar_of_one_mesh_turns_on_its_neck_and_a_pin_is_set_where_the_chest_is_drawn(
    studio: Studio, server: Served, shared_data: Path
) -> None:
    server.upload(shared_data / AVATAR)
    studio.until(lambda: len(studio.look("expressions")) == 8, "the avatar is open")
    studio.ready()
    drag_control(studio, "HeadYaw", 0.3)
    studio.committed(1)
    drag_control(studio, "NeckRoll", 0.2)
    studio.committed(2)
    studio.shot("132 the head of an avatar is turned")
    document = fw.load_document(shared_data / AVATAR)
    rig, head = studio.look("headRig"), studio.look("head")
    drawn = np.array(studio.look("drawnPositions"), np.float64).reshape(-1, 3)
    drawn = drawn @ np.reshape(head[:9], (3, 3)).T + head[9:]
    pivots = HeadRig(rig["head"], rig["neck"], rig["eye_limits"], rig["joints"])
    shown = Poser(replace(document, controls=studio.look("controls"), head=pivots)).rest()
    np.testing.assert_allclose(drawn, shown, atol=1e-4 * document.rig.size)
    feet = document.rig.neutral[:, 1] < 0.1
    np.testing.assert_allclose(drawn[feet], document.rig.neutral[feet], atol=1e-4)
    assert np.linalg.norm(drawn - document.rig.neutral, axis=1).max() > 0.05
    is_chest = np.abs(document.rig.neutral - [0.0, 1.15, 0.0])[:, :2].max(axis=1) < 0.04
    vertex = int(np.where(is_chest, drawn[:, 2], -9.0).argmax())
    at = studio.page.evaluate("place => __facewright.seenInScene(place)", drawn[vertex].tolist())
    studio.page.mouse.click(at["x"], at["y"])
    studio.committed(3)
    (pin,) = studio.look("pins")
    hit = document.rig.neutral[document.rig.triangles[pin["triangle"]]]
    assert np.linalg.norm(hit - document.rig.neutral[vertex], axis=1).min() < 0.01  # m
    mark = studio.box(studio.page.locator(".pin .core"))
    assert np.hypot(mark.x + mark.width / 2 - at["x"], mark.y + mark.height / 2 - at["y"]) < 2  # pixels
    studio.shot("132 a pin on the chest under a turned head")


def in_the_scene(studio: Studio) -> np.ndarray:
    """The face's vertices as the shaders place them."""
    drawn = np.array(studio.look("drawnPositions"), np.float64).reshape(-1, 3)
    head = studio.look("head")
    return drawn if head is None else drawn @ np.reshape(head[:9], (3, 3)).T + head[9:]


def test_eyes_on_joints_are_drawn_turned_as_the_library_has_them_and_picked_there(
    studio: Studio, server: Served, tmp_path: Path
) -> None:
    file = EyeJointFile().save(tmp_path / "eyes.glb")
    server.upload(file)
    studio.until(lambda: studio.look("carried") == 3, "eyeballs and body are drawn")
    studio.ready()
    studio.shot("133 eyes on joints")
    drag_control(studio, "EyeYawLeft", 0.35)
    studio.committed(1)
    drag_control(studio, "EyePitchRight", -0.3)
    studio.committed(2)
    drag_control(studio, "HeadYaw", 0.2)
    studio.committed(3)
    drag_control(studio, "NeckRoll", 0.2)
    studio.committed(4)
    studio.settle()
    studio.shot("134 eyes on joints turned")
    rig, controls = studio.look("headRig"), studio.look("controls")
    assert rig["joints"]["leftEye"] == "LeftEye"
    assert {"EyeYawLeft", "EyePitchRight"} <= set(controls)
    document = fw.load_document(file)
    pivots = HeadRig(rig["head"], rig["neck"], rig["eye_limits"], rig["joints"])
    shown = replace(document, controls=controls, head=pivots)
    close = 1e-4 * document.rig.size
    np.testing.assert_allclose(in_the_scene(studio), Poser(shown).rest(), atol=close)
    turn = Poser(shown).turn_of(shown)
    assert turn is not None
    carried = np.concatenate([turn.carried(mesh) for mesh in character_of(shown).meshes])
    found = np.array(studio.look("carriedPositions"), np.float64).reshape(-1, 3)
    np.testing.assert_allclose(found, carried, atol=close)
    assert turn.eyes[0] is not None
    assert np.abs(turn.eyes[0][0] - np.eye(3)).max() > 0.1
    vertex = int((EyeJointFile().iris(0) - 9 * (document.rig.neutral[:, 2] < 0)).argmax())
    at = studio.page.evaluate("place => __facewright.seenInScene(place)", Poser(shown).rest()[vertex].tolist())
    studio.page.mouse.click(at["x"], at["y"])
    studio.committed(5)
    (pin,) = studio.look("pins")
    triangle = document.rig.triangles[pin["triangle"]]
    assert vertex in triangle  # the iris is picked where it is drawn
    studio.page.get_by_label("The joint that turns as the left eye, here and in exported files").select_option("")
    studio.committed(6)
    rig = studio.look("headRig")
    assert "leftEye" not in rig["joints"]
    fewer = replace(shown, head=HeadRig(rig["head"], rig["neck"], rig["eye_limits"], rig["joints"]))
    iris = EyeJointFile().iris(0) > 0.5
    resting = Poser(fewer).rest()
    assert np.abs(resting - Poser(shown).rest())[iris].max() > 100 * close
    studio.until(
        lambda: np.abs(in_the_scene(studio) - resting).max() < close, "the left eye is drawn without its joint"
    )
    studio.shot("135 one eye has no joint any more")
