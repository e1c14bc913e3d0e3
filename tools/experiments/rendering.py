"""Pictures of the renderer, and how far GL and compiled loops are from our own rasteriser in numpy."""

import numpy as np
from tools.experiments.result import Results, markdown

import facewright as fw
from facewright.render.face_renderer import FaceRenderer, face_picture
from facewright.render.heat import Heat
from facewright.render.renderers import has_compiler, has_gl
from facewright.render.shape_sheet import shape_sheets
from facewright.render.sheet_layout import contact_sheet
from facewright.render.tone import Bytes
from facewright.samples.skin import textured_sample

SIZE = (440, 500)
OVER = (1, 3, 12)  # levels of 255
SMILE = {"mouthSmileLeft": 0.9, "mouthSmileRight": 0.8, "cheekSquintLeft": 0.6, "cheekSquintRight": 0.6}
WORRY = {"browInnerUp": 1.0, "jawOpen": 0.25, "mouthFrownLeft": 0.6, "mouthFrownRight": 0.6}


def results() -> Results:
    face = textured_sample(1024)
    pictures = {
        "rendering-views.png": views(face),
        "rendering-kinds.png": kinds(face.rig),
        "rendering-gaze.png": gaze(face),
        "rendering-sheet.png": next(shape_sheets(face.rig, size=(140, 160), title="the embedded head")),
    }
    others = {"same": "gl" if has_gl() else "", "same-compiled": "compiled" if has_compiler() else ""}
    return Results("rendering.md", {name: same(face, who) for name, who in others.items() if who}, pictures)


def views(face: fw.Document) -> Bytes:
    tiles = {
        "front": face_picture(face, size=SIZE),
        "three quarters, smiling": face_picture(face, SMILE, size=SIZE, view="threequarter"),
        "side, worried": face_picture(face, WORRY, size=SIZE, view="side"),
    }
    return contact_sheet(list(tiles.values()), list(tiles), columns=3)


def kinds(rig: fw.Rig) -> Bytes:
    far = np.linalg.norm(fw.evaluate(rig, WORRY) - rig.neutral, axis=1)
    tiles = {
        "plain": face_picture(rig, WORRY, size=SIZE),
        "--wire": face_picture(rig, WORRY, size=SIZE, wire=True),
        "--heat": face_picture(rig, WORRY, size=SIZE, heat=Heat(far, low=0.0, label="cm")),
    }
    return contact_sheet(list(tiles.values()), list(tiles), columns=3)


def gaze(face: fw.Document) -> Bytes:
    seen = FaceRenderer(face, size=SIZE, view=25.0)
    tiles = {
        "as posed": seen(),
        "--look camera": seen(look=seen.camera.eye),
        "--look -60,20,80": seen(look=(-60.0, 20.0, 80.0)),
    }
    return contact_sheet(list(tiles.values()), list(tiles), columns=3)


def same(face: fw.Document, other: str) -> str:
    rig, rows = face.rig, []
    far = Heat(np.linalg.norm(rig.neutral - rig.neutral[0], axis=1))
    cases = {
        "plain, front": (rig, {}),
        "plain, side": (rig, {"view": "side"}),
        "textured": (face, {}),
        "wire": (rig, {"wire": True}),
        "heat": (rig, {"heat": far}),
    }
    for name, (shown, options) in cases.items():
        ours, theirs = (
            face_picture(shown, SMILE, size=(960, 960), renderer=who, **options).astype(int)  # type: ignore[arg-type]
            for who in ("cpu", other)
        )
        apart = np.abs(ours - theirs).max(axis=2)
        rows.append((name, f"{apart.mean():.4f}", *(f"{(apart > over).mean():.3%}" for over in OVER)))
    return markdown(("picture, 960 x 960", "mean, levels of 255", *(f"pixels over {over}" for over in OVER)), rows)
