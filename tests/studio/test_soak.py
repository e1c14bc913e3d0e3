"""The commands that kill a studio many times and work in it for long, run small so that they cannot go stale."""

import sys
from dataclasses import replace
from pathlib import Path

import pytest
from tools.crowd import crowd
from tools.kill_work import KINDS, KillingWork
from tools.kills import Killing
from tools.soak import MEGA, Footprint, check_flat, soak


@pytest.mark.parametrize("kills", [2, pytest.param(20, marks=pytest.mark.long)])
def test_kills_in_the_middle_of_work_lose_no_step_that_was_answered(tmp_path: Path, kills: int) -> None:
    killing = Killing(tmp_path, 3)
    for number in range(kills):
        killing.once(shapes=number % 2 == 0)
    assert killing.answered >= kills


@pytest.mark.parametrize(
    "kind", [kind if kind == "save" else pytest.param(kind, marks=pytest.mark.long) for kind in KINDS]
)
def test_a_kill_in_any_kind_of_work_loses_no_step_that_was_answered(tmp_path: Path, kind: str) -> None:
    killing = KillingWork(tmp_path, 5)
    killing.once(kind)
    assert killing.answered >= 1


@pytest.mark.skipif(sys.platform != "linux", reason="what a process has open is asked of Linux")
@pytest.mark.parametrize("seconds", [1.0, pytest.param(180.0, marks=pytest.mark.long)])
def test_nothing_grows_while_a_studio_is_worked_in(tmp_path: Path, seconds: float) -> None:
    samples = soak(tmp_path, seconds, 3, seconds / 60)
    assert samples
    if seconds > 60:
        check_flat(samples, memory_room=64 * MEGA)


FLAT = Footprint(200 * MEGA, 12, 30, 2, 5 * MEGA)


@pytest.mark.parametrize(
    "grown", [{"memory": 220 * MEGA}, {"threads": 30}, {"handles": 60}, {"temporary": 9}, {"state": 60 * MEGA}]
)
def test_what_grows_is_noticed(grown: dict[str, int]) -> None:
    check_flat([replace(FLAT, memory=MEGA)] * 3 + [FLAT] * 57)
    with pytest.raises(AssertionError, match=f"what grew: {next(iter(grown))} "):
        check_flat([FLAT] * 30 + [replace(FLAT, **grown)] * 30)


@pytest.mark.long  # one page sends such messages in a quicker one
def test_a_crowd_of_pages_that_send_nonsense_or_never_read_costs_nothing(tmp_path: Path) -> None:
    assert min(crowd(tmp_path, 2000, 30, seed=3, say=lambda line: None)) > 0
