"""What is known of a build plan: its checked faces, the last rig, and its poses as they are shown."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count

from facewright.arrays import Floats
from facewright.errors import BadValue
from facewright.session.context import Context
from facewright.session.tasks.build.compare import same_work
from facewright.workflow.build.plan import BuildPlan
from facewright.workflow.build.result import BuildResult, CheckedPlan, PoseFit

SMALL = 4e6  # vertices times shapes: below this a solve takes a second or two, and is done after each change


@dataclass(frozen=True, eq=False)
class PoseView:
    """A pose to be looked at, and the rig's version of it where there is one."""

    id: str
    example: Floats  # (v, 3)
    fit: PoseFit | None


class BuildState:
    """Changed by the session's thread. What it hands out is never changed, so that other threads may look at it."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._checked: CheckedPlan | None = None
        self._outcome: BuildResult | None = None
        self._ids = (f"{id(self):x}-{number}" for number in count())
        self.views: dict[str, PoseView] = {}  # by the pose's name

    @property
    def plan(self) -> BuildPlan:
        return self._context.plan.value

    @property
    def checked(self) -> CheckedPlan | None:
        """What is known of the plan's faces."""
        known = self._checked
        return known if known is not None and known.plan.same_faces(self.plan) else None

    @property
    def outcome(self) -> BuildResult | None:
        """The rig of the plan's faces, perhaps with fewer poses."""
        known = self._outcome
        return known if known is not None and known.plan.same_faces(self.plan) else None

    @property
    def quick(self) -> bool:
        """Whether the rig is small enough to be solved after each change."""
        rig = self.plan.template.rig
        return rig.vertex_count * len(rig.shapes) < SMALL

    @property
    def current(self) -> bool:
        """Whether the outcome is that of the plan."""
        return self.outcome is not None and same_work(self.outcome.plan, self.plan)

    def built(self) -> BuildResult:
        """The rig, to be opened or reported on."""
        if self.outcome is None:
            raise BadValue("nothing is built yet; load a neutral and some poses, and solve")
        return self.outcome

    def view(self, id: str) -> PoseView | None:
        """A pose to be looked at, by its id."""
        return next((view for view in tuple(self.views.values()) if view.id == id), None)

    def set_checked(self, checked: CheckedPlan) -> None:
        """Keep what was found out about the plan's faces, and show its poses with the fits that are known."""
        self._checked = checked
        fits = {} if self.outcome is None else self.outcome.fits
        self._show({name: (positions, fits.get(name)) for name, positions in checked.positions.items()})

    def set_failed(self, plan: BuildPlan, reason: str) -> None:
        """Keep why the faces of a plan could not be checked; the poses stay as they are shown."""
        self._checked = CheckedPlan(plan, reason)

    def set_outcome(self, outcome: BuildResult) -> None:
        """Keep the rig, and show the poses beside its versions of them."""
        self._outcome = outcome
        self._show({name: (fit.example, fit) for name, fit in outcome.fits.items()})

    def drop_views(self) -> None:
        """Show no poses, where nothing is known of the plan's faces."""
        self.views = self.views if self.checked is not None else {}

    def _show(self, seen: dict[str, tuple[Floats, PoseFit | None]]) -> None:
        views = {}
        for name, (example, fit) in seen.items():
            old = self.views.get(name)
            same = old is not None and old.example is example and old.fit is fit
            views[name] = old if old is not None and same else PoseView(next(self._ids), example, fit)
        self.views = views
