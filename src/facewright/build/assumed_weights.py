"""What is assumed of the weights of poses before they are solved for.

A guess that was given is taken as it is. The weight that the template's shape needs is no second opinion where nobody
named a slider: how strong the template is counts by itself. Sliders that are on without a name are therefore assumed to
be as far on as sliders of posed faces usually are, with the doubt that is due.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from facewright.arrays import Floats
from facewright.build.examples import Example
from facewright.build.reach import Reach
from facewright.build.slider_evidence import NAMED, UNUSUAL, USUAL
from facewright.rig.rig import Rig


@dataclass(frozen=True, eq=False)
class AssumedWeights:
    """Of m poses and n sliders."""

    values: Floats  # (m, n); 0 where a slider is off
    named: NDArray[np.bool_]  # (m, n) whether a value was given, or is off
    doubt: Floats  # (m, n) standard deviations, as multiples of that of a given value

    @classmethod
    def of(cls, template: Rig, examples: Sequence[Example], reach: Sequence[Reach]) -> AssumedWeights:
        """Guesses of the examples, completed by what their reach found to be on."""
        found = np.array([known.guess for known in reach])
        given = np.array([one.guess if one.named else np.zeros_like(one.guess) for one in examples])
        named = (given != 0) | (found == 0)
        values = np.where(named, given, USUAL * np.sign(found) * template.full_values)
        return cls(np.clip(values, *template.bounds.T), named, np.where(named, 1.0, UNUSUAL / NAMED))
