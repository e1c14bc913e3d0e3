"""Meshes with their blend shapes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from facewright.arrays import Floats, Ints
from facewright.formats.channels.channel import shares_at
from facewright.formats.channels.written import WrittenChannel, WrittenMesh
from facewright.formats.gltf.accessors.rows import Rows
from facewright.formats.gltf.geometry.normals import SmoothNormals
from facewright.formats.usd.write.names import PrimNames
from facewright.formats.usd.write.text import Prim, Property, array, path_list, quoted, quoted_list
from facewright.mesh.polygons import Uvs

_NORMAL_DIGITS = 4


@dataclass(frozen=True, eq=False)
class MeshLook:
    """What a mesh shows: a material for all polygons, or one for each of some subsets."""

    materials: Sequence[tuple[str, Ints]]  # path and polygons of the mesh
    double_sided: bool = False
    color: Floats | None = None  # (3,) where there is no material


def mesh_prim(piece: WrittenMesh, neutral: Floats, path: str, skeleton: str, look: MeshLook) -> Prim:
    """The mesh of a part. `path` is its own, whose last name is the prim's."""
    positions = neutral[piece.part.start : piece.part.stop]
    normals = SmoothNormals(positions, piece.polygons.triangles)
    names = PrimNames()
    shapes = {one.name: names.add(one.name) for one in piece.channels}
    subsets = (
        {} if len(look.materials) < 2 else {names.add(to.rpartition("/")[2]): (to, rows) for to, rows in look.materials}
    )
    schemas = ["SkelBindingAPI"] * bool(skeleton) + ["MaterialBindingAPI"] * bool(look.materials)
    about = {"prepend apiSchemas": quoted_list(schemas)} if schemas else {}
    return Prim(
        "Mesh",
        path.rpartition("/")[2],
        about | {"displayName": quoted(piece.part.name)},
        _properties(piece, positions, normals, path, skeleton, shapes, look),
        _children(piece, normals, shapes, subsets),
    )


def _properties(
    piece: WrittenMesh,
    positions: Floats,
    normals: SmoothNormals,
    path: str,
    skeleton: str,
    shapes: Mapping[str, str],
    look: MeshLook,
) -> Iterator[Property]:
    yield Property("uniform bool doubleSided", "1" if look.double_sided else "0")
    yield Property("float3[] extent", array(np.stack([positions.min(axis=0), positions.max(axis=0)])))
    yield Property("int[] faceVertexCounts", array(piece.polygons.counts))
    yield Property("int[] faceVertexIndices", array(piece.polygons.corners))
    if len(look.materials) == 1:
        yield Property("rel material:binding", path_list([look.materials[0][0]]))
    vertex = {"interpolation": '"vertex"'}
    yield Property("normal3f[] normals", array(np.round(normals.unit, _NORMAL_DIGITS)), vertex)
    yield Property("point3f[] points", array(positions))
    if look.color is not None:
        yield Property("color3f[] primvars:displayColor", array(look.color[None]))
    if piece.uvs is not None:
        yield from _uvs(piece.uvs)
    if shapes:
        yield Property("uniform token[] skel:blendShapes", quoted_list(shapes))
        yield Property("rel skel:blendShapeTargets", path_list([f"{path}/{name}" for name in shapes.values()]))
    if skeleton:
        yield Property("rel skel:skeleton", path_list([skeleton]))
    if len(look.materials) > 1:
        yield Property("uniform token subsetFamily:materialBind:familyType", '"partition"')
    yield Property("uniform token subdivisionScheme", '"none"')


def _uvs(uvs: Uvs) -> Iterator[Property]:
    """Corners without coordinates have a row of their own, which the file calls not authored."""
    about = {"interpolation": '"faceVarying"'}
    coordinates, rows = uvs.coordinates, uvs.corners
    if (rows < 0).any():
        about["unauthoredValuesIndex"] = str(len(coordinates))
        rows = np.where(rows < 0, len(coordinates), rows)
        coordinates = np.concatenate([coordinates, np.zeros((1, 2))])
    yield Property("texCoord2f[] primvars:st", array(coordinates), about)
    yield Property("int[] primvars:st:indices", array(rows))


def _children(
    piece: WrittenMesh, normals: SmoothNormals, shapes: Mapping[str, str], subsets: Mapping[str, tuple[str, Ints]]
) -> Iterator[Prim]:
    for one in piece.channels:
        yield Prim(
            "BlendShape",
            shapes[one.name],
            {"displayName": quoted(one.name)},
            _shape(one, [piece.rows[shape.name] for shape in one.shapes], normals),
        )
    for name, (material, polygons) in subsets.items():
        yield Prim(
            "GeomSubset",
            name,
            {"prepend apiSchemas": '["MaterialBindingAPI"]'},
            [
                Property("uniform token elementType", '"face"'),
                Property("uniform token familyName", '"materialBind"'),
                Property("int[] indices", array(polygons)),
                Property("rel material:binding", path_list([material])),
            ],
        )


def _shape(channel: WrittenChannel, targets: Sequence[Rows], normals: SmoothNormals) -> Iterator[Property]:
    """The shape at 1, which USD wants, and those at other values as in-betweens; all move the same points."""
    rows = np.unique(np.concatenate([target.rows for target in targets]))
    tables = [_table(target, rows) for target in targets]
    shares = shares_at(channel.at, 1.0)
    primary = sum((share * tables[n] for n, share in shares.items()), np.zeros((len(rows), 3)))
    yield Property("uniform vector3f[] offsets", array(primary))
    yield Property("uniform vector3f[] normalOffsets", _normal_offsets(rows, primary, normals))
    yield Property("uniform int[] pointIndices", array(rows))
    names = PrimNames("normalOffsets")
    for shape, at, table in zip(channel.shapes, channel.at, tables, strict=True):
        if at != 1:
            name = names.add(shape.name)
            yield Property(f"uniform vector3f[] inbetweens:{name}", array(table), _named(shape.name, at))
            declaration = f"uniform vector3f[] inbetweens:{name}:normalOffsets"
            yield Property(declaration, _normal_offsets(rows, table, normals))


def _named(name: str, at: float) -> dict[str, str]:
    return {"displayName": quoted(name), "weight": repr(float(at))}


def _table(target: Rows, rows: Ints) -> Floats:
    table = np.zeros((len(rows), 3))
    table[np.searchsorted(rows, target.rows)] = target.values
    return table


def _normal_offsets(rows: Ints, offsets: Floats, normals: SmoothNormals) -> str:
    changes = normals.changes(Rows(rows, offsets))
    return array(np.round(changes.values[np.searchsorted(changes.rows, rows)], _NORMAL_DIGITS))
