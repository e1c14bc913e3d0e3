"""What other programs are shown of a document, where a format leaves a choice."""

from __future__ import annotations

from dataclasses import dataclass

from facewright.image.encoded import Encoded


@dataclass(frozen=True, kw_only=True)
class WriteOptions:
    """How a format that is read by other programs writes a document. The same document is read again."""

    skin: Encoded | None = None  # PNG or JPEG: base colour of the parts with textures; None: the neutral's texture
    straight: bool = False  # whether curves are straight lines between keys, for programs that play no tangents
