"""`facewright live record`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from facewright.cli.asked import asked
from facewright.cli.live.hear import DEFAULT_HOST, Host, Kind, Phone, Port, Seconds, hear, listener_of
from facewright.cli.outputs import check_outputs
from facewright.cli.saving import save_and_tell
from facewright.cli.screen import plain, screen
from facewright.cli.streams import face_given
from facewright.document import Document
from facewright.errors import BadValue
from facewright.formats.clips import save_clip
from facewright.formats.name_map import load_name_map
from facewright.formats.registry import format_of
from facewright.live.frame import LiveFrame
from facewright.live.listen import Listener
from facewright.live.recording import LiveRecording
from facewright.motion.clip import Clip
from facewright.rig.retarget import MappedName, check_map
from facewright.workflow.head_rig import with_moving_clip
from facewright.workflow.take.options import TakeOptions
from facewright.workflow.take.retarget import retarget_clips

_TABLES = (".csv", ".json", ".jsonl")


def record(
    out: Annotated[Path, typer.Option("-o", "--output", help="A rig's format, or .csv or .json for the table alone.")],
    rig: Annotated[Path, typer.Option(help="The rig that it is recorded for; `sample`: the embedded head.")] = Path(
        "sample"
    ),
    kind: Kind = "livelink",
    port: Port = None,
    host: Host = DEFAULT_HOST,
    phone: Phone = "",
    source: Annotated[str, typer.Option(help="Only this sender, by the name that `live list` shows.")] = "",
    seconds: Seconds = 0.0,
    frames: Annotated[int, typer.Option(min=0, help="End by itself after so many frames.")] = 0,
    map: Annotated[
        Path | None, typer.Option(help="A table of names: rows curve,slider or curve,slider,factor.")
    ] = None,
    smooth: Annotated[str, typer.Option(help="euro, or a cutoff in Hz such as 6.")] = "",
) -> None:
    """Record a face that a phone or a program sends; Ctrl-C ends it, and keeps what was recorded."""
    is_table = out.suffix.lower() in _TABLES
    if not is_table:
        format_of(out)
    check_outputs([out], [rig, map])
    options = TakeOptions(smooth=smooth, keys=None)
    document = Document(face_given(rig).rig) if is_table else face_given(rig)  # before the actor begins
    names = () if map is None else load_name_map(map)
    check_map(names, document.rig)
    listener, recording = listener_of(kind, port, host, phone, source), LiveRecording()
    first: list[str] = []

    def take(frame: LiveFrame) -> bool:
        if not first:
            first.append(frame.source)
        if frame.source == first[0]:  # two faces at once do not make a take
            recording.add(frame)
        return recording.is_full or (frames > 0 and len(recording) >= frames)

    hear(listener, take, seconds)
    _check_some(recording, listener)
    clip = recording.clip(out.stem)
    _tell(recording, listener, first[0])
    if is_table:
        save_clip(options.finish(clip), out)
    else:
        save_and_tell(_with(document, clip, options, names), out)


def _with(document: Document, clip: Clip, options: TakeOptions, names: tuple[MappedName, ...]) -> Document:
    """The document with the recording on its sliders, as its current clip."""
    found = retarget_clips(document.rig, [clip], options, names=names)
    for note in found.notes:
        screen(stderr=True).print(plain(note), soft_wrap=True)
    return with_moving_clip(document, found.clips[0])


def _check_some(recording: LiveRecording, listener: Listener) -> None:
    if len(recording):
        return
    why = f"{listener.receiver.bad} packets came that are no {listener.kind.label}: {listener.receiver.last_problem}"
    nothing = f"no packet came to {listener.host}:{listener.port}; is the sender told this address?"
    raise BadValue(f"nothing was recorded: {why if listener.receiver.bad else nothing}")


def _tell(recording: LiveRecording, listener: Listener, source: str) -> None:
    status = next(one for one in listener.sources() if one.name == source)
    asked.tell(
        source=source,
        frames=len(recording),
        seconds=recording.seconds,
        lost=status.lost,
        late=status.late,
        bad=listener.receiver.bad,
    )
    screen(stderr=True).print(
        f"{len(recording)} frames of {plain(source)} in {recording.seconds:.2f} s, "
        f"{status.lost} lost ({status.loss:.1%}), {listener.receiver.bad} bad packets",
        soft_wrap=True,
    )
