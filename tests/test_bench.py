"""The benchmarks run: what they measure changes with the studio's messages, and nothing else would say so."""

import pytest
from bench import fbx, studio
from bench.row import Row


@pytest.fixture(scope="module")
def rows() -> list[Row]:
    return list(studio.rows(vertices=1000, moves=10))


@pytest.mark.long  # a quicker test holds the same
def test_drags_and_a_flood_are_measured_for_both_sizes(rows: list[Row]) -> None:
    assert [(row.task, row.case) for row in rows] == [
        ("studio drag", "1K x 52"),
        ("studio flood", "1K x 52, second half"),
        ("studio drag", "1K x 150"),
        ("studio flood", "1K x 150, second half"),
    ]


@pytest.mark.long  # a quicker test holds the same
def test_every_figure_is_a_time_beside_a_time(rows: list[Row]) -> None:
    assert all(0 < row.median <= row.worst and row.baseline_median > 0 for row in rows)


def test_reading_fbx_is_measured_beside_inflating_it() -> None:
    found = list(fbx.rows(vertices=500, shapes=4))
    assert [row.case.split(",")[0] for row in found] == ["0.5K x 4"] * 2
    assert all(row.baseline == "reading the bytes and inflating them" and row.median >= 0 for row in found)
