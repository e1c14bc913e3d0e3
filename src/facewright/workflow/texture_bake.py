"""Textures of a pose as files, and all that an engine needs to mix them itself: maps, masks of regions, weights."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from facewright.arrays import Floats
from facewright.document import Document
from facewright.errors import BadValue
from facewright.formats.files import make_folder, write_atomically
from facewright.image.codec import encoded
from facewright.image.encoded import Encoded
from facewright.image.srgb import Bytes
from facewright.motion.clip import Clip
from facewright.regions.clip_samples import sample_clip
from facewright.regions.local_pose import is_local, weights_of
from facewright.rig.textures import KINDS
from facewright.texture.detail import Detail, DetailChoice
from facewright.texture.detail_regions import level_of
from facewright.texture.face_texture import FaceTexture, textures_of

ATLAS = "atlas.json"
_CHANNELS = "rgba"


@dataclass(frozen=True, eq=False)
class BakedKinds:
    """The textures of a document by kind, prepared."""

    document: Document
    kinds: dict[str, FaceTexture]

    @classmethod
    def of(cls, document: Document, *, size: tuple[int, int] | None = None) -> BakedKinds:
        """All kinds that the document has: color, normal, roughness."""
        textures = textures_of(document)
        if textures is None:
            raise BadValue("the document has no textures to bake; `facewright texture` gives it some")
        own = size or (textures.neutral.width, textures.neutral.height)
        there = [kind for kind in KINDS if textures.of_kind(kind) is not None]
        return cls(document, {kind: FaceTexture(document, kind=kind, size=own) for kind in there})

    def pictures(self, weights: Floats | None, choice: DetailChoice | None = None) -> dict[str, Bytes]:
        """The picture (h, w, 3) of each kind for slider values (n,), or (r, n) of regions; default the document's."""
        given = own_weights(self.document) if weights is None else weights
        return {kind: texture(given, choice) for kind, texture in self.kinds.items()}


def own_weights(document: Document) -> Floats:
    """Slider values (n,) of the document's pose, or (r, n) of its finest regions where some are posed by themselves."""
    return weights_of(document) if is_local(document) else document.pose


def write_pictures(folder: Path, pictures: dict[str, Bytes]) -> list[Path]:
    """Write color.png, normal.png and roughness.png."""
    make_folder(folder)
    paths = [folder / f"{kind}.png" for kind in pictures]
    for path, picture in zip(paths, pictures.values(), strict=True):
        write_atomically(path, encoded(picture).data)
    return paths


def write_atlas(
    folder: Path,
    baked: BakedKinds,
    clip: Clip | None = None,
    weights: Floats | None = None,
    choice: DetailChoice | None = None,
) -> list[Path]:
    """Write the maps as they are, the masks of regions, four in a picture, and atlas.json with the weights.

    Weights are those of slider values (n,), by default of the document's pose, or of each frame of a clip.
    """
    make_folder(folder)
    make_folder(folder / "maps")
    texture = next(iter(baked.kinds.values()))
    files, described = _map_files(baked)
    masks, regions = _masks(baked.document, texture)
    times, values = _moments(baked.document, clip, weights)
    frames = {kind: _frames(one, times, values, clip, choice) for kind, one in baked.kinds.items()}
    atlas = {"version": 1, "size": list(texture.blend.size[::-1]), "regions": regions, **described, "frames": frames}
    for name, data in {**files, **masks, ATLAS: json.dumps(atlas, indent=1).encode()}.items():
        write_atomically(folder / name, data)
    return [folder / name for name in (*files, *masks, ATLAS)]


def _map_files(baked: BakedKinds) -> tuple[dict[str, bytes], dict[str, object]]:
    """The pictures of all maps by file name, and which shapes they belong to."""
    files: dict[str, bytes] = {}
    described: dict[str, object] = {}
    for kind, texture in baked.kinds.items():

        def kept(picture: Encoded, name: str, kind: str = kind) -> str:
            path = f"maps/{kind}_{name}{picture.suffix}"
            files[path] = picture.data
            return path

        own = texture.textures
        maps = [
            {"shapes": list(one.shapes), "file": kept(one.picture, f"{i}_{_plain('+'.join(one.shapes))}")}
            for i, one in enumerate(own.maps, 1)
        ]
        described[kind] = {"neutral": kept(own.neutral, "0_neutral"), "maps": maps}
    return files, {"maps": described}


def _plain(name: str) -> str:
    """A name for a file on every system."""
    return re.sub(r"[^A-Za-z0-9+_-]", "_", name)[:80]


def _masks(document: Document, texture: FaceTexture) -> tuple[dict[str, bytes], list[dict[str, str]]]:
    """Pictures of the regions' shares, four in each, and which channel has which."""
    blend = texture.blend
    if blend.regions is None or document.regions is None:
        return {}, []
    cells = blend.bands.cells
    shares = [cells.rows(cells.widened(one[..., None]), slice(0, blend.size[0])) for one in blend.regions.on(cells)]
    names = document.regions.names_at(level_of(document.regions))
    files, told = {}, []
    for start in range(0, len(shares), len(_CHANNELS)):
        page = f"masks_{start // len(_CHANNELS) + 1}.png"
        some = shares[start : start + len(_CHANNELS)]
        empty = [np.zeros_like(some[0])] * (len(_CHANNELS) - len(some))
        picture = np.rint(255 * np.clip(np.concatenate([*some, *empty], axis=2), 0, 1)).astype(np.uint8)
        files[page] = encoded(picture).data
        told += [{"name": names[start + i], "file": page, "channel": _CHANNELS[i]} for i in range(len(some))]
    return files, told


def _moments(document: Document, clip: Clip | None, weights: Floats | None) -> tuple[Floats, list[Floats]]:
    """Times (f,), and slider values (n,) or (r, n) at each."""
    if clip is None:
        return np.zeros(1), [own_weights(document) if weights is None else weights]
    samples = sample_clip(document, clip, clip.times())
    return samples.times, list(samples.of_regions(document) if samples.spots else samples.weights)


def _frames(
    texture: FaceTexture, times: Floats, values: Sequence[Floats], clip: Clip | None, choice: DetailChoice | None
) -> list[dict[str, object]]:
    """For each moment the weight of each map, the neutral's first, and the share of each map's detail, by region."""
    blend, found = texture.blend, []
    details: tuple[Detail, ...] | None = None
    for time, sliders in zip(times.tolist(), values, strict=True):
        given = texture.weights(sliders) if sliders.ndim == 1 else texture.weights_within(sliders)
        if details is None or clip is None:
            details = blend.details(given, choice)
        else:
            details = blend.details_after(details, 1 / clip.rate, given, choice)
        weights, shares = blend.tables(given, details)
        found.append({"time": time, "weights": weights.round(6).tolist(), "detail": shares.round(6).tolist()})
    return found
