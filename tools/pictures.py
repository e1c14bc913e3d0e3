"""The picture at the top of the README."""

from pathlib import Path

import numpy as np

import facewright as fw
from facewright.render.face_renderer import face_picture
from facewright.render.heat import Heat
from facewright.render.png import write_png
from facewright.render.sheet_layout import contact_sheet

OUT = Path(__file__).resolve().parents[1] / "docs" / "pictures"


HIDDEN = {"mouthSmileLeft": 0.9, "jawOpen": 0.35, "browOuterUpLeft": 0.9, "eyeSquintLeft": 0.6}
SIZE = (420, 480)


def overview() -> np.ndarray:
    """A pose that is not known, found again from four pins, and how far two methods are from it."""
    rig = fw.sample()
    wanted = fw.evaluate(rig, HIDDEN)
    liveliest = [np.linalg.norm(rig.shape(name).offsets, axis=1).argmax() for name in HIDDEN]
    vertices = [int(rig.shape(name).vertices[at]) for name, at in zip(HIDDEN, liveliest, strict=True)]
    pins = [fw.Pin(vertex=vertex, target=wanted[vertex]) for vertex in vertices]
    solver = fw.PoseSolver(rig)
    found = {method: solver.solve(pins, method=method).weights for method in ("bounded", "pinv")}
    errors = {method: np.linalg.norm(fw.evaluate(rig, pose) - wanted, axis=1) for method, pose in found.items()}
    worst = max(error.max() for error in errors.values())
    tiles = {
        "a pose to reach": face_picture(rig, HIDDEN, size=SIZE),
        "four points dragged": face_picture(rig, found["bounded"], size=SIZE),
        "off by (cm), ours": face_picture(
            rig, found["bounded"], size=SIZE, heat=Heat(errors["bounded"], low=0.0, high=worst)
        ),
        "off by (cm), pseudo-inverse": face_picture(
            rig, found["pinv"], size=SIZE, heat=Heat(errors["pinv"], low=0.0, high=worst)
        ),
    }
    return contact_sheet(list(tiles.values()), list(tiles), columns=4)


def main() -> None:
    OUT.mkdir(parents=True, exist_ok=True)
    write_png(OUT / "overview.png", overview())
    print(OUT.name + "/overview.png")


if __name__ == "__main__":
    main()
