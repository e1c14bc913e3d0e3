"""How smoothly the borders of regions run over the surface."""

import numpy as np
from scipy.spatial import cKDTree
from tools.experiments.result import markdown

import facewright as fw
from facewright.arrays import Floats, Ints
from facewright.render.camera import frame
from facewright.render.face_renderer import face_picture
from facewright.render.region_palette import region_colors
from facewright.render.sheet_layout import contact_sheet
from facewright.render.tone import Bytes

NEAR = 0.015  # of the rig's size: a border is compared with a straight line over twice this length
SIZE = (460, 500)


def crossings(rig: fw.Rig, regions: fw.Regions, *, by_labels: bool) -> tuple[Floats, Ints]:
    """Points (k, 3) where edges cross a border, and the pair of regions (k,) that meet there.

    By labels alone a border is in the middle of an edge; otherwise where the weights of both regions are equal.
    """
    weights, labels, triangles = regions.weights.toarray(), regions.labels(), rig.triangles
    edges = np.unique(np.sort(triangles[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1), axis=0)
    a, b = edges[labels[edges[:, 0]] != labels[edges[:, 1]]].T
    one, other = labels[a], labels[b]
    lead = [weights[one, at] - weights[other, at] for at in (a, b)]
    share = 0.5 if by_labels else (lead[0] / (lead[0] - lead[1]))[:, None]
    pairs = np.minimum(one, other) * regions.count + np.maximum(one, other)
    return rig.neutral[a] + share * (rig.neutral[b] - rig.neutral[a]), pairs


def roughness(rig: fw.Rig, regions: fw.Regions, *, by_labels: bool) -> Floats:
    """How far a border is off a straight line about each of its points (k,), as a share of the line's half length."""
    points, pairs = crossings(rig, regions, by_labels=by_labels)
    found, near = [], NEAR * rig.size
    for pair in np.unique(pairs):
        own = points[pairs == pair]
        for close in cKDTree(own).query_ball_point(own, near):
            if len(close) > 4:
                spread = np.linalg.svd(own[close] - own[close].mean(axis=0), compute_uv=False)
                found.append(float(np.sqrt((spread[1:] ** 2).sum() / len(close)) / near))
    return np.array(found)


def table(every: dict[str, fw.Rig]) -> str:
    rows = []
    for name, rig in every.items():
        regions = fw.segment(rig)
        for how, by_labels in (("by labels alone", True), ("between the vertices", False)):
            rough = roughness(rig, regions, by_labels=by_labels)
            rows.append([name, how, f"{rough.mean():.3f}", f"{np.percentile(rough, 90):.3f}"])
    return markdown(["face", "border", "off a straight line, mean", "90 % below"], rows)


def picture(rig: fw.Rig) -> Bytes:
    """Regions with borders by labels alone, and as they are."""
    regions = fw.segment(rig)
    hard = fw.Regions(np.eye(regions.count)[:, regions.labels()], regions.names, regions.parents, regions.first)  # type: ignore[arg-type]
    low, high = rig.neutral.min(axis=0), rig.neutral.max(axis=0)
    face = rig.neutral[rig.neutral[:, 1] > low[1] + 0.3 * (high[1] - low[1])]
    tiles = {}
    for view in ("front", "threequarter"):
        camera = frame(face, view, aspect=SIZE[0] / SIZE[1], margin=0.0)
        for how, shown in (("by labels alone", hard), ("between the vertices", regions)):
            colors = region_colors(rig, shown)
            tiles[f"{how}, {view}"] = face_picture(rig, size=SIZE, camera=camera, colors=colors)
    return contact_sheet(list(tiles.values()), [name.split(",")[0] for name in tiles], columns=4)
