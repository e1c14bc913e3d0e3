"""Whether two build plans come to the same, and a plan with the guesses that it lacks."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from facewright.workflow.build.plan import BuildPlan, change_pose

Guess = Mapping[str, float]


def same_work(one: BuildPlan, other: BuildPlan) -> bool:
    """Whether two plans come to the same rig; a guess that is still to be made may be any."""
    return _alike(one, other, lambda a, b: a is None or b is None or dict(a) == dict(b))


def same_decisions(one: BuildPlan, other: BuildPlan) -> bool:
    """Whether two plans say the same, also about which guesses are still to be made."""
    return _alike(one, other, lambda a, b: (a is None) == (b is None) and dict(a or {}) == dict(b or {}))


def filled(plan: BuildPlan, guesses: Mapping[str, Guess]) -> BuildPlan:
    """The plan with guesses where there were none."""
    lacking = [pose.name for pose in plan.poses if pose.guess is None and pose.name in guesses]
    for name in lacking:
        plan = change_pose(plan, name, guess=guesses[name])
    return plan


def _alike(one: BuildPlan, other: BuildPlan, same_guess: Callable[[Guess | None, Guess | None], bool]) -> bool:
    if one is other:
        return True
    same = one.same_faces(other) and one.trust == other.trust and len(one.poses) == len(other.poses)
    return same and all(
        a.name == b.name
        and a.face is b.face
        and (a.aligned, a.add_missing) == (b.aligned, b.add_missing)
        and same_guess(a.guess, b.guess)
        for a, b in zip(one.poses, other.poses, strict=True)
    )
