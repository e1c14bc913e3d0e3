"""Head, neck and eyes in the studio: turned, keyed, played, exported, and a gaze that is dragged and cleared."""

import re
from dataclasses import replace
from pathlib import Path

import numpy as np

import facewright as fw
from facewright.formats.gltf.container.asset import parse_glb
from facewright.render.poser import Poser
from facewright.rig.head_rig import HeadRig
from tests.browser.studio import Studio


def positions(studio: Studio) -> np.ndarray:
    """The vertices as they are drawn, in the scene."""
    studio.settle()
    found = np.array(studio.look("positions"), np.float64).reshape(-1, 3)
    head = studio.look("head")
    return found if head is None else found @ np.reshape(head[:9], (3, 3)).T + head[9:]


def drag_control(studio: Studio, name: str, share: float) -> None:
    bar = studio.page.locator(f'[data-control="{name}"] .bar')
    bar.scroll_into_view_if_needed()
    box = studio.box(bar)
    studio.drag((box.x + box.width / 2, box.y + box.height / 2), (share * box.width, 0), steps=2)


def test_head_neck_and_eyes_are_turned_keyed_and_drawn_as_the_library_has_them_and_exported(
    studio: Studio, tmp_path: Path
) -> None:
    page = studio.page
    drag_control(studio, "HeadYaw", 0.2)
    studio.committed(1)
    drag_control(studio, "NeckRoll", -0.2)
    studio.committed(2)
    controls = studio.look("controls")
    assert controls["HeadYaw"] > 0.3
    assert controls["NeckRoll"] < -0.1
    looks = page.get_by_label("What the eyes look at", exact=True)
    looks.get_by_text("Target").click()
    studio.committed(3)
    handle = page.locator(".gaze .target")
    handle.wait_for()
    studio.shot("90 head turned, eyes on a target")
    box = studio.box(handle)
    before = studio.look("controls")
    studio.drag((box.x + box.width / 2, box.y + box.height / 2), (90, -40))
    studio.committed(4)
    controls = studio.look("controls")
    assert controls["GazeX"] > before["GazeX"]
    assert controls["GazeY"] > before["GazeY"]
    studio.shot("91 target dragged")
    rig = studio.look("headRig")
    face = fw.Document(fw.sample())
    shown = replace(face, controls=controls, head=HeadRig(rig["head"], rig["neck"], rig["eye_limits"]))
    np.testing.assert_allclose(positions(studio), Poser(shown).rest(), atol=1e-4 * face.rig.size)
    page.keyboard.press("k")
    studio.committed(5)
    keyed = {curve["slider"] for curve in studio.look("curves")}
    assert {"HeadYaw", "NeckRoll", "GazeX", "GazeY", "GazeZ"} <= keyed
    frame = page.get_by_label("The frame")
    frame.fill("10")
    frame.press("Enter")
    drag_control(studio, "HeadYaw", -0.3)
    studio.committed(6)
    page.keyboard.press("k")
    studio.committed(7)
    studio.shot("92 keys of head and gaze")
    page.locator("#export").click()
    with page.expect_download() as download:
        page.get_by_role("menuitem", name=re.compile("GLB|glTF")).first.click()
    download.value.save_as(tmp_path / "face.glb")
    back = fw.load_document(tmp_path / "face.glb")
    assert {"HeadYaw", "NeckRoll", "GazeX"} <= set(back.clips[0].curves)
    asset = parse_glb((tmp_path / "face.glb").read_bytes())
    paths = {channel["target"]["path"] for channel in asset.json["animations"][0]["channels"]}
    assert {"rotation", "weights"} <= paths
    looks.get_by_text("Pose").click()
    studio.committed(8)
    assert "GazeX" not in studio.look("controls")
    assert handle.count() == 0
    page.keyboard.press("Control+z")
    studio.committed(7)
    assert "GazeX" in studio.look("controls")
