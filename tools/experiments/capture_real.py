"""Takes that were really recorded, and takes with mistakes in them."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time

import numpy as np
from tools.experiments.result import markdown
from tools.experiments.takes import Known, mesh_error, real_take

import facewright as fw
from facewright.arrays import Floats
from facewright.capture.residual_shapes import with_residual_shapes
from facewright.capture.solution import TakeSolution
from facewright.capture.statistics import largest_step, take_statistics
from facewright.errors import BadValue

RECORDED = ("JawMoCap", "EyebrowsMoCap")
REAL = ["take", "face", "motion", "residual", "95 % below", "after spreading", "out of bounds", "slider step",
        "marker step", "vertex step", "sliders on", "shapes to meet them", "frames/s"]  # fmt: skip
FRAMES = 1500  # of a broken take
LOST = 100  # frames that a file ends early


def solve_real(rig: fw.Rig, take: str) -> tuple[TakeSolution, float]:
    """A recorded take on a rig, bound by the markers' names, and the processor's seconds."""
    recorded = real_take(take)
    binding = fw.bind(rig, recorded)
    start = process_time()
    return fw.solve_take(rig, recorded, binding), process_time() - start


def real(solved: dict[tuple[str, str], tuple[TakeSolution, float]]) -> str:
    rows = []
    for (take, name), (found, seconds) in solved.items():
        figures = take_statistics(found)
        low, high = found.rig.bounds.T
        outside = int(((found.weights < low) | (found.weights > high)).sum())
        marker = found.millimetres * np.linalg.norm(np.diff(found.wanted, axis=0), axis=2).max()
        rows.append([
            take, name, f"{np.nanmean(figures.motion):.2f} mm", f"{figures.mean():.2f} mm",
            f"{figures.quantile(0.95):.2f} mm", f"{figures.mean_after():.1e} mm", outside, f"{largest_step(found):.2f}",
            f"{marker:.2f} mm", f"{vertex_step(found):.2f} mm", f"{(found.weights > 0.01).sum(axis=1).mean():.1f}",
            len(with_residual_shapes(found)[0].shapes) - len(found.rig.shapes), f"{len(found) / seconds:,.0f}",
        ])  # fmt: skip
    return markdown(REAL, rows)


def vertex_step(found: TakeSolution) -> float:
    """The furthest that a vertex goes from one frame to the next, in millimetres of the actor."""
    last, most = None, 0.0
    for some in fw.Playback(found).chunks():
        whole = some if last is None else np.concatenate([last[None], some])
        most = max(most, float(np.linalg.norm(np.diff(whole, axis=0), axis=2).max(initial=0.0)))
        last = some[-1]
    return found.millimetres * most


def broken(known: Known) -> str:
    """What becomes of a take with mistakes in it: the word, and the mesh error of all frames that are left."""
    whole = known.first(FRAMES)
    rows = []
    for label, mistake in MISTAKES.items():
        take = mistake(whole)
        try:
            found = fw.solve_take(known.rig, take, known.binding, gaze=True)
            rows.append([label, _told(found), f"{mesh_error(known.first(len(found)), found):.3f}"])
        except BadValue as problem:
            found = fw.solve_take(known.rig, take.really_in("m"), known.binding, gaze=True)
            mesh = f"{mesh_error(whole, found):.3f}, once said"
            rows.append([label, str(problem).removeprefix(f"{take.name}: "), mesh])
    return markdown(["take", "word", "mesh"], rows)


def _told(found: TakeSolution) -> str:
    statuses = sorted({status.value for status in found.status} - {"solved"})
    return "; ".join(found.notes) or "; ".join(statuses) or "nothing to say"


def _changed(known: Known, change: Callable[[Floats], None]) -> fw.Take:
    positions = np.array(known.take.positions)
    change(positions)
    return replace(known.take, positions=positions)


def _swapped(known: Known) -> fw.Take:
    pair = [known.binding.index("Mouth_Lend"), known.binding.index("Lcheek_Down")]

    def swap(positions: Floats) -> None:
        positions[300:420, pair] = positions[300:420, pair[::-1]]

    return _changed(known, swap)


def _constant(known: Known) -> fw.Take:
    chin = known.binding.index("Chin")

    def keep(positions: Floats) -> None:
        positions[:, chin] = positions[0, chin]

    return _changed(known, keep)


def _elsewhere(known: Known) -> fw.Take:
    lid = known.binding.index("Leye_Up")

    def fly(positions: Floats) -> None:
        positions[700:760, lid] += (5.0, 4.0, 8.0)

    return _changed(known, fly)


def _empty(known: Known) -> fw.Take:
    def lose(positions: Floats) -> None:
        positions[500:506] = np.nan

    return _changed(known, lose)


def _truncated(known: Known) -> fw.Take:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "known.c3d"
        fw.save_take(known.take, path)
        data = path.read_bytes()
        path.write_bytes(data[: -LOST * len(known.binding) * 16])
        return fw.load_take(path)


MISTAKES: dict[str, Callable[[Known], fw.Take]] = {
    "as recorded": lambda known: known.take,
    "two markers swapped for 120 frames": _swapped,
    "one marker constant throughout": _constant,
    "six frames without any marker": _empty,
    "one marker elsewhere for 60 frames": _elsewhere,
    "numbers in metres, said to be centimetres": lambda known: replace(
        known.take, positions=known.take.positions / 100
    ),
    "C3D file that ends a hundred frames early": _truncated,
}
