"""The texture of a document's face in a pose, and frame by frame along a clip."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
from numpy.typing import ArrayLike

from facewright.arrays import Floats, floats
from facewright.document import Document
from facewright.errors import BadValue
from facewright.image.srgb import Bytes
from facewright.motion.clip import Clip
from facewright.options import suggests_options
from facewright.rig.combine import Combine
from facewright.rig.rig import Rig
from facewright.rig.textures import Textures
from facewright.texture.bands import BLUR
from facewright.texture.blend import TextureBlend
from facewright.texture.detail import DetailChoice
from facewright.texture.detail_regions import DetailRegions, means_of
from facewright.texture.layout import island_labels

_COARSE = 4  # texels for each of a region's share, which changes slowly


class FaceTexture:
    """The textures of a document, prepared: called with slider values, it returns the texture of the pose."""

    @suggests_options
    def __init__(
        self,
        document: Document,
        *,
        kind: str = "color",
        size: tuple[int, int] | None = None,
        blur: float = BLUR,
        edges: float = 0.0,
    ) -> None:
        """Kind: color, normal or roughness. size (w, h): of the resulting pictures; by default the neutral's.

        blur, edges: as for `TextureBlend`.
        """
        whole = textures_of(document)
        textures = None if whole is None else whole.of_kind(kind)
        if textures is None:
            words = "textures" if kind == "color" else f"{kind} maps"
            raise BadValue(f"the document has no {words}; `facewright texture` and `Textures` give it some")
        self.document, self.textures = document, textures
        width, height = size or (textures.neutral.width, textures.neutral.height)
        self.blend = TextureBlend(
            textures.neutral,
            [one.picture for one in textures.maps],
            islands=island_labels(document.rig, (height, width), textured_parts(document.rig, textures)),
            mask=textures.mask,
            blur=blur,
            edges=edges,
            kind=kind,
            size=(width, height),
            regions=detail_regions(document, textures, (height, width)),
        )
        self._combine = Combine(document.rig)
        self._shares = textures.shares(document.rig)
        divided = document.regions is not None and self.blend.regions is not None
        self._means = means_of(document.regions) if divided and document.regions is not None else None

    def __call__(
        self,
        weights: Mapping[str, float] | ArrayLike | None = None,
        choice: DetailChoice | None = None,
        *,
        plain: bool = False,
    ) -> Bytes:
        """The texture (h, w, 3) in sRGB for slider values (n,) or names to values; by default for the document's pose.

        Slider values (r, n) are those of each of the document's finest regions, as `weights_of` has them.
        choice: how the map that gives the detail is chosen, for the whole face, or in each region of a document that
        has regions. plain: blend all maps in one band, for comparison.
        """
        if weights is not None and not isinstance(weights, Mapping) and np.ndim(np.asarray(weights)) == 2:
            given = self.weights_within(floats("slider values of regions", weights, (None, None)))
        else:
            given = self.weights(self.document.pose if weights is None else self.document.rig.pose(weights))
        return self.blend(given, self.blend.details(given, choice), plain=plain)

    @suggests_options
    def frames(
        self, clip: Clip | str, choice: DetailChoice | None = None, *, rate: float | None = None, plain: bool = False
    ) -> Iterator[Bytes]:
        """The texture of each frame of a clip, at its own rate or another; only one is in memory at a time."""
        if isinstance(clip, str):
            clip = self.document.clip_named(clip)
        rate = clip.rate if rate is None else rate
        if not (np.isfinite(rate) and rate > 0):
            raise BadValue(f"a rate is a positive number of frames a second, not {rate}")
        count = int(np.floor((clip.end - clip.start) * rate + 1e-6)) + 1
        values = clip.sample(self.document.rig.sliders, clip.start + np.arange(count) / rate)
        return self.blend.frames(self.weights(values), rate, choice, plain=plain)

    def weights(self, sliders: Floats) -> Floats:
        """Weights (..., k) of the maps for slider values (..., n)."""
        return np.asarray(np.maximum(self._combine(sliders) @ self._shares.T, 0))

    def weights_within(self, sliders: Floats) -> Floats:
        """Weights (..., r, k) of the maps in each region of the textures, for slider values (..., finest, n) of each of
        the document's finest regions.
        """
        if self._means is None:
            return self.weights(sliders[..., :1, :])
        if sliders.shape[-2:] != (self._means.shape[1], len(self.document.rig.sliders)):
            expected = (self._means.shape[1], len(self.document.rig.sliders))
            raise BadValue(f"slider values of regions have shape {expected}, not {sliders.shape[-2:]}")
        return np.asarray(self._means @ self.weights(sliders))


def detail_regions(document: Document, textures: Textures, size: tuple[int, int]) -> DetailRegions | None:
    """The regions whose details are chosen each for itself, for textures of a size (h, w); None: the face is one."""
    if document.regions is None or document.regions.count < 2 or document.rig.uvs is None or not textures.maps:
        return None
    coarse = (max(size[0] // _COARSE, 1), max(size[1] // _COARSE, 1))
    return DetailRegions.of(document.rig, document.regions, textures, coarse)


def textures_of(document: Document) -> Textures | None:
    """The document's textures; without any, the base colour image of most triangles, or None."""
    if document.textures is not None:
        return document.textures
    materials = document.materials
    if materials is None or document.rig.uvs is None:
        return None
    of_triangle = materials.of_triangle(document.rig.polygons)
    counts = np.bincount(of_triangle, minlength=len(materials))
    shown = [row for row, material in enumerate(materials) if material.image is not None]
    if not shown:
        return None
    image = materials[max(shown, key=lambda row: counts[row])].image
    assert image is not None
    textured = np.isin(of_triangle, [row for row in shown if materials[row].image == image])
    first = document.rig.triangles[:, 0]
    parts = [part.name for part in document.rig.parts if textured[(first >= part.start) & (first < part.stop)].any()]
    return Textures(materials.image(image).encoded(), parts=tuple(parts))


def textured_parts(rig: Rig, textures: Textures) -> tuple[str, ...]:
    """The rig's parts that show the textures; empty if all do."""
    return tuple(part.name for part in rig.parts if part.name in textures.parts)
