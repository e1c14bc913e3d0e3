"""Bounds, groups, order, negative ends, exclusive pairs, ties and sets of sliders."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from facewright.cli.asked import asked
from facewright.cli.rig.inputs import Face, Force, Output, bounds_from, names_from, opened, values_from, write
from facewright.cli.screen import plain, screen
from facewright.errors import BadValue, UnknownName
from facewright.report.opposites import missing_ties, opposites
from facewright.rig import edit
from facewright.rig.slider_sets import sliders_among
from facewright.workflow.edited_rig import with_edited_rig
from facewright.workflow.two_ends import join_in_document, part_in_document


def bounds(
    rig: Face,
    ranges: Annotated[list[str], typer.Argument(metavar="SLIDER=LOW:HIGH...", help="Such as jawOpen=0:1.5.")],
    out: Output,
    force: Force = False,
) -> None:
    """Set the lowest and the highest values of sliders.

    The pose is brought into them; clips keep their curves.
    """
    document = opened(rig, out, force)
    texts = values_from(ranges, "a range", "jawOpen=0:1.5")
    given = {name: bounds_from(text, name) for name, text in texts.items()}
    changed = with_edited_rig(document, edit.set_bounds(document.rig, given))
    write(changed, out, *(f"{name} goes from {low:g} to {high:g}" for name, (low, high) in given.items()))


def group(
    rig: Face,
    groups: Annotated[list[str], typer.Argument(metavar="SLIDER=GROUP...", help="Such as jawOpen=jaw.")],
    out: Output,
    force: Force = False,
) -> None:
    """Put sliders into groups."""
    document = opened(rig, out, force)
    given = values_from(groups, "a group", "jawOpen=jaw")
    changed = with_edited_rig(document, edit.set_groups(document.rig, given))
    write(changed, out, *(f"{name} is in {new}" for name, new in given.items()))


def order(
    rig: Face,
    names: Annotated[list[str], typer.Argument(metavar="SLIDER...", help="Those that come first, in this order.")],
    out: Output,
    force: Force = False,
) -> None:
    """Put sliders and their shapes in another order.

    The named ones come first, the others after them.
    """
    document = opened(rig, out, force)
    changed = with_edited_rig(document, edit.reorder(document.rig, names))
    write(changed, out, f"the order begins with {', '.join(names)}")


def join(
    rig: Face,
    negative: Annotated[str, typer.Argument(help="The slider that becomes the end below 0.")],
    positive: Annotated[str, typer.Argument(help="The slider that becomes the end above 0.")],
    out: Output,
    name: Annotated[str | None, typer.Option(help="Of the new slider; by default both names.")] = None,
    force: Force = False,
) -> None:
    """Make one slider of two that goes below and above 0.

    Such as jaw, from -1 to 1, of jawRight and jawLeft. Clips follow.
    """
    document = join_in_document(opened(rig, out, force), negative, positive, name=name)
    new = name or f"{negative}_{positive}"
    low, high = document.rig.bounds[document.rig.slider_index(new)]
    write(document, out, f"{new} goes from {low:g}, {negative}, to {high:g}, {positive}")


def part(
    rig: Face,
    slider: Annotated[str, typer.Argument(help="A slider that goes below and above 0.")],
    out: Output,
    names: Annotated[
        tuple[str, str] | None, typer.Option(help="Of the negative and the positive side; by default as their shapes.")
    ] = None,
    force: Force = False,
) -> None:
    """Make two sliders of one that goes below and above 0."""
    before = opened(rig, out, force)
    document = part_in_document(before, slider, names=names)
    low, high = document.rig.exclusive[-1]
    write(document, out, f"{slider} is now {low} and {high}")


def exclude(
    rig: Face,
    out: Output,
    names: Annotated[list[str] | None, typer.Argument(metavar="SLIDER...", help="Pairs, one after the other.")] = None,
    proposed: Annotated[bool, typer.Option("--proposed", help="Add all pairs that `rig check` proposes.")] = False,
    remove: Annotated[bool, typer.Option("--remove", help="Let the pairs be on together instead.")] = False,
    force: Force = False,
) -> None:
    """Let at most one of two sliders be on in every solve."""
    pairs = _pairs(names or ())
    if not pairs and not proposed:
        raise BadValue("name two sliders that exclude each other, or add what is found with --proposed")
    if proposed and remove:
        raise BadValue("--proposed adds pairs and --remove takes some away; choose one")
    document = opened(rig, out, force)
    changed, told = document.rig, []
    if proposed:
        pairs += [(each.first, each.second) for each in opposites(changed, document.clips)]
    for one, other in pairs:
        changed = edit.remove_exclusive(changed, one, other) if remove else edit.add_exclusive(changed, one, other)
        told.append(f"{one} and {other} {'may be on together' if remove else 'exclude each other'}")
    write(with_edited_rig(document, changed), out, *(told or ["no pair is proposed"]))


def tie(
    rig: Face,
    out: Output,
    names: Annotated[
        list[str] | None, typer.Argument(metavar="SLIDER...", help="A slider and the one it goes no further than.")
    ] = None,
    proposed: Annotated[bool, typer.Option("--proposed", help="Add all ties that `rig check` proposes.")] = False,
    remove: Annotated[bool, typer.Option("--remove", help="Untie them instead.")] = False,
    force: Force = False,
) -> None:
    """Let solves move a slider no further than another.

    Such as mouthClose than jawOpen.
    """
    pairs = _pairs(names or ())
    if not pairs and not proposed:
        raise BadValue("name a slider and the one it goes no further than, or add what is found with --proposed")
    document = opened(rig, out, force)
    changed = document.rig
    pairs += missing_ties(changed) if proposed else ()
    for one, other in pairs:
        changed = edit.remove_tie(changed, one, other) if remove else edit.add_tie(changed, one, other)
    told = [f"{one} is {'free of' if remove else 'tied to'} {other}" for one, other in pairs]
    write(with_edited_rig(document, changed), out, *(told or ["no tie is proposed"]))


def sets(
    rig: Face,
    given: Annotated[
        list[str] | None,
        typer.Argument(metavar="NAME=SLIDER,...", help="Sets to keep, such as lips=pucker,smile."),
    ] = None,
    out: Annotated[Path | None, typer.Option("-o", "--output", help="Where to write the changed rig.")] = None,
    remove: Annotated[list[str] | None, typer.Option(help="Drop the set of this name.")] = None,
    force: Force = False,
) -> None:
    """List, keep or drop named sets of sliders.

    `pose --sliders` and `solve --sliders` take their names, and the studio offers them for drags and takes.
    """
    if bool(given or remove) != (out is not None):
        raise BadValue("a changed rig is written to a file: name sets, and the file by -o; name neither to list them")
    document = opened(rig, out, force)
    if out is None:
        asked.tell(sets=dict(document.slider_sets))
        for name, sliders in document.slider_sets.items():
            screen().print(plain(f"{name}: {', '.join(sliders)}"), soft_wrap=True)
        if not document.slider_sets:
            screen().print("no sets")
        return
    now = dict(document.slider_sets)
    for name in remove or ():
        if name not in now:
            raise UnknownName("set of sliders", name, now)
        del now[name]
    texts = values_from(given or (), "a set", "lips=pucker,smile")
    made = {name: sliders_among(document.rig, names_from(text)) for name, text in texts.items()}
    told = [f"{name}: {', '.join(sliders)}" for name, sliders in made.items()]
    write(replace(document, slider_sets={**now, **made}), out, *told, *(f"{name} is dropped" for name in remove or ()))


def _pairs(names: list[str] | tuple[str, ...]) -> list[tuple[str, str]]:
    if len(names) % 2:
        raise BadValue(f"sliders are named in pairs, not {len(names)} of them")
    return list(zip(names[::2], names[1::2], strict=True))
