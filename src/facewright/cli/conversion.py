"""One file read and written in another format, by what it holds: a rig, a clip of weights, or a take of markers."""

from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path

from facewright.cli.asked import asked
from facewright.cli.saving import save_and_tell
from facewright.cli.screen import plain, screen
from facewright.cli.streams import shown
from facewright.document import Document
from facewright.errors import BadFile, BadValue
from facewright.formats.clips import SUFFIXES as CLIPS
from facewright.formats.clips import save_clip
from facewright.formats.registry import format_of
from facewright.formats.takes import SUFFIXES as TAKES
from facewright.formats.takes import save_take
from facewright.motion.clip import Clip
from facewright.motion.take import Take
from facewright.rig.names import convention_names
from facewright.workflow.export.arrange import cut_or_sampled
from facewright.workflow.export.options import ExportOptions
from facewright.workflow.file_kind import kind_of
from facewright.workflow.open import open_any, open_face
from facewright.workflow.take.files import solve_file
from facewright.workflow.take.take_files import TakeFiles

_OF_CLIPS = ("names", "start", "end", "rate", "keys")
_OF_TAKES = ("unit", "rate")


def convert_file(source: Path, target: Path, options: ExportOptions, rig: Path) -> None:
    """Write what a file holds in the format of another path, and say what was kept.

    rig: the face on which a clip is put that is written as a rig, or `sample`.
    """
    found = _opened(source, options)
    if isinstance(found, Document):
        _face(found, source, target, options)
    elif isinstance(found, Clip):
        _clip(found, source, target, options, rig)
    elif isinstance(found, Take):
        _take(found, source, target, options)
    else:
        holds = kind_of(source).words
        raise BadFile(f"{source}: this file holds {holds}; rigs, clips of weights and takes of markers are converted")


def _opened(source: Path, options: ExportOptions) -> object:
    if not source.exists():
        return open_face(source)  # `sample`, or an error that says that there is no such file
    return open_any(source, rate=options.rate or None, unit=options.unit)


def _face(document: Document, source: Path, target: Path, options: ExportOptions) -> None:
    if target.suffix.lower() not in CLIPS:
        save_and_tell(document, target, options=options)
        return
    names = [clip.name for clip in document.clips] if options.clips is None else list(options.clips)
    if len(names) != 1:
        has = f"the clips {', '.join(names)}: choose one with --clip" if names else "no clip"
        raise BadValue(f"{source}: a table holds one clip, and this file has {has}")
    _write_clip(document.clip_named(names[0]), source, target, replace(options, clips=None))


def _clip(clip: Clip, source: Path, target: Path, options: ExportOptions, rig: Path) -> None:
    if target.suffix.lower() in CLIPS:
        _write_clip(clip, source, target, options)
        return
    format_of(target)
    _only(options, ("rate",), source, "a clip that is put onto a face; write that face first, and convert it again")
    done = solve_file(TakeFiles(rig=rig, take=source, out=target, rate=options.rate or None))
    asked.list("written", {"file": shown(target), "kept": [done.line], "lost": [], "notes": list(done.notes)})
    console = screen(stderr=True)
    console.print(f"{plain(shown(target))}: on {plain(rig.name)}; {plain(done.line)}", soft_wrap=True)
    for note in done.notes:
        console.print(f"[yellow]{plain(note)}[/]", soft_wrap=True)


def _write_clip(clip: Clip, source: Path, target: Path, options: ExportOptions) -> None:
    _only(options, _OF_CLIPS, source, "a clip of weights")
    new = convention_names(tuple(clip.curves), options.names) if options.names else {}
    curves = {new.get(name, name): curve for name, curve in clip.curves.items()}
    if len(curves) != len(clip.curves):
        raise BadValue(f"{source}: two curves would have the same name in {options.names}; leave --names out")
    made = cut_or_sampled(replace(clip, curves=curves), options)
    save_clip(made, target)
    _tell(target, f"{len(made.curves)} curves", f"{len(made.times()):,} frames", f"{made.end - made.start:.2f} s")


def _take(take: Take, source: Path, target: Path, options: ExportOptions) -> None:
    if target.suffix.lower() not in TAKES:
        hint = f"facewright solve sample {source.name} -o {target.name}"
        raise BadValue(
            f"{source}: markers are solved, not converted, to move a face: {hint}. A take of markers is written as "
            f"{', '.join(TAKES)}"
        )
    _only(options, _OF_TAKES, source, "a take of markers")
    save_take(take, target)
    _tell(target, f"{len(take.names)} markers", f"{len(take):,} frames", f"{take.rate:g} a second", f"in {take.unit}")
    for note in take.notes:
        screen(stderr=True).print(f"[yellow]{plain(note)}[/]", soft_wrap=True)


def _tell(target: Path, *kept: str) -> None:
    asked.list("written", {"file": shown(target), "kept": list(kept), "lost": [], "notes": []})
    screen(stderr=True).print(f"{plain(shown(target))}: {', '.join(kept)}", soft_wrap=True)


def _only(options: ExportOptions, known: tuple[str, ...], source: Path, what: str) -> None:
    """Raise where an option is given that means nothing here."""
    usual = ExportOptions()
    given = [field.name for field in fields(options) if getattr(options, field.name) != getattr(usual, field.name)]
    if wrong := [f"--{'clip' if name == 'clips' else name}" for name in given if name not in known]:
        raise BadValue(f"{source}: this is {what}, for which {', '.join(wrong)} means nothing; leave it out")
