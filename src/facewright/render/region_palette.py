"""Colours for regions: neighbours differ, both sides match, and what hardly moves is grey."""

import numpy as np

from facewright.arrays import Floats, Ints
from facewright.mesh.topology import Topology
from facewright.render.oklab import lab_of, linear_of
from facewright.render.tone import to_linear as linear
from facewright.render.tone import to_srgb
from facewright.rig.regions import Regions
from facewright.rig.rig import Rig

_HUES = 14
_SHADES = ((0.74, 0.13), (0.60, 0.13))  # lightness and chroma: of the left and the middle, of the right
_CLEAR = 6
_GREY = (0.50, 0.012, 265.0)


def region_colors(rig: Rig, regions: Regions, level: int = 0) -> Floats:
    """Colours (v, 3), sRGB in [0, 1], of the regions of a level; a joined region has the colour of its largest part."""
    # Near borders colours mix over a shorter distance than the weights, so that borders run between vertices.
    shares = regions.weights_at(level).power(_CLEAR)
    mixed = np.asarray(shares.T @ linear(node_colors(rig, regions, level)))
    return to_srgb(mixed / np.asarray(shares.sum(axis=0))[:, None])


def node_colors(rig: Rig, regions: Regions, level: int = 0) -> Floats:
    """Colours (k, 3), sRGB in [0, 1], of `regions.nodes(level)`."""
    return np.asarray(all_colors(rig, regions)[regions.nodes(level)])


def all_colors(rig: Rig, regions: Regions) -> Floats:
    """Colours (m, 3), sRGB in [0, 1], of all regions; a joined region has the colour of its largest part."""
    own = _finest_colors(rig, regions)
    size = np.asarray(regions.weights.sum(axis=1)) * np.where(_is_quiet(regions), 1e-6, 1.0)
    members = [regions.members(node) for node in range(len(regions.names))]
    return np.asarray(own[[int(parts[size[parts].argmax()]) for parts in members]])


def _finest_colors(rig: Rig, regions: Regions) -> Floats:
    """Colours of the finest regions: each has the hue that differs most from its neighbours', shared with its mirror
    image.
    """
    touches, image = _touching(rig, regions), _images(regions)
    colors = np.tile(lab_of(*_GREY), (regions.count, 1))
    done = _is_quiet(regions)
    hues = np.arange(_HUES) * 360 / _HUES
    used = np.zeros(_HUES)
    for region in range(regions.count):
        pair = [region] if image[region] < 0 else sorted({region, int(image[region])})
        if done[region]:
            continue
        shades = [lab_of(*_SHADES[regions.names[one].startswith("right")], hues) for one in pair]
        near = [colors[touches[one] & done] for one in pair]
        apart = [_apart(shade, others) for shade, others in zip(shades, near, strict=True)]
        best = int((np.min(apart, axis=0) - 0.02 * used).argmax())
        used[best] += 1
        for one, shade in zip(pair, shades, strict=True):
            colors[one], done[one] = shade[best], True
    return to_srgb(linear_of(colors))


def _apart(shades: Floats, others: Floats) -> Floats:
    """The distance of each shade (h, 3) from the nearest of others (k, 3)."""
    away = np.linalg.norm(shades[:, None] - others, axis=2)
    return np.asarray(away.min(axis=1, initial=0.5))


def _touching(rig: Rig, regions: Regions) -> np.ndarray:
    """Which regions (r, r) share a border."""
    a, b = regions.labels()[Topology(rig.polygons, rig.vertex_count).edges].T
    touches = np.zeros((regions.count, regions.count), bool)
    touches[a, b] = touches[b, a] = True
    np.fill_diagonal(touches, False)
    return touches


def _images(regions: Regions) -> Ints:
    """For each region (r,) the one of the same name on the other side, or -1."""
    at = {name: i for i, name in enumerate(regions.names_at())}
    swap = {"left": "right", "right": "left"}
    other = [" ".join(swap.get(word, word) for word in name.split()) for name in at]
    return np.array([at.get(name, -1) if name not in at or at[name] != i else -1 for i, name in enumerate(other)])


def _is_quiet(regions: Regions) -> np.ndarray:
    return np.array(["background" in name.split() for name in regions.names_at()])
