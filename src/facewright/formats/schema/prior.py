"""Priors: which poses a face is likely to make."""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np

from facewright.arrays import Floats
from facewright.errors import BadFile, BadValue
from facewright.formats.schema.json import entry_from
from facewright.rig.prior import Prior

_FORMAT = "facewright prior"
_VERSION = 1
_MOST = 2048  # sliders; the eigenvalues of a larger covariance take long, and its JSON is more than is read
_MOST_FRAMES = 2**53
_LARGEST = 1e9  # value of a slider; its square and products of squares are finite
_ROUNDING = 1e-9  # as a prior allows, as a share of the largest number
_ROUGHLY = 1e-3  # negative eigenvalues of a covariance whose numbers were rounded, as a share of the largest number


class PriorEntry(msgspec.Struct, omit_defaults=True):
    """A prior. The covariance is symmetric, so that only its lower triangle is kept: row i has i + 1 numbers."""

    sliders: list[str]
    mean: list[float]
    covariance: list[list[float]]
    frames: int = 0
    sources: list[str] = []
    strength: float = 1.0

    @classmethod
    def of(cls, prior: Prior) -> PriorEntry:
        if len(prior.sliders) > _MOST:
            raise BadValue(f"priors of up to {_MOST:,} sliders are kept in files; this one has {len(prior.sliders):,}")
        rows = [row[: i + 1].tolist() for i, row in enumerate(prior.covariance)]
        return cls(
            list(prior.sliders),
            prior.mean.tolist(),
            rows,
            int(prior.frames),
            list(prior.sources),
            float(prior.strength),
        )

    def value(self) -> Prior:
        """The prior; every count and size is checked first."""
        n = len(self.sliders)
        if n > _MOST:
            raise BadFile(f"the prior has {n:,} sliders; at most {_MOST:,} are read")
        if self.frames > _MOST_FRAMES:
            raise BadFile(f"the prior claims {self.frames} frames")
        if len(self.mean) != n:
            raise BadFile(f"the mean has {len(self.mean)} numbers for {n} sliders")
        if [len(row) for row in self.covariance] != list(range(1, n + 1)):
            raise BadFile(f"the covariance is the lower triangle of {n} rows: 1 number, 2 numbers, ... {n} numbers")
        mean = np.array(self.mean, np.float64)
        covariance = _symmetric(self.covariance)
        if max(np.abs(mean).max(initial=0.0), np.abs(covariance).max(initial=0.0) ** 0.5) > _LARGEST:
            raise BadFile(f"values of sliders are at most {_LARGEST:g}; the mean or the covariance has larger ones")
        return Prior(
            tuple(self.sliders), mean, _without_rounding(covariance), self.frames, tuple(self.sources), self.strength
        )


def prior_from(data: Any) -> Prior:
    """A prior from decoded JSON."""
    try:
        return entry_from(data, PriorEntry, "a prior").value()
    except (BadValue, OverflowError) as problem:
        raise BadFile(f"the JSON does not describe a prior: {problem}") from problem


def prior_from_file(data: dict[str, Any]) -> Prior:
    """A prior from the decoded JSON of a file of its own."""
    if data.get("format") != _FORMAT or data.get("version") != _VERSION:
        raise BadFile(f'this must say "format": "{_FORMAT}" and "version": {_VERSION}')
    return prior_from(data)


def encode_prior(prior: Prior) -> bytes:
    """JSON with a line for each row of the covariance."""
    entry = PriorEntry.of(prior)
    head = {"format": _FORMAT, "version": _VERSION, **msgspec.to_builtins(entry)}
    del head["covariance"]
    rows = b",\n  ".join(map(msgspec.json.encode, entry.covariance))
    return msgspec.json.encode(head)[:-1] + b',\n "covariance": [\n  ' + rows + b"\n ]}\n"


def _symmetric(rows: list[list[float]]) -> Floats:
    """The matrix (n, n) with this lower triangle."""
    found = np.zeros((len(rows), len(rows)))
    for i, row in enumerate(rows):
        found[i, : i + 1] = found[: i + 1, i] = row
    return found


def _without_rounding(covariance: Floats) -> Floats:
    """The nearest covariance without negative eigenvalues, where they are so small that rounding may be the cause."""
    if not np.isfinite(covariance).all():
        return covariance  # refused by the prior, which says where
    largest = float(np.abs(covariance).max(initial=0.0))
    values, vectors = np.linalg.eigh(covariance)
    lowest = float(values.min(initial=0.0))
    if lowest >= -_ROUNDING * largest * len(values) or lowest < -_ROUGHLY * largest * len(values):
        return covariance
    mended = (vectors * values.clip(0)) @ vectors.T
    return np.asarray((mended + mended.T) / 2)
