"""The files of a take and what is done with them, and which options do not go together."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from facewright.errors import BadValue
from facewright.workflow.take.options import TakeOptions

_SOLVING = ("method", "steady", "sparse", "gaze", "head", "residual")  # options of `TakeOptions` for markers alone


@dataclass(frozen=True)
class TakeFiles:
    """The files of one take, and how it is solved, as plain data that another process can be given."""

    rig: Path
    take: Path
    out: Path
    report: Path | None = None
    cache: Path | None = None  # vertices of every frame, with the residual of the markers
    bind: Path | None = None
    save_bind: Path | None = None
    pairs: dict[str, int] = field(default_factory=dict)
    regions: Path | None = None
    level: int = 0
    neutral: tuple[int, ...] | Path = ()  # frames at rest, or a recording of markers that shows it; none: found
    rest_pose: Path | Literal["solved"] | None = None  # of the rig, where the face at rest is not quite its neutral
    rate: float | None = None
    unit: str = ""
    options: TakeOptions = field(default_factory=TakeOptions)
    sliders: tuple[str, ...] = ()  # to solve, names of sliders or of sets; none: as the document says
    prior: Path | None = None  # which poses are likely; none: the document's
    only: tuple[str, ...] = ()  # patterns of the names of markers to use; none: all
    without: tuple[str, ...] = ()  # and of markers to leave out
    mirrored: bool | None = None  # None: found
    rest: Path | None = None  # a recording of the actor's face at rest
    range: Path | None = None  # the same, which shows each slider's whole range as well
    map: Path | None = None  # names of curves and of the sliders that they drive

    @property
    def inputs(self) -> tuple[Path, ...]:
        """The files that are read besides rig and take."""
        named = (self.bind, self.regions, self.prior, self.rest, self.range, self.map, self.neutral, self.rest_pose)
        return tuple(each for each in named if isinstance(each, Path))

    @property
    def name(self) -> str:
        return self.take.stem

    @property
    def own(self) -> tuple[Path, ...]:
        """The files that no other take of a batch reads."""
        return (self.take,)

    @property
    def common(self) -> tuple[Path, ...]:
        """The files that all takes of a batch read."""
        return (self.rig, *self.inputs)

    @property
    def writes(self) -> tuple[Path, ...]:
        """The files that are written."""
        return tuple(path for path in (self.out, self.report, self.cache, self.save_bind) if path is not None)

    @property
    def is_table(self) -> bool:
        return self.out.suffix.lower() == ".csv"

    def check_for_weights(self) -> None:
        """Raise where an option is given that means nothing for a recording of weights."""
        plain = TakeOptions()
        given = self._binding_options() | {
            "--cache": self.cache is not None,
            "--bind": self.bind is not None,
            "--save-bind": self.save_bind is not None,
            "--only": bool(self.only),
            "--without": bool(self.without),
            "--unit": bool(self.unit),
            "--regions": self.regions is not None,
            "--sliders": bool(self.sliders),
            "--prior": self.prior is not None,
            **{f"--{name}": getattr(self.options, name) != getattr(plain, name) for name in _SOLVING},
        }
        if wrong := [name for name, is_given in given.items() if is_given]:
            raise BadValue(
                f"{self.take}: this is a recording of weights, which is mapped by names and not solved; "
                f"{', '.join(wrong)} {'is' if len(wrong) == 1 else 'are'} for markers: leave it out"
            )

    def check_for_markers(self) -> None:
        """Raise where options are given that mean nothing for a take of markers, or of which one excludes the other."""
        if self.map is not None:
            raise BadValue(
                f"{self.take}: this is a take of markers, and --map is for recordings of weights; "
                "--pair says where a marker belongs"
            )
        wrong = [name for name, is_given in self._binding_options().items() if is_given]
        if self.bind is not None and wrong:
            raise BadValue(
                f"--bind gives the whole binding, so {', '.join(wrong)} would be ignored; give one or the other"
            )

    def _binding_options(self) -> dict[str, bool]:
        """The options by which a binding is made, and whether each is given."""
        return {
            "--pair": bool(self.pairs),
            "--neutral": self.neutral != (),
            "--rest-pose": self.rest_pose is not None,
            "--mirrored": self.mirrored is not None,
        }
