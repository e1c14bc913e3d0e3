"""Contact sheets of all shapes of a rig, each alone and fully on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Unpack

import numpy as np

from facewright.document import Document
from facewright.options import suggests_options
from facewright.render.camera import Camera, frame
from facewright.render.face_renderer import FaceOptions, FaceRenderer
from facewright.render.renderers import for_many
from facewright.render.sheet_layout import contact_sheet
from facewright.render.tone import Bytes
from facewright.rig.rig import Rig
from facewright.solve.threads import ahead_on_threads

TILE = (280, 320)
PAGE = 60  # tiles on a page
_LIVELY = 0.05  # of the largest motion: what the shapes move less need not be in the picture


@suggests_options
def shape_sheets(
    face: Rig | Document,
    *,
    title: str = "",
    progress: Callable[[int, int], None] | None = None,
    **options: Unpack[FaceOptions],
) -> Iterator[Bytes]:
    """Contact sheets (H, W, 3) of a face's neutral and of every shape at its full value, each with its name.

    progress: called with the number of tiles drawn and their total.
    options: those of `FaceRenderer`; size is that of a tile, by default 280 x 320 pixels. Tiles show
    the face alone unless `character` is True.
    """
    rig = face.rig if isinstance(face, Document) else face
    size = options.get("size", TILE)
    camera = options.get("camera") or lively_camera(rig, size, options.get("view", "front"))
    renderer = for_many(options.get("renderer", "cpu"))
    drawn: FaceOptions = {"character": False, **options, "size": size, "camera": camera, "renderer": renderer}
    portrait = FaceRenderer(face, **drawn)
    poses, pages = shape_poses(rig), page_count(rig)
    columns = None if pages == 1 else 10
    for page in range(pages):
        tiles = []
        shown = poses[page * PAGE : (page + 1) * PAGE]
        for tile in _tiles(portrait, [pose for _, pose in shown], one_thread=renderer == "gl"):
            tiles.append(tile)
            if progress is not None:
                progress(page * PAGE + len(tiles), len(poses))
        numbered = f"{title}, page {page + 1} of {pages}" if title and pages > 1 else title
        yield contact_sheet(tiles, [name for name, _ in shown], columns=columns, title=numbered)


def _tiles(portrait: FaceRenderer, poses: list[dict[str, float]], *, one_thread: bool) -> Iterator[Bytes]:
    """The pictures of poses in their order; a GL context belongs to one thread."""
    return map(portrait, poses) if one_thread else ahead_on_threads(portrait, poses)


def page_count(rig: Rig) -> int:
    """The number of sheets for a rig."""
    return -(-len(shape_poses(rig)) // PAGE)


def shape_poses(rig: Rig) -> list[tuple[str, dict[str, float]]]:
    """The neutral, and the slider values of each shape where it is fully on."""
    return [("neutral", {}), *((shape.name, dict(zip(shape.sliders, shape.at, strict=True))) for shape in rig.shapes)]


def lively_camera(rig: Rig, size: tuple[int, int], view: str | float) -> Camera:
    """The camera on all that the shapes move, in every position, and on what is above: a head without its shoulders."""
    low, high = rig.neutral.copy(), rig.neutral.copy()
    reach = np.zeros(rig.vertex_count)
    for shape in rig.shapes:
        moved = rig.neutral[shape.vertices] + shape.offsets
        low[shape.vertices], high[shape.vertices] = (
            np.minimum(low[shape.vertices], moved),
            np.maximum(high[shape.vertices], moved),
        )
        reach[shape.vertices] = np.maximum(reach[shape.vertices], np.linalg.norm(shape.offsets, axis=1))
    lively = reach > _LIVELY * reach.max(initial=0.0)
    if lively.any():
        above = rig.neutral[:, 1] >= low[lively, 1].min()
        low, high = low[above], high[above]
    return frame(np.concatenate([low, high]), view, aspect=size[0] / size[1], margin=0.05)
