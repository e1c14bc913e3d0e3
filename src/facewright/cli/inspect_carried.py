"""What `facewright inspect` shows of the meshes that a file carries besides the face."""

from __future__ import annotations

import numpy as np
from rich.console import Console
from rich.table import Table

from facewright.cli.screen import plain
from facewright.document import Document
from facewright.formats.character import character_of
from facewright.rig.character import CarriedMesh, Character
from facewright.rig.materials import Material


def carried_facts(document: Document) -> list[dict[str, object]]:
    """The meshes with their skins, materials and extensions, as JSON has them."""
    character = character_of(document)
    return [
        {
            "name": mesh.name,
            "vertices": len(mesh.positions),
            "triangles": len(mesh.triangles),
            "skin": {"name": mesh.skin, "joints": mesh.joints} if mesh.skin else None,
            "materials": [_material(character, material) for material in _materials(character, mesh)],
            "extensions": list(mesh.extensions),
        }
        for mesh in character.meshes
    ]


def show_carried(console: Console, document: Document) -> None:
    """The same as a table; nothing where the file carries no meshes."""
    character = character_of(document)
    if not character.meshes:
        return
    table = Table("besides the face", box=None, header_style="dim")
    for title in ("vertices", "triangles"):
        table.add_column(title, justify="right")
    for title in ("skin", "materials", "extensions"):
        table.add_column(title, overflow="fold")
    for mesh in character.meshes:
        table.add_row(
            plain(mesh.name),
            f"{len(mesh.positions):,}",
            f"{len(mesh.triangles):,}",
            plain(f"{mesh.skin}, {mesh.joints} joints") if mesh.skin else "",
            plain(", ".join(_words(material) for material in _materials(character, mesh))),
            plain(", ".join(mesh.extensions)),
        )
    console.print(table)


def _materials(character: Character, mesh: CarriedMesh) -> list[Material]:
    given = character.materials
    return [] if given is None else [given[row] for row in np.unique(mesh.material).tolist()]


def _material(character: Character, material: Material) -> dict[str, object]:
    media = "" if character.materials is None else character.materials.media(material)
    return {
        "name": material.name,
        "alpha": material.alpha_mode,
        "double_sided": material.double_sided,
        "texture": media or None,
    }


def _words(material: Material) -> str:
    mode = "" if material.alpha_mode == "OPAQUE" else f" ({material.alpha_mode})"
    return (material.name or "unnamed") + mode
