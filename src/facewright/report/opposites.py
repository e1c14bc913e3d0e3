"""Pairs of sliders that are the two directions of one motion, found by their names and by what they move."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import scipy.sparse as sp

from facewright.arrays import Floats
from facewright.motion.bake_layers import baked_clip
from facewright.motion.clip import Clip
from facewright.report.overlap import UNSEEN
from facewright.report.products import full_values
from facewright.rig.combine import Combine
from facewright.rig.names import canonical_name
from facewright.rig.rig import Rig
from facewright.rig.spelling import Spelling, spelling
from facewright.rig.ties import ties_by_name, ties_of

OPPOSITE = -0.75  # cosine of the motions of two sliders that go in opposite directions
_ON = 0.1  # of its full value: a slider that is on less hardly counts
_WORDS = (
    ("up", "down"), ("in", "out"), ("left", "right"), ("inward", "outward"), ("forward", "back"),
    ("forward", "backward"), ("open", "close"), ("open", "closed"), ("smile", "frown"), ("blink", "wide"),
    ("closed", "wide"), ("puff", "suck"), ("raise", "lower"), ("raiser", "lowerer"), ("wide", "narrow"),
    ("widen", "narrow"),
)  # fmt: skip
# The jaw as a whole goes left or right; a smile has a left and a right half.
_MIDDLE = frozenset({"jaw", "mouth", "chin", "tongue", "look", "eyes", "head"})
_SIDEWAYS = frozenset({"slide", "shift", "move", "turn", "go", "tip"})


@dataclass(frozen=True)
class Opposites:
    """Two sliders that are hardly meant to be on together."""

    first: str
    second: str
    by_name: bool
    cosine: float  # of their motions: -1 opposite, 0 orthogonal or apart

    @property
    def reason(self) -> str:
        """Why they are proposed, in words."""
        motions = f"motions ({self.cosine:.2f})" if self.cosine <= OPPOSITE else ""
        return f"by their {' and '.join(filter(None, ('names' if self.by_name else '', motions)))}"


def opposites(rig: Rig, clips: Iterable[Clip] = ()) -> tuple[Opposites, ...]:
    """Pairs of sliders that are proposed to exclude each other, in the rig's order.

    Those that do already are left out, and so are sliders that are tied or have a combination, because they are made
    to be on together, and those that a clip has on together.
    """
    clips = tuple(clips)
    known = {frozenset(pair) for pair in (*rig.exclusive, *ties_of(rig))}
    known |= {frozenset(pair) for shape in rig.shapes for pair in combinations(shape.sliders, 2)}
    cosines = motion_cosines(rig)
    named = set(_by_name(rig, cosines))
    moving = {(int(i), int(j)) for i, j in np.argwhere(np.triu(cosines <= OPPOSITE, 1))}
    return tuple(
        Opposites(rig.sliders[i], rig.sliders[j], (i, j) in named, float(cosines[i, j]))
        for i, j in sorted(named | moving)
        if frozenset((rig.sliders[i], rig.sliders[j])) not in known and not _together(rig, clips, i, j)
    )


def missing_ties(rig: Rig) -> tuple[tuple[str, str], ...]:
    """Ties that the names tell and the rig does not have: a slider, and the one that it should go no further than."""
    known = ties_of(rig)
    return tuple(pair for pair in ties_by_name(rig) if pair not in known)


def motion_cosines(rig: Rig) -> Floats:
    """The cosines (n, n) of the motions of single sliders from rest to their full values; 0 for a still one."""
    values = sp.csr_array(Combine(rig)(np.diag(full_values(rig))))  # (n, s)
    starts = np.concatenate([[0], np.cumsum([3 * len(shape.vertices) for shape in rig.shapes])])
    columns = [(3 * shape.vertices[:, None] + np.arange(3)).ravel() for shape in rig.shapes]
    offsets = [shape.offsets.ravel() for shape in rig.shapes]
    flat = (np.concatenate([*offsets, []]), np.concatenate([*columns, []]).astype(np.int64), starts)
    motion = values @ sp.csr_array(flat, shape=(len(rig.shapes), 3 * rig.vertex_count))
    gram = np.asarray((motion @ motion.T).toarray())
    lengths = np.sqrt(np.diag(gram))
    live = lengths > UNSEEN * rig.size
    scale = np.where(live, 1 / np.where(live, lengths, 1.0), 0.0)
    return np.asarray(gram * scale[:, None] * scale)


def _together(rig: Rig, clips: Iterable[Clip], i: int, j: int) -> bool:
    """Whether both of two sliders are on at a key of one of them, in any clip."""
    full = rig.full_values
    for clip in clips:
        clip = baked_clip(clip)
        one, other = clip.curves.get(rig.sliders[i]), clip.curves.get(rig.sliders[j])
        if one is not None and other is not None:
            at = np.union1d(one.times, other.times)
            if (np.minimum(np.abs(one(at)) / full[i], np.abs(other(at)) / full[j]) > _ON).any():
                return True
    return False


def _by_name(rig: Rig, cosines: Floats) -> Iterator[tuple[int, int]]:
    """Pairs i < j whose names differ in the direction alone."""
    spelled = [spelling(canonical_name(name)) for name in rig.sliders]
    index = {(one.words, one.side): i for i, one in reversed(list(enumerate(spelled)))}
    for i, one in enumerate(spelled):
        for words in _turned(one.words):
            j = index.get((words, one.side), -1)
            if j > i:
                yield i, j
        j = index.get((one.words, "Right" if one.side == "Left" else "Left"), -1) if _goes_sideways(one) else -1
        if j > i and cosines[i, j] <= 0:
            yield i, j


def _turned(words: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """The words with one that tells a direction replaced by its opposite."""
    for at, word in enumerate(words):
        for pair in _WORDS:
            if word in pair:
                yield (*words[:at], pair[word == pair[0]], *words[at + 1 :])


def _goes_sideways(spelled: Spelling) -> bool:
    """Whether left and right of a name are directions of the whole, not halves of the face."""
    words = set(spelled.words)
    return spelled.side is not None and bool(words & _MIDDLE) and words <= _MIDDLE | _SIDEWAYS
