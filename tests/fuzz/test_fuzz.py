import os
import time
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random

from tests.fuzz.originals import FORMATS, originals, used
from tests.fuzz.run import counted, guarded, run


def test_a_broken_file_loads_or_is_refused_in_time_and_inside_its_folder() -> None:
    outcomes, failures = run(range(1400), seed=7)
    assert not failures, "\n".join(f"{f.name} case {f.case}: {f.what}" for f in failures[:5])
    assert sum(outcomes.values()) == 1400
    assert sum(count for key, count in outcomes.items() if key.endswith("refused")) > 300


def test_every_file_is_read_and_used_before_it_is_broken(tmp_path: Path) -> None:
    assert set(FORMATS) <= set(originals(tmp_path))
    for name in FORMATS:
        used(name, tmp_path / name)


def _troubled(answers: Connection, cases: range, seed: int) -> None:
    """Work that hangs in case 2 and dies in case 5."""
    for case in cases:
        while case == 2:
            time.sleep(0.1)
        if case == 5:
            os._exit(1)
        answers.send((case, "file", Random(case).choice(["loaded", "refused"])))


def test_a_case_that_hangs_and_one_that_dies_are_failures_and_the_others_go_on() -> None:
    outcomes, failures = counted(guarded([range(4), range(4, 8)], 0, _troubled, patience=3.0))
    assert {failure.case: failure.what for failure in failures} == {2: "no answer after 3 s", 5: "the process died"}
    assert sum(outcomes.values()) == 8
