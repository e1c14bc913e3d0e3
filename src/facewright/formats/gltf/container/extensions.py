"""Extensions: which of them a file may require, and listing and removing them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from facewright.errors import BadFile
from facewright.formats.gltf.container.fields import Json, entries, member, texts

Marks = Literal["nowhere", "some", "everywhere"]

_READ = (
    "KHR_mesh_quantization",
    "KHR_texture_transform",
    "EXT_meshopt_compression",
    "KHR_meshopt_compression",
    "KHR_draco_mesh_compression",
    "FB_ngon_encoding",
)
# They concern appearance, sound or metadata; the rig does not depend on them, and they are kept.
_CARRIED = (
    "KHR_materials_", "KHR_texture_", "KHR_lights_", "KHR_node_", "KHR_xmp", "KHR_animation_pointer", "KHR_audio",
    "EXT_texture_", "EXT_lights_", "EXT_mesh_gpu_instancing", "MSFT_texture_dds", "MSFT_lod", "VRM", "VRMC_",
)  # fmt: skip


def check_required(json: Json) -> None:
    """Raise where a file requires an extension that changes what its geometry means, and that is not read."""
    texts(json, "extensionsUsed")
    unknown = [name for name in texts(json, "extensionsRequired") if name not in _READ and not _is_carried(name)]
    if unknown:
        raise BadFile(f"it requires {', '.join(unknown[:5])}; the extensions read are {', '.join(_READ)}")


def is_used(json: Json, name: str) -> bool:
    return name in texts(json, "extensionsUsed")


def is_marked(holder: Json, name: str) -> bool:
    """Whether a mesh or a primitive has the extension itself."""
    return name in member(holder, "extensions", "a mesh")


def marks_of(json: Json, name: str) -> Marks:
    """Which meshes and primitives have an extension: those that have it themselves, or all where the file uses it and
    none has.
    """
    if not is_used(json, name):
        return "nowhere"
    holders = (of for one in entries(json, "meshes") for of in (one, *one["primitives"]))
    return "some" if any(is_marked(of, name) for of in holders) else "everywhere"


def declare(json: Json, name: str, *, required: bool = False) -> None:
    """List an extension as used, and as required where a reader without it would miss something."""
    for key in ("extensionsUsed", "extensionsRequired") if required else ("extensionsUsed",):
        if name not in texts(json, key):
            json[key] = [*texts(json, key), name]


def drop_extensions(json: Json, names: Iterable[str]) -> None:
    """Remove extensions from the lists; an empty list is removed too, as the specification demands."""
    gone = set(names)
    for key in ("extensionsUsed", "extensionsRequired"):
        left = [name for name in entries(json, key) if name not in gone]
        json[key] = left
        if not left:
            del json[key]


def _is_carried(name: str) -> bool:
    return name.startswith(_CARRIED)


def refers_to_no_data(json: Json) -> bool:
    """Whether no extension used names accessors or buffer views in a way that is not known here."""
    names = texts(json, "extensionsUsed")
    return all(name in _READ or (_is_carried(name) and not name.startswith("KHR_audio")) for name in names)
