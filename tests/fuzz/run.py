"""`python -m tests.fuzz.run --count 20000`: every mutated file is read and used, or refused by our own error.

With `--resume FILE` what was done is kept in a file: a run that was stopped goes on, and one with a greater count does
the further cases alone. Cases that failed are tried again.

Each case has a limit on its time and its memory. A case that ends in any other way is a failure: another error, an
error that only the last net turned into ours, more memory or time, a process that hangs or dies.
"""

import argparse
import gc
import json
import multiprocessing
import os
import sys
import tempfile
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import asdict, dataclass, field
from functools import partial
from itertools import pairwise
from multiprocessing.connection import Connection, wait
from pathlib import Path
from random import Random

import numpy as np

from facewright.errors import FacewrightError, FacewrightWarning
from facewright.formats.files import write_atomically
from facewright.formats.usd.process import reused_process
from tests.bounded import limit_memory
from tests.formats.usd_needed import HAS_USD
from tests.fuzz import mutate
from tests.fuzz.beside import NAME, place
from tests.fuzz.originals import FORMATS, TURNS, originals, used

SECONDS, BYTES = 5.0, 1 << 30
LARGEST = 16 << 20  # bytes of a case: the limits are for small files
MEMORY = Path("/dev/shm")  # folders there are not written to a disk
PATIENCE = 60.0  # seconds without a word from a process, after which it is ended
_ONLY = "FACEWRIGHT_FUZZ_ONLY"  # variable that the processes get from the command line
_KEEPS = 5.0  # seconds between writes of what was done
_TELLS = 0.2  # seconds of outcomes that a process sends at once
_ESCAPED = Path("/tmp/escape")  # that names in broken files lead to
_START = 30.0  # seconds that a process may take to start

# Errors that mean a mistake in a reader or a solver, even where the last net turns them into ours
MISTAKES = (TypeError, LookupError, ArithmeticError, AttributeError, AssertionError, NameError, MemoryError)
Check = Callable[[int, int], tuple[str, str]]  # case and seed to the kind of file and the outcome


@dataclass(frozen=True)
class Failure:
    name: str
    case: int
    what: str


def name_of(case: int) -> str:
    """The file that a case breaks: each in its turn, or those alone that the command line names."""
    only = os.environ.get(_ONLY, "")
    turns = [name for name in FORMATS if only in name] if only else TURNS
    return turns[case % len(turns)]


class Checker:
    """Makes and checks cases in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        for name in ("files", "case"):
            (folder / name).mkdir()
        self._files = originals(folder / "files")
        self._known = {*os.listdir(folder)}

    def __call__(self, case: int, seed: int) -> tuple[str, str]:
        """The kind of file of a case, and 'loaded' or 'refused'; anything else is a failure in words."""
        name = name_of(case)
        return name, self.check(name, mutated(name, self._files[name], case, seed), Random(f"{seed} {case}"))

    def check(self, name: str, data: bytes, rng: Random) -> str:
        path = self._folder / "case" / name
        kind = place(path.parent, self._files[NAME], rng) if name == "linked.gltf" else ""
        path.write_bytes(data)
        start = time.process_time()
        outcome = _outcome(name, path)
        seconds = time.process_time() - start
        if seconds > SECONDS:
            outcome = f"took {seconds:.1f} s, and was {outcome}"
        if left := self._outside():
            outcome = f"wrote outside its folder, or left temporary files: {', '.join(left)}"
        return outcome if outcome in ("loaded", "refused") or not kind else f"{kind}: {outcome}"

    def _outside(self) -> list[str]:
        """Files that no case may have written; the temporary ones of readers are here while `in_memory`."""
        found = {*os.listdir(self._folder)} - self._known
        self._known |= found
        return [*sorted(found), *map(str, filter(Path.exists, [_ESCAPED]))]


@contextmanager
def in_memory() -> Iterator[Path]:
    """A folder that is not on a disk, where there is such a thing; all temporary files are made in it meanwhile."""
    before = tempfile.tempdir, os.environ.get("TMPDIR")
    with tempfile.TemporaryDirectory(dir=MEMORY if os.access(MEMORY, os.W_OK) else None) as folder:
        tempfile.tempdir = os.environ["TMPDIR"] = folder
        try:
            yield Path(folder)
        finally:
            tempfile.tempdir = before[0]
            os.environ.pop("TMPDIR") if before[1] is None else os.environ.update(TMPDIR=before[1])


def _outcome(name: str, path: Path) -> str:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FacewrightWarning)  # what is left out of a broken file is no failure
            used(name, path)
    except FacewrightError as problem:
        return _checked(problem)
    except BaseException:
        return traceback.format_exc()
    return "loaded"


def _checked(problem: FacewrightError) -> str:
    """'refused', unless the error hides a mistake."""
    cause = problem.__cause__
    if cause is None or isinstance(cause, FacewrightError) or not isinstance(cause, MISTAKES):
        return "refused" if len(str(problem)) < 3000 else f"a message of {len(str(problem))} characters"
    return "a mistake under our error:\n" + "".join(traceback.format_exception(problem))


def mutated(name: str, data: bytes, case: int, seed: int) -> bytes:
    rng = Random(f"{seed} {name} {case}")
    for _ in range(rng.choice([1, 1, 1, 2])):
        try:
            data = rng.choice(FORMATS[name])(data, rng)
        except Exception:  # a file broken once may be too broken to be broken with care again
            data = mutate.flipped(data, rng)
    return data[:LARGEST]


def run(cases: range, seed: int) -> tuple[Counter[str], list[Failure]]:
    """The cases one after the other, in this process."""
    with in_memory() as folder:
        checker = Checker(folder)
        return counted((case, *checker(case, seed)) for case in cases)


def counted(outcomes: Iterator[tuple[int, str, str]]) -> tuple[Counter[str], list[Failure]]:
    """How many cases of each kind ended how, and the failures."""
    counts: Counter[str] = Counter()
    failures = []
    for case, name, outcome in outcomes:
        short = outcome if outcome in ("loaded", "refused") else "failed"
        counts[f"{name} {short}"] += 1
        if short == "failed":
            failures.append(Failure(name, case, outcome))
    return counts, failures


def reported(
    outcomes: Iterator[tuple[int, str, str]], total: int, say: Callable[[str], object], every: float = 60.0
) -> Iterator[tuple[int, str, str]]:
    """The same outcomes, with a line about those so far every so many seconds."""
    begin = said = time.monotonic()
    failed = 0
    for done, outcome in enumerate(outcomes, 1):
        yield outcome
        failed += outcome[2] not in ("loaded", "refused")
        now = time.monotonic()
        if now - said >= every:
            said = now
            say(f"{done:,} of {total:,} cases, {done / (now - begin + 1e-9):,.0f} a second, {failed} failed")


@dataclass
class Kept:
    """What was done so far, in a file: counts by kind, failures, and the cases that are left up to some number."""

    file: Path | None
    seed: int = 0
    only: str = ""
    upto: int = 0  # cases that were to be done
    left: list[tuple[int, int]] = field(default_factory=list)  # ranges of them that are not done
    counts: dict[str, int] = field(default_factory=dict)
    failures: list[Failure] = field(default_factory=list)

    @classmethod
    def load(cls, file: Path | None, seed: int, only: str) -> "Kept":
        """What a file keeps; one of another seed or other files is refused. What failed is left to do again."""
        if file is None or not file.exists():
            return cls(file, seed, only)
        told = json.loads(file.read_text("utf8"))
        if (told["seed"], told["only"]) != (seed, only):
            raise SystemExit(
                f"{file}: this was begun with --seed {told['seed']} --only '{told['only']}'; name another one"
            )
        again = [(each["case"], each["case"] + 1) for each in told["failures"]]
        left = [(begin, end) for begin, end in told["left"]]
        counts = {kind: count for kind, count in told["counts"].items() if not kind.endswith(" failed")}
        return cls(file, seed, only, told["upto"], [*again, *left], counts)

    def parts(self, count: int, workers: int) -> list[range]:
        """What is left to do of so many cases, shared out."""
        if count > self.upto:
            self.left, self.upto = [*self.left, (self.upto, count)], count
        cut = [np.linspace(begin, end, workers + 1).astype(int).tolist() for begin, end in self.left]
        self.left = [pair for bounds in cut for pair in pairwise(bounds) if pair[0] < pair[1]]
        return [range(*pair) for pair in self.left]

    def keeping(self, outcomes: Iterator[tuple[int, str, str]]) -> Iterator[tuple[int, str, str]]:
        """The same outcomes, counted, and kept now and then."""
        saved = time.monotonic()
        try:
            for case, name, outcome in outcomes:
                self._count(case, name, outcome)
                if time.monotonic() - saved > _KEEPS:
                    saved = time.monotonic()
                    self.save()
                yield case, name, outcome
        finally:
            self.save()

    def _count(self, case: int, name: str, outcome: str) -> None:
        counts, failures = counted(iter([(case, name, outcome)]))
        for kind in counts:
            self.counts[kind] = self.counts.get(kind, 0) + 1
        self.failures += failures
        begun = ((case + 1 if begin == case else begin, end) for begin, end in self.left)  # parts go in order
        self.left = [pair for pair in begun if pair[0] < pair[1]]

    def save(self) -> None:
        if self.file is not None:
            told = {"seed": self.seed, "only": self.only, "upto": self.upto, "left": self.left, "counts": self.counts}
            told["failures"] = [asdict(each) for each in self.failures]
            write_atomically(self.file, json.dumps(told).encode())


def guarded(
    parts: list[range], seed: int, work: Callable[[Connection, range, int, float], None], patience: float = PATIENCE
) -> Iterator[tuple[int, str, str]]:
    """The outcomes of cases, each part of them in a process; a hang or the death of one is a failure of its case.

    A process tells many outcomes at once. After a hang or a death it is begun anew at the first case that was not told,
    and tells each by itself, so that the case is known.
    """
    context = multiprocessing.get_context("spawn")
    running: dict[Connection, _Part] = {}

    def begin(cases: range, tells: float) -> None:
        if len(cases):
            ours, theirs = context.Pipe(duplex=False)
            process = context.Process(target=work, args=(theirs, cases, seed, tells), daemon=True)
            process.start()
            theirs.close()
            running[ours] = _Part(process, cases, tells, time.monotonic() + _START)

    for cases in parts:
        begin(cases, _TELLS)
    while running:
        ready = wait(list(running), timeout=patience / 4)
        for pipe, part in list(running.items()):
            what = ""
            if pipe in ready:
                try:
                    told = pipe.recv()
                    yield from told
                    part.cases, part.heard = range(told[-1][0] + 1, part.cases.stop), time.monotonic()
                    continue
                except EOFError:
                    what = "the process died"
            elif time.monotonic() - part.heard > patience:
                what = f"no answer after {patience:g} s"
            if what:
                part.process.kill()
                part.process.join()
                pipe.close()
                del running[pipe]
                if part.tells:
                    begin(part.cases, 0.0)
                elif len(part.cases):
                    yield part.cases.start, name_of(part.cases.start), what
                    begin(part.cases[1:], _TELLS)


@dataclass
class _Part:
    """Cases that a process works on."""

    process: multiprocessing.process.BaseProcess
    cases: range  # that were not told yet
    tells: float  # seconds of outcomes that are told at once; 0: each by itself
    heard: float  # when it last told anything


def _work(answers: Connection, cases: range, seed: int, tells: float) -> None:
    """Check cases with limited memory, and send their outcomes."""
    warnings.simplefilter("ignore")
    with in_memory() as folder, reused_process() if HAS_USD else nullcontext():
        gc.freeze()  # what was imported is not looked through again
        checker, outcomes, sent = Checker(folder), list[tuple[int, str, str]](), time.monotonic()
        for case in cases:
            limit_memory(BYTES)  # beyond what earlier cases left
            outcomes.append((case, *checker(case, seed)))
            if time.monotonic() - sent >= tells or case == cases[-1]:
                answers.send(outcomes)
                outcomes, sent = [], time.monotonic()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=20000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--only", default="", help="break those files alone that have this in their names: .usd")
    parser.add_argument("--resume", type=Path, metavar="FILE", help="keep what was done there, and go on from it")
    options = parser.parse_args()
    if options.only and not any(options.only in name for name in FORMATS):
        parser.error(f"no file has {options.only} in its name; there are {', '.join(FORMATS)}")
    os.environ[_ONLY] = options.only
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # each thread takes address space
    run(range(1), options.seed)  # raises here if the files cannot be made
    kept = Kept.load(options.resume, options.seed, options.only)
    parts = kept.parts(options.count, options.workers)
    left = sum(map(len, parts))
    outcomes = kept.keeping(_in_turn(parts, options.workers, options.seed))
    for _ in reported(outcomes, left, partial(print, file=sys.stderr, flush=True)):
        pass
    for key, count in sorted(kept.counts.items()):
        print(f"{key:24} {count}")
    for failure in kept.failures[:20]:
        print(f"--- {failure.name} case {failure.case}\n{failure.what}")
    print(f"{sum(kept.counts.values()) - len(kept.failures)} passed, {len(kept.failures)} failed")
    sys.exit(bool(kept.failures))


def _in_turn(parts: list[range], workers: int, seed: int) -> Iterator[tuple[int, str, str]]:
    """The outcomes of parts, no more than so many at a time."""
    for first in range(0, len(parts), workers):
        yield from guarded(parts[first : first + workers], seed, _work)


if __name__ == "__main__":
    main()
