"""Pictures and films of the embedded head by each renderer.

Pictures are beside a plain painter of the same mesh in numpy, films and sheets beside our renderer in numpy. The
painter is what one would write first: triangles sorted from back to front, each filled in its bounding box with flat
shading, without shadows, textures or smooth edges. Times are those of all processors at work, added up, not of the
clock: a machine has other things to do. With two cores that are free, a picture takes a little over half of them.
"""

from collections.abc import Callable, Iterator
from os import times
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time

import numpy as np

import facewright as fw
from bench.row import Row
from facewright.render import frame
from facewright.render.camera import Camera
from facewright.render.clip_renderer import ClipRenderer
from facewright.render.clipping import project
from facewright.render.face_renderer import FaceRenderer
from facewright.render.film import write_film
from facewright.render.renderers import has_compiler, has_gl
from facewright.render.shape_sheet import shape_sheets

SIZE = (1920, 1080)
REPEATS = 5
FRAMES = 12  # of a film
POSE = {"jawOpen": 0.4, "mouthSmileLeft": 0.6}


def rows() -> Iterator[Row]:
    rig = fw.sample()
    positions = fw.evaluate(rig, POSE)
    camera = frame(rig.neutral, aspect=SIZE[0] / SIZE[1])
    plain = ("flat painter in numpy, 1 sample", lambda: painted(camera, positions, rig.triangles))
    texture = np.random.default_rng(0).integers(90, 200, (2048, 2048, 3), dtype=np.uint8)
    goal = {"cpu": "1000", "gl": "", "compiled": ""}
    for name in ("cpu", *fast()):
        for case, options in (("plain skin", {}), ("2K texture", {"texture": texture})):
            face = FaceRenderer(rig, size=SIZE, camera=camera, renderer=name, **options)  # type: ignore[arg-type]
            text = f"1080p, {name}{gl_name() if name == 'gl' else ''}, {case}"
            yield _row(text, lambda f=face: f.of(positions), plain, goal[name])  # type: ignore[misc]
    tile = FaceRenderer(rig, size=(280, 320))
    yield _row("a tile of a sheet, 280 x 320, cpu", lambda: tile.of(positions), plain)
    yield from films()
    yield sheet()


def films() -> Iterator[Row]:
    """A frame of a film with a moving head and 1K textures mixed anew, and its share of the encoder."""
    document = fw.textured_sample(1024)
    # Two cores have so many milliseconds for a frame at 12 and at 6 frames a second.
    for name, size, goal in (("720p", (1280, 720), "167"), ("1080p", (1920, 1080), "333")):
        drawn = {kind: ClipRenderer(document, talk(), size=size, renderer=kind) for kind in ("cpu", *fast())}
        for kind in fast():
            drawn[kind](0)
            taken = np.array([(filmed(drawn[kind]), filmed(drawn["cpu"])) for _ in range(3)])
            own, other = np.median(taken, axis=0).tolist()
            worst = float(taken[:, 0].max())
            yield Row("render", f"{name} film, {kind}, 1K textures, a frame", own, worst, "cpu (numpy)", other, goal)


def fast() -> list[str]:
    return [name for name, there in (("compiled", has_compiler()), ("gl", has_gl())) if there]


def talk() -> fw.Clip:
    """Half a second in which brows, lids, mouth and head move."""
    names = ("jawOpen", "mouthSmileLeft", "mouthSmileRight", "browDownLeft", "browDownRight", "eyeBlinkLeft")
    at = np.arange(FRAMES) / 24
    values = 0.5 + 0.5 * np.sin(2 * at[:, None] * np.arange(3, 3 + len(names)) + np.arange(len(names)))
    turns = np.stack([8 * np.sin(5 * at), 4 * np.cos(7 * at)], axis=1)
    return fw.Clip.from_table("talk", (*names, "HeadYaw", "HeadPitch"), at, np.hstack([values, turns]))


def filmed(drawn: ClipRenderer) -> float:
    """Milliseconds of all processors for a frame, drawn, mixed and encoded."""
    with TemporaryDirectory() as folder:
        start = process_time() + _of_children()
        write_film(drawn, Path(folder) / "film.mp4")
        return 1000 * (process_time() + _of_children() - start) / len(drawn)


def _of_children() -> float:
    used = times()
    return used.children_user + used.children_system


def sheet() -> Row:
    """The contact sheet of all 52 shapes; five seconds of two cores are ten of processor time."""
    rig, kind = fw.sample(), "compiled" if has_compiler() else "cpu"

    def drawn(renderer: str) -> float:
        return _milliseconds(lambda: list(shape_sheets(rig, renderer=renderer)))

    drawn(kind)
    taken = np.array([(drawn(kind), drawn("cpu")) for _ in range(2)])
    own, other = np.median(taken, axis=0).tolist()
    case = f"a sheet of {len(rig.shapes)} shapes, {kind}"
    return Row("render", case, own, float(taken[:, 0].max()), "cpu (numpy)", other, "10000")


def _row(case: str, run: Callable[[], object], baseline: tuple[str, Callable[[], object]], goal: str = "") -> Row:
    name, reference = baseline
    run()
    taken = np.array([(_milliseconds(run), _milliseconds(reference)) for _ in range(REPEATS)])
    own, other = np.median(taken, axis=0).tolist()
    return Row("render", case, own, float(taken[:, 0].max()), name, other, goal)


def _milliseconds(run: Callable[[], object]) -> float:
    start = process_time()
    run()
    return 1000 * (process_time() - start)


def gl_name() -> str:
    from facewright.render.gl.context import context

    return f" ({context().info['GL_RENDERER'].split(' (')[0]})"


def painted(camera: Camera, positions: np.ndarray, triangles: np.ndarray) -> np.ndarray:
    """A picture by the painter's algorithm, triangle after triangle."""
    width, height = SIZE
    corners = project(camera, positions, SIZE)
    flat, away = corners[:, :2] / corners[:, 3:], corners[:, 3]
    a, b, c = (positions[triangles[:, i]] for i in range(3))
    normals = np.cross(b - a, c - a)
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-12)
    light = np.clip(60 + 180 * np.abs(normals @ camera.forward), 0, 255).astype(np.uint8)
    picture = np.zeros((height, width, 3), np.uint8)
    for t in np.argsort(-away[triangles].mean(axis=1)):
        (x0, y0), (x1, y1), (x2, y2) = flat[triangles[t]]
        left, right = max(int(min(x0, x1, x2)), 0), min(int(max(x0, x1, x2)) + 2, width)
        top, bottom = max(int(min(y0, y1, y2)), 0), min(int(max(y0, y1, y2)) + 2, height)
        if left >= right or top >= bottom:
            continue
        y, x = np.ogrid[top:bottom, left:right]
        y, x = y + 0.5, x + 0.5
        e0 = (x1 - x0) * (y - y0) - (y1 - y0) * (x - x0)
        e1 = (x2 - x1) * (y - y1) - (y2 - y1) * (x - x1)
        e2 = (x0 - x2) * (y - y2) - (y0 - y2) * (x - x2)
        inside = ((e0 >= 0) & (e1 >= 0) & (e2 >= 0)) | ((e0 <= 0) & (e1 <= 0) & (e2 <= 0))
        picture[top:bottom, left:right][inside] = light[t]
    return picture
