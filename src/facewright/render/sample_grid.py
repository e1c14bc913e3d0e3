"""The places of the samples of a picture, in fixed point.

A pixel has 1, 2, 4, 8 or 16 samples, each in a row and a column of its own, so that edges of every slope are smooth. A
grid of samples has one row for each row of samples and one column for each pixel.
"""

from dataclasses import dataclass
from typing import cast

import numpy as np

from facewright.arrays import Floats, Ints
from facewright.errors import BadValue

STEPS = 2**12  # fixed-point steps in a sample's width; with GUARD, products stay below 2^62
LARGEST = 2**14  # rows or columns of samples in a picture
# The column of the sample in each row of a pixel; each column occurs once.
PATTERNS = {1: [0], 2: [1, 0], 4: [1, 3, 0, 2], 8: [3, 6, 1, 4, 7, 2, 5, 0]}
PATTERNS[16] = [(7 * row + 3) % 16 for row in range(16)]


@dataclass(frozen=True, eq=False)
class SampleGrid:
    """Rows and columns of samples."""

    rows: int
    columns: int
    # (samples,) offset of the first sample of a row from the left side of the picture, for consecutive rows
    shifts: Ints

    @classmethod
    def of(cls, size: tuple[int, int], samples: int) -> "SampleGrid":
        """The grid of a picture (width, height) with so many samples for each pixel."""
        if samples not in PATTERNS:
            raise BadValue(f"a pixel can have {', '.join(map(str, PATTERNS))} samples, not {samples}")
        rows, columns = size[1] * samples, size[0]
        if not (0 < columns <= LARGEST and 0 < rows <= LARGEST):
            raise BadValue(
                f"a picture with {samples} samples a pixel can be 1 to {LARGEST} pixels wide and 1 to "
                f"{LARGEST // samples} high, not {size[0]} x {size[1]}"
            )
        return cls(rows, columns, (2 * np.array(PATTERNS[samples]) + 1) * (STEPS // (2 * samples)))

    def places(self) -> Floats:
        """Places (n, 2) of the samples in their pixel, x and y from 0 to 1, y down."""
        count = len(self.shifts)
        return np.stack([self.shifts / STEPS, (np.arange(count) + 0.5) / count], axis=1)

    def x(self, row: Ints, column: Ints | int) -> Ints:
        """X of samples in fixed point."""
        return cast(Ints, self.shifts[row % len(self.shifts)] + np.asarray(column) * STEPS)

    def y(self, row: Ints) -> Ints:
        """Y of samples in fixed point."""
        return row * STEPS + STEPS // 2
