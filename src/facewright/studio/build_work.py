"""A rig being built from examples: what is decided, what came of it, and the way back."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import count

from facewright.arrays import Floats
from facewright.errors import BadValue
from facewright.rig.rig import Rig
from facewright.samples import sample
from facewright.workflow.build.plan import BuildPlan, GivenFace
from facewright.workflow.build.result import BuildResult, CheckedPlan, PoseFit

_LONGEST = 200  # decisions that can be taken back
SMALL = 4e6  # vertices times shapes: below this a solve takes a second or two
_SOON = 2.0  # seconds
WARM = 3  # iterations of a solve that goes on from the last
QUICK = 3.0  # seconds: what takes longer is not done unasked


@dataclass(frozen=True, eq=False)
class Decision:
    """One change of the plan."""

    label: str
    before: BuildPlan
    after: BuildPlan
    at: float  # seconds, by a clock that only runs forward


@dataclass(frozen=True, eq=False)
class View:
    """A pose to be looked at, and the rig's version of it where there is one."""

    id: str
    example: Floats  # (v, 3)
    met: PoseFit | None


class BuildWork:
    """For the desk's thread; what it hands out is never changed, so that other threads may look at it."""

    def __init__(self, prefix: str) -> None:
        self.plan = fresh_plan()
        self.along = True
        self._checked: CheckedPlan | None = None
        self._outcome: BuildResult | None = None
        self._views: dict[str, View] = {}  # by the pose's name
        self._ids = (f"{prefix}-{number}" for number in count())
        self._past: list[Decision] = []
        self._future: list[Decision] = []

    @property
    def undo_label(self) -> str:
        return self._past[-1].label if self._past else ""

    @property
    def redo_label(self) -> str:
        return self._future[-1].label if self._future else ""

    @property
    def checked(self) -> CheckedPlan | None:
        """What is known of the faces that there are now."""
        known = self._checked
        return known if known is not None and known.plan.same_faces(self.plan) else None

    @property
    def outcome(self) -> BuildResult | None:
        """The rig of the faces that there are now, perhaps with fewer poses."""
        known = self._outcome
        return known if known is not None and known.plan.same_faces(self.plan) else None

    @property
    def views(self) -> dict[str, View]:
        """Poses that can be looked at, by name."""
        return {} if self.checked is None else self._views

    @property
    def rest(self) -> Rig | None:
        """The neutral with the template's polygons."""
        return None if self.checked is None else self.checked.rest

    @property
    def quick(self) -> bool:
        """Whether solving after each change would not be noticed."""
        rig = self.plan.template.rig
        if self._outcome is not None and self._outcome.plan.template is self.plan.template:
            return WARM * self._outcome.seconds / max(self._outcome.steps, WARM) < QUICK
        return rig.vertex_count * len(rig.shapes) < SMALL

    @property
    def current(self) -> bool:
        """Whether the outcome is that of the plan."""
        return self.outcome is not None and same_work(self.outcome.plan, self.plan)

    def decide(self, label: str, change: Callable[[BuildPlan], BuildPlan], *, joined: bool = False) -> None:
        """Change the plan; what is joined follows the last decision of that label so soon that both are one."""
        now, before, after = time.monotonic(), self.plan, change(self.plan)
        if after is before:
            return
        last = self._past[-1] if self._past else None
        if joined and last is not None and last.label == label and now - last.at < _SOON:
            before = self._past.pop().before
        self._past = [*self._past, Decision(label, before, after, now)][-_LONGEST:]
        self._future = []
        self.plan = after

    def fill_in(self, change: Callable[[BuildPlan], BuildPlan]) -> None:
        """Change the plan by what was found out: no decision of anybody, taken back with the last one."""
        self.plan = change(self.plan)
        if self._past:
            self._past[-1] = replace(self._past[-1], after=self.plan)

    def undo(self) -> None:
        if self._past:
            self._future.append(self._past.pop())
            self.plan = self._future[-1].before

    def redo(self) -> None:
        if self._future:
            self._past.append(self._future.pop())
            self.plan = self._past[-1].after

    def restore(self, plan: BuildPlan, along: bool) -> None:
        self.plan, self.along = plan, along
        self._past, self._future = [], []

    def take_check(self, checked: CheckedPlan) -> None:
        """What can be built of the plan."""
        self._checked = checked
        met = {} if self.outcome is None else self.outcome.fits
        self._see({name: (positions, met.get(name)) for name, positions in checked.positions.items()})

    def take_outcome(self, outcome: BuildResult) -> None:
        """What was built."""
        self._checked, self._outcome = outcome.checked, outcome
        self._see({name: (met.example, met) for name, met in outcome.fits.items()})

    def view(self, id: str) -> View | None:
        return next((view for view in tuple(self._views.values()) if view.id == id), None)

    def built(self) -> BuildResult:
        """The rig, to be taken elsewhere."""
        if self.outcome is None:
            raise BadValue("nothing is built yet; load a neutral and some poses, and solve")
        return self.outcome

    def _see(self, seen: dict[str, tuple[Floats, PoseFit | None]]) -> None:
        views = {}
        for name, (example, met) in seen.items():
            old = self._views.get(name)
            same = old is not None and old.example is example and old.met is met
            views[name] = old if old is not None and same else View(next(self._ids), example, met)
        self._views = views


def fresh_plan() -> BuildPlan:
    return BuildPlan(GivenFace("embedded head", sample(), "sample"))


def same_work(one: BuildPlan, other: BuildPlan) -> bool:
    """Whether two plans come to the same rig."""
    if one is other:
        return True
    same = one.same_faces(other) and one.trust == other.trust and len(one.poses) == len(other.poses)
    return same and all(
        a.name == b.name
        and a.face is b.face
        and (a.aligned, a.add_missing) == (b.aligned, b.add_missing)
        and (a.guess is None or b.guess is None or dict(a.guess) == dict(b.guess))
        for a, b in zip(one.poses, other.poses, strict=True)
    )
