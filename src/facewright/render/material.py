"""Materials of the parts of a face."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from facewright.render.mipmap import Mipmap
from facewright.render.tone import Color


@dataclass(frozen=True)
class ShadingMaterial:
    """A surface: its colour, how it reflects, and how far light wraps round its shaded side."""

    color: Color  # sRGB, 0 to 1
    shine: float = 0.5  # strength of the reflection; 1 is that of water
    roughness: float = 0.5  # 0: a mirror, 1: dull
    # per channel; 0: hard shading, 1: light reaches all round. Red scatters furthest in skin
    wrap: Color = (0.0, 0.0, 0.0)
    iris: bool = False  # an eyeball on which iris and pupil are painted
    texture: Mipmap | None = None  # multiplied by the colour
    slopes: Mipmap | None = None  # of the surface to the right and up in the texture, the third channel empty
    roughnesses: Mipmap | None = None  # in place of the roughness; all three channels are the same
    opacity: float = 1.0  # a factor on that of the texture
    opacities: Mipmap | None = None  # of the texture; all three channels are the same
    cutoff: float | None = None  # all or nothing: opaque where the opacity is this or more; None: it is blended
    translucent: bool = False  # whether opacity counts at all
    double_sided: bool = False  # its back is lit as its front; else it is the inside of a surface


SKIN = ShadingMaterial((0.78, 0.605, 0.51), shine=0.85, roughness=0.47, wrap=(0.32, 0.17, 0.12))
EYE = ShadingMaterial((0.90, 0.885, 0.87), shine=1.0, roughness=0.2, wrap=(0.25, 0.2, 0.18), iris=True)
TEETH = ShadingMaterial((0.88, 0.84, 0.77), shine=0.9, roughness=0.25, wrap=(0.3, 0.25, 0.2))
TONGUE = ShadingMaterial((0.66, 0.36, 0.34), shine=0.9, roughness=0.3, wrap=(0.4, 0.15, 0.12))
GUMS = ShadingMaterial((0.62, 0.36, 0.35), shine=0.9, roughness=0.25, wrap=(0.4, 0.15, 0.12))
HAIR = ShadingMaterial((0.16, 0.115, 0.09), shine=0.35, roughness=0.5)
CLOTH = ShadingMaterial((0.24, 0.255, 0.28), shine=0.1, roughness=0.8)
CLAY = ShadingMaterial((0.60, 0.595, 0.585), shine=0.35, roughness=0.6, wrap=(0.2, 0.2, 0.2))

# The first word that occurs in a part's name decides.
_WORDS = {
    "lash": HAIR,
    "brow": HAIR,
    "hair": HAIR,
    "beard": HAIR,
    "gum": GUMS,
    "tongue": TONGUE,
    "teeth": TEETH,
    "tooth": TEETH,
    "lid": SKIN,
    "socket": SKIN,
    "eye": EYE,
    "cloth": CLOTH,
    "shirt": CLOTH,
}


class NamedRange(Protocol):
    """A named range of the vertex array, such as a rig's part."""

    @property
    def name(self) -> str: ...
    @property
    def start(self) -> int: ...
    @property
    def stop(self) -> int: ...


def material_named(part: str) -> ShadingMaterial:
    """The usual material of a part, by the words in its name; skin if none is known."""
    name = part.lower()
    return next((material for word, material in _WORDS.items() if word in name), SKIN)


def materials_of(parts: Sequence[NamedRange]) -> tuple[ShadingMaterial, ...]:
    """The usual material of each part; skin if there are no parts."""
    return tuple(material_named(part.name) for part in parts) or (SKIN,)


def textured(material: ShadingMaterial, texture: Mipmap) -> ShadingMaterial:
    """The material with all its colour from a texture."""
    return replace(material, color=(1.0, 1.0, 1.0), iris=False, texture=texture)
