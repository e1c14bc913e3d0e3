"""Show what a rig holds and what is unusual about it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import msgspec
import typer
from rich.console import Console
from rich.table import Table

from facewright.cli.saving import check_report_name
from facewright.cli.screen import plain, screen
from facewright.document import Document
from facewright.formats.files import write_atomically
from facewright.report.interference import Interference, interference
from facewright.report.lint import Finding, ranked
from facewright.report.summary import Summary, summarise
from facewright.report.verdict import verdict
from facewright.workflow.inputs import check_outputs
from facewright.workflow.open import open_as


def inspect(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="A rig: .fwface, .glb, .gltf, .npz, .obj or a folder of them.")
    ],
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object instead of tables.")] = False,
    report: Annotated[Path | None, typer.Option(help="Write the interference report, such as out.html.")] = None,
) -> None:
    """Show what a rig holds and what is unusual about it."""
    check_report_name(report)
    check_outputs([report], [file])
    document = open_as(file, Document)
    summary = summarise(document.rig)
    found = interference(document.rig) if report is not None else None
    findings = ranked((*summary.findings, *(verdict(found) if found else ())))
    if json:
        _print_json(file.name, document, summary, found, findings)
    else:
        _show(screen(), file.name, document, summary, findings)
    if report is not None and found is not None:
        from facewright.workflow.report.inspect.page import inspect_report  # what draws takes a while to load

        write_atomically(report, inspect_report(file.name, document.rig, summary, found, findings).encode())
        screen(stderr=True).print(f"report: {plain(str(report))}")


def _print_json(
    name: str, document: Document, summary: Summary, found: Interference | None, findings: tuple[Finding, ...]
) -> None:
    whole = {"file": name, **msgspec.to_builtins(summary), "clips": _clips(document)}
    whole["textures"] = _textures(document)
    whole["findings"] = msgspec.to_builtins(findings)
    if found is not None:
        whole["interference"] = msgspec.to_builtins(found)
    sys.stdout.write(msgspec.json.format(msgspec.json.encode(whole), indent=2).decode() + "\n")


def _clips(document: Document) -> list[dict[str, object]]:
    return [
        {"name": clip.name, "seconds": clip.end - clip.start, "sliders": len(clip.curves), "rate": clip.rate}
        for clip in document.clips
    ]


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
        console.print(f"clip [bold]{plain(clip.name)}[/]: {clip.end - clip.start:.2f} s, {len(clip.curves)} sliders")
    if document.textures is not None:
        neutral, maps = document.textures.neutral, len(document.textures.maps)
        console.print(f"textures of {neutral.width} x {neutral.height}: at rest and {maps} for shapes")
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
