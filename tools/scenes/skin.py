"""Textures mixed in two bands, and the sentence as a film."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from time import perf_counter

import numpy as np
from tools.experiments.texture_pictures import SEVEN, figure
from tools.scenes.scene import Scene
from tools.scenes.take import recorded

import facewright as fw
from facewright.samples.skin import EXPRESSIONS, Painter, textured_sample
from facewright.texture.bands import Bands
from facewright.texture.blend import TextureBlend
from facewright.texture.detail import Detail
from facewright.texture.layout import island_labels

SIDE = 1024
FILM = ("--size", "480x560", "--fps", "24")


def scene(folder: Path) -> Scene:
    rig, paint = fw.sample(), Painter(SIDE)
    maps, neutral, mask = [paint(name) for name in EXPRESSIONS], paint(), paint.mask()
    labels = island_labels(rig, (SIDE, SIDE), ("head",))
    blend = TextureBlend(neutral, maps, islands=labels, mask=mask)
    bands = Bands((SIDE, SIDE), np.where(mask == 0, labels, -1))
    one = float(np.mean([bands.energy(each) for each in maps]))
    kept = [bands.energy(blend.light(SEVEN, Detail(3), plain=plain)) / one for plain in (True, False)]
    start = perf_counter()
    blend(SEVEN, Detail(3))
    took = perf_counter() - start
    frames, drawn = film(folder)
    return Scene(
        "Texture: expressions mixed without blur, and the whole as a film",
        "Skin painted by code, at rest and in seven expressions, each a little out of place, as photographs would be. "
        "A plain mix of them is a blur. Mixed in two bands, the smooth parts are those of all, the pores those of one. "
        "The film is the take from above, on this skin, with the head's own motion, drawn without a GPU.",
        {"one map, seven mixed plainly, seven in two bands": figure(rig, maps[0], blend)},
        {"the solved take": "sentence.mp4"},
        {
            "detail kept, plain mix": f"{kept[0]:.0%}",
            "detail kept, two bands": f"{kept[1]:.0%}",
            f"seven maps of {SIDE} x {SIDE}": f"{1000 * took:.0f} ms",
            "drawn at": f"{frames / drawn:.1f} frames a second",
        },
        "facewright render sentence.glb --clip 'a sentence' -o sentence.mp4 " + " ".join(FILM),
    )


def film(folder: Path) -> tuple[int, float]:
    """The take as the command line draws it: how many frames, in how many seconds."""
    clip = recorded().solved.clip
    face, out = folder / "sentence.glb", folder / "sentence.mp4"
    document = textured_sample(SIDE, media="image/jpeg")
    fw.save(replace(document, clips=(clip,)), face)
    program = Path(sys.executable).with_name("facewright")
    words = [str(program), "render", str(face), "--clip", clip.name, "-o", str(out), *FILM]
    start = perf_counter()
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
    return int((clip.end - clip.start) * 24) + 1, perf_counter() - start
