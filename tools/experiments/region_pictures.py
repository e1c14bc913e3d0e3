"""Regions as pictures: the deformation map, thresholds, levels, and edits from coarse to fine."""

from dataclasses import dataclass

import numpy as np
from tools.experiments.dragging_pictures import liveliest
from tools.experiments.faces import close_up
from tools.experiments.marks import GHOST, PIN, draw_dots, draw_ways, places_in

import facewright as fw
from facewright.arrays import Floats
from facewright.regions.deformation import deformation, deformation_vectors
from facewright.regions.region_evaluator import (
    confined_rig,
    evaluate_regions,
    moved_within,
    region_weights,
    values_within,
)
from facewright.render.face_renderer import face_picture
from facewright.render.heat import Heat
from facewright.render.picture import mesh_picture
from facewright.render.region_palette import region_colors
from facewright.render.sheet_layout import contact_sheet
from facewright.render.tone import Bytes

SIZE = (400, 460)
THRESHOLDS = (0.25, 0.75)


def thresholds(rig: fw.Rig) -> Bytes:
    """Joshi's fig. 3: the deformation map, regions for a low and a high threshold."""
    values = deformation(rig)
    high = float(np.percentile(values, 99.5))
    tiles = {
        "deformation map": face_picture(
            rig, size=SIZE, heat=Heat(np.log10(np.clip(values, 1e-3 * high, high)), label="log10")
        )
    }
    for t in THRESHOLDS:
        regions = fw.segment(rig, threshold=t)
        colors = region_colors(rig, regions)
        tiles[f"t = {t:g}: {regions.count} regions"] = face_picture(rig, size=SIZE, colors=colors)
    tiles["the same from the side"] = face_picture(rig, size=SIZE, colors=colors, view="threequarter")
    return contact_sheet(list(tiles.values()), list(tiles), columns=4)


def printed_rule(every: dict[str, fw.Rig]) -> Bytes:
    """Joshi's fig. 3 by the paper's own rule: the map as a vector, the two thresholds; beside them ours."""
    tiles, labels = [], []
    for name, rig in every.items():
        vectors = np.abs(deformation_vectors(rig, printed=True))
        high = np.percentile(np.linalg.norm(vectors, axis=1), 95)
        tiles.append(face_picture(rig, size=SIZE, colors=np.clip(vectors / high, 0, 1) ** 0.5))
        labels.append(f"{name}: map as vectors")
        for t in THRESHOLDS:
            regions = fw.segment(rig, threshold=t, method="threshold")
            tiles.append(face_picture(rig, size=SIZE, colors=region_colors(rig, regions)))
            labels.append(f"in print, t = {t:g}: {regions.count} regions")
        regions = fw.segment(rig)
        tiles.append(face_picture(rig, size=SIZE, colors=region_colors(rig, regions)))
        labels.append(f"ours, t = 0.75: {regions.count} regions")
    return contact_sheet(tiles, labels, columns=4)


def sweep(every: dict[str, fw.Rig], shares: tuple[float, ...]) -> Bytes:
    """The paper's own rule for a sweep of t, one row for each face."""
    tiles, labels, size = [], [], (290, 330)
    for name, rig in every.items():
        for t in shares:
            regions = fw.segment(rig, threshold=t, method="threshold")
            tiles.append(face_picture(rig, size=size, colors=region_colors(rig, regions)))
            labels.append(f"{name}, t = {t:g}")
    return contact_sheet(tiles, labels, columns=len(shares))


def levels(rig: fw.Rig) -> Bytes:
    """All levels of the tree."""
    regions = fw.segment(rig)
    camera = close_up(rig, (250, 290))
    tiles = {
        f"level {level}: {len(regions.nodes(level))}": face_picture(
            rig, size=(250, 290), camera=camera, colors=region_colors(rig, regions, level)
        )
        for level in range(regions.levels)
    }
    return contact_sheet(list(tiles.values()), list(tiles), columns=7)


@dataclass(frozen=True)
class Edit:
    """Points dragged as a shape would move them, inside the region that has the first of them, at a level."""

    level: int
    shapes: tuple[str, ...]
    share: float


EDITS = (
    Edit(12, ("mouthSmileLeft", "mouthSmileRight"), 0.6),
    Edit(9, ("browOuterUpLeft", "browOuterUpRight"), 1.0),
    Edit(1, ("mouthFrownRight",), 1.0),
    Edit(0, ("eyeWideLeft",), 0.9),
)


def coarse_to_fine(rig: fw.Rig) -> Bytes:
    """Joshi's fig. 2: a face edited with ever smaller regions; where each drag was kept to is tinted."""
    regions = fw.segment(rig)
    rows = region_weights(rig, regions)
    tiles = {"at rest": face_picture(rig, size=SIZE, camera=close_up(rig, SIZE))}
    for number, edit in enumerate(EDITS):
        vertices = [liveliest(rig, shape) for shape in edit.shapes]
        level = min(edit.level, regions.levels - 1)
        region = regions.names_at(level)[regions.labels(level)[vertices[0]]]
        before = evaluate_regions(rig, regions, rows)
        way = [edit.share * rig.shape(s).dense(rig.vertex_count)[v] for s, v in zip(edit.shapes, vertices, strict=True)]
        rows = dragged(rig, regions, rows, region, dict(zip(vertices, before[vertices] + way, strict=True)))
        after = evaluate_regions(rig, regions, rows)
        shown = tinted(rig, after, regions.field(region))
        mark(shown, rig, before[vertices], after[vertices])
        tiles[f"{number + 1}: {region}"] = shown
    tiles["the face"] = tinted(rig, after, np.zeros(rig.vertex_count))
    return contact_sheet(list(tiles.values()), list(tiles), columns=3)


def dragged(rig: fw.Rig, regions: fw.Regions, rows: Floats, region: str, targets: dict[int, Floats]) -> Floats:
    """The weights after a drag that is kept to a region."""
    solver = fw.PoseSolver(confined_rig(rig, regions, region, rows))
    pins = [fw.Pin(vertex=vertex, target=target) for vertex, target in targets.items()]
    found = solver.solve(pins, values_within(regions, rows, region))
    return moved_within(rig, regions, rows, region, found.weights)


def tinted(rig: fw.Rig, positions: Floats, field: Floats) -> Bytes:
    """A face with a region laid over in colour."""
    paint = np.column_stack([np.tile([0.28, 0.62, 0.95], (len(field), 1)), 0.45 * field])
    return mesh_picture(
        positions,
        rig.triangles,
        colors=paint if field.any() else None,
        parts=rig.parts,
        rest=rig.neutral,
        size=SIZE,
        camera=close_up(rig, SIZE),
    )


def mark(shown: Bytes, rig: fw.Rig, starts: Floats, ends: Floats) -> None:
    camera = close_up(rig, SIZE)
    first, last = (places_in(camera, points, SIZE) for points in (starts, ends))
    draw_ways(shown, first, last, GHOST)
    draw_dots(shown, last, PIN)
