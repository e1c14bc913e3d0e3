"""Joshi, Tien, Desbrun and Pighin 2003, sec. 5: one texture, seven mixed plainly, seven mixed in two bands."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
from tools.experiments.result import Results, markdown
from tools.experiments.texture_halo import halo_table
from tools.experiments.texture_pictures import expressions, fading, figure, layouts

import facewright as fw
from facewright.mesh.texels import Texels
from facewright.samples.skin import EXPRESSIONS, Painter
from facewright.texture.bands import BLUR, Bands
from facewright.texture.blend import TextureBlend
from facewright.texture.detail import Detail, DetailChoice, over_time
from facewright.texture.layout import island_labels

SIDE = 2048
RATE = 30.0


def results() -> Results:
    paint, rig = Painter(SIDE), fw.sample()
    maps = {name: paint(name) for name in EXPRESSIONS}
    neutral, mask = paint(), paint.mask()
    labels = island_labels(rig, (SIDE, SIDE), ("head",))
    face = np.where(mask == 0, labels, -1)  # what may change
    blend = TextureBlend(neutral, list(maps.values()), islands=labels, mask=mask)
    tables = {
        "texture-energy": energies(blend, maps, Bands(face.shape, face)),
        "texture-blur": blurs(neutral, maps, labels, face),
        "texture-steps": steps(),
        "texture-regions": regions(),
        "texture-halo": halo_table(),
    }
    pictures = {
        "textures-expressions.png": expressions(rig, {"at rest": neutral} | maps),
        "textures-bands.png": figure(rig, maps["smile"], blend),
        "textures-fade.png": fading(rig, blend),
        "textures-layout.png": layouts(blend, maps["smile"]),
    }
    return Results("textures.md", tables, pictures)


def energies(blend: TextureBlend, maps: dict[str, np.ndarray], bands: Bands) -> str:
    """High-band energy of mixes of more and more maps, as a share of that of the map that gives the detail."""
    first, neutral = bands.energy(next(iter(maps.values()))), bands.energy(blend.light(np.zeros(7)))
    rows = []
    for count in (1, 2, 3, 5, 7):
        weights = np.repeat([1 / count, 0], [count, 7 - count])
        plain = bands.energy(blend.light(weights, plain=True)) / first
        dominant = bands.energy(blend.light(weights, Detail(1))) / first
        always = bands.energy(blend.light(weights, Detail())) / neutral
        rows.append([f"{count}", *(f"{share:.1%}" for share in (plain, dominant, always))])
    head = ["maps, equally on", "mixed plainly", "two bands, one map's detail", "two bands, the neutral's detail"]
    return markdown(head, rows)


def blurs(neutral: np.ndarray, maps: dict[str, np.ndarray], labels: np.ndarray, face: np.ndarray) -> str:
    """What seven equal maps keep, for other limits between the bands."""
    rows = []
    for blur in (BLUR / 4, BLUR / 2, BLUR, 2 * BLUR, 4 * BLUR):
        blend = TextureBlend(neutral, list(maps.values()), islands=labels, blur=blur)
        bands = Bands(face.shape, face, blur=blur)
        one = bands.energy(next(iter(maps.values())))  # of equal weights, the first gives the detail
        kept = [bands.energy(blend.light(np.full(7, 1 / 7), plain=plain)) / one for plain in (True, False)]
        texels = f"{blur * SIDE:g}"
        rows.append([f"1/{1 / blur:g}", texels, f"{blend.bands.cells.scale}", *(f"{share:.1%}" for share in kept)])
    return markdown(["blur", "in texels", "texels in a cell", "mixed plainly", "two bands"], rows)


def regions(side: int = 1024) -> str:
    """What is left of a frown's detail at the brows and of a smile's at the mouth, with both on."""
    whole = fw.textured_sample(side)
    divided = replace(whole, regions=fw.segment(whole.rig))
    frown, smile = ("browDownLeft", "browDownRight"), ("mouthSmileLeft", "mouthSmileRight")
    rows = []
    for low, high in ((0.9, 1.0), (1.0, 0.9), (0.6, 0.6), (0.5, 0.8)):
        pose = dict.fromkeys(frown, low) | dict.fromkeys(smile, high)
        kept = [_kept(fw.FaceTexture(one), pose, shapes) for shapes in (frown, smile) for one in (whole, divided)]
        rows.append([f"{low:g}", f"{high:g}", *(f"{share:.2f}" for share in kept)])
    head = [
        "frown",
        "smile",
        "frown's, one detail",
        "frown's, by regions",
        "smile's, one detail",
        "smile's, by regions",
    ]
    return markdown(head, rows)


def _kept(texture: fw.FaceTexture, pose: dict[str, float], shapes: tuple[str, ...]) -> float:
    """How much of a map's own detail is in a pose, where its shapes move at least half as far as they do anywhere."""
    rig, bands = texture.document.rig, texture.blend.bands
    assert rig.uvs is not None
    alone = dict.fromkeys(shapes, 1.0)
    moved = np.linalg.norm(fw.evaluate(rig, alone) - rig.neutral, axis=1)
    texels = Texels.of(rig.polygons, rig.uvs, bands.size)
    inside = texels.mix((moved > 0.5 * moved.max())[rig.triangles][..., None].astype(float))[:, 0]
    at = texels.at[inside > 0.99]
    own, found = (bands.split(one)[1].reshape(-1, 3)[at] for one in (texture(alone), texture(pose)))
    return float((own * found).sum() / (own * own).sum())


def steps(side: int = 1024) -> str:
    """Weights of two expressions that cross over, trembling about each other: the largest step between two frames."""
    paint = Painter(side)
    blend = TextureBlend(paint("raise"), [paint("smile")], mask=paint.mask())
    t = np.linspace(0, 1, int(2 * RATE) + 1)
    up = np.clip(0.5 + 4 * (t - 0.5) ** 3 + 0.03 * np.sin(90 * t), 0, 1)[:, None]
    ways = {
        "the larger weight's, at once": DetailChoice(margin=0, fade=0),
        "the same with a margin of 0.1": DetailChoice(fade=0),
        "with a margin, faded in 0.25 s (default)": DetailChoice(),
        "the neutral's, always": DetailChoice("neutral"),
    }
    rows = []
    for name, choice in ways.items():
        details = over_time(list(up), 1 / RATE, choice)
        lights = (blend.light(row, detail) for row, detail in zip(up, details, strict=True))
        largest = max(float(np.sqrt(np.square(b - a).mean())) for a, b in pairwise(lights))
        changes = sum(a.map != b.map for a, b in pairwise(details))
        rows.append([name, f"{changes}", f"{1000 * largest:.1f}"])
    return markdown(["whose detail", "changes", "largest step, RMS, in thousandths of white"], rows)
