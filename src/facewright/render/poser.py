"""Vertex positions of a posed face as they are drawn: shapes, parts that follow the skin, eyes, the head's turn."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike

from facewright.arrays import Floats
from facewright.capture.followers import followers
from facewright.document import Document
from facewright.formats.character import character_of
from facewright.regions.local_pose import is_local, weights_of
from facewright.regions.region_evaluator import RegionEvaluator
from facewright.rig.character import HeadTurn
from facewright.rig.evaluate import Evaluator
from facewright.rig.gaze import EYE_LIMITS, Aim, Gaze
from facewright.rig.head_motion import posed_head


class Poser:
    """A document's face, prepared for many poses."""

    def __init__(self, document: Document) -> None:
        self.document = document
        # (v, 2) of head and neck, by the file's skin; None: all vertices turn with the head
        self.shares = character_of(document).face if document.head is not None and document.head.joints else None
        self._evaluate = Evaluator(document.rig)
        self._regions = None if document.regions is None else RegionEvaluator(document.rig, document.regions)
        limits = EYE_LIMITS if document.head is None else document.head.eye_limits
        self._followers, self._gaze = followers(document.rig), Gaze(document.rig, limits)

    def rest(self, look: ArrayLike | Aim | None = None) -> Floats:
        """Positions (v, 3) in the document's own pose, with those of its regions and its controls of head and eyes.

        look: a point (3,) to look at instead.
        """
        return self.of(self.document, look)

    def of(self, document: Document, look: ArrayLike | Aim | None = None) -> Floats:
        """The same in the pose of a document of this very face."""
        head = posed_head(document.controls, document.head)
        if look is None:
            look = Aim.of(document.controls, head)
        elif head is not None and not isinstance(look, Aim):
            look = (np.asarray(look, np.float64) - head[1]) @ head[0]
        if is_local(document):
            posed = self.within_regions(weights_of(document), look=look)
        else:
            posed = self(document.pose, look=look)
        turn = HeadTurn.of(document.controls, document.head)
        return posed if turn is None else turn.moved(posed, self.shares)

    def __call__(
        self, weights: Mapping[str, float] | ArrayLike | None = None, *, look: ArrayLike | Aim | None = None
    ) -> Floats:
        """Positions (v, 3) for slider values (n,) or names to values of a head that is held still; look: a point (3,)
        that the eyes look at, or an aim.
        """
        given = self.document.rig.pose(weights)
        weights = self._looking(given, look)
        return self._shown(np.asarray(self._evaluate(weights)), look, given)

    def within_regions(self, weights: Floats, *, look: ArrayLike | Aim | None = None) -> Floats:
        """Positions (v, 3) for the slider values (r, n) of each of the finest regions."""
        assert self._regions is not None
        posed = self._regions(np.stack([self._looking(row, look) for row in weights]))
        return self._shown(posed, look, weights[0])

    def _looking(self, weights: Floats, look: ArrayLike | Aim | None) -> Floats:
        return weights if look is None or not len(self._gaze) else self._gaze.weights(weights, look)

    def _shown(self, positions: Floats, look: ArrayLike | Aim | None, weights: Floats) -> Floats:
        moved = self._followers.follow(self.document.rig.neutral, positions[None])[0]
        return moved if look is None or not len(self._gaze) else self._gaze.turned(moved, look, weights)
