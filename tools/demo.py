"""Pictures of the embedded head and a generated mask, on one page: demo/index.html."""

import html
from pathlib import Path

import numpy as np

import facewright as fw
from facewright.render.png import write_png
from facewright.render.portrait import picture_of
from facewright.render.sheet import contact_sheet
from facewright.samples import mask, people

OUT = Path("demo")
STYLE = (
    "body{background:#15161a;color:#cfd2d8;font:15px/1.5 system-ui;margin:2rem auto;max-width:72rem}img{max-width:100%}"
)


def shapes_sheet(rig: fw.Rig) -> np.ndarray:
    tile = {"size": (240, 280), "samples": 2}
    pictures = [picture_of(rig, {name: 1.0}, **tile) for name in rig.sliders]
    return contact_sheet(pictures, list(rig.sliders), columns=7)


def people_sheet() -> np.ndarray:
    names = list(people())
    views = [(name, view) for name in names for view in ("front", "threequarter")]
    pictures = [picture_of(fw.sample(name), view=view, size=(360, 420)) for name, view in views]
    return contact_sheet(pictures, [f"{name}, {view}" for name, view in views], columns=4)


def drag_sheet(rig: fw.Rig) -> np.ndarray:
    """The same drag of a mouth corner by three methods."""
    smile = fw.evaluate(rig, {"mouthSmileLeft": 1.0})
    corner = int(np.linalg.norm(smile - rig.neutral, axis=1).argmax())
    pin = fw.Pin(vertex=corner, target=smile[corner])
    solver = fw.PoseSolver(rig)
    methods = ("bounded", "pinv", "transpose")
    poses = [solver.solve([pin], method=method).weights for method in methods]
    return contact_sheet([picture_of(rig, pose, size=(480, 540)) for pose in poses], list(methods), columns=3)


def main() -> None:
    OUT.mkdir(exist_ok=True)
    rig = fw.sample()
    sheets = {
        "people": ("The embedded people", people_sheet()),
        "shapes": ("The 52 ARKit shapes", shapes_sheet(rig)),
        "drag": ("One mouth corner dragged, three ways", drag_sheet(rig)),
        "mask": ("A generated mask", picture_of(mask(vertices=5000, shapes=24, seed=1), size=(480, 540))),
    }
    sections = []
    for name, (title, picture) in sheets.items():
        write_png(OUT / f"{name}.png", picture)
        sections.append(f"<h2>{html.escape(title)}</h2><img src='{name}.png' alt='{html.escape(title)}'>")
        print(f"{OUT / name}.png")
    page = f"<!doctype html><meta charset=utf-8><title>Facewright</title><style>{STYLE}</style><h1>Facewright</h1>"
    (OUT / "index.html").write_text(page + "".join(sections), "utf8")
    print(f"open {OUT / 'index.html'}")


if __name__ == "__main__":
    main()
