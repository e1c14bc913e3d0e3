"""A drag, and points that stay."""

from time import perf_counter

import numpy as np
from tools.experiments.attenuation import before_and_after, scenes
from tools.experiments.dragging_pictures import liveliest
from tools.experiments.faces import close_up
from tools.experiments.marks import PIN, draw_dots, places_in
from tools.scenes.scene import Scene

import facewright as fw
from facewright.arrays import Floats
from facewright.pose.drag import Drag
from facewright.render.face_renderer import face_picture
from facewright.render.sheet_layout import contact_sheet
from facewright.render.tone import Bytes

SIZE = (380, 430)
METHODS = {"bounded": "bounded, the default", "pinv": "pseudo-inverse", "transpose": "transpose"}
HIDDEN = {"mouthSmileLeft": 0.7, "mouthUpperUpLeft": 0.5, "jawOpen": 0.25}


def scene() -> Scene:
    rig = fw.sample()
    truth = fw.evaluate(rig, HIDDEN)
    pins = [fw.Pin(vertex=v, target=truth[v]) for v in {int(liveliest(rig, name)) for name in HIDDEN}]
    solver = fw.PoseSolver(rig)
    drag = solver.drag(pins)
    way = drag.pins.targets() - drag.places
    times = [_seconds(drag, drag.places + share * way) for share in np.linspace(0, 1, 200)]
    poses = {label: solver.solve(pins, method=method).weights for method, label in METHODS.items()}
    brow = list(scenes().items())[:1]
    held = brow[0][1]
    drifts = [10 * held.drift(weights) for weights in (held.wanted, held.answer()[0])]
    return Scene(
        "Pose: drag points, and tag what must not move",
        f"{len(pins)} points dragged to where a hidden pose of three sliders has them. The default stays within the "
        "sliders' bounds and uses few of them. Then a brow is posed and tagged, and what is set later leaves it be.",
        {"the same drag, three ways": _tiles(rig, pins, poses, truth), "tagged points": before_and_after(dict(brow))},
        figures={
            **{f"{label}, off by": _off(rig, pose, truth) for label, pose in poses.items()},
            "a drag's update": f"{1000 * float(np.median(times)):.2f} ms",
            "tagged brow drifts": f"{drifts[0]:.1f} mm plainly, {drifts[1]:.2f} mm tagged",
        },
        code="facewright studio face.glb",
    )


def _seconds(drag: Drag, targets: Floats) -> float:
    start = perf_counter()
    drag.to(targets)
    return perf_counter() - start


def _off(rig: fw.Rig, pose: Floats, truth: Floats) -> str:
    found = np.linalg.norm(fw.evaluate(rig, pose) - truth) / np.linalg.norm(truth - rig.neutral)
    return f"{found:.2f} of the motion, {int((np.abs(pose) > 0.01).sum())} sliders"


def _tiles(rig: fw.Rig, pins: list[fw.Pin], poses: dict[str, Floats], truth: Floats) -> Bytes:
    camera = close_up(rig, SIZE)
    at = places_in(camera, truth[[pin.vertex for pin in pins if pin.vertex is not None]], SIZE)
    tiles = {"the hidden pose": rig.weights(HIDDEN)} | poses
    shots = [face_picture(rig, pose, size=SIZE, camera=camera) for pose in tiles.values()]
    for shot in shots:
        draw_dots(shot, at, PIN, radius=3.5)
    return contact_sheet(shots, list(tiles), columns=len(tiles))
