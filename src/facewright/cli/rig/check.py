"""What is wrong with a rig, and what could be added to it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import typer

from facewright.cli.asked import asked
from facewright.cli.rig.inputs import Face, opened
from facewright.cli.screen import plain, screen
from facewright.document import Document
from facewright.report.correctives import bad_correctives
from facewright.report.interference import interference
from facewright.report.lint import Finding, lint, ranked
from facewright.report.opposites import missing_ties, opposites
from facewright.report.verdict import verdict


def check(
    rig: Face,
    strict: Annotated[bool, typer.Option("--strict", help="End with exit code 1 if anything is found.")] = False,
) -> None:
    """Check a rig, and propose exclusive pairs and ties.

    Rules that are broken, combinations that are never on, dead, double and dependent shapes, sliders that fight.
    """
    document = opened(rig, None, force=False)
    found = ranked((*lint(document.rig), *bad_correctives(document.rig), *verdict(interference(document.rig))))
    proposed = tuple(proposals(document))
    asked.tell(file=rig.name, findings=found, proposals=proposed)
    console = screen()
    for finding in (*found, *proposed):
        colour = "cyan" if finding in proposed else "yellow"
        console.print(f"[{colour}]{finding.kind}[/]: {plain(finding.sentence)}", soft_wrap=True)
    if not found:
        console.print("[green]nothing unusual[/]")
    if strict and found:
        raise typer.Exit(1)


def proposals(document: Document) -> Iterator[Finding]:
    """Exclusive pairs and ties that the names and the motions of sliders propose."""
    for pair in opposites(document.rig, document.clips):
        words = f"{pair.first} and {pair.second} could exclude each other, {pair.reason}"
        yield Finding("proposed exclusive pair", (pair.first, pair.second), words)
    for slider, to in missing_ties(document.rig):
        yield Finding("proposed tie", (slider, to), f"{slider} could be tied to {to}, by its name")
