"""Show what a rig, a clip or a take holds and what is unusual about it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import msgspec
import typer
from rich.console import Console
from rich.table import Table

from facewright.cli.asked import asked
from facewright.cli.inspect_carried import carried_facts, show_carried
from facewright.cli.inspect_motion import show_clip, show_take
from facewright.cli.mistakes import show_problem
from facewright.cli.outputs import check_outputs
from facewright.cli.saving import check_report_name
from facewright.cli.screen import plain, screen
from facewright.cli.streams import file_given, is_stream
from facewright.document import Document
from facewright.errors import BadFile, BadValue, FacewrightError
from facewright.formats.files import write_atomically
from facewright.motion.clip import Clip
from facewright.motion.take import Take
from facewright.report.interference import Interference, interference
from facewright.report.lint import Finding, listed, ranked
from facewright.report.rig_difference import RigDifference, ShapeDifference, compare_rigs
from facewright.report.summary import Summary, summarise
from facewright.report.verdict import verdict
from facewright.workflow.file_kind import kind_of
from facewright.workflow.open import SAMPLE, open_any, open_face


def inspect(
    files: Annotated[
        list[Path],
        typer.Argument(metavar="FILE...", help=f"Rigs, clips, takes; {SAMPLE}: the embedded head, -: standard input."),
    ],
    report: Annotated[Path | None, typer.Option(help="Write the interference report, such as out.html.")] = None,
    against: Annotated[
        Path | None, typer.Option(help=f"A second rig of the same topology, or {SAMPLE}: compared shape by shape.")
    ] = None,
) -> None:
    """Show what a rig, a clip or a take holds and what is unusual about it."""
    check_report_name(report)
    if len(files) > 1 and (report or against):
        raise BadValue("--report and --against are about one rig; name one file")
    check_outputs([report], [*files, against])
    failed, told = False, []
    for file in files:
        try:
            with file_given(file) as read:
                told.append(_inspected(read, "standard input" if is_stream(file) else file.name, report, against))
        except (FacewrightError, OSError) as problem:
            if len(files) == 1:
                raise
            show_problem(problem)
            failed = True
    asked.tell(**(told[0] if len(files) == 1 else {"files": told}))
    if failed:
        raise typer.Exit(2)


def _inspected(file: Path, name: str, report: Path | None, against: Path | None) -> dict[str, object]:
    """Show a file; returns the same for JSON."""
    found = open_any(file) if file.exists() else open_face(file)
    if isinstance(found, Clip):
        return show_clip(screen(), name, found)
    if isinstance(found, Take):
        return show_take(screen(), name, found)
    if not isinstance(found, Document):
        raise BadFile(f"{file}: this file holds {kind_of(file).words}; rigs, clips of weights and takes are shown")
    return _inspected_rig(found, name, report, against)


def _inspected_rig(document: Document, name: str, report: Path | None, against: Path | None) -> dict[str, object]:
    other = None if against is None else compare_rigs(document.rig, open_face(against).rig)
    summary = summarise(document.rig)
    found = interference(document.rig) if report is not None else None
    findings = ranked((*summary.findings, *(verdict(found) if found else ())))
    _show(screen(), name, document, summary, findings)
    if other is not None and against is not None:
        _show_difference(screen(), against.name, other)
    if report is not None and found is not None:
        from facewright.workflow.report.inspect.page import inspect_report  # what draws takes a while to load

        write_atomically(report, inspect_report(name, document.rig, summary, found, findings).encode())
        screen(stderr=True).print(f"report: {plain(str(report))}")
    return _facts(name, document, summary, found, findings, other)


def _facts(
    name: str,
    document: Document,
    summary: Summary,
    found: Interference | None,
    findings: tuple[Finding, ...],
    other: RigDifference | None,
) -> dict[str, object]:
    """All of it, as JSON has it."""
    whole = {"file": name, **msgspec.to_builtins(summary), "clips": _clips(document)}
    whole["textures"] = _textures(document)
    whole["carried"] = carried_facts(document)
    whole["expressions"] = [one.name for one in document.expressions]
    whole["findings"] = msgspec.to_builtins(findings)
    if found is not None:
        whole["interference"] = msgspec.to_builtins(found)
    if other is not None:
        whole["difference"] = msgspec.to_builtins(other)
    return whole


def _clips(document: Document) -> list[dict[str, object]]:
    return [
        {"name": clip.name, "seconds": clip.end - clip.start, "sliders": len(clip.moved), "rate": clip.rate}
        for clip in document.clips
    ]


def _layers(clip: Clip) -> str:
    return f", {len(clip.layers)} layer{'s' * (len(clip.layers) != 1)}" if clip.layers else ""


def _textures(document: Document) -> dict[str, object] | None:
    found = document.textures
    if found is None:
        return None
    size = [found.neutral.width, found.neutral.height]
    return {"size": size, "maps": [list(one.shapes) for one in found.maps], "mask": found.mask is not None}


def _show(console: Console, name: str, document: Document, summary: Summary, findings: tuple[Finding, ...]) -> None:
    faces = ", ".join(f"{count:,} {kind}" for kind, count in summary.polygons.items() if count) or "no polygons"
    console.print(f"[bold]{plain(name)}[/]: {summary.vertices:,} vertices, {faces}, size {summary.size:.4g}")
    kinds = [shape.kind for shape in summary.shapes]
    extra = "".join(f", {kinds.count(kind)} {kind}s" for kind in ("in-between", "combination") if kind in kinds)
    console.print(
        f"{len(summary.sliders)} sliders, {len(summary.shapes)} shapes{extra}; names: {summary.names}; "
        f"{'with' if summary.has_uvs else 'without'} texture coordinates"
    )
    console.print(_parts(summary))
    if summary.shapes:
        console.print(_shapes(summary))
    for clip in document.clips:
        console.print(
            f"clip [bold]{plain(clip.name)}[/]: {clip.end - clip.start:.2f} s, {len(clip.moved)} sliders{_layers(clip)}"
        )
    if document.textures is not None:
        neutral, maps = document.textures.neutral, len(document.textures.maps)
        console.print(f"textures of {neutral.width} x {neutral.height}: at rest and {maps} for shapes")
    show_carried(console, document)
    if document.expressions:
        names = listed([one.name for one in document.expressions])
        console.print(f"{len(document.expressions)} expressions: {plain(names)}")
    for finding in findings:
        console.print(f"[yellow]{finding.kind}[/]: {plain(finding.sentence)}")
    if not findings:
        console.print("[green]nothing unusual[/]")


def _parts(summary: Summary) -> Table:
    table = Table("part", box=None, header_style="dim")
    for title in ("vertices", "polygons"):
        table.add_column(title, justify="right")
    for part in summary.parts:
        table.add_row(plain(part.name), f"{part.vertices:,}", f"{part.polygons:,}")
    return table


def _shapes(summary: Summary) -> Table:
    sliders = {slider.name: slider for slider in summary.sliders}
    table = Table(box=None, header_style="dim")
    for title in ("shape", "group", "driven by", "bounds"):
        table.add_column(title, overflow="fold")
    for title in ("reach", "of size", "moves"):
        table.add_column(title, justify="right", no_wrap=True)
    for shape in summary.shapes:
        driver = " x ".join(slider + at for slider, at in shape.drivers)
        slider = sliders[shape.sliders[0]]
        table.add_row(
            plain(shape.name),
            plain(slider.group),
            "" if driver == shape.name else plain(driver),
            f"{slider.low:g} to {slider.high:g}" if shape.kind == "plain" else "",
            f"{shape.reach:.4g}",
            f"{shape.relative_reach:.1%}",
            f"{shape.support:.0%}",
        )
    return table


def _show_difference(console: Console, name: str, other: RigDifference) -> None:
    """What is different in the second rig."""
    console.print(
        f"\n[bold]against {plain(name)}[/]: neutrals differ by {other.neutral:.2%} of the size, at most "
        f"{other.furthest:.2%}; its size is {other.scale:.4g} of this one"
    )
    if not other.same_polygons:
        console.print("the polygons differ; vertices are compared by their numbers")
    differing = sorted((shape for shape in other.shapes if shape.distance), key=lambda shape: -shape.distance)
    if differing:
        console.print(_differences(differing))
    same = len(other.shapes) - len(differing)
    console.print(f"{same} of {len(other.shapes)} shapes that both have are the same")
    for words, names in (
        ("shapes only here", other.missing),
        ("shapes only there", other.extra),
        ("sliders only here", other.missing_sliders),
        ("sliders only there", other.extra_sliders),
        ("sliders with other bounds", other.other_bounds),
        ("shapes driven otherwise", tuple(shape.name for shape in other.shapes if not shape.driven_alike)),
    ):
        if names:
            console.print(f"[yellow]{words}[/]: {plain(listed(names))}")


def _differences(shapes: list[ShapeDifference]) -> Table:
    table = Table(box=None, header_style="dim")
    table.add_column("shape", overflow="fold")
    for title in ("differs by", "at most", "at vertex"):
        table.add_column(title, justify="right", no_wrap=True)
    for shape in shapes:
        named = shape.name if shape.name == shape.other else f"{shape.name} / {shape.other}"
        table.add_row(plain(named), f"{shape.distance:.1%}", f"{shape.furthest:.2%} of size", str(shape.vertex))
    return table
