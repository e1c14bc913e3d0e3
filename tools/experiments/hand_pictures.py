"""What a hand makes of a face: single drags, in three views.

`python -m tools.experiments.hand_pictures FOLDER` draws the sheet of each face that lies beside the checkout, too.
"""

import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from tools.experiments.faces import arkit_faces, close_up, motion
from tools.experiments.marks import GHOST, PIN, draw_dots, draw_ways, places_in
from tools.experiments.result import Results

import facewright as fw
from facewright.arrays import Floats
from facewright.render.face_renderer import face_picture
from facewright.render.png import write_png
from facewright.render.sheet_layout import contact_sheet
from facewright.render.tone import Bytes

SIZE = (220, 240)
VIEWS = ("front", "threequarter", "side")
CHIN = 0.8  # of how far the jaw moves the point that it moves most: the lowest point that it moves so far is the chin


@dataclass(frozen=True)
class HandDrag:
    """A point, by the slider that moves it most or by "top" or "chin", and its way as shares of the face's size."""

    point: str
    way: tuple[float, float, float]
    symmetric: bool = False


# How far a slider's full motion is differs from face to face, so ways are in shares of the rig's size.
DRAGS = {
    "corner up": HandDrag("mouthSmileLeft", (0.0, 0.03, 0.0)),
    "corner up and out": HandDrag("mouthSmileLeft", (0.025, 0.025, 0.0)),
    "both corners up": HandDrag("mouthSmileLeft", (0.0, 0.03, 0.0), symmetric=True),
    "corner down": HandDrag("mouthFrownLeft", (0.0, -0.03, 0.0)),
    "lower lip down": HandDrag("mouthLowerDownLeft", (0.0, -0.03, 0.0)),
    "brow up": HandDrag("browOuterUpLeft", (0.0, 0.03, 0.0)),
    "both lower lips down": HandDrag("mouthLowerDownLeft", (0.0, -0.03, 0.0), symmetric=True),
    "both brows up": HandDrag("browOuterUpLeft", (0.0, 0.03, 0.0), symmetric=True),
    "chin down": HandDrag("chin", (0.0, -0.06, 0.0)),
    "scalp up": HandDrag("top", (0.0, 0.05, 0.0)),
    "corner far up": HandDrag("mouthSmileLeft", (0.0, 0.3, 0.0)),
    "corner behind the head": HandDrag("mouthSmileLeft", (0.0, 0.0, -0.6)),
}


def results() -> Results:
    """The sheet of the embedded head."""
    return Results("posing.md", pictures={"posing-hand.png": sheet(fw.sample())})


def sheet(rig: fw.Rig) -> Bytes:
    """A row for each drag."""
    solver, names = fw.PoseSolver(rig), {fw.canonical_name(name): name for name in rig.sliders}
    tiles, texts = [], []
    for label, drag in DRAGS.items():
        pins = hand_pins(rig, names, drag)
        found = solver.solve(pins)
        used = ", ".join(f"{name} {weight:.1f}" for name, weight in list(found.moved.items())[:2]) or "nothing moves"
        more = len(found.moved) - 2
        for number, view in enumerate(VIEWS):
            tiles.append(shown(rig, found.weights, pins, view))
            texts.append((label, used, f"and {more} more" if more > 0 else "")[number])
    return contact_sheet(tiles, texts, columns=2 * len(VIEWS))


def hand_pins(rig: fw.Rig, names: dict[str, str], drag: HandDrag) -> list[fw.Pin]:
    """The pins of a drag, at the ends of their ways."""
    way = rig.size * np.array(drag.way)
    vertex = hand_vertex(rig, names, drag.point)
    pins = [fw.Pin(vertex=vertex, target=rig.neutral[vertex] + way)]
    return pins + (fw.mirror_pins(rig, pins) if drag.symmetric else [])


def hand_vertex(rig: fw.Rig, names: dict[str, str], point: str) -> int:
    """The vertex of a point that is given by its name."""
    height = rig.neutral[:, 1]
    if point == "top":
        return int(height.argmax())
    moved = motion(rig, rig.weights({names["jawOpen" if point == "chin" else point]: 1.0}))
    if point == "chin":
        return int(np.where(moved > CHIN * moved.max(), height, np.inf).argmin())
    return int(moved.argmax())


def shown(rig: fw.Rig, weights: Floats, pins: list[fw.Pin], view: str) -> Bytes:
    camera = close_up(rig, SIZE, view)
    picture = face_picture(rig, weights, size=SIZE, camera=camera)
    vertices = np.array([pin.vertex for pin in pins])
    ends = np.array([pin.target for pin in pins])
    starts, goals, now = (
        places_in(camera, points, SIZE) for points in (rig.neutral[vertices], ends, fw.evaluate(rig, weights)[vertices])
    )
    draw_ways(picture, starts, goals, GHOST)
    draw_dots(picture, now, PIN)
    return picture


def main() -> None:
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name, rig in arkit_faces().items():
        write_png(folder / f"{name.replace(' ', '-')}.png", sheet(rig))


if __name__ == "__main__":
    main()
