"""What a document holds besides its mesh, counted in words, so that a command can say what a file kept."""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import partial

from facewright.document import Document
from facewright.formats.carried import CARRIED, carried

_COUNTS: dict[str, Callable[[Document], int]] = {
    "shape": lambda document: len(document.rig.shapes),
    "clip": lambda document: len(document.clips),
    "layer": lambda document: sum(len(clip.layers) for clip in document.clips),
    "pose": lambda document: len(document.poses),
    "pin": lambda document: len(document.pins),
    "held point": lambda document: len(document.held),
    "locked slider": lambda document: len(document.locked),
    "region": lambda document: 0 if document.regions is None else document.regions.count,
    "texture": lambda document: 0 if document.textures is None else 1 + len(document.textures.maps),
    "material": lambda document: 0 if document.materials is None else len(document.materials.entries),
    "expression": lambda document: len(document.expressions),
    "prior": lambda document: int(document.prior is not None),
    "view": lambda document: len(document.bookmarks),
    "sound": lambda document: int(document.sound is not None),
    "reference picture": lambda document: int(document.plane is not None),
    "take": lambda document: int(document.captured is not None),
    "scan sequence": lambda document: int(document.scanned is not None),
    **{kind: partial(carried, kind=kind) for kind in CARRIED},
}
EVERYTHING = frozenset(_COUNTS)


def counted(document: Document, kinds: Collection[str]) -> tuple[str, ...]:
    """What the document has of some kinds, such as ("52 shapes", "1 clip"); without what it has none of."""
    counts = {kind: count(document) for kind, count in _COUNTS.items() if kind in kinds}
    return tuple(f"{count:,} {kind if count == 1 else _several(kind)}" for kind, count in counts.items() if count)


def _several(kind: str) -> str:
    return f"{kind}es" if kind.endswith("sh") else f"{kind}s"
