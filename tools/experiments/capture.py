"""Joshi, Tien, Desbrun and Pighin 2003, sec. 3: takes solved onto faces, against truth and for real."""

from dataclasses import replace
from time import process_time
from typing import Any, get_args

import numpy as np
from tools.experiments.capture_pictures import bound_sheet, kernel_sheet, talking_sheet
from tools.experiments.capture_real import RECORDED, broken, real, solve_real
from tools.experiments.faces import faces
from tools.experiments.result import Results, markdown
from tools.experiments.takes import Known, correlation, has_takes, known_take, mesh_error

import facewright as fw
from facewright.capture.markers import BoundRig
from facewright.capture.residual import Kernel, ResidualField, Space
from facewright.capture.solution import TakeSolution

METHODS: dict[str, dict[str, Any]] = {
    "bounded (default)": {},
    "bounded, gaze and tongue solved too": {"gaze": True},
    "bounded, by region": {"gaze": True},
    "bounded, each frame alone": {"steady": 0.0, "gaze": True},
    "bounded, head from still markers alone": {"head": "markers", "gaze": True},
    "convex, whole face (the paper)": {"method": "convex", "gaze": True},
    "convex, by region (the paper)": {"method": "convex", "gaze": True},
}
STILL: dict[str, dict[str, Any]] = {
    "bounded, head solved": {"gaze": True},
    "bounded, head still": {"gaze": True, "head": "still"},
    "bounded, by region, head still": {"gaze": True, "head": "still"},
    "convex, whole face, head still (the paper)": {"method": "convex", "gaze": True, "head": "still"},
    "convex, by region, head still (the paper)": {"method": "convex", "gaze": True, "head": "still"},
}
DROPPED = {
    "without pucker, funnel, close, left, right": (
        "mouthPucker",
        "mouthFunnel",
        "mouthClose",
        "mouthLeft",
        "mouthRight",
    ),
    "without puff, inner brows, frown": ("cheekPuff", "browInnerUp", "mouthFrown", "mouthShrugLower"),
}
TRUTH = ["face", "method", "mesh", "r", "sliders on", "head", "markers", "with residual", "frames/s"]
RESIDUAL = ["face", "rig", "shapes alone", "rest, smooth", "deformed, smooth", "rest, exp(-r)", "deformed, exp(-r)",
            "rest to deformed"]  # fmt: skip


def results() -> Results:
    every = faces()
    if not has_takes() or "ICT face" not in every:
        raise SystemExit("the takes and the ICT face are not beside the checkout: docs/capture.md stays as it is")
    known = {name: known_take(rig) for name, rig in every.items()}
    solved = {(take, name): solve_real(rig, take) for take in RECORDED for name, rig in every.items()}
    tables = {
        "capture-truth": truth(known, METHODS),
        "capture-still": truth({name: known_take(rig, moves=False) for name, rig in every.items()}, STILL),
        "capture-residual": residual(every),
        "capture-real": real(solved),
        "capture-broken": broken(known["embedded head"]),
    }
    jaw, brows = ([solved[take, name][0] for name in every] for take in RECORDED)
    pictures = {
        "capture-jaw.png": talking_sheet(jaw),
        "capture-eyebrows.png": talking_sheet(brows),
        "capture-bound.png": bound_sheet(jaw),
        "capture-kernel.png": kernel_sheet(jaw[-1]),
    }
    return Results("capture.md", tables, pictures)


def truth(known: dict[str, Known], methods: dict[str, dict[str, Any]]) -> str:
    rows = []
    for name, take in known.items():
        for label, options in methods.items():
            regions = fw.segment(take.rig) if "by region" in label else None
            start = process_time()
            found = fw.solve_take(take.rig, take.take, take.binding, regions, **options)
            seconds = process_time() - start
            rows.append([name, label, *_figures(take, found), f"{len(found) / seconds:,.0f}"])
    return markdown(TRUTH, rows)


def _figures(known: Known, found: TakeSolution) -> list[str]:
    rest = known.binding.rest
    at = [np.swapaxes(R, 1, 2) for R in (found.head.rotations, known.rotations)]
    head = np.linalg.norm(rest @ at[0] + found.head.offsets[:, None] - rest @ at[1] - known.offsets[:, None], axis=2)
    field = ResidualField(BoundRig(found.rig, found.binding))
    met = found.motion + field.at_markers(field.strengths(found.filled_offsets))
    off = [10 * np.linalg.norm(motion - known.clean, axis=2)[found.believed].mean() for motion in (found.motion, met)]
    on = (found.weights > 0.01).sum(axis=1).mean()
    return [f"{mesh_error(known, found):.3f}", f"{correlation(known.weights, found.weights):.3f}", f"{on:.0f}",
            f"{10 * head.mean():.2f} mm", f"{off[0]:.2f} mm", f"{off[1]:.2f} mm"]  # fmt: skip


def residual(every: dict[str, fw.Rig]) -> str:
    """A rig that lacks shapes, so that something is left: how near the mesh comes to the truth once it is spread."""
    rows = []
    for name, rig in every.items():
        known = known_take(rig, noise=0.1)
        for label, dropped in DROPPED.items():
            kept = tuple(shape for shape in rig.shapes if not shape.name.startswith(dropped))
            less = replace(rig, shapes=kept, sliders=(), bounds=None, groups=(), exclusive=())  # type: ignore[arg-type]
            found = fw.solve_take(less, known.take, known.binding, gaze=True)
            rows.append([name, label, *_spread(known, found)])
    return markdown(RESIDUAL, rows)


def _spread(known: Known, found: TakeSolution) -> list[str]:
    frames = np.arange(0, len(found), 60)
    wanted = fw.evaluate(known.rig, known.weights[frames])[:, known.skin]
    moved = np.linalg.norm(wanted - known.rig.neutral[known.skin], axis=2).mean()
    played: dict[str | tuple[str, str], Any] = {"": fw.Playback(found, residual=False)(frames)[:, known.skin]}
    for kernel in get_args(Kernel):
        for space in get_args(Space):
            played[kernel, space] = fw.Playback(found, space=space, kernel=kernel)(frames)[:, known.skin]
    cells = [f"{np.linalg.norm(face - wanted, axis=2).mean() / moved:.3f}" for face in played.values()]
    apart = np.linalg.norm(played["smooth", "rest"] - played["smooth", "deformed"], axis=2)
    return [*cells, f"{10 * apart.mean():.3f} mm"]
