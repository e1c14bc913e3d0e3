"""Pictures of the embedded head: GL and our own rasteriser, beside a plain painter of the same mesh in numpy.

The baseline is what one would write first: triangles sorted from back to front, each filled in its bounding box with
flat shading, without shadows, textures or smooth edges. Times are those of all processors at work, added up, not of the
clock: a machine has other things to do. With two cores that are free, a picture takes a little over half of them.
"""

from collections.abc import Callable, Iterator
from time import process_time

import numpy as np

import facewright as fw
from bench.row import Row
from facewright.render import frame
from facewright.render.camera import Camera
from facewright.render.clipping import project
from facewright.render.face_renderer import FaceRenderer
from facewright.render.renderers import has_gl

SIZE = (1920, 1080)
REPEATS = 5
POSE = {"jawOpen": 0.4, "mouthSmileLeft": 0.6}


def rows() -> Iterator[Row]:
    rig = fw.sample()
    positions = fw.evaluate(rig, POSE)
    camera = frame(rig.neutral, aspect=SIZE[0] / SIZE[1])
    plain = ("flat painter in numpy, 1 sample", lambda: painted(camera, positions, rig.triangles))
    texture = np.random.default_rng(0).integers(90, 200, (2048, 2048, 3), dtype=np.uint8)
    goal = {"cpu": "1000", "gl": ""}
    for name in ("cpu", "gl") if has_gl() else ("cpu",):
        for case, options in (("plain skin", {}), ("2K texture", {"texture": texture})):
            face = FaceRenderer(rig, size=SIZE, camera=camera, renderer=name, **options)  # type: ignore[arg-type]
            text = f"1080p, {name}{gl_name() if name == 'gl' else ''}, {case}"
            yield _row(text, lambda f=face: f.of(positions), plain, goal[name])  # type: ignore[misc]
    tile = FaceRenderer(rig, size=(280, 320))
    yield _row("a tile of a sheet, 280 x 320, cpu", lambda: tile.of(positions), plain)


def _row(case: str, run: Callable[[], object], baseline: tuple[str, Callable[[], object]], goal: str = "") -> Row:
    name, reference = baseline
    run()
    times = np.array([(_milliseconds(run), _milliseconds(reference)) for _ in range(REPEATS)])
    own, other = np.median(times, axis=0).tolist()
    return Row("render", case, own, float(times[:, 0].max()), name, other, goal)


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
