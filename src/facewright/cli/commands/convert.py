"""Read a rig, a clip or a take in one format and write it in another."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from facewright.cli.asked import asked
from facewright.cli.conversion import convert_file
from facewright.cli.mistakes import show_problem
from facewright.cli.outputs import check_outputs
from facewright.cli.rig.inputs import values_from
from facewright.cli.streams import file_given, file_written, is_stream
from facewright.errors import BadValue, FacewrightError
from facewright.workflow.export.options import KEYS, LAYERS, TEXTURES, ExportOptions, option_names
from facewright.workflow.open import SAMPLE

_NAME = "{name}"


def convert(
    sources: Annotated[
        list[Path],
        typer.Argument(metavar="IN...", help=f"Rigs, clips and takes; {SAMPLE}: the embedded head, -: standard input."),
    ],
    target: Annotated[
        Path,
        typer.Argument(
            metavar="OUT",
            help="Where to write, in the format of its suffix; none: a folder. {name}: that of IN, -: standard output.",
        ),
    ],
    names: Annotated[str, typer.Option(help="Rename shapes to a convention, such as arkit.")] = "",
    unit: Annotated[
        str, typer.Option(help="The unit of IN, such as cm, if it does not say its own; default by the face's size.")
    ] = "",
    scale: Annotated[float, typer.Option(help="Multiply all lengths. glTF is in metres by itself, by the unit.")] = 1.0,
    plain: Annotated[
        bool, typer.Option(help="Make each in-between and combination a target with its own keys, for other programs.")
    ] = False,
    tolerance: Annotated[
        float, typer.Option(help="With --plain: drop those that move no vertex further than this share of the face.")
    ] = 0.0,
    clips: Annotated[
        list[str] | None, typer.Option("--clip", help="A clip to write, once for each; default all.")
    ] = None,
    start: Annotated[float | None, typer.Option(help="Second of the clips that becomes 0; default the first.")] = None,
    end: Annotated[float | None, typer.Option(help="Second at which the clips end; default the last.")] = None,
    rate: Annotated[float, typer.Option(help="Frames a second of the clips; default their own.")] = 0.0,
    keys: Annotated[str, typer.Option(help=f"{option_names(KEYS)}.")] = "kept",
    textures: Annotated[str, typer.Option(help=f"{option_names(TEXTURES)}.")] = "all",
    layers: Annotated[str, typer.Option(help=f"{option_names(LAYERS)}.")] = "kept",
    avatar: Annotated[
        list[str] | None,
        typer.Option(metavar="FIELD=TEXT", help="Of a .vrm, once for each, such as authors='Jo Doe'; see vrm meta."),
    ] = None,
    rig: Annotated[
        Path, typer.Option(help="The face for a clip of weights that is written as a rig, such as .glb.")
    ] = Path(SAMPLE),
    given: Annotated[str, typer.Option("--from", help="The format of standard input, if its bytes do not say.")] = "",
    to: Annotated[str, typer.Option(help="The format of standard output, such as glb.")] = "",
) -> None:
    """Read a rig, a clip or a take in one format and write it in another."""
    if tolerance and not plain:
        raise BadValue("--tolerance says which targets --plain leaves out; give both")
    options = ExportOptions(
        names=names,
        unit=unit,
        scale=scale,
        plain=plain,
        tolerance=tolerance,
        clips=tuple(clips) if clips else None,
        start=start,
        end=end,
        rate=rate,
        keys=keys,
        textures=textures,
        layers=layers,
        avatar=values_from(avatar or (), "what an avatar states", "authors='Jo Doe'"),
    )
    if avatar and (f".{to}" if is_stream(target) else target.suffix.lower()) != ".vrm":
        raise BadValue("--avatar says what a .vrm file states; OUT is another one")
    targets = _targets(sources, target)
    if is_stream(target) and asked.json:
        raise BadValue("the file and --json would both go to standard output; name a file, or leave --json out")
    if not is_stream(target):
        # What is changed may take the place of what it was.
        check_outputs(targets, [*(sources if options == ExportOptions() else ()), rig])
    failed = False
    for source, out in zip(sources, targets, strict=True):
        try:
            with file_given(source, given) as read, file_written(out, to) as written:
                convert_file(read, written, options, rig)
        except (FacewrightError, OSError) as problem:
            if len(sources) == 1:
                raise
            show_problem(problem)
            failed = True
    if failed:
        raise typer.Exit(2)


def _targets(sources: list[Path], target: Path) -> list[Path]:
    """Where each file is written; names of several have to differ."""
    named = [Path(str(target).replace(_NAME, "stdin" if is_stream(source) else source.stem)) for source in sources]
    if len(sources) > 1 and _NAME not in str(target):
        hint = target.with_name(_NAME + (target.suffix or ".glb"))
        raise BadValue(f"several files need a name each: say {hint}, for instance")
    if len(set(named)) != len(named):
        raise BadValue("two of the files have the same name, and would be written to the same file")
    return named
