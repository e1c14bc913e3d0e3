"""Who made an avatar and what others may do with it, in the names of VRM 1.0."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from facewright.document import Document
from facewright.errors import BadValue, UnknownName

LICENCE: Final = "https://vrm.dev/licenses/1.0/"  # the only one that the format knows
AUTHOR: Final = "unknown"
_MOST = 2000  # letters of a text

# What may be stated: a text, several texts with commas between them, an address, yes or no, or one of some words.
TEXTS: Final = ("name", "version", "copyrightInformation", "contactInformation", "thirdPartyLicenses")
LISTS: Final = ("authors", "references")
ADDRESSES: Final = ("licenseUrl", "otherLicenseUrl")
FLAGS: Final = (
    "allowExcessivelyViolentUsage",
    "allowExcessivelySexualUsage",
    "allowPoliticalOrReligiousUsage",
    "allowAntisocialOrHateUsage",
    "allowRedistribution",
)
CHOICES: Final[Mapping[str, tuple[str, ...]]] = {
    "avatarPermission": ("onlyAuthor", "onlySeparatelyLicensedPerson", "everyone"),
    "commercialUsage": ("personalNonProfit", "personalProfit", "corporation"),
    "creditNotation": ("required", "unnecessary"),
    "modification": ("prohibited", "allowModification", "allowModificationRedistribution"),
}
FIELDS: Final = (*TEXTS, *LISTS, *ADDRESSES, *FLAGS, *CHOICES)


def meta_from(texts: Mapping[str, str]) -> dict[str, Any]:
    """Fields of VRM 1.0 from texts by their names; what cannot be raises, and says what would do."""
    return {name: _value(name, text.strip()) for name, text in texts.items()}


def avatar_meta(document: Document) -> dict[str, Any]:
    """What the avatar that a document was opened from states, in the names of its own version; else nothing."""
    from facewright.formats.file_joints import file_of
    from facewright.formats.gltf.container.asset import parse_glb
    from facewright.formats.gltf.vrm.meta import meta_of

    data = file_of(document)
    return {} if data is None else meta_of(parse_glb(data).json)


def _value(name: str, text: str) -> Any:
    if name not in FIELDS:
        raise UnknownName("field of an avatar", name, FIELDS)
    if len(text) > _MOST:
        raise BadValue(f"{name} has up to {_MOST:,} letters, not {len(text):,}")
    if name in FLAGS:
        if text not in ("yes", "no"):
            raise BadValue(f"{name} is yes or no, not {text!r}")
        return text == "yes"
    if name in CHOICES and text not in CHOICES[name]:
        raise BadValue(f"{name} is one of {', '.join(CHOICES[name])}, not {text!r}")
    if name in ADDRESSES and not text.startswith(("https://", "http://")):
        raise BadValue(f"{name} is an address such as {LICENCE}, not {text!r}")
    if name in LISTS:
        listed = [word.strip() for word in text.split(",") if word.strip()]
        if not listed and name == "authors":
            raise BadValue("an avatar has an author; several have commas between them")
        return listed
    if name == "name" and not text:
        raise BadValue("an avatar has a name")
    return text
