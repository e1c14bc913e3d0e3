"""Vertex positions of a posed face as they are drawn: shapes, parts that follow the skin, eyes, the head's turn."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike

from facewright.arrays import Floats
from facewright.capture.followers import followers
from facewright.document import Document
from facewright.formats.character import character_of, gaze_of
from facewright.regions.local_pose import is_local, weights_of
from facewright.regions.region_evaluator import RegionEvaluator
from facewright.rig.character import HeadTurn
from facewright.rig.evaluate import Evaluator
from facewright.rig.gaze import Aim
from facewright.rig.head_motion import posed_head


class Poser:
    """A document's face, prepared for many poses."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.shares = character_of(document).face  # (v, 4), by the file's skin; None: all vertices turn with the head
        self._evaluate = Evaluator(document.rig)
        self._regions = None if document.regions is None else RegionEvaluator(document.rig, document.regions)
        self._followers, self._gaze = followers(document.rig), gaze_of(document)

    def rest(self, look: ArrayLike | Aim | None = None) -> Floats:
        """Positions (v, 3) in the document's own pose, with those of its regions and its controls of head and eyes.

        look: a point (3,) to look at instead.
        """
        return self.of(self.document, look)

    def of(self, document: Document, look: ArrayLike | Aim | None = None) -> Floats:
        """The same in the pose of a document of this very face."""
        look = _seen_by_head(document, look)
        if is_local(document):
            posed = self.within_regions(weights_of(document), look=look)
        else:
            posed = self(document.pose, look=look)
        turn = HeadTurn.of(document.controls, document.head)
        return posed if turn is None else turn.moved(posed, self.shares)

    def turn_of(self, document: Document, look: ArrayLike | Aim | None = None) -> HeadTurn | None:
        """Where head, neck and joints of the eyes are then; None: at rest."""
        turn = HeadTurn.of(document.controls, document.head)
        return self.turn(document.pose, _seen_by_head(document, look), turn)

    def turn(self, weights: Floats, look: ArrayLike | Aim | None, turn: HeadTurn | None = None) -> HeadTurn | None:
        """The turn of a head with that of the joints of the eyes, in a pose (n,); look: as the held head sees it."""
        if look is None or not (motions := list(self._gaze.joint_motions(look, weights))):
            return turn
        return (turn or HeadTurn()).looking(motions)

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


def _seen_by_head(document: Document, look: ArrayLike | Aim | None) -> ArrayLike | Aim | None:
    """What the eyes look at, a point (3,) in the scene or what the controls say, as a head that is held sees it."""
    head = posed_head(document.controls, document.head)
    if look is None:
        return Aim.of(document.controls, head)
    if head is None or isinstance(look, Aim):
        return look
    return np.asarray((np.asarray(look, np.float64) - head[1]) @ head[0])
