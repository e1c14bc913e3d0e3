"""Vertex positions of a posed face as they are drawn: shapes, parts that follow the skin, eyes that look at a point."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike

from facewright.arrays import Floats
from facewright.capture.followers import followers
from facewright.document import Document
from facewright.regions.local_pose import is_local, weights_of
from facewright.regions.region_evaluator import RegionEvaluator
from facewright.rig.evaluate import Evaluator
from facewright.rig.gaze import Gaze


class Poser:
    """A document's face, prepared for many poses."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self._evaluate = Evaluator(document.rig)
        self._regions = None if document.regions is None else RegionEvaluator(document.rig, document.regions)
        self._followers, self._gaze = followers(document.rig), Gaze(document.rig)

    def rest(self, look: ArrayLike | None = None) -> Floats:
        """Positions (v, 3) in the document's own pose, including those of its regions; look: a
        point (3,) to look at.
        """
        if not is_local(self.document):
            return self(self.document.pose, look=look)
        return self.within_regions(weights_of(self.document), look=look)

    def __call__(
        self, weights: Mapping[str, float] | ArrayLike | None = None, *, look: ArrayLike | None = None
    ) -> Floats:
        """Positions (v, 3) for slider values (n,) or names to values; look: a point (3,) that the eyes look at."""
        weights = self.document.rig.pose(weights)
        if look is not None and len(self._gaze):
            weights = self._gaze.weights(weights, look)
        return self._shown(np.asarray(self._evaluate(weights)), look)

    def within_regions(self, weights: Floats, *, look: ArrayLike | None = None) -> Floats:
        """Positions (v, 3) for the slider values (r, n) of each of the finest regions."""
        assert self._regions is not None
        if look is not None and len(self._gaze):
            weights = np.stack([self._gaze.weights(row, look) for row in weights])
        return self._shown(self._regions(weights), look)

    def _shown(self, positions: Floats, look: ArrayLike | None) -> Floats:
        moved = self._followers.follow(self.document.rig.neutral, positions[None])[0]
        return moved if look is None or not len(self._gaze) else self._gaze.turned(moved, look)
