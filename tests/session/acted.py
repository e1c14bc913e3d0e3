"""A face with a take of its own: made from known weights, with the head moving and gaps."""

from dataclasses import dataclass, replace
from functools import cache

import numpy as np
from scipy.spatial.transform import Rotation

import facewright as fw
from facewright.document import Document
from facewright.mesh.align import Similarity
from facewright.motion.take import Take
from facewright.rig.binding import Binding
from facewright.rig.rig import Rig
from facewright.rig.ties import tied_sliders
from facewright.session.edits.takes import bring_take
from tests.capture.acting import head_motion, smooth
from tests.session.marker_layout import LAYOUT


@dataclass(frozen=True, eq=False)
class Acted:
    """A take, and the truth behind it."""

    document: Document
    take: Take
    weights: np.ndarray  # (frames, n)
    binding: Binding  # as it really is


@cache
def head() -> Rig:
    return fw.sample()


@cache
def layout() -> Binding:
    """41 markers of the usual names on the embedded head, as a real take's binding has them."""
    rig = head()
    vertices = np.array([LAYOUT[name] for name in LAYOUT])
    return Binding(
        tuple(LAYOUT),
        np.repeat(vertices[:, None], 3, axis=1),
        np.tile([1.0, 0.0, 0.0], (len(vertices), 1)),
        rig.neutral[vertices],
        Similarity(np.eye(3), np.zeros(3)),
        "cm",
    )


def acted(frames: int = 240, *, rate: float = 60.0, gaps: float = 0.03, seed: int = 4) -> Acted:
    """The embedded head talking, seen by 41 named markers, in centimetres, somewhere in a room."""
    rig, glue = head(), layout()
    rng = np.random.default_rng(seed)
    lively = [name for name in rig.sliders if not name.startswith(("eyeLook", "tongue"))]
    chosen = [rig.slider_index(name) for name in lively]
    weights = np.zeros((frames, len(rig.sliders)))
    weights[:, chosen] = np.clip(0.4 * smooth(rng, frames, len(chosen), 24) - 0.05, 0, 1)
    at_rest = np.clip((np.arange(frames) - frames // 4) / 20, 0, 1)  # for a while: what a take comes back to
    weights *= at_rest[:, None]
    for one, other in tied_sliders(rig):  # as a mouth does: lips close where the jaw is open
        weights[:, one] = np.minimum(weights[:, one], weights[:, other])
    rotations, offsets = head_motion(frames, rig.size)
    seen = glue.places(fw.evaluate(rig, weights)) @ np.swapaxes(rotations, 1, 2) + offsets[:, None]
    room = Similarity(Rotation.from_rotvec((0.0, 0.4, 0.0)).as_matrix(), np.array([30.0, 120.0, -10.0]), 1.1)
    seen = room(seen) + 0.01 * rng.normal(size=seen.shape)
    seen[rng.uniform(size=seen.shape[:2]) < gaps] = np.nan
    return Acted(Document(rig), Take(glue.markers, seen, rate, "cm", "talking"), weights, glue)


FEW = (
    "brow_left_inner", "brow_left_outer", "brow_right_inner", "brow_right_outer", "eye_left_inner", "eye_left_outer",
    "eye_right_inner", "eye_right_outer", "nose_tip", "mouth_corner_left", "mouth_corner_right", "chin",
)  # fmt: skip


def long(times: int) -> Take:
    """A take of 600 frames so many times, which is solved for a while; few markers, so that its file is not large."""
    take = acted(600, rate=120.0).take.only(FEW)
    return replace(take, positions=np.tile(take.positions.round(3), (times, 1, 1)), name="long")


def bound(made: Acted) -> Document:
    """The document with the take brought and glued by names."""
    return bring_take(made.document, made.take)


def loose(take: Take) -> Take:
    """The same take under names that say nothing."""
    return take.renamed({name: f"M{i:02d}" for i, name in enumerate(take.names)})
