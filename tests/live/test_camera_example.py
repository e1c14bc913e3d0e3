"""The example that sends a camera's face: with a stand-in for camera and model its lines arrive as faces of a rig."""

import asyncio
import runpy
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import facewright as fw
from tests.live.wire import run_alone

SCRIPT = Path(__file__).resolve().parents[2] / "examples" / "camera_with_mediapipe.py"
ANGLES = {"HeadYaw": 0.3, "HeadPitch": -0.2, "HeadRoll": 0.1}


class Camera:
    """Four pictures; on the third nobody is seen."""

    def __init__(self, source: object) -> None:
        assert source == 0
        self.left = [0, 1, 2, 3]

    def read(self) -> tuple[bool, Any]:
        return (True, np.full((2, 2, 3), self.left.pop(0), np.uint8)) if self.left else (False, None)

    def release(self) -> None:
        pass


class Landmarker:
    """Finds a jaw as open as the picture is bright."""

    def __init__(self, options: Any) -> None:
        assert options.base_options.model_asset_path == "face_landmarker.task"
        self.last = -1

    def __enter__(self) -> "Landmarker":
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def detect_for_video(self, image: Any, milliseconds: int) -> Any:
        assert milliseconds > self.last
        self.last = milliseconds
        bright = int(image.data[0, 0, 0])
        if bright == 2:
            return SimpleNamespace(face_blendshapes=[], facial_transformation_matrixes=[])
        found = {"_neutral": 0.9, "jawOpen": bright / 4, "mouthSmileLeft": 0.25}
        placed = np.eye(4)
        placed[:3, :3] = Rotation.from_euler("YXZ", list(ANGLES.values())).as_matrix()
        categories = [SimpleNamespace(category_name=name, score=score) for name, score in found.items()]
        return SimpleNamespace(face_blendshapes=[categories], facial_transformation_matrixes=[placed])


@pytest.fixture
def stand_in(monkeypatch: pytest.MonkeyPatch) -> None:
    vision = SimpleNamespace(
        FaceLandmarkerOptions=SimpleNamespace,
        RunningMode=SimpleNamespace(VIDEO="video"),
        FaceLandmarker=SimpleNamespace(create_from_options=Landmarker),
    )
    tasks = SimpleNamespace(vision=vision, BaseOptions=SimpleNamespace)
    mediapipe = SimpleNamespace(tasks=tasks, Image=SimpleNamespace, ImageFormat=SimpleNamespace(SRGB=1))
    cv2 = SimpleNamespace(VideoCapture=Camera, cvtColor=lambda picture, _: picture, COLOR_BGR2RGB=4)
    monkeypatch.setitem(sys.modules, "mediapipe", mediapipe)
    monkeypatch.setitem(sys.modules, "cv2", cv2)


@pytest.mark.usefixtures("stand_in")
def test_a_cameras_faces_arrive_with_the_angles_of_the_head(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    driver = fw.live.LiveDriver(fw.sample())

    async def heard() -> list[fw.live.LiveFrame]:
        async with fw.live.listen("json", port=0) as listener, asyncio.timeout(60):
            monkeypatch.setattr("sys.argv", [SCRIPT.name, "face_landmarker.task", "--to", f"127.0.0.1:{listener.port}"])
            await asyncio.to_thread(runpy.run_path, str(SCRIPT), run_name="__main__")
            found = []
            async for frame in listener:
                found.append(frame)
                if frame.number == 3:
                    return found
        raise AssertionError("unreachable")

    frames = run_alone(heard())
    assert capsys.readouterr().out.startswith("4 frames sent to 127.0.0.1:")
    assert [frame.number for frame in frames] == [0, 1, 3]  # on the third picture is no face
    assert {frame.source for frame in frames} == {"camera"}
    pose = driver(frames[-1])
    assert pose.weights[driver.rig.slider_index("jawOpen")] == pytest.approx(0.75)
    assert dict(pose.controls) == pytest.approx(ANGLES)
    assert not driver.left
