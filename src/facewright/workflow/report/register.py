"""How a mesh lies on another, as a page."""

from __future__ import annotations

import numpy as np

from facewright.arrays import Floats
from facewright.build.register import Registration
from facewright.render.camera import Camera, frame
from facewright.render.heat import Heat
from facewright.render.picture import mesh_picture
from facewright.rig.rig import Rig
from facewright.workflow.report.html import Html, html_page, join, tag
from facewright.workflow.report.inspect.pictures import data_address

_TILE = (400, 450)
_VIEWS = ("front", "threequarter", "side")


def register_report(name: str, found: Registration) -> str:
    """The report as one self-contained HTML file."""
    rows = (tag("div", *_shots(found, view), class_="portraits") for view in _VIEWS)
    return html_page(f"{name}: registration report", _top(name, found), *(tag("section", row) for row in rows))


def _top(name: str, found: Registration) -> Html:
    quality = found.quality
    share = 100 / quality.size
    facts = {
        "verdict": found.verdict,
        "pairs": found.pairs.origin,
        "distance": f"{quality.mean:.4g} scene units in the mean ({share * quality.mean:.3f} % of the size)",
        "of 95 in 100": f"below {quality.most:.4g} ({share * quality.most:.3f} %)",
        "folded": f"{len(quality.folded)} of {quality.triangles:,} triangles",
        "matched": f"{quality.matched:.0%} of the skin has a counterpart",
        "openings": "none on both" if quality.rims is None else f"borders of eyes and mouth {quality.rims:.4g} off",
        "state": "finished" if found.finished else "stopped early",
    }
    facts |= {f"note {i}": note for i, note in enumerate(found.notes, 1)}
    listing = tag("dl", *(join(tag("dt", key), tag("dd", value)) for key, value in facts.items()))
    said = tag("div", tag("p", "registration report", class_="quiet"), tag("h1", name), listing)
    return tag("header", said, class_="top")


def _shots(found: Registration, view: str) -> list[Html]:
    """The target, the source on it, and how far the two are apart, from the same place."""
    both = np.concatenate([found.target.neutral, found.fitted])
    camera = frame(both, view, aspect=_TILE[0] / _TILE[1])
    far = np.nan_to_num(found.quality.distances)
    heat = Heat(far, 0.0, max(found.quality.most, 1e-12), label="apart")
    return [
        _figure(found.target, found.target.neutral, camera, "the target"),
        _figure(found.source, found.fitted, camera, "the source on it"),
        _figure(found.source, found.fitted, camera, "how far apart", heat),
    ]


def _figure(rig: Rig, positions: Floats, camera: Camera, caption: str, heat: Heat | None = None) -> Html:
    heated = {} if heat is None else {"heat": heat}
    shot = mesh_picture(positions, rig.triangles, size=_TILE, camera=camera, parts=rig.parts, **heated)  # type: ignore[arg-type]
    image = tag("img", src=data_address(shot), width=_TILE[0], height=_TILE[1], alt="")
    return tag("figure", image, tag("figcaption", caption))
