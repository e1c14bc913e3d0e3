"""Small faces for the session's tests."""

import numpy as np

from facewright.document import Document
from facewright.motion.clip import Clip
from facewright.motion.curve import Curve
from facewright.rig.rig import Rig
from facewright.samples import mask


def face(seed: int = 1, vertices: int = 600) -> Rig:
    return mask(vertices=vertices, shapes=12, seed=seed)


def document(seed: int = 1, vertices: int = 600) -> Document:
    rig = face(seed, vertices)
    rng = np.random.default_rng(seed)
    clip = Clip("take", {name: Curve([0.0, 0.5, 1.0], rng.uniform(0, 1, 3)) for name in rig.sliders[:4]})
    return Document(rig, (clip,), rng.uniform(0.1, 0.6, len(rig.sliders)), {"gltf/x.bin": b"12"}, {"note": "kept"})


def lively_vertex(rig: Rig) -> int:
    """The vertex that the shapes together move most, off the middle."""
    reach = np.linalg.norm(rig.deltas(), axis=2).sum(axis=0) * (np.abs(rig.neutral[:, 0]) > 0.1 * rig.size)
    return int(reach.argmax())
