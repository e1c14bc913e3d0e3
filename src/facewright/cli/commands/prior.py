"""Learn which poses a face is likely to make from clips, and show what was learned."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from facewright.cli.asked import asked
from facewright.cli.outputs import check_outputs
from facewright.cli.saving import save_and_tell
from facewright.cli.screen import plain, screen
from facewright.errors import UnknownFormat
from facewright.formats.name_map import load_name_map
from facewright.formats.prior_file import save_prior
from facewright.formats.registry import format_of, formats
from facewright.rig.prior import Prior
from facewright.workflow.file_kind import FileKind, kind_of
from facewright.workflow.open import open_face, open_prior
from facewright.workflow.prior import habits, learn_from_files, moving, sidedness

prior = typer.Typer(help=__doc__, no_args_is_help=True, add_completion=False, rich_markup_mode=None)
prior.__doc__ = __doc__


@prior.command()
def learn(
    rig: Annotated[Path, typer.Argument(help="The rig whose poses they are, or `sample`: the embedded head.")],
    clips: Annotated[
        list[Path], typer.Argument(help="Clips of weights: .csv of any kind, .glb, .fbx, .usda or .fwface with clips.")
    ],
    out: Annotated[Path, typer.Option("-o", "--output", help="prior.json, or the rig's document with the prior.")],
    strength: Annotated[float, typer.Option(help="The most that it may count, from 0 to 1.")] = 1.0,
    map: Annotated[Path | None, typer.Option(help="Rows curve,slider[,factor]; other names go by meaning.")] = None,
    rate: Annotated[float | None, typer.Option(help="Frames a second of a table that counts frames.")] = None,
) -> None:
    """Learn which poses a face is likely to make from recorded or animated clips."""
    _check_name(out)
    check_outputs([out], [rig, *clips, map])
    document = open_face(rig)
    names = () if map is None else load_name_map(map)
    found = learn_from_files(document.rig, clips, names=names, strength=strength, rate=rate)
    if out.suffix.lower() == ".json":
        save_prior(found, out)
        asked.list("written", {"file": str(out)})
        screen(stderr=True).print(plain(str(out)))
    else:
        save_and_tell(replace(document, prior=found), out)
    _tell(found, "the rig's")


@prior.command()
def show(
    file: Annotated[Path, typer.Argument(help="A prior.json, or a rig's file with a prior.")],
) -> None:
    """Show what a prior was learned from, and which sliders it says go together."""
    found = open_prior(file)
    of_rig = open_face(file).rig if kind_of(file) is FileKind.RIG else None
    _tell(found if of_rig is None else found.on(of_rig), "its" if of_rig is None else "the rig's")


def _tell(found: Prior, whose: str) -> None:
    console, used, strongest, both = screen(), moving(found), habits(found), sidedness(found)
    console.print(plain(str(found)), soft_wrap=True)
    asked.tell(
        prior=str(found),
        sliders=len(found.sliders),
        moving=list(used),
        both_sides=both,
        together=[{"correlation": each.correlation, "sliders": [each.one, each.other]} for each in strongest],
    )
    console.print(f"{len(used)} of {whose} {len(found.sliders)} sliders move", soft_wrap=True)
    if both is not None:
        console.print(f"left and right go together by {both:.2f}, 1 being always", soft_wrap=True)
    if strongest:
        console.print("these go together most:", soft_wrap=True)
    for habit in strongest:
        console.print(f"  {habit.correlation:.2f}  {plain(habit.one)} and {plain(habit.other)}", soft_wrap=True)


def _check_name(out: Path) -> None:
    """Refuse a name that cannot be written to before the work, not after it."""
    if out.suffix.lower() == ".json":
        return
    keeping = [
        suffix for format in formats() for suffix in format.suffixes if "prior" in format.keeps(Path(f"x{suffix}"))
    ]
    if "prior" not in format_of(out).keeps(out):
        raise UnknownFormat(f"{out}: a prior is kept in {', '.join(['.json', *keeping])}")
