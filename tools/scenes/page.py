"""The page that all scenes are on."""

import html
from collections.abc import Sequence
from pathlib import Path

from tools.scenes.scene import Scene

from facewright.render.png import write_png

STYLE = """
:root{color-scheme:dark}*{box-sizing:border-box}
body{background:#121316;color:#c9ccd3;font:16px/1.6 system-ui,sans-serif;margin:0}
main,header{max-width:76rem;margin:0 auto;padding:0 1.5rem}
header{padding-top:4.5rem;padding-bottom:1.5rem}
h1{font-size:2.6rem;line-height:1.15;margin:0 0 .6rem;color:#f1f2f4;letter-spacing:-.02em}
header p{max-width:46rem;font-size:1.1rem;margin:.3rem 0;color:#a5a9b3}
section{padding:2.6rem 0;border-top:1px solid #25272d}
h2{font-size:1.45rem;margin:0 0 .4rem;color:#f1f2f4;letter-spacing:-.01em}
section>p{max-width:54rem;margin:.2rem 0 1.4rem}
figure{margin:0 0 1.4rem}img,video{display:block;max-width:100%;border-radius:8px;background:#0d0e10}
figcaption{font-size:.85rem;color:#858a95;margin-top:.45rem}
dl{display:grid;grid-template-columns:repeat(auto-fit,minmax(13rem,1fr));gap:.8rem;margin:0 0 1.2rem}
dl div{background:#1a1c21;border:1px solid #25272d;border-radius:8px;padding:.7rem .9rem}
dt{font-size:.8rem;color:#858a95}dd{margin:.1rem 0 0;color:#7fd8c2;font-variant-numeric:tabular-nums}
code{display:block;background:#1a1c21;border:1px solid #25272d;border-radius:8px;padding:.7rem .9rem;color:#b9c4d6;
font:13px/1.5 ui-monospace,monospace;overflow-x:auto;white-space:pre}
footer{padding:2rem 0 4rem;color:#858a95;font-size:.9rem;border-top:1px solid #25272d}
"""
HEAD = "Facewright builds, poses and animates blendshape faces"
LEAD = (
    "On your own machine, offline, without a GPU. Everything below was made by one command from the heads that come "
    "with it: <b>make demo</b>. Figures were measured while this page was made."
)


def write_page(folder: Path, scenes: Sequence[Scene], footer: str) -> Path:
    """Pictures beside a page that shows them in order."""
    body = "".join(_section(folder, number, scene) for number, scene in enumerate(scenes, 1))
    page = (
        f"<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content='width=device-width'>"
        f"<title>Facewright</title><style>{STYLE}</style><header><h1>{HEAD}</h1><p>{LEAD}</p></header>"
        f"<main>{body}<footer>{html.escape(footer)}</footer></main></html>"
    )
    path = folder / "index.html"
    path.write_text(page, "utf8")
    return path


def _section(folder: Path, number: int, scene: Scene) -> str:
    shown = []
    for count, (caption, picture) in enumerate(scene.pictures.items(), 1):
        name = f"{number}-{count}.png"
        write_png(folder / name, picture)
        height, width, _ = picture.shape
        image = f"<img src={name} width={width} height={height} style='height:auto' alt='{html.escape(caption)}'>"
        shown.append(f"<figure>{image}<figcaption>{html.escape(caption)}</figcaption></figure>")
    for caption, name in scene.films.items():
        film = f"<video src={name} controls autoplay loop muted playsinline></video>"
        shown.append(f"<figure>{film}<figcaption>{html.escape(caption)}</figcaption></figure>")
    figures = "".join(
        f"<div><dt>{html.escape(what)}</dt><dd>{html.escape(much)}</dd></div>" for what, much in scene.figures.items()
    )
    code = f"<code>{html.escape(scene.code)}</code>" if scene.code else ""
    words = f"<h2>{html.escape(scene.title)}</h2><p>{html.escape(scene.words)}</p>"
    return f"<section>{words}{''.join(shown)}<dl>{figures}</dl>{code}</section>"
