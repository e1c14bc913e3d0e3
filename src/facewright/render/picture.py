"""Pictures of meshes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from facewright.arrays import Floats, floats, indices
from facewright.errors import BadValue
from facewright.options import suggests_options
from facewright.render.camera import Camera, frame
from facewright.render.color_bar import draw_bar
from facewright.render.heat import Heat, heat_colors
from facewright.render.material import NamedRange, ShadingMaterial
from facewright.render.renderers import renderer_named
from facewright.render.scene import Scene
from facewright.render.shot import Shot
from facewright.render.tone import DARK, Backdrop, Bytes, Color, to_linear

SIZE = (800, 800)  # width, height


@suggests_options
def mesh_picture(
    positions: ArrayLike,
    triangles: ArrayLike,
    *,
    size: tuple[int, int] = SIZE,
    view: str | float = "front",
    camera: Camera | None = None,
    parts: Sequence[NamedRange] = (),
    materials: Sequence[ShadingMaterial] | None = None,
    uvs: ArrayLike | None = None,
    rest: ArrayLike | None = None,
    colors: ArrayLike | None = None,
    heat: Heat | ArrayLike | None = None,
    wire: bool | ArrayLike = False,
    background: Backdrop | Color | None = DARK,
    samples: int = 4,
    renderer: str = "cpu",
) -> Bytes:
    """A shaded picture (h, w, 3) of a mesh: positions (v, 3), triangles (t, 3); (h, w, 4) with background=None.

    view: "front", "threequarter", "side", or an angle in degrees round the face; `camera` replaces it.
    parts: named vertex ranges; the name (head, eye, teeth, tongue, lash) chooses the material unless `materials` is
    given.
    uvs: texture coordinates, v up, (t, 3, 2) for the triangles' corners or (v, 2), for materials with a texture.
    rest: the face before posing (v, 3); seams and irises are found there, so it is needed for posed faces.
    colors: sRGB (v, 3) in [0, 1], or (v, 4) with the share by which each covers the material.
    heat: one number per vertex, shown with a colour bar; a `Heat` also has a range, a map and a label.
    wire: True for all edges, or an array (e, 2) of those to draw.
    samples: 1, 2, 4, 8 or 16 for each pixel, for smooth edges.
    renderer: "cpu", which draws the same on every machine; "gl"; or "auto", which is "gl" where there is one.
    """
    scene = Scene.of(positions, triangles, parts=parts, rest=rest, materials=materials, uvs=uvs)
    return scene_picture(
        scene,
        camera or frame(scene.positions, view, aspect=size[0] / size[1]),
        size=size,
        colors=colors,
        heat=heat,
        wire=wire,
        background=background,
        samples=samples,
        renderer=renderer,
    )


def scene_picture(
    scene: Scene,
    camera: Camera,
    *,
    size: tuple[int, int] = SIZE,
    colors: ArrayLike | None = None,
    heat: Heat | ArrayLike | None = None,
    wire: bool | ArrayLike = False,
    background: Backdrop | Color | None = DARK,
    samples: int = 4,
    renderer: str = "cpu",
) -> Bytes:
    """The picture (h, w, 3) of a scene; options as for `mesh_picture`."""
    warmth = heat if isinstance(heat, Heat) or heat is None else Heat(heat)
    edges = None if isinstance(wire, bool) else indices("edges", wire, (None, 2), below=len(scene.positions))
    shot = Shot(
        scene=scene,
        camera=camera,
        size=size,
        paint=_paint(scene, colors, warmth),
        wire=wire is not False,
        edges=edges,
        background=background,
        samples=samples,
    )
    result = renderer_named(renderer)(shot)
    if warmth is not None:
        draw_bar(result, warmth)
    return result


def _paint(scene: Scene, colors: ArrayLike | None, heat: Heat | None) -> Floats | None:
    """Linear colour and cover (v, 4) of each vertex; None if nothing is painted."""
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
