"""Make a rig from a template, a neutral face and some poses of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Literal

import typer
from rich.console import Console

from facewright.build.builder import BuildIteration
from facewright.build.reach import Reach
from facewright.build.schedule import Schedule
from facewright.build.templates import blend_templates
from facewright.cli.asked import asked
from facewright.cli.batch import BatchOptions, Chunk, Jobs, On, OutShared, Resume, SummaryPage
from facewright.cli.build_inputs import LandmarkFile, Neutrals, Output, Template, Topology, Up, plan_from, registered
from facewright.cli.command_job import BatchParameters, Word, run_for_each
from facewright.cli.outputs import check_outputs
from facewright.cli.saving import check_report_name, save_and_tell
from facewright.cli.screen import plain, screen
from facewright.document import Document
from facewright.errors import BadValue
from facewright.formats.files import write_atomically
from facewright.formats.registry import format_of
from facewright.formats.sources import naming
from facewright.jobs import interruptions
from facewright.rig.prior import Prior
from facewright.rig.rig import Rig
from facewright.workflow.build.plan import BuildPlan, GivenFace, GivenPose, trusting, with_poses, with_template
from facewright.workflow.build.poses_file import NamedPose, pose_from
from facewright.workflow.build.result import BuildResult
from facewright.workflow.build.run import BuildRunner
from facewright.workflow.open import ExamplePoses, open_as, open_face, open_prior
from facewright.workflow.report.build.page import build_report

_FILES = BatchParameters(
    "neutrals",
    own=("pose", "poses", "landmarks"),
    common=("template", "further", "prior"),
    writes=("out", "report"),
)


def build(
    out: Output,
    context: typer.Context,
    template: Template = "",
    neutrals: Neutrals = None,
    last: Annotated[
        Path | None, typer.Option("--from", help="Go on with this rig that was built, in place of the two faces.")
    ] = None,
    pose: Annotated[
        list[str] | None, typer.Option(help="A pose, its rough weights if known: smile.obj:jawOpen=0.2")
    ] = None,
    poses: Annotated[Path | None, typer.Option(help="A JSON file that lists poses.")] = None,
    report: Annotated[Path | None, typer.Option(help="Write how well the poses are met, such as out.html.")] = None,
    trust: Annotated[float, typer.Option(help="From 0, trust the template, to 1, trust the examples.")] = 0.5,
    schedule: Annotated[
        Literal["ours", "paper"], typer.Option(help="How beta and gamma fall: ours by --trust, or as in the paper.")
    ] = "ours",
    iterations: Annotated[int, typer.Option(help="How often shapes and weights are solved for in turn.")] = 10,
    align_poses: Annotated[bool, typer.Option("--align-poses", help="Turn, move and scale poses to fit.")] = False,
    prior: Annotated[
        Path | None, typer.Option(help="A prior.json, by which weights of poses are guessed that have none.")
    ] = None,
    add_missing: Annotated[bool, typer.Option("--add-missing", help="Add shapes for poses out of reach.")] = False,
    further: Annotated[
        list[str] | None, typer.Option("--template", help="A further template; all are mixed as they fit the poses.")
    ] = None,
    landmarks: LandmarkFile = None,
    topology: Topology = "auto",
    up: Up = "auto",
    jobs: Jobs = 0,
    on: On = "",
    out_shared: OutShared = False,
    resume: Resume = False,
    chunk: Chunk = "",
    summary: SummaryPage = None,
) -> None:
    """Make a rig from a template, a neutral face and some poses of it. Ctrl-C keeps the last whole iteration."""
    format_of(out)  # before the work, not after it
    check_report_name(report)
    if schedule == "paper" and trust != 0.5:
        raise BadValue("--trust scales our schedule; with --schedule paper leave it out")
    many = BatchOptions(jobs, on, out_shared, resume, chunk, summary)
    if last is not None:
        if template or neutrals or many.are_given:
            raise BadValue("--from goes on with one rig: leave out template and neutral, and options for many files")
        template, neutrals = str(last), [last]
    if not template or not neutrals:
        raise BadValue("give a template and a neutral face, or --from and a rig that was built")
    if len(neutrals) > 1 or many.are_given:
        run_for_each(context, _FILES, many, _pose_word)
        return
    neutral = neutrals[0]
    listed = open_as(poses, ExamplePoses).poses if poses else ()
    named = [*(pose_from(one) for one in pose or ()), *listed]
    if not named:
        raise BadValue("give at least one --pose, or --poses; `facewright transfer` needs none")
    check_outputs(
        [out, report], [template, neutral, poses, landmarks, prior, *(further or ()), *(one.file for one in named)]
    )
    plan = plan_from(template, neutral, topology, up)
    found = _prior(prior, plan.template.rig, named)
    examples = tuple(
        GivenPose(one.name, open_as(one.file, Document).rig, one.weights, align_poses, add_missing) for one in named
    )
    console = screen(stderr=True)
    if further:
        if landmarks is not None:
            raise BadValue("--landmarks pairs points of one template; with several, leave it out")
        plan = _mixed(plan, further, examples, console)
    plan = trusting(with_poses(plan, examples), trust)
    in_print = Schedule.paper() if schedule == "paper" else None
    result = _built(registered(plan, landmarks), iterations, console, found, in_print)
    _tell(console, result)
    save_and_tell(result.document, out)
    if report is not None:
        write_atomically(report, build_report(neutral.name, result).encode())
        console.print(f"report: {plain(str(report))}")


def _pose_word(text: str) -> Word:
    """A pose as a path, and what is said about it."""
    file = pose_from(text).file
    return (file, text.removeprefix(str(file)))


def _prior(file: Path | None, template: Rig, poses: list[NamedPose]) -> Prior | None:
    """The prior by which weights are guessed; an error where it would be ignored."""
    if file is None:
        return None
    if all(pose.weights is not None for pose in poses):
        raise BadValue("--prior is for poses without weights, and every pose has some; leave one or the other out")
    found = open_prior(file)
    with naming(file):
        found.on(template)
        if not found.learned:
            raise BadValue("this prior was not learned from poses, or has no strength, so that it finds no weights")
    return found


def _mixed(plan: BuildPlan, further: list[str], examples: Sequence[GivenPose], console: Console) -> BuildPlan:
    """The plan with all templates as one on the neutral."""
    assert plan.neutral is not None
    rigs = [plan.template.rig, *(open_face(one).rig for one in further)]
    faces, guesses = [one.face for one in examples], [one.guess for one in examples]
    found = blend_templates(rigs, plan.neutral.rig, faces, guesses)
    for name, share in zip((plan.template.name, *further), found.shares, strict=True):
        console.print(f"template {plain(name)}: {share:.0%}", soft_wrap=True)
    return with_template(plan, GivenFace("several templates", found.rig))


def _built(
    plan: BuildPlan, iterations: int, console: Console, prior: Prior | None, schedule: Schedule | None
) -> BuildResult:
    runner = BuildRunner()
    checked = runner.check(replace(plan, prior=prior))
    if checked.reason:
        raise BadValue(checked.reason)
    for obstacle in checked.obstacles.values():
        raise obstacle.problem or BadValue(obstacle.reason)
    for note in checked.notes:
        console.print(f"[yellow]facewright:[/] {plain(note)}", soft_wrap=True)
    with interruptions() as pressed:

        def told(step: BuildIteration) -> bool:
            left = f"{step.error:.1%} of the poses' motion left"
            console.print(f"iteration {step.iteration} of {step.iterations}: {left}")
            return not pressed

        return runner.solve(checked, told, iterations=iterations, schedule=schedule)


def _facts(reach: Reach) -> dict[str, object]:
    """How far the template reaches a pose, for JSON."""
    weights = {"named": reach.named, "left": reach.left, "beyond": reach.beyond}
    return {"name": reach.name, "verdict": reach.verdict, "more": reach.more, **weights, "words": str(reach)}


def _tell(console: Console, result: BuildResult) -> None:
    built = result.built
    asked.tell(finished=built.finished, poses=[_facts(reach) for reach in built.reach])
    steps = [
        {"beta": step.beta, "gamma": step.gamma, "left": step.error, "poses": step.poses} for step in built.history
    ]
    asked.tell(iterations=steps)
    if not built.finished:
        console.print(f"[yellow]stopped after iteration {built.history[-1].iteration}[/]")
    for fit, reach in zip(built.errors, built.reach, strict=True):
        console.print(plain(str(fit)) if fit.reached else f"[yellow]{plain(str(fit))}[/]", soft_wrap=True)
        if reach.verdict != "expressible":
            console.print(f"[yellow]{plain(str(reach))}[/]", soft_wrap=True)
    added = {fit.proposal.shape.name for fit in result.fits.values() if fit.added and fit.proposal is not None}
    for proposal in built.proposals:
        shape, pose = plain(proposal.shape.name), plain(proposal.pose)
        words = (
            f"a shape {shape} makes {proposal.gain:.0%} of what {pose} lacks; sliders leave {proposal.own:.0%} of it"
        )
        done = "added:" if proposal.shape.name in added else "proposed:"
        hint = "" if proposal.shape.name in added else " (--add-missing adds it)"
        console.print(f"[yellow]{done}[/] {words}{hint}", soft_wrap=True)
        fact = {"shape": proposal.shape.name, "pose": proposal.pose, "added": proposal.shape.name in added}
        asked.list("proposals", fact | {"gain": proposal.gain, "own": proposal.own})
