"""Bring points of a face to places, apply poses or set sliders, and write the pose."""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Annotated, Literal

import msgspec
import numpy as np
import typer

from facewright.arrays import Floats
from facewright.cli.asked import asked
from facewright.cli.outputs import check_outputs
from facewright.cli.pose_inputs import selection_of, values_of
from facewright.cli.saving import save_and_tell
from facewright.cli.screen import plain, screen
from facewright.cli.streams import face_given
from facewright.document import Document
from facewright.errors import BadValue, UnknownFormat
from facewright.formats.files import read_up_to, write_atomically
from facewright.formats.schema.library_pose import LARGEST, pose_from_text, pose_text
from facewright.formats.sources import naming
from facewright.pose.attenuation import Attenuation
from facewright.pose.attenuation_layer import attenuation_layer
from facewright.pose.method import AUTOMATIC, METHODS, NATURAL, PRINTED
from facewright.pose.solution import PoseSolution
from facewright.regions.bake import bake_regions
from facewright.regions.replace import with_regions
from facewright.render.face_renderer import face_picture
from facewright.render.png import png_bytes
from facewright.report.lint import listed
from facewright.rig.evaluate import evaluate
from facewright.rig.library_pose import LibraryPose
from facewright.rig.regions import Regions
from facewright.rig.slider_sets import sliders_among
from facewright.terms.pin import Pin, points_of
from facewright.terms.selection import Selection
from facewright.workflow.drag.drag import Point, move_pins
from facewright.workflow.drag.pin_places import PinPlaces
from facewright.workflow.drag.pins_file import FilePin, PinsFile
from facewright.workflow.open import open_as, open_prior
from facewright.workflow.solver_cache import SolverCache

_BY_PRIOR = (NATURAL, AUTOMATIC)
_WRITTEN = (".json", ".obj", ".glb", ".gltf", ".vrm", ".fbx", ".usda", ".usdc", ".usdz", ".fwface", ".png")


def pose(
    rig: Annotated[Path, typer.Argument(help="The rig to pose; `sample`: the embedded head.")],
    out: Annotated[Path, typer.Option("-o", "--output", help="pose.json, or the posed face as .obj, .glb or .png.")],
    pins: Annotated[
        Path | None, typer.Option(help='JSON such as {"pins": [{"vertex": 7, "offset": [0, 0.5, 0]}]}.')
    ] = None,
    apply: Annotated[
        list[str] | None,
        typer.Option(help="A pose to apply first: a pose.json, or the name of one in the rig's file; once for each."),
    ] = None,
    blend: Annotated[float, typer.Option(help="With --apply: how much of the pose, 0 to 1.")] = 1.0,
    mirrored: Annotated[bool, typer.Option("--mirrored", help="With --apply: exchange left and right.")] = False,
    additive: Annotated[bool, typer.Option("--additive", help="With --apply: add it to the pose.")] = False,
    set: Annotated[
        list[str] | None, typer.Option(help="Sliders to set, such as jawOpen=0.6; with --hold they are attenuated.")
    ] = None,
    hold: Annotated[
        list[str] | None, typer.Option(help="Vertices to hold still, such as 12,13 or 12,13:y, or a .json file.")
    ] = None,
    alpha: Annotated[
        float | None, typer.Option(help="With --set and --hold: how still; default unselected over held vertices.")
    ] = None,
    method: Annotated[
        str,
        typer.Option(help=f"One of {', '.join(METHODS)}; landweber(20) sets steps; in print: {', '.join(PRINTED)}."),
    ] = "bounded",
    prior: Annotated[
        Path | None,
        typer.Option(help="For natural and automatic: a prior.json; default the prior in the rig's file, else names."),
    ] = None,
    sliders: Annotated[
        list[str] | None,
        typer.Option(help="Sliders that may move: all, arkit, a group such as mouth, or names; once for each."),
    ] = None,
    damped: Annotated[bool, typer.Option("--damped", help="Ask less of points that hardly move.")] = False,
    region: Annotated[str, typer.Option(help="Move this region of the face alone, such as mouth.")] = "",
    regions: Annotated[Path | None, typer.Option(help="A regions.json; default the regions in the rig's file.")] = None,
    clip: Annotated[
        str,
        typer.Option(
            help="With --hold: a clip of the rig's file, over which a layer keeps points as the pose has them."
        ),
    ] = "",
) -> None:
    """Bring points of a face to places, apply poses or set sliders, and write the pose.

    With --clip, hold points still over a clip: every frame is attenuated, and the pose is what the points keep.
    """
    _check_name(out)
    if clip:
        _check_held_clip(out, hold, pins)
    elif pins is None and not apply and not set:
        raise BadValue("give --pins, points to bring to places, --apply, a pose of a library, or --set, values")
    if pins is None and (prior or sliders or damped or region or regions):
        raise BadValue("--prior, --sliders, --damped, --region and --regions are about --pins; give these")
    if hold and pins is None and not set and not clip:
        raise BadValue("--hold is about --pins, --set and --clip; give one of them")
    if alpha is not None and not (hold and (set or clip)):
        raise BadValue("--alpha is how still --hold keeps points while --set or --clip moves sliders; give both")
    given = [Path(one) for one in [*(apply or []), *(hold or [])] if Path(one).is_file()]
    check_outputs([out], [rig, pins, prior, regions, *given])
    held = selection_of(hold or [])
    document = before = face_given(rig)
    if clip:  # what points keep is the neutral face, and what is asked for
        document = replace(document, pose=np.zeros(len(document.rig.sliders)))
    for one in apply or []:
        document = _with_pose(document, one, blend=blend, mirrored=mirrored, additive=additive)
    if set:
        document = _with_values(document, set, None if clip else held, alpha)
    if clip and held is not None:
        save_and_tell(replace(_with_layer(document, clip, held, alpha), pose=before.pose), out)
        return
    if pins is None:
        _write_posed(out, document)
        return
    wished = open_as(pins, PinsFile)
    if prior is not None:
        document = _with_prior(document, prior, method)
    if regions is not None:
        document = with_regions(document, open_as(regions, Regions))
    start = document.rig.weights(document.pose if wished.start is None else wished.start)
    document = replace(document, pose=start)
    solvers = SolverCache()
    wanted = [_pin(document, entry, number, solvers) for number, entry in enumerate(wished.pins)]
    posed, found = move_pins(
        document,
        wanted,
        solvers,
        region=region,
        method=method,
        damped=damped,
        locked=wished.locked,
        sliders=sliders_among(document.rig, sliders, document.slider_sets) if sliders else wished.sliders,
        held=held,
    )
    asked.tell(file=str(out), **_as_json(found.solution, region))
    _write(out, posed, found.solution, region)
    _report(out, found.solution)


def _with_layer(document: Document, clip: str, held: Selection, alpha: float | None) -> Document:
    """The document with a layer over a clip in which held points stay where the pose has them."""
    now = document.clip_named(clip)
    layer = attenuation_layer(document.rig, now, held, document.pose, alpha, prior=document.usable_prior)
    taken = [each.name for each in now.layers]
    name = next(name for number in count(1) if (name := f"held points {number}") not in taken)
    asked.tell(clip=clip, layer=name, sliders=list(layer.curves))
    screen(stderr=True).print(plain(f"{name} over {clip} changes {len(layer.curves)} sliders"), soft_wrap=True)
    made = replace(now, layers=(*now.layers, replace(layer, name=name)))
    return replace(document, clips=tuple(made if each is now else each for each in document.clips))


def _with_pose(document: Document, given: str, *, blend: float, mirrored: bool, additive: bool) -> Document:
    """The document with a pose of a file, or of its own library, applied."""
    file = Path(given)
    if file.is_file():
        with naming(file):
            found = pose_from_text(read_up_to(file, LARGEST), file.stem)
    else:
        found = document.pose_named(given)
    if left := found.unknown(document.rig):
        if len(left) == len(found.weights):
            raise BadValue(f"pose {found.name!r} names no slider of this face, but {listed(list(left))}")
        screen(stderr=True).print(f"not on this face: {plain(listed(list(left)))}")
    values = found.on(document.rig, document.pose, blend=blend, mirrored=mirrored, additive=additive)
    return replace(document, pose=values)


def _write_posed(out: Path, document: Document) -> None:
    """Write a pose that no pins were solved for."""
    pose = LibraryPose.of(out.stem, document.rig, document.pose)
    asked.tell(file=str(out), weights=dict(pose.weights))
    suffix = out.suffix.lower()
    if suffix == ".json":
        write_atomically(out, pose_text(pose).encode())
    elif suffix == ".png":
        write_atomically(out, png_bytes(face_picture(bake_regions(document).document)))
    else:
        save_and_tell(document, out)


def _with_prior(document: Document, file: Path, method: str) -> Document:
    """The document with another prior; it is checked on the rig, since drags do without one that is of another face."""
    if method not in _BY_PRIOR:
        raise BadValue(f"--prior is for --method {' or '.join(_BY_PRIOR)}; {method} would ignore it")
    found = open_prior(file)
    with naming(file):
        found.on(document.rig)
    return replace(document, prior=found)


def _pin(document: Document, entry: FilePin, number: int, solvers: SolverCache) -> Pin:
    if entry.target is not None and entry.offset is not None:
        raise BadValue(f"pin {number} has a target and an offset; give one of them")
    target = entry.target
    if entry.offset is not None:
        points = points_of(document.rig, [_surface_pin(entry, None, hold=True)])
        places = PinPlaces.of(solvers.pose(document.rig).deltas, points, document.regions)
        target = places.at(solvers.values(document))[0] + np.array(entry.offset)
    return _surface_pin(entry, target, hold=entry.hold)


def _surface_pin(entry: FilePin, target: Point | Floats | None, *, hold: bool | Literal["softly"]) -> Pin:
    return Pin(
        vertex=entry.vertex,
        triangle=entry.triangle,
        barycentric=None if entry.barycentric is None else np.array(entry.barycentric),
        target=None if target is None else np.array(target),
        axes=entry.axes,
        plane=None if entry.plane is None else np.array(entry.plane),
        strength=entry.strength,
        hold=hold,
    )


def _with_values(document: Document, texts: list[str], held: Selection | None, alpha: float | None) -> Document:
    """The document with sliders set; where points are held, attenuated so that these hardly move."""
    rig = document.rig
    wanted = rig.weights(document.pose).copy()
    for name, value in values_of(texts, rig).items():
        wanted[rig.slider_index(name)] = value
    if held is None:
        return replace(document, pose=wanted)
    found = Attenuation(rig, held, document.pose, alpha, prior=document.usable_prior)
    pose = found.solve(wanted).weights
    before = evaluate(rig, document.pose)
    plain_drift, drift = (
        float(np.abs((evaluate(rig, one) - before).ravel()[held.coordinates]).max()) for one in (wanted, pose)
    )
    asked.tell(alpha=found.alpha, drift=drift, drift_without=plain_drift)
    words = f"held points move {drift:.3g} instead of {plain_drift:.3g}, alpha {found.alpha:.4g}"
    screen(stderr=True).print(words, soft_wrap=True)
    return replace(document, pose=pose)


def _check_held_clip(out: Path, hold: list[str] | None, pins: Path | None) -> None:
    if pins is not None:
        raise BadValue("--clip holds points over a clip, and --pins are about one pose; give one of them")
    if not hold:
        raise BadValue("--clip is about points that stay still in it; name them by --hold")
    if out.suffix.lower() in (".json", ".png", ".obj"):
        raise UnknownFormat(f"{out}: a clip is written as .fwface, which keeps the layer, or baked, as .glb")


def _check_name(out: Path) -> None:
    if out.suffix.lower() not in _WRITTEN:
        raise UnknownFormat(f"{out}: a pose is written as {', '.join(_WRITTEN[:-1])} or {_WRITTEN[-1]}")


def _write(out: Path, document: Document, found: PoseSolution, region: str) -> None:
    suffix = out.suffix.lower()
    if suffix == ".json":
        write_atomically(out, msgspec.json.format(msgspec.json.encode(_as_json(found, region)), indent=2))
    elif suffix == ".png":
        write_atomically(out, png_bytes(face_picture(bake_regions(document).document)))
    else:
        save_and_tell(document, out)


def _as_json(found: PoseSolution, region: str) -> dict[str, object]:
    """The weights of the face, or of the region that was moved."""
    on = {name: float(value) for name, value in zip(found.sliders, found.weights, strict=True) if value != 0}
    pins = [{"residual": float(far), "reason": why} for far, why in zip(found.residual, found.reasons, strict=True)]
    of = {"region": region} if region else {}
    return {"weights": on, **of, "status": found.status.value, "pins": pins, "moved": found.moved}


def _report(out: Path, found: PoseSolution) -> None:
    console = screen(stderr=True)
    moved = ", ".join(f"{name} {change:+.2f}" for name, change in list(found.moved.items())[:6]) or "no slider moved"
    console.print(f"{plain(str(out))}: {found.status.value}; {plain(moved)}", soft_wrap=True)
    for reason in filter(None, found.reasons):
        console.print(f"[yellow]{plain(reason)}[/]", soft_wrap=True)
