"""Which sliders are on in a pose, where some or none are named, by how likely each choice makes the motion.

A person's shape is the template's, stronger here and weaker there: w (1 + f(x)) d(x), with a Gaussian process f over
the face, as in `amplitude`. The weight w is near its guess where one is given, and near what poses usually have
otherwise. All is normally distributed, so that the likelihood of a motion for a choice of sliders has a closed form, in
which the freedom of the fields is paid for: a slider that makes the fit a little better by chance does not make it more
likely.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from scipy.linalg.lapack import dtrtrs

from facewright.arrays import Floats, Ints
from facewright.build.amplitude import smooth_fields, spread_points
from facewright.rig.prior import NamePairs
from facewright.rig.rig import Rig
from facewright.solve.dual import solve_definite

# Chosen on kenji, edith and two ICT identities, with their own shapes and with smooth amplitudes.
_PLACES, _OWN_PLACES = 100, 8  # vertices that are looked at, on all that moves, and where each slider
_CLEARLY = 0.3  # moves as far as this share of its largest motion
_CENTRES = 6  # points that carry the fields
_VARIES = 0.5  # standard deviation of the fields
_NOISE, _SMALL = 0.2, 5e-4  # what fields do not explain: of the motion at a vertex, and of the rig's size
USUAL, UNUSUAL = 0.65, 0.25  # of a full value: a slider that is on, and the standard deviation
NAMED = 0.1  # the same of a guess that was given
_ODDS, _PARTNER = 10.0, 5.0  # logarithms of how unlikely a slider is that nobody named, and one whose partner is on
_SUPPORT = 0.1  # of the largest motion of a slider: where it moves
# Cosine of a slider's motion with what the others leave; below it, the slider makes up for something else. First where
# most of the motion is explained, then where more of it is left than `_CLOSE`. More is asked where sliders were named.
_ALIKE, _BESIDE, _CLOSE = (0.84, 0.93), (0.92, 0.97), 0.25
# A slider makes up for nothing else if without it so many times as much is left of a motion that is explained with it:
# where none is named, and where some are.
_NEEDED, _EXPLAINED = (1.3, 2.0), 0.35
_FAINT = 0.02  # of a full value: less is as good as off
# Logarithm of how unlikely a slider is that goes the other way everywhere, to which its fields have the freedom: a
# person's shape hardly does anywhere.
_AGAINST = 500.0
_CHANGES = 12  # of the choice
_TRIED, _SWAPPED = 8, 3  # sliders or pairs that are added in trials, and put in the place of another
_POOL = 8  # sliders that are looked at in a pose, besides those that are on where all may be,
_SEEN = 0.05  # at this share of a full value


@dataclass(frozen=True, eq=False)
class LikelySliders:
    """The most likely choice of sliders for a pose."""

    values: Floats  # (n,) shares of the sliders' full values


class SliderEvidence:
    """The motions (n, v, 3) that the sliders of a rig make at their full values, prepared for any poses."""

    def __init__(self, rig: Rig, motions: Floats) -> None:
        size, rest = rig.size or 1.0, rig.neutral
        self.at = _places(rest, (motions**2).sum(axis=2), _SMALL * size)  # (p,)
        fields = smooth_fields(rest[self.at], rest[spread_points(rest, self.at, _CENTRES)], size)
        self.fields = np.concatenate([np.ones((len(self.at), 1)), _VARIES * fields], axis=1)  # (p, q) the weight first
        self.motions, self.small = motions[:, self.at], _SMALL * size  # (n, p, 3)
        self.negative, self.positive = rig.bounds[:, 0] < 0, rig.bounds[:, 1] > 0  # (n,) ways that sliders can go
        self.apart = [{rig.slider_index(name) for name in pair} for pair in rig.exclusive]
        both = map(NamePairs(rig).with_partners, np.arange(len(motions))[:, None])
        self.pairs = sorted({tuple(pair.tolist()) for pair in both if len(pair) == 2})
        self.partner = {one: other for pair in self.pairs for one, other in (pair, pair[::-1])}

    def __call__(self, motion: Floats, guess: Floats, *, strict: bool = True) -> LikelySliders:
        """The sliders that are on in a motion (v, 3), with all of a guess (n,), which is of shares of full values.

        strict: refuse sliders that only make up for something else. That may be what sliders do together.
        """
        if not len(self.at) or not motion.any():
            return LikelySliders(guess.copy())
        return _Choice(self, motion[self.at], guess).best(strict=strict)

    def left(self, motion: Floats, values: Floats) -> float:
        """The share of a motion (v, 3) that sliders at such shares (n,) of their full values leave, where each may be
        stronger here and weaker there.
        """
        if not len(self.at) or not motion[self.at].any():
            return 0.0
        return _Choice(self, motion[self.at], values).left


def _places(rest: Floats, squares: Floats, small: float) -> Ints:
    """Vertices (p,), spread over what moves, and over what each slider moves; squares (n, v): of how far."""
    moved = np.flatnonzero(squares.sum(axis=0) > small**2)
    some = moved[:: max(1, len(moved) // (10 * _PLACES))]
    found = [spread_points(rest, some, _PLACES)]
    for row in squares:
        own = np.flatnonzero(row > max(_CLEARLY**2 * row.max(initial=0.0), small**2))
        found.append(spread_points(rest, own[:: max(1, len(own) // (10 * _OWN_PLACES))], _OWN_PLACES))
    return np.unique(np.concatenate(found))


class _Choice:
    """The likelihoods of all choices of sliders for one pose, a motion (p, 3)."""

    def __init__(self, rig: SliderEvidence, motion: Floats, guess: Floats) -> None:
        self._rig, self._guess = rig, guess
        self._named = frozenset(np.flatnonzero(guess).tolist())
        self._counts = 1 / (rig.small**2 + _NOISE**2 * (motion**2).sum(axis=1))  # (p,)
        ways = np.einsum("npa,pa->n", rig.motions, self._counts[:, None] * motion)
        signs = np.where(guess != 0, np.sign(guess), np.where(rig.negative & ((ways < 0) | ~rig.positive), -1.0, 1.0))
        self._mean, self._spread = np.where(guess != 0, guess, USUAL * signs), np.where(guess != 0, NAMED, UNUSUAL)
        self._pool = self._likely(signs, ways)
        self._row = {slider: row for row, slider in enumerate(self._pool)}
        self._refused = set[int]()
        self._prepare(motion)

    def _likely(self, signs: Floats, ways: Floats) -> list[int]:
        """Named sliders, those that alone explain most, and those that are on where all may be."""
        flat = (np.sqrt(self._counts)[:, None] * self._rig.motions * signs[:, None, None]).reshape(len(signs), -1)
        gram = flat @ flat.T
        own, towards = gram.diagonal(), signs * ways
        share = np.clip(np.divide(towards, own, out=np.zeros_like(own), where=own > 0), 0.0, 1.0)
        first = np.argsort(-share * (2 * towards - share * own), kind="stable")[:_POOL]
        ridge = np.diag(_FAINT * own + np.finfo(float).tiny)
        all_on, _ = solve_definite(gram + ridge, -towards, np.zeros_like(own), np.ones_like(own), start=0.5 * share)
        return sorted(
            self._named | set(first[share[first] > 0].tolist()) | set(np.flatnonzero(all_on > _SEEN).tolist())
        )

    def _prepare(self, motion: Floats) -> None:
        """Products of all fields and sliders of the pool with each other and with the motion."""
        rig, root = self._rig, np.sqrt(self._counts)[:, None]
        some = root * rig.motions[self._pool]  # (k, p, 3)
        k, q = len(some), rig.fields.shape[1]
        rows = (some[:, None] * rig.fields.T[None, :, :, None]).reshape(k * q, -1)
        scales = np.repeat(np.abs(self._mean[self._pool])[:, None], q, axis=1)  # fields are shares of the weight
        scales[:, 0] = self._spread[self._pool]
        rows *= scales.reshape(-1, 1)
        wanted = (root * motion).ravel()
        flat = some.reshape(k, -1)
        self._mean_of = self._mean[self._pool]
        self._scaled, self._motion = scales, motion
        self._lengths = lengths = (some**2).sum(axis=2)  # (k, p)
        alone = lengths.sum(axis=1, keepdims=True)
        # (k, q) how strong each slider is by its coefficients, on the whole of where it moves
        self._strong = scales * np.divide(lengths @ rig.fields, alone, out=np.ones_like(scales), where=alone > 0)
        self._gram = (rows @ rows.T).reshape(k, q, k, q)
        self._to_motion, self._to_means = (rows @ wanted).reshape(k, q), (rows @ flat.T).reshape(k, q, k)
        self._means, self._ways, self._whole = flat @ flat.T, flat @ wanted, float(wanted @ wanted)

    def best(self, *, strict: bool) -> LikelySliders:
        """The best choice; where it is strict, without sliders that only make up for something else."""
        first = found = self._climbed(self._named)
        least = _BESIDE if self._named else _ALIKE
        alike, left = self._alike(*found)
        while strict and alike:
            worst = min(alike, key=lambda one: alike[one])
            if alike[worst] >= least[left > _CLOSE]:
                break
            if found[0] == {worst}:  # something is on in a pose that moves
                found = first
                break
            self._refused.add(worst)
            fewer = self._climbed(found[0] - {worst})
            others, more = self._alike(*fewer)
            if left < _EXPLAINED and more > _NEEDED[bool(self._named)] * left:
                break
            found, alike, left = fewer, others, more
        values = np.zeros(len(self._guess))
        values[sorted(found[0])] = np.clip(found[1], -1.0, 1.0)
        return LikelySliders(values)

    @property
    def left(self) -> float:
        """The share of the motion that the named sliders leave."""
        return self._alike(self._named, *self._evidence(self._named)[1:])[1]

    def _climbed(self, now: frozenset[int]) -> tuple[frozenset[int], Floats, Floats]:
        """Adds, removes and exchanges sliders as long as that makes the motion more likely."""
        found = self._evidence(now)
        for _ in range(_CHANGES):
            tried = [(self._evidence(one), one) for one in self._changed(now, found[1])]
            if not tried:
                break
            more, choice = max(tried, key=lambda one: one[0][0])
            if more[0] <= found[0]:
                break
            now, found = choice, more
        return now, *found[1:]

    def _changed(self, now: frozenset[int], weights: Floats) -> Iterable[frozenset[int]]:
        """Choices that differ from this one by a slider, a pair, or one slider for another."""
        rows = [self._row[slider] for slider in sorted(now)]
        left = self._ways - self._means[:, rows] @ weights
        own = self._means.diagonal()
        share = np.clip(np.divide(left, own, out=np.zeros_like(left), where=own > 0) / np.sign(self._mean_of), 0.0, 1.0)
        gains = share * (2 * left * np.sign(self._mean_of) - share * own)
        pool = set(self._pool) - now - self._refused
        groups = [(slider,) for slider in pool] + [pair for pair in self._rig.pairs if pool >= set(pair)]
        free = [group for group in groups if not self._clashes(now | set(group))]
        free.sort(key=lambda group: (-sum(gains[self._row[one]] for one in group), group))
        unnamed = sorted(now - self._named)
        yield from (now | set(group) for group in free[:_TRIED])
        yield from (now - {one} for one in unnamed)
        yield from ((now - {one}) | set(group) for one in unnamed for group in free[:_SWAPPED])

    def _clashes(self, choice: frozenset[int]) -> bool:
        return any(pair <= choice for pair in self._rig.apart)

    def _evidence(self, choice: frozenset[int]) -> tuple[float, Floats, Floats]:
        """The logarithm of the likelihood; of the sliders in their order the strengths (k,), and the fields (k, q)."""
        sliders = sorted(choice)
        odds = -sum(self._unlikely(one, choice) for one in choice - self._named)
        rows = [self._row[one] for one in sliders]
        means = self._mean_of[rows]
        rest = self._whole - 2 * means @ self._ways[rows] + means @ self._means[np.ix_(rows, rows)] @ means
        if not sliders:
            return -0.5 * rest, means, np.zeros((0, self._to_motion.shape[1]))
        q = self._to_motion.shape[1]
        system = self._gram[rows][:, :, rows].reshape(len(rows) * q, -1)
        factor = np.linalg.cholesky(system + np.eye(len(system)))
        ways = (self._to_motion[rows] - self._to_means[rows][:, :, rows] @ means).ravel()
        # thousands of small systems: what `solve_triangular` checks takes several times as long as to solve them
        along = dtrtrs(factor.T, ways, lower=0, trans=1)[0]
        free = dtrtrs(factor.T, along, lower=0)[0]
        evidence = -0.5 * (rest - along @ along) - np.log(factor.diagonal()).sum() + odds
        fields = free.reshape(-1, q)
        weights = means + (self._strong[rows] * fields).sum(axis=1)
        evidence -= _AGAINST * float(self._against(sliders, fields).sum())
        if (weights * np.sign(means) <= _FAINT).any():
            evidence = -np.inf
        return float(evidence), weights, fields

    def _fields(self, sliders: list[int], free: Floats) -> Floats:
        """How strong sliders are at each vertex (k, p), by the coefficients (k, q) of their fields."""
        rows = [self._row[one] for one in sliders]
        return np.asarray(self._mean[sliders][:, None] + (self._scaled[rows] * free) @ self._rig.fields.T)

    def _against(self, sliders: list[int], free: Floats) -> Floats:
        """The share of each slider's motion that goes the other way, by the coefficients (k, q) of their fields."""
        fields, lengths = self._fields(sliders, free), self._lengths[[self._row[one] for one in sliders]]
        back = (lengths * np.maximum(-fields * np.sign(self._mean[sliders])[:, None], 0.0)).sum(axis=1)
        whole = (lengths * np.abs(fields)).sum(axis=1)
        return np.asarray(np.divide(back, whole, out=np.zeros_like(whole), where=whole > 0))

    def _alike(self, choice: frozenset[int], weights: Floats, free: Floats) -> tuple[dict[int, float], float]:
        """The cosine of each unnamed slider's motion with what the others leave, and the share that all leave.

        weights: (k,) of the sliders that are on. free: coefficients (k, q) of their fields.
        """
        sliders = sorted(choice)
        made = self._fields(sliders, free)[:, :, None] * self._rig.motions[sliders]  # (k, p, 3)
        left = self._motion - made.sum(axis=0)
        found = {
            slider: self._cosine(own, left + own)
            for slider, own in zip(sliders, made, strict=True)
            if slider not in self._named
        }
        return found, float(np.linalg.norm(left) / np.linalg.norm(self._motion))

    def _cosine(self, own: Floats, other: Floats) -> float:
        """Of two motions (p, 3), where the first one moves."""
        lengths = (own**2).sum(axis=1)
        counts = np.where(lengths > _SUPPORT**2 * lengths.max(initial=0.0), self._counts, 0.0)
        sizes = (counts @ lengths) * (counts @ (other**2).sum(axis=1))
        return float(counts @ (own * other).sum(axis=1) / np.sqrt(sizes)) if sizes > 0 else 0.0

    def _unlikely(self, slider: int, choice: frozenset[int]) -> float:
        other = self._rig.partner.get(slider)
        if other is None or other not in choice:
            return _ODDS
        # of an unnamed pair one is as unlikely as any other slider
        return _ODDS if other not in self._named and slider < other else _PARTNER
