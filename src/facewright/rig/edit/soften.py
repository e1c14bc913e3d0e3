"""A combination that takes back what two sliders overshoot when both are on."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from facewright.arrays import Floats
from facewright.errors import BadValue
from facewright.rig.edit.extract import extract_corrective
from facewright.rig.evaluate import evaluate
from facewright.rig.rig import Rig

_SEEN = 1e-6  # of the rig's size: smaller motion is not visible


def soften_pair(rig: Rig, name: str, pose: Mapping[str, float]) -> Rig:
    """Add a combination of two sliders with which their motions, both at the values of the pose, do not add up.

    With a and b the motions of a vertex by each slider alone, L the longer of both lengths, l the shorter and t the
    angle between them, the sum is shortened to sqrt(L^2 + (l sin t)^2), in its own direction: the longer motion, and
    what of the shorter one goes across it. Motions that are parallel come to the longer one, motions at a right angle
    or more are left as they are, and so is a vertex that only one slider moves. What combinations of the rig already
    do in the pose counts as part of the sum.
    """
    if len(pose) != 2:
        raise BadValue(f"two sliders are softened together, not {', '.join(pose) or 'none'}")
    posed = evaluate(rig, pose)
    one, other = (evaluate(rig, {slider: value}) - rig.neutral for slider, value in pose.items())
    excess = overshoot(one, other, posed - rig.neutral)
    if np.linalg.norm(excess, axis=1).max(initial=0.0) <= _SEEN * rig.size:
        raise BadValue(
            f"{' and '.join(pose)} do not overshoot together, so that there is nothing to soften; begin with an "
            "empty combination to sculpt what they should do"
        )
    return extract_corrective(rig, name, dict(pose), posed - excess)


def overshoot(one: Floats, other: Floats, both: Floats) -> Floats:
    """What is too much (v, 3) in the motion (v, 3) of two sliders together, by the motions (v, 3) of each alone."""
    lengths = np.linalg.norm([one, other], axis=2)  # (2, v)
    longer, shorter = lengths.max(axis=0), lengths.min(axis=0)
    product = np.einsum("vc,vc->v", one, other)
    along = np.divide(product, longer, out=np.zeros(len(longer)), where=longer > 0)  # the shorter one, on the longer
    wanted = np.sqrt(longer**2 + np.maximum(shorter**2 - along**2, 0))
    summed, now = np.linalg.norm(one + other, axis=1), np.linalg.norm(both, axis=1)
    most = np.where(along > 0, summed - wanted, 0.0)  # combinations may go further by intention
    amount = np.clip(now - wanted, 0, np.maximum(most, 0))
    share = np.divide(amount, now, out=np.zeros(len(now)), where=now > 0)
    return np.asarray(share[:, None] * both)
