"""Who made an avatar and what others may do with it: where files of VRM 1.0 and of VRM 0 state it."""

from __future__ import annotations

from typing import Final

from facewright.errors import BadValue
from facewright.formats.avatar_meta import CHOICES, FLAGS, LISTS
from facewright.formats.gltf.container.fields import Json
from facewright.formats.gltf.vrm.versions import ONE, extension_of, version_of

_OF_ZERO: Final = {
    "name": "title",
    "version": "version",
    "authors": "author",
    "contactInformation": "contactInformation",
    "references": "reference",
    "otherLicenseUrl": "otherLicenseUrl",
    "avatarPermission": "allowedUserName",
    "allowExcessivelyViolentUsage": "violentUssageName",
    "allowExcessivelySexualUsage": "sexualUssageName",
    "commercialUsage": "commercialUssageName",
}
_USERS: Final = dict(
    zip(CHOICES["avatarPermission"], ("OnlyAuthor", "ExplicitlyLicensedPerson", "Everyone"), strict=True)
)


def meta_of(json: Json) -> Json:
    """What an avatar states, in the names of its own version."""
    found = extension_of(json).get("meta") if version_of(json) else None
    return dict(found) if isinstance(found, dict) else {}


def set_meta(json: Json, wanted: Json) -> None:
    """State some fields of VRM 1.0 in a file, and leave the others as they are; one of VRM 0 has fewer."""
    if not wanted:
        return
    extension = extension_of(json)
    old = extension.get("meta")
    meta = dict(old) if isinstance(old, dict) else {}
    extension["meta"] = meta | (wanted if version_of(json) == ONE else _of_zero(wanted))


def _of_zero(wanted: Json) -> Json:
    found: Json = {}
    for name, value in wanted.items():
        if name not in _OF_ZERO:
            raise BadValue(f"an avatar of VRM 0 cannot state {name}; it can state {', '.join(_OF_ZERO)}")
        if name == "avatarPermission":
            value = _USERS[value]
        elif name == "commercialUsage":
            value = "Disallow" if value == "personalNonProfit" else "Allow"
        elif name in FLAGS:
            value = "Allow" if value else "Disallow"
        elif name in LISTS:
            value = ", ".join(value)
        found[_OF_ZERO[name]] = value
    return found
