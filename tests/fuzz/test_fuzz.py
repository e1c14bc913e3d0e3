import os
import re
import time
import warnings
from itertools import islice, zip_longest
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random

import pytest

from facewright.errors import FacewrightWarning
from tests.fuzz.originals import FORMATS, originals, used
from tests.fuzz.run import Kept, counted, guarded, reported, run


def test_a_broken_file_loads_or_is_refused_in_time_and_inside_its_folder() -> None:
    outcomes, failures = run(range(700), seed=7)
    assert not failures, "\n".join(f"{f.name} case {f.case}: {f.what}" for f in failures[:5])
    assert sum(outcomes.values()) == 700
    assert sum(count for key, count in outcomes.items() if key.endswith("refused")) > 150


def test_every_file_is_read_and_used_before_it_is_broken(tmp_path: Path) -> None:
    assert set(FORMATS) <= set(originals(tmp_path))
    for name in FORMATS:
        used(name, tmp_path / name)


def _troubled(answers: Connection, cases: range, seed: int, tells: float) -> None:
    """Work that hangs in case 2 and dies in case 5."""
    for case in cases:
        while case == 2:
            time.sleep(0.1)
        if case == 5:
            os._exit(1)
        answers.send([(case, "file", Random(case).choice(["loaded", "refused"]))])


@pytest.mark.long  # its processes take half a minute to start again
def test_a_case_that_hangs_and_one_that_dies_are_failures_and_the_others_go_on() -> None:
    outcomes, failures = counted(guarded([range(4), range(4, 8)], 0, _troubled, patience=3.0))
    assert {failure.case: failure.what for failure in failures} == {2: "no answer after 3 s", 5: "the process died"}
    assert sum(outcomes.values()) == 8


def test_a_long_run_says_how_far_it_is_and_how_many_cases_failed() -> None:
    said: list[str] = []
    outcomes = [(0, "file", "loaded"), (1, "file", "the process died"), (2, "file", "refused")]
    assert list(reported(iter(outcomes), 2000, said.append, every=0.0)) == outcomes
    assert len(said) == 3
    assert re.fullmatch(r"3 of 2,000 cases, [\d,]+ a second, 1 failed", said[-1])


def test_what_is_left_out_of_a_broken_file_is_not_printed() -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        run(range(1), seed=7)
    assert not [one for one in caught if issubclass(one.category, FacewrightWarning)]


def test_a_run_that_was_stopped_goes_on_with_the_cases_that_are_left(tmp_path: Path) -> None:
    done: list[int] = []

    def some(most: int) -> None:
        kept = Kept.load(tmp_path / "kept.json", 3, "")
        cases = [case for turn in zip_longest(*kept.parts(40, 2)) for case in turn if case is not None]
        outcomes = kept.keeping((case, "file", "refused" if case % 7 else "broke") for case in cases)
        done.extend(case for case, _, _ in islice(outcomes, most))
        outcomes.close()  # type: ignore[attr-defined]

    for most in (5, 1, 20, 100):
        some(most)
    assert set(done) == set(range(40))
    kept = Kept.load(tmp_path / "kept.json", 3, "")
    assert (sum(kept.counts.values()), len(kept.failures)) == (34, 0)
    failed = sorted(each.start for each in kept.parts(40, 2))
    assert failed == list(range(0, 40, 7)), "what failed is tried again, and nothing else"
    outcomes = kept.keeping((case, "file", "refused") for case in failed)
    assert len(list(outcomes)) == len(failed)
    kept = Kept.load(tmp_path / "kept.json", 3, "")
    assert kept.parts(43, 2) == [range(40, 41), range(41, 43)]
    with pytest.raises(SystemExit, match="begun with --seed 3"):
        Kept.load(tmp_path / "kept.json", 4, "")
