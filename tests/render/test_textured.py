"""Textures on surfaces, and those of documents."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import facewright as fw
from facewright.arrays import Floats, Ints
from facewright.errors import BadValue, UnknownName
from facewright.image.codec import encoded, pixels
from facewright.image.srgb import to_linear
from facewright.render import Backdrop, face_picture, look_at, mesh_picture
from facewright.render.camera import Camera, frame
from facewright.render.material import EYE, SKIN, ShadingMaterial, textured
from facewright.render.material_set import DocumentMaterials, MaterialSet
from facewright.render.mipmap import Mipmap
from facewright.render.triangle_materials import triangle_materials
from facewright.rig.textures import ShapeTexture, Textures
from facewright.samples import mask
from tests.some import some

SQUARE = np.array([(-1, -1, 0), (1, -1, 0), (1, 1, 0), (-1, 1, 0)], float)
SPLIT = np.array([(0, 1, 2), (0, 2, 3)])
UNIT = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], float)
DULL = ShadingMaterial((1, 1, 1), shine=0.0)
BLACK = Backdrop((0, 0, 0), (0, 0, 0))


def show(
    image: NDArray[np.uint8],
    *,
    size: tuple[int, int] = (96, 96),
    camera: Camera | None = None,
    uvs: Floats = UNIT,
    **options: Any,
) -> Ints:
    camera = camera or frame(SQUARE, margin=0.0, perspective=False)
    materials = (textured(DULL, Mipmap.of(image)),)
    return mesh_picture(
        SQUARE, SPLIT, size=size, camera=camera, materials=materials, uvs=uvs, background=BLACK, **options
    ).astype(int)


def test_a_texture_lies_upright_and_is_not_mirrored() -> None:
    image = np.zeros((8, 8, 3), np.uint8)
    image[:4, :4], image[:4, 4:], image[4:, :4] = (
        (255, 0, 0),
        (0, 255, 0),
        (0, 0, 255),
    )  # red top left, green right of it
    got = show(image)
    corners = {"red": got[24, 24], "green": got[24, 72], "blue": got[72, 24], "black": got[72, 72]}
    assert corners["red"].argmax() == 0
    assert corners["green"].argmax() == 1
    assert corners["blue"].argmax() == 2
    assert corners["black"].max() < 12


def test_a_texture_of_one_colour_is_the_material_of_that_colour() -> None:
    color = (200, 120, 60)
    plain = mesh_picture(
        SQUARE,
        SPLIT,
        size=(60, 60),
        background=BLACK,
        materials=(ShadingMaterial((200 / 255, 120 / 255, 60 / 255), shine=0.0),),
    ).astype(int)
    worn = show(np.full((5, 7, 3), color, np.uint8), size=(60, 60), camera=frame(SQUARE))
    assert np.abs(plain - worn).max() <= 1


def test_perspective_does_not_bend_lines_of_a_texture_along_the_diagonal_of_a_quad() -> None:
    stripes = np.zeros((64, 64, 3), np.uint8)
    stripes[:, 31:33] = 255  # one upright line in the middle
    camera = look_at((0, -2.2, 1.2), (0, 0, 0), up=(0, 0, 1), half_height=0.8)
    got = show(stripes, size=(201, 201), camera=camera).sum(axis=2)
    rows = np.flatnonzero(got.max(axis=1) > 60)
    assert len(rows) > 60
    peaks = np.array([np.average(np.arange(201), weights=got[row].astype(float) ** 2) for row in rows])
    np.testing.assert_allclose(peaks, 100, atol=0.6)


def test_a_fine_texture_far_away_is_even_and_does_not_flicker() -> None:
    checks = np.repeat((np.indices((512, 512)).sum(axis=0) % 2 * 255)[..., None], 3, axis=2).astype(np.uint8)
    still = show(checks, size=(60, 60))[15:45, 15:45]
    moved = show(checks, size=(60, 60), uvs=UNIT + 0.37 / 512)[15:45, 15:45]
    assert still.std(axis=(0, 1)).max() < 14  # light on the square changes slowly
    assert np.abs(still - moved).max() <= 2


def test_corners_without_coordinates_keep_the_material() -> None:
    uvs = np.stack([UNIT[SPLIT[0]], np.full((3, 2), np.nan)])
    got = show(np.full((4, 4, 3), (0, 255, 0), np.uint8), uvs=uvs)
    assert got[70, 80].argmax() == 1  # the lower right triangle is green
    assert np.ptp(got[20, 20]) < 60  # the other one has the material's white


def painted(rig: fw.Rig, color: tuple[int, int, int]) -> NDArray[np.uint8]:
    return np.full((16, 16, 3), color, np.uint8)


def test_one_picture_is_for_the_skin_and_others_are_named_by_their_parts() -> None:
    rig = fw.sample()
    made_of = MaterialSet(rig, painted(rig, (10, 200, 10)))
    with_texture = {
        part.name for part, made in zip(rig.parts, made_of.materials, strict=True) if made.texture is not None
    }
    assert with_texture == {"head"}
    named = MaterialSet(rig, {"left eye": painted(rig, (200, 10, 10))})
    worn = {part.name: made for part, made in zip(rig.parts, named.materials, strict=True)}
    assert worn["left eye"].texture is not None
    assert not worn["left eye"].iris
    assert worn["right eye"] is EYE
    assert worn["head"] is SKIN
    with pytest.raises(UnknownName, match="no part named 'nose'"):
        MaterialSet(rig, {"nose": painted(rig, (1, 2, 3))})
    bare = fw.Rig(neutral=rig.neutral, polygons=rig.polygons)
    with pytest.raises(BadValue, match="no texture coordinates"):
        face_picture(bare, texture=painted(rig, (1, 2, 3)))


def dressed(rig: fw.Rig) -> fw.Document:
    green, blue = (encoded(painted(rig, color)) for color in ((20, 220, 20), (20, 20, 220)))
    return fw.Document(rig, textures=Textures(green, (ShapeTexture((rig.shape_names[0],), blue),)))


def test_a_document_s_texture_is_blended_by_its_pose_and_kept_while_that_stays() -> None:
    rig = mask(400, 4, seed=1)
    made_of = DocumentMaterials(dressed(rig), 200)
    weights = np.eye(len(rig.sliders))
    rest = some(made_of.at(0 * weights[0])[0].texture)
    assert made_of.at(0 * weights[0])[0].texture is rest
    on = some(made_of.at(weights[0])[0].texture)
    assert rest.levels[-1][0, 0].argmax() == 1
    assert on.levels[-1][0, 0].argmax() == 2


def test_detail_fades_over_time_in_a_film_and_comes_at_once_in_a_picture() -> None:
    rng = np.random.default_rng(0)
    rig = mask(400, 4, seed=1)
    noise = [encoded(rng.integers(0, 256, (512, 512, 3), dtype=np.uint8)) for _ in range(2)]
    made_of = DocumentMaterials(
        fw.Document(rig, textures=Textures(noise[0], (ShapeTexture((rig.shape_names[0],), noise[1]),))), 512
    )
    rest, full = (value * np.eye(len(rig.sliders))[0] for value in (0.0, 1.0))
    at_once = some(made_of.at(full)[0].texture).levels[0]
    details = made_of.details(full, made_of.details(rest), 1 / 100)
    soon = some(made_of.at(full, details)[0].texture).levels[0]
    for _ in range(60):
        details = made_of.details(full, details, 1 / 100)
    later = some(made_of.at(full, details)[0].texture).levels[0]
    assert np.abs(soon - at_once).mean() > 0.02
    np.testing.assert_allclose(later, at_once, atol=0.02)


def test_large_textures_are_halved_for_small_pictures_only() -> None:
    rig = mask(400, 4, seed=1)
    picture_file = encoded(np.zeros((512, 256, 3), np.uint8))
    document = fw.Document(rig, textures=Textures(picture_file))
    sizes = {
        height: some(DocumentMaterials(document, height).at(document.pose)[0].texture).size for height in (20, 100, 500)
    }
    assert sizes == {20: (128, 64), 100: (512, 256), 500: (512, 256)}


def test_colours_and_pictures_of_a_gltf_file_are_shown(shared_data: Path) -> None:
    colors = some(triangle_materials(fw.load_document(shared_data / "gltf_samples" / "RobotExpressive.glb")))
    assert len({material.color for material in colors.materials}) == 3
    pictures = some(triangle_materials(fw.load_document(shared_data / "gltf_samples" / "MorphStressTest.glb")))
    assert all(material.texture is not None for material in pictures.materials)


def test_a_ktx2_texture_of_a_gltf_file_is_shown(shared_data: Path) -> None:
    """Drawn on skin of one colour, red and blue are far apart; the file's own skin is grey with darker brows."""
    document = fw.load_document(shared_data / "facecap" / "facecap.glb")
    unpacked = pixels(some(document.materials).image(0).encoded())
    materials = some(triangle_materials(document)).materials
    np.testing.assert_array_equal(some(materials[0].texture).levels[0], to_linear(unpacked))
    plain, worn = (face_picture(what, size=(200, 200)).astype(int) for what in (document.rig, document))
    center = np.s_[60:150, 60:140]
    assert (plain[center][..., 0] - plain[center][..., 2]).mean() > 30
    assert abs(worn[center][..., 0] - worn[center][..., 2]).mean() < 20


def test_files_of_our_own_without_textures_have_the_usual_materials(tmp_path: Path) -> None:
    fw.save(fw.sample(), tmp_path / "head.glb")
    document = fw.load_document(tmp_path / "head.glb")
    found = some(triangle_materials(document))
    assert set(found.materials) == set(MaterialSet(document.rig).materials)
    np.testing.assert_array_equal(face_picture(document, size=(60, 60)), face_picture(document.rig, size=(60, 60)))
