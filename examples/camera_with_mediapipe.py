"""Send the face that a camera sees, by MediaPipe and your own copy of its model, as JSON lines to a listener.

    pip install mediapipe opencv-python
    python camera_with_mediapipe.py face_landmarker.task --to 127.0.0.1:11125

The model file is that of MediaPipe's face landmarker, which you get from its authors. Facewright hears the face in the
studio (tab Live, sender JSON lines), by `facewright live record --kind json`, or by `fw.live.listen("json")`.
"""

import argparse
import json
import math
import socket
import time
from collections.abc import Iterator
from typing import Any


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", help="the model file, face_landmarker.task")
    parser.add_argument("--camera", default="0", help="a camera's number, or a video file")
    parser.add_argument("--to", default="127.0.0.1:11125", metavar="HOST:PORT")
    parser.add_argument("--name", default="camera", help="by which the listener lists this sender")
    options = parser.parse_args()
    host, _, port = options.to.rpartition(":")
    count = 0
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        for number, (seconds, values) in enumerate(faces(options.model, options.camera)):
            line = {"source": options.name, "frame": number, "time": seconds, "blendShapes": values}
            sender.sendto(json.dumps(line).encode(), (host, int(port)))
            count += 1
    print(f"{count} frames sent to {options.to}")


def faces(model: str, camera: str) -> Iterator[tuple[float, dict[str, float]]]:
    """The time of each picture in seconds, and the weights and angles of the face on it; none where no face is seen."""
    import cv2
    import mediapipe as mp

    vision = mp.tasks.vision
    landmarker_options = vision.FaceLandmarkerOptions(
        base_options=mp.tasks.BaseOptions(model_asset_path=model),
        running_mode=vision.RunningMode.VIDEO,
        output_face_blendshapes=True,
        output_facial_transformation_matrixes=True,
    )
    pictures = cv2.VideoCapture(int(camera) if camera.isdigit() else camera)
    begun, last = time.monotonic(), -1
    with vision.FaceLandmarker.create_from_options(landmarker_options) as landmarker:
        while True:
            is_there, picture = pictures.read()
            if not is_there:
                break
            seconds = time.monotonic() - begun
            last = max(last + 1, round(1000 * seconds))  # MediaPipe wants milliseconds that increase
            image = mp.Image(image_format=mp.ImageFormat.SRGB, data=cv2.cvtColor(picture, cv2.COLOR_BGR2RGB))
            yield seconds, values_of(landmarker.detect_for_video(image, last))
    pictures.release()


def values_of(found: Any) -> dict[str, float]:
    """The weights by name, without the category that stands for none, and the head's angles in radians."""
    if not found.face_blendshapes:
        return {}
    weights = {one.category_name: float(one.score) for one in found.face_blendshapes[0]}
    weights.pop("_neutral", None)
    placed = found.facial_transformation_matrixes
    return weights | (head_angles(placed[0]) if placed else {})


def head_angles(placed: Any) -> dict[str, float]:
    """Yaw, pitch and roll of a matrix (4, 4) whose axes are right, up and towards the camera."""
    sideways = [float(placed[row][2]) for row in range(3)]
    return {
        "HeadYaw": math.atan2(sideways[0], sideways[2]),
        "HeadPitch": math.asin(max(-1.0, min(1.0, -sideways[1]))),
        "HeadRoll": math.atan2(float(placed[1][0]), float(placed[1][1])),
    }


if __name__ == "__main__":
    main()
