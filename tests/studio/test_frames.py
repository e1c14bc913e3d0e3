"""Frames hold what was put in, aligned, and a rig's geometry names the rig's own vertices and triangles."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

import numpy as np
import pytest

from facewright.document import Document
from facewright.errors import BadValue
from facewright.formats.registry import load_document, save
from facewright.mesh.normals import vertex_normals
from facewright.mesh.polygons import Polygons, Uvs
from facewright.rig.evaluate import evaluate
from facewright.rig.rig import Part, Rig
from facewright.rig.shape import Shape
from facewright.samples import mask, sample
from facewright.session.frames import MAGIC, Array, Frame, unpack
from facewright.session.views.geometry import geometry, rig_id


@dataclass(frozen=True, eq=False, kw_only=True)
class Sampled(Frame):
    """A frame that only this test has."""

    seq: int
    clip: str
    rate: float
    weights: Annotated[np.ndarray, Array("f4", ("f", "n"))]
    times: Annotated[np.ndarray, Array("u4", ("t",))]
    empty: Annotated[np.ndarray, Array("f4", ("*", 3))]
    values: Annotated[np.ndarray, Array("f4", ("f",))]
    extra: Annotated[np.ndarray, Array("f4", ("n",))] | None = None


def arrays() -> dict[str, np.ndarray]:
    rng = np.random.default_rng(1)
    return {
        "weights": rng.normal(size=(3, 5)),
        "times": rng.integers(0, 2**31, 7),
        "empty": np.zeros((0, 3)),
        "values": rng.normal(size=3),
    }


def test_a_frame_gives_its_arrays_back_each_at_a_multiple_of_8() -> None:
    data = Sampled(seq=4, clip="naïve", rate=24.0, **arrays()).pack()
    assert data[:4] == MAGIC
    header, found = unpack(data)
    assert (header.seq, header.clip, header.rate) == (4, "naïve", 24.0)
    assert set(found) == set(arrays())
    for name, array in arrays().items():
        assert header.arrays[name].offset % 8 == 0
        np.testing.assert_allclose(found[name], array, rtol=1e-6)
    assert len(data) % 8 == 0


@pytest.mark.parametrize(
    ("name", "array"),
    [
        ("weights", np.zeros(3)),  # another number of axes
        ("values", np.zeros(4)),  # another size than the weights say
        ("empty", np.zeros((2, 4))),
        ("times", np.zeros(7)),  # floats where whole numbers are declared
        ("values", None),
    ],
)
def test_an_array_that_is_missing_or_not_as_declared_is_an_error(name: str, array: np.ndarray | None) -> None:
    with pytest.raises(BadValue, match=f"Sampled.{name}"):
        Sampled(seq=0, clip="", rate=1.0, **(arrays() | {name: array})).pack()  # type: ignore[arg-type]


def test_a_frame_without_one_of_its_arrays_cannot_be_made() -> None:
    given = arrays()
    del given["values"]
    with pytest.raises(TypeError, match="values"):
        Sampled(seq=0, clip="", rate=1.0, **given)


def seamed() -> Rig:
    """Two quads that share an edge, with a seam of texture coordinates along it, and triangles of two parts mixed."""
    neutral = np.array(
        [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [2, 0, 0], [2, 1, 0], [5, 0, 0], [6, 0, 0], [5, 1, 0.0]]
    )
    faces = Polygons.of([[0, 1, 2, 3], [6, 7, 8], [1, 4, 5, 2]])
    uvs = Uvs(np.array([[0, 0], [1, 0], [1, 1], [0, 1], [0.5, 0.5]]), np.array([0, 1, 2, 3, -1, -1, -1, 0, 1, 2, 4]))
    shape = Shape("lift", [2, 5], [[0, 0, 0.5], [0, 0, 0.25]])
    return Rig(neutral, faces, (shape,), uvs=uvs, parts=(Part("sheet", 0, 6), Part("chip", 6, 9)))


@pytest.mark.parametrize("rig", [seamed(), sample(), mask(500, 6)], ids=["seamed", "sample", "mask"])
def test_render_vertices_and_triangles_lead_back_to_the_rig(rig: Rig) -> None:
    header, arrays = unpack(geometry(Document(rig), "x").pack())
    np.testing.assert_allclose(arrays["positions"], rig.neutral[arrays["vertex"]], rtol=1e-6)
    np.testing.assert_array_equal(arrays["vertex"][arrays["triangles"]], rig.triangles[arrays["triangle"]])
    assert sorted(arrays["triangle"].tolist()) == list(range(len(rig.triangles)))
    at = 0
    for lot in header.ranges:
        assert lot.start == at
        at += lot.count
        part = rig.parts[lot.part]
        first = rig.triangles[arrays["triangle"][lot.start : at], 0]
        assert ((first >= part.start) & (first < part.stop)).all()
    assert at == len(rig.triangles)


def test_a_seam_copies_vertices_and_every_corner_has_its_own_texture_coordinates() -> None:
    rig = seamed()
    _, arrays = unpack(geometry(Document(rig), "x").pack())
    assert len(arrays["vertex"]) == 11
    corner = arrays["uvs"][arrays["triangles"]]
    assert rig.uvs is not None
    wanted = rig.uvs.coordinates[rig.uvs.corners[rig.polygons.triangle_corners[arrays["triangle"]]]]
    has = rig.uvs.corners[rig.polygons.triangle_corners[arrays["triangle"]]] >= 0
    np.testing.assert_allclose(corner[has], wanted[has])


@pytest.mark.parametrize("rig", [seamed(), sample()], ids=["seamed", "sample"])
def test_sparse_shapes_give_positions_and_normals_of_a_shape_at_1(rig: Rig) -> None:
    _, arrays = unpack(geometry(Document(rig), "x").pack())
    for j in range(0, len(rig.shapes), 7):
        rows = slice(*arrays["starts"][j : j + 2])
        offsets, turns = np.zeros((2, rig.vertex_count, 3))
        offsets[arrays["vertices"][rows]] = arrays["offsets"][rows]
        turns[arrays["vertices"][rows]] = arrays["turns"][rows]
        weights = {rig.shapes[j].sliders[0]: 1.0}
        moved = evaluate(rig, weights)
        np.testing.assert_allclose(rig.neutral + offsets, moved, atol=1e-6 * rig.size)
        normals = (vertex_normals(rig.neutral, rig.triangles) + turns)[rig.shapes[j].vertices]
        np.testing.assert_allclose(normals, vertex_normals(moved, rig.triangles)[rig.shapes[j].vertices], atol=1e-5)


def test_the_id_of_a_rig_changes_with_anything_in_it_and_with_nothing_else() -> None:
    rig = seamed()
    others = [
        rig,
        replace(rig, neutral=rig.neutral * 2),
        replace(rig, bounds=np.array([[0.0, 2.0]])),
        replace(rig, groups=("mouth",)),
        replace(rig, uvs=None),
        replace(rig, shapes=(replace(rig.shapes[0], offsets=rig.shapes[0].offsets * 2),)),
        replace(rig, parts=(Part("all", 0, 9),)),
    ]
    assert len({rig_id(other) for other in others}) == len(others)
    assert rig_id(seamed()) == rig_id(rig)


def test_materials_of_a_glb_come_with_their_triangles(tmp_path: Path) -> None:
    save(Document(sample()), tmp_path / "face.glb")
    document = load_document(tmp_path / "face.glb")
    header, _ = unpack(geometry(document, "x").pack())
    names = {lot.part: header.materials[lot.material].name for lot in header.ranges}
    assert {document.rig.parts[part].name: name for part, name in names.items()}["head"] == "skin"
    assert len(set(names.values())) >= 3


def test_a_textured_glb_gives_its_image_as_it_is(shared_data: Path) -> None:
    document = load_document(shared_data / "gltf_samples" / "MorphStressTest.glb")
    header, _ = unpack(geometry(document, "x").pack())
    image = next(material.image for material in header.materials if material.image is not None)
    assert document.materials is not None
    found = document.materials.image(image)
    assert found.media == "image/png"
    assert found.data[:4] == b"\x89PNG"
