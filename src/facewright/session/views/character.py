"""Meshes besides the face, as the graphics card wants them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated

import numpy as np
from msgspec import Struct

from facewright.arrays import Floats, Ints
from facewright.errors import BadFile, FacewrightError
from facewright.formats.character import character_of, gaze_of
from facewright.image.encoded import KTX2
from facewright.mesh.normals import vertex_normals
from facewright.rig.character import CarriedMesh, Character
from facewright.session.context import Context
from facewright.session.frames import Array, Frame
from facewright.session.views.controls import document_head_rig
from facewright.session.views.geometry import MaterialInfo, material_info
from facewright.session.views.pictures import for_pages
from facewright.session.views.rig import known_rig_id
from facewright.session.views.stiff_parts import EyeInfo, eye_infos
from facewright.session.views.view import Gone, Reply, resource


class CarriedRange(Struct):
    """Triangles of one mesh with one of `materials`."""

    name: str
    material: int
    start: int  # first triangle
    count: int


@dataclass(frozen=True, eq=False, kw_only=True)
class CharacterMeshes(Frame):
    """All meshes that the file carries besides the face: r vertices at rest, t triangles. Images are at
    `GET /api/character_texture/{rig id}/{image}`.
    """

    rig: str
    ranges: list[CarriedRange]
    materials: list[MaterialInfo]
    positions: Annotated[Floats, Array("f4", ("r", 3))]
    normals: Annotated[Floats, Array("f4", ("r", 3))]
    uvs: Annotated[Floats, Array("f4", ("r", 2))]  # v up
    shares: Annotated[Floats, Array("f4", ("r", 4))]  # of head, neck, left and right eye
    triangles: Annotated[Ints, Array("u4", ("t", 3))]
    face: Annotated[Floats, Array("f4", ("f", 4))]  # shares of the face's own vertices; none: all belong to the head
    joints: list[EyeInfo]  # eyes that joints rotate about their middles


@resource("character/{rig}")
def character_meshes(context: Context, rig: str) -> Reply:
    """The CharacterMeshes frame of the document; without ranges where its file has nothing besides the face.

    A page asks for it once it has the geometry, when the rig may be another one by a step back; that is no mistake.
    """
    document = context.document.value
    if rig != known_rig_id(context, document.rig):
        return Reply(character_frame(Character(), [], rig).pack(), keep=False)
    shown = replace(document, head=document_head_rig(context))
    gaze = gaze_of(shown)
    eyes = [info for info, eye in zip(eye_infos(gaze), gaze.eyes, strict=True) if eye.shares is not None]
    return Reply(character_frame(character_of(shown), eyes, rig).pack(), keep=False)


@resource("character_texture/{rig}/{image}")
def character_texture(context: Context, rig: str, image: str) -> Reply:
    """An image of these meshes, as it came, unless no browser knows its kind."""
    document = context.document.value
    if rig != known_rig_id(context, document.rig) or not image.isascii() or not image.isdigit():
        raise Gone("another face is open now")
    materials = character_of(document).materials
    try:
        if materials is None:
            raise BadFile("what the file has besides the face has no materials")
        found = materials.image(int(image))
        shown = for_pages(found.encoded()) if found.media == KTX2 else found
    except FacewrightError as problem:
        context.say_later(f"A texture of the file is not shown: {problem}.")
        raise
    return Reply(shown.data, shown.media)


def character_frame(character: Character, joints: list[EyeInfo], rig: str) -> CharacterMeshes:
    """The CharacterMeshes frame of what a file carries besides the face."""
    meshes, given = character.meshes, character.materials
    starts = np.cumsum([0, *(len(mesh.positions) for mesh in meshes)])
    ranges: list[CarriedRange] = []
    triangles, first = [np.zeros((0, 3), np.int64)], 0
    for mesh, start in zip(meshes, starts, strict=False):
        for row in np.unique(mesh.material).tolist():
            some = mesh.triangles[mesh.material == row] + start
            ranges.append(CarriedRange(mesh.name, row, first, len(some)))
            triangles.append(some)
            first += len(some)
    return CharacterMeshes(
        rig=rig,
        ranges=ranges,
        materials=[] if given is None else [material_info(given, one) for one in given],
        positions=np.concatenate([np.zeros((0, 3)), *(mesh.positions for mesh in meshes)]),
        normals=np.concatenate([np.zeros((0, 3)), *(_normals(mesh) for mesh in meshes)]),
        uvs=np.concatenate([np.zeros((0, 2)), *(_uvs(mesh) for mesh in meshes)]),
        joints=joints,
        shares=np.concatenate([np.zeros((0, 4)), *(mesh.shares for mesh in meshes)]),
        triangles=np.concatenate(triangles),
        face=np.zeros((0, 4)) if character.face is None else character.face,
    )


def _normals(mesh: CarriedMesh) -> Floats:
    """Smooth normals (r, 3), the same for all copies of a point."""
    _, first, point = np.unique(mesh.positions, axis=0, return_index=True, return_inverse=True)
    welded = point.ravel()
    return np.asarray(vertex_normals(mesh.positions[first], welded[mesh.triangles])[welded])


def _uvs(mesh: CarriedMesh) -> Floats:
    return np.zeros((len(mesh.positions), 2)) if mesh.uvs is None else np.nan_to_num(mesh.uvs)
