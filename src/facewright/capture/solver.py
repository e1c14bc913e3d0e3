"""From a take to a clip: `TakeSolver(rig, binding)` prepares, `solve_take` does it once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypedDict, Unpack

import numpy as np

from facewright.capture.bind import bind
from facewright.capture.frame_fitter import FrameFitter, TakeScale
from facewright.capture.head import HeadMotion
from facewright.capture.markers import BoundRig, Recording, recording
from facewright.capture.options import FitOptions, Head, Method
from facewright.capture.regional import RegionalFitter
from facewright.capture.repair import outlier_notes, unswapped, without_frozen
from facewright.capture.solution import TakeSolution
from facewright.capture.stabilise import Stillness, head_motion, placed_at_rest, stillness
from facewright.capture.take_prior import bear_out
from facewright.capture.take_terms import TakeTerms
from facewright.capture.windows import frames_done, joined
from facewright.errors import BadValue
from facewright.motion.take import Take, span
from facewright.options import suggests_options
from facewright.rig.binding import Binding
from facewright.rig.prior import Prior
from facewright.rig.regions import Regions
from facewright.rig.rig import Rig
from facewright.terms.term import Term

_WINDOW = 1024  # frames solved together
_OTHER_SIZE = 3.0  # a take this many times larger or smaller is in another unit
_GAZE_SOLVED = "the markers tell where the eyes look, so gaze is solved too"
_GAZE_AT_REST = "the markers do not tell where the eyes look: gaze stays at rest"
_OVERLAP = 1.0  # seconds in which one window fades into the next

Progress = Callable[[int, int], None]  # frames done, frames in all


@dataclass(frozen=True, eq=False)
class PreparedTake:
    """A take ready to be fitted: in the rig's space, repaired, the head's motion known from the still markers."""

    take: Take
    recorded: Recording
    head: HeadMotion
    scale: TakeScale
    still: tuple[str, ...]  # names of the markers that the head's motion was found on
    notes: tuple[str, ...]
    gaze: bool = False  # whether the markers bear out a gaze that was left to them to decide


class TakeSolverOptions(TypedDict, total=False):
    """Keyword arguments of `TakeSolver`, for functions that pass them on."""

    level: int
    method: Method
    steady: float
    sparse: float
    head: Head
    sliders: str | Sequence[str] | None
    gaze: bool | None
    prior: Prior | None
    locked: Sequence[str]
    terms: Sequence[Term]


class TakeSolver:
    """A rig and a binding, prepared for any number of takes of the same actor.

    `regions` are solved one by one after the whole face, those of one `level`. `method` is "bounded", or "convex" for
    weights that sum to 1 with the neutral's (Joshi 2003). `steady` is how much steadiness in time counts, `sparse` how
    much few and small weights count; both are 1 as a rule and 0 for not at all. `head` is "solved" together with the
    face, found from the still "markers" alone, or "still", as a helmet camera shows it. `sliders` are those that are
    solved: `all`, `arkit`, the name of a group, or names; not given, all except those for gaze, pupils, visemes, the
    tongue and whole expressions, unless nothing else moves a marker. `gaze=True` adds those of gaze and tongue, which
    markers on the skin hardly see; not given, gaze is solved where the markers, those at the lids above all, bear it
    out, and a note says so. `prior` is which poses are likely; not given, left and right go together. Of a
    learned one so much counts as the markers bear out. `locked` sliders stay at 0. `terms` are wishes and preferences
    of your own for every frame: see `Wish` and `Preference`. No slider goes further than the one that it is tied to
    (`Rig.ties`).
    """

    @suggests_options
    def __init__(
        self,
        rig: Rig,
        binding: Binding,
        regions: Regions | None = None,
        *,
        level: int = 0,
        method: Method = "bounded",
        steady: float = 1.0,
        sparse: float = 1.0,
        head: Head = "solved",
        sliders: str | Sequence[str] | None = None,
        gaze: bool | None = None,
        prior: Prior | None = None,
        locked: Sequence[str] = (),
        terms: Sequence[Term] = (),
    ) -> None:
        self.rig, self.binding, self.regions, self.level = rig, binding, regions, level
        self.options = FitOptions(
            method=method,
            steady=steady,
            sparse=sparse,
            head=head,
            sliders=sliders if sliders is None or isinstance(sliders, str) else tuple(sliders),
            gaze=gaze,
            locked=tuple(locked),
        )
        self.bound = BoundRig(rig, binding)
        if not rig.shapes:
            raise BadValue("the rig has no shapes, so that no take can be solved on it")
        fixed, undecided = self.options.fixed_sliders(self.bound), self.options.undecided_sliders(self.bound)
        terms_at_markers = TakeTerms(self.bound, terms)
        self._fits = [
            FrameFitter(self.bound, self.options, each, terms_at_markers, prior)
            for each in ([fixed, np.setdiff1d(fixed, undecided)] if len(undecided) else [fixed])
        ]  # without gaze, and with it where the take decides
        self._regional = [RegionalFitter(fit, regions, level) for fit in self._fits] if regions is not None else None

    def prepare(self, take: Take) -> PreparedTake:
        """Repair a take, and find the head's motion on its still markers."""
        names = self.binding.markers
        missing = [name for name in names if name not in take.names]
        if len(names) - len(missing) < 3:
            raise BadValue(
                f"{take.name}: it has {len(names) - len(missing)} of the markers that are bound, {_some(names)}"
            )
        if not len(take):
            raise BadValue(f"{take.name}: it has no frames")
        self._check_size(take)
        notes = [f"the take has no marker {_some(missing)}"] if missing else []
        recorded = recording(take, self.binding)
        found = stillness(recorded.positions)
        if self.options.head == "still":
            placed, moved = placed_at_rest(recorded.positions, self.bound.rest, found, self.bound.spacing)
            recorded, notes = replace(recorded, positions=placed), [*notes, *moved]
        head = self._head(recorded, found)
        still = head.taken_out(recorded.positions)
        unfrozen = without_frozen(recorded.positions, still, names, self.bound.spacing)
        exchanged = unswapped(unfrozen.positions, still, self.bound.rest, names)
        recorded = replace(recorded, positions=exchanged.positions)
        if unfrozen.notes or exchanged.notes:
            head = self._head(recorded, found)
        notes += [*take.notes, *unfrozen.notes, *exchanged.notes]
        scales = [fit.scale(recorded, head) for fit in self._fits]
        gaze = len(scales) > 1 and bear_out(scales[1].likely, scales[0].likely)
        if len(scales) > 1:
            notes.append(_GAZE_SOLVED if gaze else _GAZE_AT_REST)
        return PreparedTake(
            take, recorded, head, scales[gaze], tuple(names[i] for i in found.still), tuple(notes), gaze
        )

    def _head(self, recorded: Recording, found: Stillness) -> HeadMotion:
        """The head's motion, as far as the still markers show it."""
        if self.options.head == "still":
            return HeadMotion.still(len(recorded))
        return head_motion(recorded.positions, self.bound.rest, found)

    def _check_size(self, take: Take) -> None:
        """Raise an error if the markers are much further apart, or less, than those of the binding."""
        common = tuple(name for name in self.binding.markers if name in take.names)
        here = span(take.only(common).in_unit(self.binding.unit).positions)
        there = span(self.binding.only(common).rest[None])
        if here == 0 and take.only(common).seen.any():
            raise BadValue(f"{take.name}: the markers are all at one place, so that there is no face to solve")
        if here > 0 and there > 0 and not 1 / _OTHER_SIZE < here / there < _OTHER_SIZE:
            guess = Take(common, take.only(common).positions, take.rate).unit
            remedy = (
                "these markers are placed otherwise, so bind this take anew"
                if guess == take.unit
                else f"if the numbers are {guess}, say so: take.really_in({guess!r}), or --unit {guess}"
            )
            sizes = f"the markers span {here:.3g} {self.binding.unit}, and {there:.3g} in the binding"
            raise BadValue(f"{take.name}: {sizes}; {remedy}")

    def windows(self, prepared: PreparedTake) -> Iterator[TakeSolution]:
        """The take solved window by window; each overlaps the one before by `overlap` frames."""
        frames, overlap = len(prepared.recorded), self.overlap(prepared)
        for start in range(0, max(frames - overlap, 1), _WINDOW - overlap):
            yield self._window(prepared, slice(start, min(start + _WINDOW, frames)))

    def overlap(self, prepared: PreparedTake) -> int:
        """The number of frames that neighbouring windows share."""
        return min(max(1, round(_OVERLAP * prepared.recorded.rate)), _WINDOW // 4)

    @suggests_options
    def solve(
        self, take: Take, *, progress: Progress | None = None, stopped: Callable[[], object] | None = None
    ) -> TakeSolution:
        """A whole take, or if `stopped` returns true its windows so far, at least one."""
        prepared = self.prepare(take)
        if not len(prepared.recorded):
            raise BadValue(f"{take.name}: the take has no frames")
        parts: list[TakeSolution] = []
        for part in self.windows(prepared):
            parts.append(part)
            if progress is not None:
                progress(frames_done(parts, self.overlap(prepared)), len(prepared.recorded))
            if stopped is not None and stopped():
                break
        return self._joined(parts, prepared)

    def _joined(self, parts: Sequence[TakeSolution], prepared: PreparedTake) -> TakeSolution:
        """The windows as one solution, with notes about the take."""
        whole, frames = joined(parts, self.overlap(prepared)), len(prepared.recorded)
        outliers = prepared.recorded.seen[: len(whole)] & ~whole.believed
        notes = (*prepared.notes, *outlier_notes(outliers, whole.binding.markers))
        if len(whole) < frames:
            notes = (*notes, f"stopped after {len(whole)} of {frames} frames")
        return replace(whole, notes=notes)

    def _window(self, prepared: PreparedTake, which: slice) -> TakeSolution:
        recorded = prepared.recorded
        part = Recording(recorded.positions[which], recorded.rate)
        fit = self._fits[prepared.gaze](part, prepared.head[which], prepared.scale)
        weights, motion, by_region = fit.weights, fit.motion, None
        if self._regional is not None:
            regional = self._regional[prepared.gaze]
            by_region = regional(fit, part.rate)
            weights, motion = regional.together(by_region), regional.motion(by_region)
        return TakeSolution(
            self.rig, self.binding, prepared.take.name, part.rate, weights, fit.head, fit.wanted, motion, fit.believed,
            fit.solved, fit.noise, (), self.regions, self.level, by_region,
        )  # fmt: skip


@suggests_options
def solve_take(
    rig: Rig,
    take: Take,
    binding: Binding | None = None,
    regions: Regions | None = None,
    *,
    progress: Progress | None = None,
    **options: Unpack[TakeSolverOptions],
) -> TakeSolution:
    """Weights for every frame of a take, once; the options are those of `TakeSolver`.

    Without a binding the take is bound by the names of its markers; `progress` is called with frames done and in all.
    """
    bound = bind(rig, take) if binding is None else binding
    return TakeSolver(rig, bound, regions, **options).solve(take, progress=progress)


def _some(names: Sequence[str]) -> str:
    return ", ".join(names[:8]) + (f" and {len(names) - 8} more" if len(names) > 8 else "")
