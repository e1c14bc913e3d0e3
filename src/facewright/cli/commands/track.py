"""Follow a face without markers, in depth images or scans."""

from __future__ import annotations

from dataclasses import asdict, replace
from pathlib import Path
from time import perf_counter
from typing import Annotated

import typer

from facewright.cli.asked import asked
from facewright.cli.batch import BatchOptions, Chunk, Jobs, On, OutShared, Resume, SummaryPage
from facewright.cli.command_job import BatchParameters, run_for_each
from facewright.cli.outputs import check_outputs
from facewright.cli.progress_bar import progress_bar
from facewright.cli.saving import check_report_name
from facewright.cli.screen import plain, screen
from facewright.cli.solve_inputs import frames_at_rest
from facewright.errors import BadValue, UnknownFormat
from facewright.formats.registry import format_of
from facewright.jobs import EXIT, use_one_thread
from facewright.workflow.track.files import TrackFiles, track_file

_FILES = BatchParameters("scans", common=("rig", "prior", "template"), writes=("out", "report", "rig_out"))
_SUFFIXES = (".glb", ".gltf", ".vrm", ".fbx", ".usda", ".usdc", ".usdz", ".fwface", ".csv")


def track(
    rig: Annotated[Path, typer.Argument(help="The rig of the person who is seen, or `sample`: the embedded head.")],
    scans: Annotated[
        list[Path],
        typer.Argument(help="Folders of 16-bit depth .png with intrinsics.json, of .ply or .obj; or depth .npz."),
    ],
    out: Annotated[
        Path, typer.Option("-o", "--output", help="out.glb, .gltf, .fbx, .usda, .usdc, .usdz, .fwface or .csv.")
    ],
    context: typer.Context,
    report: Annotated[Path | None, typer.Option(help="Write how well it was followed, such as out.html.")] = None,
    rest: Annotated[
        str, typer.Option(help="Frames at rest, as 0-29: the rig gets the face of the person who is seen there.")
    ] = "",
    prior: Annotated[
        Path | None, typer.Option(help="Which poses are likely: a prior.json; default the rig's own, else by names.")
    ] = None,
    unit: Annotated[
        str, typer.Option(help="Of the depths or points: mm, cm, m; without it, the file's or found.")
    ] = "",
    rate: Annotated[float | None, typer.Option(help="Frames a second, where the files do not say.")] = None,
    refine: Annotated[
        int, typer.Option(help="Refine the rig by so many frames, such as 60; the others tell what improved.")
    ] = 0,
    rig_out: Annotated[Path | None, typer.Option(help="Write the refined rig, such as refined.fwface.")] = None,
    template: Annotated[
        Path | None,
        typer.Option(help="With --refine: the face whose shapes were transferred to the rig, of the same topology."),
    ] = None,
    landmarks: Annotated[
        Path | None,
        typer.Option(help="Landmarks: a .json of all frames, or a folder; default: landmarks.json beside them."),
    ] = None,
    mirror: Annotated[
        bool, typer.Option("--mirror", help="Turn pictures back that were mirrored when they were written.")
    ] = False,
    jobs: Jobs = 0,
    on: On = "",
    out_shared: OutShared = False,
    resume: Resume = False,
    chunk: Chunk = "",
    summary: SummaryPage = None,
) -> None:
    """Follow a face without markers, in depth images or scans. Ctrl-C keeps what is followed by then."""
    use_one_thread()
    if out.suffix.lower() not in _SUFFIXES:
        raise UnknownFormat(f"{out}: a followed face is written as {', '.join(_SUFFIXES[:-1])} or {_SUFFIXES[-1]}")
    check_report_name(report)
    if rig_out is not None and not refine:
        raise BadValue("--rig-out writes the rig that --refine makes; give --refine 60, too")
    if template is not None and not refine:
        raise BadValue("--template tells --refine whose shapes the rig has; give --refine 60, too")
    if rig_out is not None:
        format_of(rig_out)
    at_rest = frames_at_rest(rest)
    if isinstance(at_rest, Path):
        raise BadValue(f"--rest is frames, such as 12 or 3,40-60, not {rest}")
    many = BatchOptions(jobs, on, out_shared, resume, chunk, summary)
    if len(scans) > 1 or many.are_given:
        run_for_each(context, _FILES, many)
        return
    scan = scans[0]
    job = TrackFiles(rig, scan, out, report, prior, tuple(at_rest or ()), unit, rate, refine, rig_out)
    job = replace(job, landmarks=landmarks, mirror=mirror, template=template)
    check_outputs([out, report, rig_out], [rig, scan, prior, template, landmarks])
    console = screen(stderr=True)
    with progress_bar(console, "frames/s") as bar:
        shown, start = bar.add_task(plain(scan.name), total=None, speed=""), perf_counter()

        def told(done: int, total: int) -> None:
            bar.update(shown, completed=done, total=total, speed=f"{done / (perf_counter() - start):,.0f}")

        found = track_file(job, told)
    asked.list("tracks", {**asdict(found), "out": str(out), "report": None if report is None else str(report)})
    console.print(f"{plain(str(out))}: {plain(found.line)}", soft_wrap=True)
    for note in found.notes:
        console.print(f"[yellow]{plain(note)}[/]", soft_wrap=True)
    if report is not None:
        console.print(f"report: {plain(str(report))}")
    if rig_out is not None:
        console.print(f"rig: {plain(str(rig_out))}")
    if not found.finished:
        raise typer.Exit(EXIT)
