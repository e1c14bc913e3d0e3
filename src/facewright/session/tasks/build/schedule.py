"""What of a build is done next."""

from __future__ import annotations

from time import monotonic
from typing import Literal

from facewright.session.tasks.build.compare import same_decisions
from facewright.session.tasks.build.state import BuildState
from facewright.workflow.build.plan import BuildPlan

Doing = Literal["", "checking", "pairing", "registering", "solving"]
Request = Literal["pair", "register", "solve"]
_PAUSE = 0.35  # seconds without a change, before the plan is solved unasked


class BuildSchedule:
    """What was asked for, and for which plans something is done already.

    What comes next follows from this and from what is known of the plan. It is asked after every change and every
    end of a job, so no wish can be lost between two threads: whatever changed meanwhile is seen the next time.
    """

    def __init__(self) -> None:
        self.asked: set[Request] = set()
        self.along = True  # solve after each change
        self.settled_for: BuildPlan | None = None  # as it was checked, with the guesses filled in
        self.not_unasked: BuildPlan | None = None  # this plan was stopped, or could not be solved
        self.paired_for: BuildPlan | None = None  # pairs were looked for, unasked
        self.changed_at = monotonic()

    def next(self, known: BuildState) -> Doing:
        """What the plan needs now."""
        plan, settled = known.plan, self.settled_for
        if "pair" in self.asked:
            return "pairing"
        if "register" in self.asked:
            return "registering"
        if settled is None or not same_decisions(settled, plan):
            return "checking"
        checked = known.checked
        assert checked is not None
        paired = self.paired_for is not None and self.paired_for.same_faces(plan)
        if checked.other_topology and not plan.pairs and plan.registered is None and not paired:
            return "pairing"
        unasked = self.along and known.quick and not known.current and self.not_unasked is not plan
        if not checked.reason and ("solve" in self.asked or unasked):
            return "solving"
        self.asked.discard("solve")
        return ""

    def pause(self) -> float:
        """Seconds that are left until the plan is solved."""
        return 0.0 if "solve" in self.asked else self.changed_at + _PAUSE - monotonic()
