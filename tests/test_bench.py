"""The benchmarks run: what they measure changes with the studio's messages, and nothing else would say so."""

import pytest
from bench import studio
from bench.row import Row


@pytest.fixture(scope="module")
def rows() -> list[Row]:
    return list(studio.rows(vertices=1000, moves=10))


def test_drags_and_a_flood_are_measured_for_both_sizes(rows: list[Row]) -> None:
    assert [(row.task, row.case) for row in rows] == [
        ("studio drag", "1K x 52"),
        ("studio flood", "1K x 52, second half"),
        ("studio drag", "1K x 150"),
        ("studio flood", "1K x 150, second half"),
    ]


def test_every_figure_is_a_time_beside_a_time(rows: list[Row]) -> None:
    assert all(0 < row.median <= row.worst and row.baseline_median > 0 for row in rows)
