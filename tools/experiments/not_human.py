"""Joshi 2003, sec. 7: faces that are not human, through regions, posing and capture."""

from collections.abc import Iterator
from dataclasses import dataclass
from time import process_time

import numpy as np
from scipy.interpolate import CubicSpline
from tools.experiments.animator import Task, far_apart, tasks
from tools.experiments.closed_loop import Animator
from tools.experiments.faces import SHARED, motion
from tools.experiments.marks import PIN, draw_dots, places_in
from tools.experiments.methods import METHODS, OURS
from tools.experiments.result import Results, markdown

import facewright as fw
from facewright.arrays import Floats
from facewright.capture.options import Method
from facewright.render.camera import frame
from facewright.render.face_renderer import face_picture
from facewright.render.region_palette import region_colors
from facewright.render.sheet_layout import contact_sheet
from facewright.render.tone import Bytes
from facewright.rig.binding import bind_vertices
from facewright.samples.animal import animal_mask

THRESHOLDS, FRAMES = (0.25, 0.75), 300
MARKERS, STILL, NOISE = 32, 8, 0.001  # on what moves, on what does not, and noise, of the rig's size
POSED = {"animal mask": {"snarlLeft": 0.9, "earBackRight": 0.9, "jawOpen": 0.5, "browUpLeft": 0.8},
         "robot": {"Surprised": 0.7, "Angry": 0.5}}  # fmt: skip
SHOWN = (OURS, "pseudo-inverse, eq. 3", "Tikhonov 1e-3", "transpose, exact step")
SIZE = (330, 360)


@dataclass(frozen=True, eq=False)
class Acted:
    """A take of smooth, random weights as markers show it, and these weights."""

    take: fw.Take
    binding: fw.Binding
    weights: Floats  # (frames, n)


def rigs() -> Iterator[tuple[str, fw.Rig]]:
    yield "animal mask", animal_mask()
    path = SHARED / "gltf_samples" / "RobotExpressive.glb"
    if path.is_file():
        yield "robot", head_of(fw.load(path))


def head_of(robot: fw.Rig) -> fw.Rig:
    """The part that expressions move, as a rig of its own."""
    part = robot.part("Head")
    faces = [row - part.start for row in robot.polygons.rows() if part.start <= row.min() and row.max() < part.stop]
    shapes = tuple(fw.Shape(one.name, one.vertices - part.start, one.offsets) for one in robot.shapes)
    return fw.Rig(robot.neutral[part.start : part.stop], fw.Polygons.of(faces), shapes)


def results() -> Results:
    found = dict(rigs())
    tables = {"not-human-posing": posing(found), "not-human-capture": capture(found)}
    pictures = {f"papers-{name.split()[0]}.png": sheet(rig, POSED[name]) for name, rig in found.items()}
    return Results("papers-experiments.md", tables, pictures)


def posing(found: dict[str, fw.Rig]) -> str:
    """Hidden poses by pins far apart, dragged once: median mesh error, for an exact hand and one off by a tenth."""
    rows = []
    for name, rig in found.items():
        solver = fw.PoseSolver(rig)
        animator = Animator(solver)
        for method in SHOWN:
            cells = []
            for noise in (0.0, 0.1):
                runs = list(tasks(rig, "far apart", noise=noise, count=60))
                cells.append(np.median([animator.off(METHODS[method](solver, task), task.pose) for task in runs]))
            rows.append([name, method, *(f"{cell:.3f}" for cell in cells)])
    return markdown(["face", "method", "mesh error, exact hand", "off by 10 %"], rows)


def acted(rig: fw.Rig) -> Acted:
    """A take of 300 frames: sliders that come and go."""
    rng = np.random.default_rng(3)
    knots = rng.uniform(-1.2, 1.0, size=(FRAMES // 20 + 4, len(rig.sliders)))
    weights = np.clip(CubicSpline(20 * np.arange(len(knots)), knots)(np.arange(FRAMES)), 0, 1)
    reach = np.linalg.norm(rig.deltas(), axis=2).max(axis=0)
    moving = far_apart(rig, (reach > 0.1 * reach.max()).astype(float), MARKERS)
    still = far_apart(rig, (reach == 0).astype(float), STILL)
    vertices = np.concatenate([moving, still])
    names = tuple(f"m{number}" for number in range(len(vertices)))
    binding = bind_vertices(rig, dict(zip(names, vertices.tolist(), strict=True)))
    seen = fw.evaluate(rig, weights)[:, vertices]
    seen = seen + NOISE * rig.size * rng.normal(size=seen.shape)
    return Acted(fw.Take(names, seen, 30.0, "cm", "acted"), binding, weights)


def capture(found: dict[str, fw.Rig]) -> str:
    """The take solved in several ways: mesh error, and processor time."""
    ways: dict[str, tuple[Method, bool]] = {
        "bounded (default)": ("bounded", False),
        "bounded, by region": ("bounded", True),
        "convex (the paper)": ("convex", False),
        "convex, by region (the paper)": ("convex", True),
    }
    rows = []
    for name, rig in found.items():
        made, regions = acted(rig), fw.segment(rig, threshold=0.25)
        truth = fw.evaluate(rig, made.weights[::10])
        for label, (method, regional) in ways.items():
            start = process_time()
            solved = fw.solve_take(
                rig, made.take, made.binding, regions if regional else None, method=method, sliders="all"
            )
            seconds = process_time() - start
            cells = []
            for residual in (False, True):
                face = fw.Playback(solved, residual=residual)(np.arange(0, FRAMES, 10))
                cells.append(np.linalg.norm(face - truth) / np.linalg.norm(truth - rig.neutral))
            count = regions.count if regional else 1
            rows.append([name, label, count, *(f"{cell:.3f}" for cell in cells), f"{1000 * seconds / FRAMES:.2f} ms"])
    head = ["face", "way", "regions", "mesh error", "with residual", "solving a frame"]
    return markdown(head, rows)


def sheet(rig: fw.Rig, pose: dict[str, float]) -> Bytes:
    """Rest and regions; a pose to reach by pins, and what two methods make of it."""
    solver, weights = fw.PoseSolver(rig), rig.weights(pose)
    views = np.concatenate([rig.neutral, fw.evaluate(rig, weights)])
    camera = frame(views, "threequarter", aspect=SIZE[0] / SIZE[1])
    tiles = {"at rest": face_picture(rig, size=SIZE, camera=camera)}
    for t in THRESHOLDS:
        regions = fw.segment(rig, threshold=t)
        tiles[f"t = {t:g}: {regions.count} regions"] = face_picture(
            rig, size=SIZE, camera=camera, colors=region_colors(rig, regions)
        )
    printed = fw.segment(rig, method="threshold")
    tiles[f"in print, t = 0.75: {printed.count}"] = face_picture(
        rig, size=SIZE, camera=camera, colors=region_colors(rig, printed)
    )
    vertices = far_apart(rig, motion(rig, weights), 6)
    task = Task(weights, vertices, fw.evaluate(rig, weights)[vertices])
    goal = face_picture(rig, weights, size=SIZE, camera=camera)
    draw_dots(goal, places_in(camera, task.targets, SIZE), PIN, radius=4.0)
    tiles["to reach by six pins"] = goal
    for label, method in (("ours", OURS), ("pseudo-inverse", SHOWN[1]), ("transpose", SHOWN[3])):
        tiles[label] = face_picture(rig, np.clip(METHODS[method](solver, task), 0, 1), size=SIZE, camera=camera)
    return contact_sheet(list(tiles.values()), list(tiles), columns=4)
