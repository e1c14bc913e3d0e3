"""The rig of the person who is seen, from frames at rest."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from facewright.arrays import Floats
from facewright.errors import BadValue
from facewright.motion.depth import ScanSequence
from facewright.rig.rig import Rig
from facewright.samples.head import people, sample
from facewright.tracking.identity import FittedIdentity, fit_identity, people_modes


def person_at_rest(rig: Rig, sequence: ScanSequence, rest: Sequence[int]) -> FittedIdentity:
    """The same topology with the face of the person who is seen in some frames at rest."""
    if max(rest) >= len(sequence):
        raise BadValue(f"frame {max(rest)} is not at rest: there are {len(sequence)}, counted from 0")
    at = np.array(rest)
    frames = ScanSequence([sequence.frames[i] for i in rest], sequence.times[at], sequence.name)
    return fit_identity(rig, frames, modes=_modes(rig))


def person_note(person: FittedIdentity, frames: int) -> str:
    """How near the rig is to the person, in words."""
    left = 1000 * person.mean_residual
    return f"the person's own face was made of {frames} frames at rest; {left:.2f} mm of shape are left"


def _modes(rig: Rig) -> Floats | None:
    """Other people of the embedded head, where the rig has its topology."""
    head = sample()
    same = rig.vertex_count == head.vertex_count and np.array_equal(rig.polygons.corners, head.polygons.corners)
    return people_modes([rig.neutral, *(sample(name).neutral for name in people())]) if same else None
