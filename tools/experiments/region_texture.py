"""Joshi 2003, sec. 7: texture as a further cue for regions, against lips and brows that were marked by hand."""

import numpy as np
from tools.experiments.hand_marks import agreement, skin
from tools.experiments.result import Results, markdown
from tools.experiments.texture_pictures import FACE

import facewright as fw
from facewright.arrays import Floats
from facewright.image.codec import pixels
from facewright.render.face_renderer import face_picture
from facewright.render.region_palette import region_colors
from facewright.render.sheet_layout import contact_sheet
from facewright.render.tone import Bytes
from facewright.samples.skin.embedded import embedded_skin

CHOSEN, REPORTED = ("default", "amara"), ("kenji", "edith")
THRESHOLDS = (0.25, 0.5, 0.75, 0.9)
SIZE = (330, 370)


def results() -> Results:
    people = {name: (fw.sample(name), colors_of(name)) for name in (*CHOSEN, *REPORTED)}
    kinds = [f"{what}, {how}" for what in ("regions", "lips", "brows") for how in ("motion", "with texture")]
    rows = [row(name, *one, t) for name, one in people.items() for t in THRESHOLDS]
    return Results(
        "regions.md",
        {"region-texture": markdown(["person", "t", *kinds], rows)},
        {"regions-texture.png": picture(people)},
    )


def colors_of(person: str) -> Floats:
    rig = fw.sample(person)
    return fw.vertex_colors(rig, pixels(embedded_skin(person, rig).neutral), parts=("head",))


def row(name: str, rig: fw.Rig, colors: Floats, t: float) -> list[str]:
    found = [fw.segment(rig, threshold=t), fw.segment(rig, threshold=t, colors=colors)]
    scores = [agreement(rig, regions) for regions in found]
    counts = [f"{regions.count}" for regions in found]
    lips = [f"{score['lips']:.2f}" for score in scores]
    brows = [f"{np.mean([score['left brow'], score['right brow']]):.2f}" for score in scores]
    return [f"{name} ({'chosen on' if name in CHOSEN else 'reported'})", f"{t:g}", *counts, *lips, *brows]


def picture(people: dict[str, tuple[fw.Rig, Floats]]) -> Bytes:
    """The colours at the vertices, regions without and with them, and the marks."""
    tiles, labels = [], []
    for name, (rig, colors) in people.items():
        shown = {"colours": colors, "by motion": region_colors(rig, fw.segment(rig))}
        shown |= {"and texture": region_colors(rig, fw.segment(rig, colors=colors)), "marked by hand": marked(rig)}
        tiles += [face_picture(rig, size=SIZE, camera=FACE, colors=each) for each in shown.values()]
        labels += [f"{name}: {label}" for label in shown]
    return contact_sheet(tiles, labels, columns=4)


def marked(rig: fw.Rig) -> Floats:
    """Colours (v, 3) by the share of each vertex's samples that is marked."""
    triangles, marks = skin()
    colors = np.full((rig.vertex_count, 3), 0.35)
    for mark, color in zip(marks.values(), ((0.9, 0.35, 0.35), (0.95, 0.75, 0.3), (0.95, 0.75, 0.3)), strict=True):
        counts = np.bincount(triangles.ravel(), minlength=rig.vertex_count)
        sums = np.bincount(triangles.ravel(), np.repeat(mark.mean(axis=1), 3), minlength=rig.vertex_count)
        share = sums / np.maximum(counts, 1)
        colors += share[:, None] * (np.array(color) - colors)
    return colors
