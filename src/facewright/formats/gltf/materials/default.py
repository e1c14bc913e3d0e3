"""How a new file's parts look until somebody gives them textures."""

from __future__ import annotations

from collections.abc import Sequence

from facewright.formats.gltf.container.fields import Json

# Linear colour and roughness by a word in the part's name; the last is for everything else.
_LOOKS = (
    (("lash", "brow", "hair"), [0.05, 0.035, 0.025, 1.0], 0.7),
    (("eye", "sclera"), [0.85, 0.83, 0.8, 1.0], 0.2),
    (("teeth", "tooth"), [0.8, 0.76, 0.68, 1.0], 0.3),
    (("tongue", "gum", "mouth"), [0.55, 0.16, 0.15, 1.0], 0.4),
    (("",), [0.58, 0.37, 0.28, 1.0], 0.55),
)
_ROUNDED = 1e-5
_NAMES = ("hair", "eye", "teeth", "mouth", "skin")


def material_for(json: Json, part: str) -> int:
    """The index of the material for a part, made where the file does not have it."""
    look = next(i for i, (words, _, _) in enumerate(_LOOKS) if any(word in part.lower() for word in words))
    _, color, roughness = _LOOKS[look]
    materials = json.setdefault("materials", [])
    for index, material in enumerate(materials):
        if material["name"] == _NAMES[look]:
            return index
    surface = {"baseColorFactor": color, "metallicFactor": 0.0, "roughnessFactor": roughness}
    materials.append({"name": _NAMES[look], "pbrMetallicRoughness": surface})
    return len(materials) - 1


def is_made_up(name: str, color: Sequence[float]) -> bool:
    """Whether a material is one of these, and says nothing about the face it is on."""
    own = dict(zip(_NAMES, _LOOKS, strict=True))
    return name in own and all(abs(a - b) < _ROUNDED for a, b in zip(own[name][1], color, strict=True))
