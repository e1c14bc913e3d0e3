"""Textures on the face: expressions, fig. 4, a fade, and the layout with its bands."""

import numpy as np

import facewright as fw
from facewright.image.srgb import to_bytes, to_linear
from facewright.render.camera import Camera, look_at
from facewright.render.material import materials_of, textured
from facewright.render.mipmap import Mipmap
from facewright.render.picture import mesh_picture
from facewright.render.sheet_layout import contact_sheet
from facewright.render.tone import Bytes
from facewright.samples.skin import EXPRESSIONS
from facewright.texture.blend import TextureBlend
from facewright.texture.detail import Detail

FACE = look_at((0, -1.2, 60), (0, -1.2, 2), half_height=9.5)
CLOSE = look_at((-9, 0.5, 60), (-1.9, -0.7, 2), half_height=3.4)
SEVEN = np.full(7, 1 / 7)


def portrait(rig: fw.Rig, skin: Bytes, weights: dict[str, float], camera: Camera, size: tuple[int, int]) -> Bytes:
    assert rig.uvs is not None
    materials = list(materials_of(rig.parts))
    materials[0] = textured(materials[0], Mipmap.of(skin))
    return mesh_picture(
        fw.evaluate(rig, weights),
        rig.triangles,
        parts=rig.parts,
        materials=materials,
        uvs=rig.uvs.coordinates[rig.uvs.corners[rig.polygons.triangle_corners]],
        rest=rig.neutral,
        camera=camera,
        size=size,
    )


def expressions(rig: fw.Rig, skins: dict[str, Bytes]) -> Bytes:
    """Every map on the pose it belongs to."""
    tiles = []
    for name, skin in skins.items():
        groups = EXPRESSIONS[name].shapes if name in EXPRESSIONS else ()
        weights = {shape: 1.0 for group in groups for shape in group if shape != "mouthFunnel"}
        tiles.append(portrait(rig, skin, weights, FACE, (330, 380)))
    return contact_sheet(tiles, list(skins), columns=4)


def figure(rig: fw.Rig, one: Bytes, blend: TextureBlend) -> Bytes:
    """Joshi's fig. 4: a single map, seven mixed plainly, seven in two bands; below, closer."""
    skins = {
        "one map": one,
        "seven, mixed plainly": blend(SEVEN, plain=True),
        "seven, in two bands": blend(SEVEN, Detail(3)),
    }
    tiles = [portrait(rig, skin, {}, camera, (440, 480)) for camera in (FACE, CLOSE) for skin in skins.values()]
    return contact_sheet(tiles, [*skins, *(f"{name}, closer" for name in skins)], columns=3)


def fading(rig: fw.Rig, blend: TextureBlend) -> Bytes:
    """One detail going over into another."""
    weights = np.zeros(7)
    weights[[0, 2]] = 0.5
    tiles = {
        f"{share:.0%}": portrait(rig, blend(weights, Detail(3, 1, share)), {}, CLOSE, (320, 320))
        for share in (0.0, 0.25, 0.5, 0.75, 1.0)
    }
    return contact_sheet(list(tiles.values()), list(tiles), columns=5)


def layouts(blend: TextureBlend, one: Bytes) -> Bytes:
    """The face's part of a map, its smooth part, its detail (on grey, three times as strong), and the mask."""
    smooth, detail = blend.bands.split(one)
    assert blend.mask is not None
    part = slice(780, 1330), slice(1480, 1980)
    pictures = {
        "a map": one[part],
        "smooth part": to_bytes(smooth[part]),
        "detail": to_bytes(0.2 + 3 * detail[part]),
        "mask": np.repeat(np.rint(255 * blend.mask[part]).astype(np.uint8)[..., None], 3, axis=2),
    }
    upright = [_half(np.rot90(one, -1)) for one in pictures.values()]
    return contact_sheet(upright, list(pictures), columns=4)


def _half(picture: Bytes) -> Bytes:
    """Every two by two pixels as one."""
    height, width = picture.shape[0] // 2, picture.shape[1] // 2
    light = to_linear(np.ascontiguousarray(picture[: 2 * height, : 2 * width]))
    return to_bytes(light.reshape(height, 2, width, 2, 3).mean(axis=(1, 3)))
