"""The thread that builds, so that the desk need not wait. Of what is wanted only the newest counts."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from facewright.build.builder import BuildIteration
from facewright.build.registration.nonrigid import RegistrationProgress
from facewright.errors import FacewrightError
from facewright.workflow.build.plan import BuildPlan, Pair, RegisteredTemplate
from facewright.workflow.build.register import propose_pairs, register_template
from facewright.workflow.build.result import BuildResult, CheckedPlan
from facewright.workflow.build.run import BuildRunner

Doing = Literal["", "checking", "pairing", "laying", "solving"]
_log = logging.getLogger(__name__)


@dataclass(frozen=True, eq=False)
class Wanted:
    """What is to be done with a plan."""

    plan: BuildPlan
    then: Literal["check", "pair", "lay", "solve"]
    after: float = 0.0  # seconds without anything newer, before it is solved


@dataclass(frozen=True)
class Step:
    """How far it is."""

    step: int
    steps: int
    error: float


@dataclass(frozen=True, eq=False)
class Found:
    """Pairs that were found for a plan."""

    plan: BuildPlan
    pairs: tuple[Pair, ...]


@dataclass(frozen=True, eq=False)
class LaidOn:
    """The template was laid onto the neutral."""

    plan: BuildPlan
    laid: RegisteredTemplate


@dataclass(frozen=True)
class Failed:
    """Why nothing came of it, for the person."""

    message: str


News = Doing | Step | CheckedPlan | BuildResult | Found | LaidOn | Failed


class BuildWorker:
    """`want`, `stop` and `close` are for any thread; `heard` is called in the worker's own."""

    def __init__(self, heard: Callable[[News], None]) -> None:
        self._heard = heard
        self._run = BuildRunner()
        self._changed = threading.Condition()
        self._wanted: Wanted | None = None
        self._stopping = self._closed = False
        self._thread = threading.Thread(target=self._work, name="builder", daemon=True)
        self._thread.start()

    def want(self, wanted: Wanted) -> None:
        """Do this next, instead of whatever else was wanted."""
        with self._changed:
            self._wanted = wanted
            self._changed.notify()

    def stop(self) -> None:
        """End what is being done, with what there is."""
        with self._changed:
            self._stopping = True
            if self._wanted is not None:  # it has not begun
                self._wanted = Wanted(self._wanted.plan, "check")
            self._changed.notify()

    def close(self) -> None:
        with self._changed:
            self._closed = True
            self._changed.notify()

    # In the worker's own thread

    def _work(self) -> None:
        while (wanted := self._next()) is not None:
            try:
                self._carry_out(wanted)
            except (FacewrightError, MemoryError) as problem:
                self._heard(Failed(str(problem) or "there is not enough memory for this build"))
            except Exception as problem:
                _log.exception("a build failed")
                self._heard(Failed(f"this went wrong inside the program: {problem!r}"))
            if self._wanted is None:
                self._heard("")

    def _next(self) -> Wanted | None:
        with self._changed:
            while self._wanted is None and not self._closed:
                self._changed.wait()
            wanted, self._wanted = self._wanted, None
            self._stopping = False
            return None if self._closed else wanted

    def _carry_out(self, wanted: Wanted) -> None:
        if wanted.then == "pair":
            self._heard("pairing")
            self._heard(Found(wanted.plan, propose_pairs(wanted.plan)))
        elif wanted.then == "lay":
            self._heard("laying")
            laid = register_template(wanted.plan, self._laying)
            if not self._stopping:
                self._heard(LaidOn(wanted.plan, laid))
        else:
            self._heard("checking")
            checked = self._run.check(wanted.plan)
            self._heard(checked)
            if wanted.then == "solve" and not checked.reason and self._settled(wanted.after):
                self._solve(checked)

    def _solve(self, checked: CheckedPlan) -> None:
        self._heard("solving")
        outcome = self._run.solve(checked, self._solving)
        if not self._overtaken():
            self._heard(outcome)

    def _settled(self, seconds: float) -> bool:
        """Whether nothing newer is wanted for so long."""
        end = time.monotonic() + seconds
        with self._changed:
            while self._wanted is None and not self._stopping and not self._closed and time.monotonic() < end:
                self._changed.wait(end - time.monotonic())
            return self._wanted is None and not self._stopping and not self._closed

    def _overtaken(self) -> bool:
        """Whether a newer plan is to be solved instead."""
        return self._closed or (self._wanted is not None and self._wanted.then != "check")

    def _solving(self, step: BuildIteration) -> bool:
        self._heard(Step(step.iteration, step.iterations, step.error))
        return not self._stopping and not self._overtaken()

    def _laying(self, step: RegistrationProgress) -> bool:
        self._heard(Step(step.step, step.steps, step.distance))
        return not self._stopping and not self._closed
