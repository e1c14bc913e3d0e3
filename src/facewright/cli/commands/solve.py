"""Turn recorded takes into clips of a rig."""

from __future__ import annotations

from dataclasses import asdict, replace
from pathlib import Path
from time import perf_counter
from typing import Annotated

import typer

from facewright.capture.options import Head, Method
from facewright.cli.asked import asked
from facewright.cli.batch import (
    BatchOptions,
    Chunk,
    Jobs,
    On,
    OutShared,
    Resume,
    SummaryPage,
    check_names,
    named,
    run_together,
)
from facewright.cli.outputs import check_outputs
from facewright.cli.progress_bar import progress_bar
from facewright.cli.saving import check_report_name
from facewright.cli.screen import plain, screen
from facewright.cli.solve_inputs import frames_at_rest, marker_pairs, pose_at_rest
from facewright.errors import BadValue, UnknownFormat
from facewright.formats.point_cache import check_cache_name
from facewright.jobs import EXIT, use_one_thread
from facewright.workflow.take.files import SolvedFile, solve_file, solve_file_in_pool
from facewright.workflow.take.options import TakeOptions
from facewright.workflow.take.take_files import TakeFiles


def solve(
    rig: Annotated[Path, typer.Argument(help="The rig to move, or `sample`: the embedded head.")],
    takes: Annotated[
        list[Path], typer.Argument(help="Markers (.c3d, .trc, .csv), or weights (.csv, .glb, .fbx, .usda, .fwface).")
    ],
    out: Annotated[
        Path,
        typer.Option(
            "-o",
            "--output",
            help="out.glb, .gltf, .fbx, .usda, .usdc, .usdz, .fwface or .csv; {take} is a take's name.",
        ),
    ],
    report: Annotated[
        Path | None, typer.Option(help="Write how well it was solved or mapped, such as out.html.")
    ] = None,
    bind: Annotated[Path | None, typer.Option(help="A binding.json; without it, markers are bound by names.")] = None,
    save_bind: Annotated[Path | None, typer.Option(help="Write the binding there, for further takes.")] = None,
    pair: Annotated[list[str] | None, typer.Option(help="Marker and vertex, such as Chin=1204; three or more.")] = None,
    regions: Annotated[Path | None, typer.Option(help="A regions.json: solve region by region.")] = None,
    level: Annotated[int, typer.Option(help="Level of the regions, 0 being the finest.")] = 0,
    method: Annotated[Method, typer.Option(help="bounded, or convex as in the paper.")] = "bounded",
    steady: Annotated[float, typer.Option(help="How much steadiness in time counts; 0: each frame alone.")] = 1.0,
    sparse: Annotated[float, typer.Option(help="How much few and small weights count.")] = 1.0,
    head: Annotated[
        Head, typer.Option(help="solved, still (a helmet camera), or from still markers alone.")
    ] = "solved",
    sliders: Annotated[
        list[str] | None,
        typer.Option(help="Sliders to solve: all, arkit, a group such as mouth, or names; once for each."),
    ] = None,
    prior: Annotated[
        Path | None, typer.Option(help="Which poses are likely: a prior.json; default the rig's own, else by names.")
    ] = None,
    gaze: Annotated[
        bool | None,
        typer.Option(
            "--gaze/--no-gaze", help="Solve gaze and tongue too, or neither; by default gaze where the markers tell it."
        ),
    ] = None,
    residual: Annotated[bool, typer.Option("--residual", help="Add shapes, so that markers are met.")] = False,
    cache: Annotated[
        Path | None, typer.Option(help="Vertices of every frame that meet the markers: out.pc2, .mdd or .npz.")
    ] = None,
    smooth: Annotated[str, typer.Option(help="Smooth the curves: euro, or a cutoff in Hz without delay, as 6.")] = "",
    keys: Annotated[float | None, typer.Option(help="Drop keys that change a curve by less, such as 0.005.")] = None,
    neutral: Annotated[str, typer.Option(help="At rest: frames as 12 or 3,40-60, or a take that shows it.")] = "",
    rest_pose: Annotated[str, typer.Option(help="Rest is not quite neutral: a pose.json, or solved.")] = "",
    rest: Annotated[Path | None, typer.Option(help="A recording of the actor at rest, whose values are 0.")] = None,
    range: Annotated[Path | None, typer.Option(help="One that shows the whole range, too: it is brought to 1.")] = None,
    map: Annotated[Path | None, typer.Option(help="Rows curve,slider[,factor]; other names go by meaning.")] = None,
    only: Annotated[list[str] | None, typer.Option(help="Go by these markers alone, such as 'Mouth*'.")] = None,
    without: Annotated[list[str] | None, typer.Option(help="Do without these markers.")] = None,
    mirrored: Annotated[bool | None, typer.Option(help="Left and right are swapped; not said: found.")] = None,
    unit: Annotated[str, typer.Option(help="Of the markers: mm, cm, m ...; without it, the file's or found.")] = "",
    rate: Annotated[float | None, typer.Option(help="Frames a second, where the file does not say.")] = None,
    jobs: Jobs = 0,
    on: On = "",
    out_shared: OutShared = False,
    resume: Resume = False,
    chunk: Chunk = "",
    summary: SummaryPage = None,
) -> None:
    """Turn recorded takes into clips of a rig. Ctrl-C keeps what is solved by then."""
    use_one_thread()  # frames of a rig with correctives are many small products, which stall with more
    many = BatchOptions(jobs, on, out_shared, resume, chunk, summary)
    _check(out, report, cache, takes)
    if rest is not None and range is not None:
        raise BadValue("--range says what --rest does, and more; give one of them")
    options = TakeOptions(
        method=method, steady=steady, sparse=sparse, gaze=gaze, head=head, residual=residual, smooth=smooth, keys=keys
    )
    base = TakeFiles(
        rig=rig,
        take=takes[0],
        out=out,
        report=report,
        cache=cache,
        bind=bind,
        save_bind=save_bind,
        pairs=marker_pairs(pair or []),
        regions=regions,
        level=level,
        neutral=frames_at_rest(neutral),
        rest_pose=pose_at_rest(rest_pose),
        rate=rate,
        unit=unit,
        options=options,
        sliders=tuple(sliders or ()),
        prior=prior,
        only=tuple(only or ()),
        without=tuple(without or ()),
        mirrored=mirrored,
        rest=rest,
        range=range,
        map=map,
    )
    all = [
        replace(
            base,
            take=take,
            out=named(out, take.stem),
            report=report and named(report, take.stem),
            cache=cache and named(cache, take.stem),
        )
        for take in takes
    ]
    check_outputs(
        [save_bind, summary, *(path for job in all for path in (job.out, job.report, job.cache))],
        [rig, *takes, *base.inputs],
    )
    if len(all) > 1 or many.are_given:
        run_together("solve", solve_file_in_pool, all, out, many, _tell)
        return
    outcome = _alone(all[0])
    asked.list("takes", {**asdict(outcome), "out": str(out), "report": None if report is None else str(report)})
    if not outcome.finished:
        raise typer.Exit(EXIT)


def _check(out: Path, report: Path | None, cache: Path | None, takes: list[Path]) -> None:
    """Refuse names that cannot be written to before the work, not after it."""
    if out.suffix.lower() not in (".glb", ".gltf", ".vrm", ".fbx", ".usda", ".usdc", ".usdz", ".fwface", ".csv"):
        raise UnknownFormat(
            f"{out}: a solved take is written as .glb, .gltf, .vrm, .fbx, .usda, .usdc, .usdz, .fwface or .csv"
        )
    check_report_name(report)
    if cache is not None:
        check_cache_name(cache)
    check_names((out, report, cache), [take.stem for take in takes])


def _alone(job: TakeFiles) -> SolvedFile:
    with progress_bar(screen(stderr=True), "frames/s") as bar:
        shown, start = bar.add_task(plain(job.take.name), total=None, speed=""), perf_counter()

        def told(done: int, total: int) -> None:
            bar.update(shown, completed=done, total=total, speed=f"{done / (perf_counter() - start):,.0f}")

        outcome = solve_file(job, told)
    _tell(job, outcome)
    return outcome


def _tell(job: TakeFiles, outcome: SolvedFile) -> None:
    if not outcome.frames:
        return
    console = screen(stderr=True)
    speed = f"{outcome.frames / outcome.seconds:,.0f} frames/s" if outcome.seconds > 0 else ""
    done = f"{outcome.frames:,} frames, {speed}"
    said = f"{outcome.line}; {done}" if outcome.retargeted else f"{done}; {outcome.line}"
    console.print(f"{plain(str(job.out))}: {plain(said)}", soft_wrap=True)
    for note in outcome.notes:
        console.print(f"[yellow]{plain(note)}[/]", soft_wrap=True)
    if job.report is not None and job.report.exists():
        console.print(f"report: {plain(str(job.report))}")
