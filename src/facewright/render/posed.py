"""The vertices of a face in a pose, as they are shown."""

from __future__ import annotations

import numpy as np

from facewright.arrays import Floats
from facewright.document import Document
from facewright.rig.evaluate import Evaluator


class Poser:
    """A document's face, ready for many poses."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self._evaluate = Evaluator(document.rig)

    def __call__(self, weights: Floats) -> Floats:
        """Positions (v, 3) for slider values (n,)."""
        return np.asarray(self._evaluate(weights))
