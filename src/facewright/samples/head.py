"""The embedded head: several people of one topology, from `data/head.npz` (see `data/PROVENANCE.md`).

Centimetres, y up, the face looks along +z; the origin is midway between the centres of the eyeballs.
"""

from __future__ import annotations

from importlib.resources import files
from io import BytesIO
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.lib.npyio import NpzFile

from facewright.arrays import Floats
from facewright.errors import UnknownName
from facewright.mesh.polygons import Polygons, Uvs
from facewright.options import suggests_options
from facewright.rig.names import group_of
from facewright.rig.rig import Part, Rig
from facewright.rig.shape import Shape

UNIT = "cm"  # of all people

# Sliders with opposite meanings.
_EXCLUSIVE = {
    "arkit": (
        ("jawLeft", "jawRight"),
        ("mouthLeft", "mouthRight"),
        *((f"eyeLookIn{side}", f"eyeLookOut{side}") for side in ("Left", "Right")),
        *((f"eyeLookUp{side}", f"eyeLookDown{side}") for side in ("Left", "Right")),
    ),
    "units": (
        *((f"eye-{side}-closure", f"eye-{side}-opened-up") for side in ("left", "right")),
        *((f"eyebrows-{side}-down", f"eyebrows-{side}-up") for side in ("left", "right")),
    ),
}


@suggests_options
def sample(person: str = "default", *, shapes: str = "arkit") -> Rig:
    """The embedded head as one of `people()`, with "arkit" (52 shapes) or "units" (34 expression units of its own)."""
    with _opened() as data:
        if person not in data["people"]:
            raise UnknownName("person", person, data["people"].tolist())
        if shapes not in _EXCLUSIVE:
            raise UnknownName("set of shapes", shapes, _EXCLUSIVE)
        step = float(data["step"])
        quads, names = data["quads"], data[f"{shapes}/names"].tolist()
        return Rig(
            data[f"{person}/neutral"] * step,
            Polygons(quads.ravel(), np.full(len(quads), 4)),
            _shapes(names, data, f"{person}/{shapes}", step),
            groups=tuple(group_of(name) for name in names),
            parts=_parts(data),
            uvs=Uvs(data["uvs"] / np.iinfo(np.uint16).max, data["uv_quads"].ravel().astype(np.int64)),
            exclusive=_EXCLUSIVE[shapes],
        )


def people() -> tuple[str, ...]:
    """The names that `sample` accepts. All people have the same vertices, polygons and texture coordinates.

    default: a young woman of mixed origin; amara: another; kenji: a man past forty; edith: an old woman.
    """
    with _opened() as data:
        return tuple(data["people"].tolist())


def _opened() -> NpzFile[Any]:
    packed = (files("facewright.samples") / "data" / "head.npz").read_bytes()
    found = np.load(BytesIO(packed), allow_pickle=False)
    assert isinstance(found, NpzFile)
    return found


def _parts(data: NpzFile[Any]) -> tuple[Part, ...]:
    ranges = pairwise(data["starts"].tolist())
    return tuple(Part(name, start, stop) for name, (start, stop) in zip(data["parts"].tolist(), ranges, strict=True))


def _shapes(names: list[str], data: NpzFile[Any], key: str, step: float) -> tuple[Shape, ...]:
    vertices = data[f"{key}/vertices"]
    offsets: Floats = data[f"{key}/offsets"] * step
    rows = [slice(*ends) for ends in pairwise(data[f"{key}/starts"].tolist())]
    return tuple(Shape(name, vertices[at], offsets[at]) for name, at in zip(names, rows, strict=True))
