"""What a file has besides the face is drawn with it, and one key or button isolates the face."""

import io
from pathlib import Path

import numpy as np
from PIL import Image

from tests.browser.studio import Studio
from tests.studio.served import Served


def picture(studio: Studio) -> np.ndarray:
    with Image.open(io.BytesIO(studio.face())) as shown:
        return np.asarray(shown.convert("RGB")).astype(int)


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
