"""The faces that experiments are made on."""

from pathlib import Path

import numpy as np

import facewright as fw
from facewright.arrays import Floats
from facewright.render.camera import Camera, frame

SHARED = Path(__file__).resolve().parents[3] / "shared" / "data"


def faces() -> dict[str, fw.Rig]:
    """The embedded head, and the ICT face where it lies beside the checkout."""
    found = {"embedded head": fw.sample()}
    path = SHARED / "ict_face" / "ict_face.npz"
    if path.is_file():
        with np.load(path) as data:
            named = zip(data["names"].tolist(), data["deltas"], strict=True)
            shapes = tuple(fw.Shape.from_dense(name, delta) for name, delta in named)
            found["ICT face"] = fw.Rig(data["neutral"], data["quads"], shapes)
    return found


def arkit_faces() -> dict[str, fw.Rig]:
    """Faces with ARKit's sliders in any spelling: the embedded head, and those that lie beside the checkout."""
    found, path = faces(), SHARED / "facecap" / "facecap_decoded.glb"
    return found | ({"Face Cap": fw.load(path)} if path.is_file() else {})


def close_up(rig: fw.Rig, size: tuple[int, int], view: str | float = "front") -> Camera:
    """A camera on what the shapes move, wherever they move it, neck and back of the head left out."""
    deltas = rig.deltas()
    reach = np.linalg.norm(deltas, axis=2).max(axis=0)
    moving = reach > 0.02 * reach.max()
    points = np.concatenate([rig.neutral[None], rig.neutral + deltas])[:, moving].reshape(-1, 3)
    return frame(points, view, aspect=size[0] / size[1], margin=0.03)


def motion(rig: fw.Rig, weights: Floats) -> Floats:
    """How far each vertex (v,) is from rest."""
    return np.asarray(np.linalg.norm(fw.evaluate(rig, weights) - rig.neutral, axis=1))
