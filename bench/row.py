"""How a figure is measured and shown: a median beside the median of a named baseline, as a ratio."""

from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter

import numpy as np


@dataclass(frozen=True)
class Row:
    task: str
    case: str
    median: float
    worst: float  # a percentile, in most rows the 99th
    baseline: str
    baseline_median: float  # same run
    goal: str = ""
    unit: str = "ms"
    percentile: int = 99

    @property
    def ratio(self) -> float:
        return self.median / self.baseline_median


def compare(
    task: str,
    case: str,
    run: Callable[[], object],
    *,
    baseline: tuple[str, Callable[[], object]],
    repeats: int = 50,
    goal: str = "",
) -> Row:
    """One row: `run` and the baseline timed in turn, so that both meet the same noise."""
    name, reference = baseline
    run()
    reference()
    times = np.array([(seconds(run), seconds(reference)) for _ in range(repeats)]) * 1000
    return Row(
        task,
        case,
        float(np.median(times[:, 0])),
        float(np.percentile(times[:, 0], 99)),
        name,
        float(np.median(times[:, 1])),
        goal,
    )


def seconds(run: Callable[[], object]) -> float:
    start = perf_counter()
    run()
    return perf_counter() - start
