"""A picture of how a face is divided into regions."""

from __future__ import annotations

import numpy as np

from facewright.regions.deformation import deformation
from facewright.render.face_renderer import face_picture
from facewright.render.heat import Heat
from facewright.render.region_palette import region_colors
from facewright.render.sheet_layout import contact_sheet
from facewright.render.tone import Bytes
from facewright.rig.regions import Regions
from facewright.rig.rig import Rig

_TILE = (520, 600)
_HIGH = 99.5  # per cent of the vertices; those that are deformed more have one colour
_FAINT = 1e-3  # share of that deformation; vertices that are deformed less have one colour


def regions_picture(rig: Rig, regions: Regions, title: str = "") -> Bytes:
    """How much the shapes deform the face, and its regions at the finest and at a coarser level."""
    values = deformation(rig)
    high = float(np.percentile(values, _HIGH)) or 1.0
    heat = Heat(np.log10(np.clip(values, _FAINT * high, high)), label="log10")
    coarse = regions.levels // 2
    tiles = {
        "deformation": face_picture(rig, size=_TILE, heat=heat),
        f"{regions.count} regions": face_picture(rig, size=_TILE, colors=region_colors(rig, regions)),
        "from the side": face_picture(rig, size=_TILE, colors=region_colors(rig, regions), view="threequarter"),
        f"level {coarse}: {len(regions.nodes(coarse))}": face_picture(
            rig, size=_TILE, colors=region_colors(rig, regions, coarse)
        ),
    }
    return contact_sheet(list(tiles.values()), list(tiles), columns=4, title=title)
