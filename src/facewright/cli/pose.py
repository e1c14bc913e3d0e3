"""`facewright pose`: drag points of a face from the terminal."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import msgspec
import numpy as np
import typer

from facewright.arrays import Floats
from facewright.cli.saving import save_baked
from facewright.cli.screen import plain, screen
from facewright.document import Document
from facewright.errors import BadValue, UnknownFormat
from facewright.formats.files import write_atomically
from facewright.pose.method import METHODS
from facewright.pose.solution import PoseSolution
from facewright.pose.solver import PoseSolver
from facewright.render.face_renderer import face_picture
from facewright.render.png import png_bytes
from facewright.rig.evaluate import evaluate
from facewright.rig.rig import Rig
from facewright.terms.pin import Pin, points_of
from facewright.terms.selection import Selection
from facewright.workflow.drag.pins_file import FilePin, PinsFile
from facewright.workflow.open import open_as


def pose(
    rig: Annotated[Path, typer.Argument(help="The rig to pose.")],
    pins: Annotated[Path, typer.Option(help='JSON such as {"pins": [{"vertex": 7, "offset": [0, 0.5, 0]}]}.')],
    out: Annotated[Path, typer.Option("-o", "--output", help="pose.json, or the posed face as .obj, .glb or .png.")],
    hold: Annotated[list[str] | None, typer.Option(help="Vertices to hold still, such as 12,13 or 12,13:y.")] = None,
    method: Annotated[str, typer.Option(help=f"One of {', '.join(METHODS)}; landweber(20) sets steps.")] = "bounded",
    damped: Annotated[bool, typer.Option("--damped", help="Ask less of points that hardly move.")] = False,
) -> None:
    """Bring points of a face to places and write the pose that does it."""
    document = open_as(rig, Document)
    asked = open_as(pins, PinsFile)
    start = document.rig.weights(document.pose if asked.start is None else asked.start)
    drag_pins = [_pin(document.rig, entry, start, i) for i, entry in enumerate(asked.pins)]
    held = _selection(hold or [])
    found = PoseSolver(document.rig).solve(drag_pins, start, method, locked=asked.locked, held=held, damped=damped)
    _write(out, document, found)
    _report(out, found)


def _pin(rig: Rig, entry: FilePin, start: Floats, number: int) -> Pin:
    if entry.target is not None and entry.offset is not None:
        raise BadValue(f"pin {number} has a target and an offset; give one of them")
    fields: dict[str, Any] = {
        "vertex": entry.vertex,
        "triangle": entry.triangle,
        "barycentric": entry.barycentric,
        "axes": entry.axes,
        "plane": entry.plane,
        "strength": entry.strength,
        "target": entry.target,
    }
    if entry.offset is None:
        return Pin(**fields, hold=entry.hold)
    place = points_of(rig, [Pin(**fields, hold=True)]).of(evaluate(rig, start))[0]
    return Pin(**fields | {"target": place + np.array(entry.offset)}, hold=entry.hold)


def _selection(texts: list[str]) -> Selection | None:
    """Held coordinates from texts such as `12,13:y`."""
    chosen = Selection.of([])
    for text in texts:
        vertices, _, axes = text.partition(":")
        try:
            chosen |= Selection.of([int(vertex) for vertex in vertices.split(",")], axes or "xyz")
        except ValueError as problem:
            raise BadValue(
                f"--hold takes vertices and perhaps axes, such as 12,13 or 12,13:y, not {text!r}"
            ) from problem
    return chosen if len(chosen) else None


def _write(out: Path, document: Document, found: PoseSolution) -> None:
    suffix = out.suffix.lower()
    if suffix == ".json":
        write_atomically(out, msgspec.json.format(msgspec.json.encode(_as_json(found)), indent=2))
    elif suffix == ".png":
        write_atomically(out, png_bytes(face_picture(document, found.weights)))
    elif suffix in (".obj", ".glb", ".gltf", ".fwface"):
        save_baked(replace(document, pose=found.weights), out)
    else:
        raise UnknownFormat(f"{out}: a pose is written as .json, .obj, .glb, .gltf, .fwface or .png")


def _as_json(found: PoseSolution) -> dict[str, Any]:
    on = {name: float(value) for name, value in zip(found.sliders, found.weights, strict=True) if value != 0}
    pins = [{"residual": float(far), "reason": why} for far, why in zip(found.residual, found.reasons, strict=True)]
    return {"weights": on, "status": found.status.value, "pins": pins, "moved": found.moved}


def _report(out: Path, found: PoseSolution) -> None:
    console = screen(stderr=True)
    moved = ", ".join(f"{name} {change:+.2f}" for name, change in list(found.moved.items())[:6]) or "no slider moved"
    console.print(f"{plain(str(out))}: {found.status.value}; {plain(moved)}", soft_wrap=True)
    for reason in filter(None, found.reasons):
        console.print(f"[yellow]{plain(reason)}[/]", soft_wrap=True)
