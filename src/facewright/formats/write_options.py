"""What other programs are shown of a document, where a format leaves a choice."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from facewright.image.encoded import Encoded

# exact: few keys, cubic where curves bend. For programs that play no tangents, as Blender: straight lines, to few keys
# that stay close at every frame and key (straight), or to a key on every frame and key of what bends (frames).
Keys = Literal["exact", "straight", "frames"]


@dataclass(frozen=True)
class SurfaceImages:
    """Normal and roughness maps as they are shown, PNG or JPEG, and the parts that show them; none: all."""

    normal: Encoded | None
    roughness: Encoded | None
    parts: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class WriteOptions:
    """How a format that is read by other programs writes a document. The same document is read again."""

    skin: Encoded | None = None  # PNG or JPEG: base colour of the parts with textures; None: the neutral's texture
    surface: SurfaceImages | None = None  # None: as the file has them
    keys: Keys = "exact"
    avatar: Mapping[str, str] = field(default_factory=dict)  # of a VRM, such as authors, by the names of VRM 1.0
