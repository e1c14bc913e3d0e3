"""Pictures of faces, without a browser and without a graphics card."""

from collections.abc import Sequence
from typing import cast

import numpy as np
from numpy.typing import ArrayLike

from facewright.arrays import Floats, floats
from facewright.errors import BadValue
from facewright.render.bar import draw_bar
from facewright.render.camera import Camera, frame
from facewright.render.heat import Heat, heat_colors
from facewright.render.material import Material, NamedRange
from facewright.render.occlusion import openness
from facewright.render.points import Points, points
from facewright.render.raster import visible
from facewright.render.scene import Scene
from facewright.render.shade import NEUTRAL, STUDIO, Studio, Surface, direction, shade
from facewright.render.shadow import lit
from facewright.render.tone import DARK, Backdrop, Bytes, Color, Floats32, backdrop_light, roll_off, to_bytes, to_linear
from facewright.render.wire import wire_ink

SIZE = (800, 800)  # width, height
_MATTE = 0.25  # painted numbers must not be mistaken for highlights
_HOLLOW = 0.13  # how far away something counts as standing in the room's light, in radii of the face


def picture(
    positions: ArrayLike,
    triangles: ArrayLike,
    *,
    size: tuple[int, int] = SIZE,
    view: str | float = "front",
    camera: Camera | None = None,
    parts: Sequence[NamedRange] = (),
    materials: Sequence[Material] | None = None,
    rest: ArrayLike | None = None,
    colors: ArrayLike | None = None,
    heat: Heat | ArrayLike | None = None,
    wire: bool | ArrayLike = False,
    background: Backdrop | Color | None = DARK,
    samples: int = 4,
) -> Bytes:
    """A shaded picture (h, w, 3) of a mesh: positions (v, 3), triangles (t, 3); (h, w, 4) with background=None.

    view: "front", "threequarter", "side" or degrees round the face; `camera` instead says it exactly.
    parts: named vertex ranges; the name (head, eye, teeth, tongue, lash) chooses the material unless `materials` does.
    rest: the face before posing (v, 3); seams and irises are found there, so give it for posed faces.
    colors: sRGB (v, 3) in [0, 1], or (v, 4) with how much each covers the material.
    heat: one number per vertex, with a colour bar; a `Heat` also says range, map and label.
    wire: True for all edges, or those to draw (e, 2).
    samples: 1, 2, 4, 8 or 16 for each pixel, against jagged edges.
    """
    scene = Scene.of(positions, triangles, parts=parts, rest=rest, materials=materials)
    camera = camera or frame(scene.positions, view, aspect=size[0] / size[1])
    warmth = heat if isinstance(heat, Heat) or heat is None else Heat(heat)
    paint = _paint(scene, colors, warmth)
    seen = visible(camera, scene.positions, scene.triangles, size, samples=samples)
    shown = points(seen, merge=wire is False)
    light = _light(scene, camera, shown, paint)
    if wire is not False:
        edges = None if wire is True else wire
        light *= 1 - wire_ink(camera, scene.positions, scene.triangles, shown, edges=edges)[:, None]
    result = _developed(shown, light, background)
    if warmth is not None:
        draw_bar(result, warmth)
    return result


def _paint(scene: Scene, colors: ArrayLike | None, heat: Heat | None) -> Floats | None:
    """Linear colour and cover (v, 4) of each vertex, where something is painted on."""
    count = len(scene.positions)
    if colors is not None and heat is not None:
        raise BadValue("a picture shows colors or heat, not both")
    if heat is not None:
        floats("heat", heat.values, (count,))
        return np.column_stack([heat_colors(heat.shares(), heat.map), np.ones(count)])
    if colors is None:
        return None
    channels = 4 if np.shape(colors)[-1:] == (4,) else 3
    given = np.clip(floats("colors", colors, (count, channels)), 0, 1)
    return np.column_stack([to_linear(given[:, :3]), given[:, 3:] if channels == 4 else np.ones(count)])


def _light(scene: Scene, camera: Camera, shown: Points, paint: Floats | None) -> Floats32:
    """Linear light (n, 3) in [0, 1) that leaves the points."""
    studio = STUDIO if paint is None else NEUTRAL
    return roll_off(shade(_surface(scene, camera, shown, paint, studio), camera.axes, studio))


def _surface(scene: Scene, camera: Camera, shown: Points, paint: Floats | None, studio: Studio) -> Surface:
    samples = shown.samples
    place = samples.mix(scene.positions[scene.triangles])
    normal = scene.normals(samples)
    color, shine = scene.colors(samples), scene.finish(samples, "shine")
    if paint is not None:
        laid = samples.mix(paint.astype(np.float32)[scene.triangles])
        color += laid[:, 3:] * (laid[:, :3] - color)
        shine *= 1 - (1 - _MATTE) * laid[:, 3]
    return Surface(
        normal=normal,
        to_eye=camera.to_eye(place).astype(np.float32),
        color=color,
        shine=shine,
        roughness=scene.finish(samples, "roughness"),
        creep=scene.finish(samples, "creep"),
        open=_open(scene, camera, shown, place, normal),
        lit=lit([direction(lamp, camera.axes) for lamp in studio.lamps], scene, shown, place, normal),
    )


def _open(scene: Scene, camera: Camera, shown: Points, place: Floats, normal: Floats32) -> Floats32:
    scale = shown.size[1] / (2 * camera.half_height)  # pixels in a unit of length, at the target
    seen = camera.seen(place) * scale
    return openness(shown.pixel, shown.size, seen, normal @ camera.axes.T, _HOLLOW * scene.radius * scale)


def _developed(shown: Points, light: Floats32, background: Backdrop | Color | None) -> Bytes:
    """Pixels from points: over a background, or with coverage as a fourth channel."""
    summed, cover = shown.average(light), shown.coverage()[:, None]
    if background is None:
        alone = to_bytes(summed / np.maximum(cover, 1e-9), shown.size)
        alpha = np.rint(255 * cover).astype(np.uint8).reshape(*alone.shape[:2], 1)
        return cast(Bytes, np.concatenate([np.where(alpha > 0, alone, np.uint8(0)), alpha], axis=2))
    behind = background if isinstance(background, Backdrop) else Backdrop(background, background)
    return to_bytes(summed + (1 - cover) * backdrop_light(behind, shown.size), shown.size)
