"""The pictures of docs/blender.md: faces by Blender's own renderer, and the sidebar as its panels describe it.

Set up `.venv-blender` first (`make test-blender`); then `python -m tools.blender_pictures`. A Blender without a window
draws no sidebar: the panels' own `draw` is called with a layout that records what it is told, and that is drawn here.
"""

import json
import subprocess
import tempfile
from html import escape
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright
from tests.browser.chromium import FLAGS, find_chromium

ROOT = Path(__file__).resolve().parents[1]
OUT = ROOT / "docs" / "pictures"
STYLE = """
body { margin: 0; background: #303030; font: 13px sans-serif; color: #e6e6e6; display: flex; gap: 10px; padding: 12px }
.column { width: 300px }
.panel { background: #3d3d3d; border-radius: 5px; margin-bottom: 6px; padding: 7px 9px 9px }
h2 { font-size: 13px; font-weight: normal; margin: 0 0 7px } h2::before { content: "\\25be "; color: #aaa }
.line { display: flex; gap: 6px; align-items: center; margin-top: 4px; min-height: 22px }
.line > * { flex: 1 } .name { text-align: right; flex: 0.62; color: #ccc; white-space: nowrap }
.box { background: #1d1d1d; border-radius: 4px; padding: 3px 8px; min-height: 16px; white-space: nowrap }
.choice::after { content: "\\25be"; float: right; color: #aaa }
.button { background: #545454; text-align: center; border-radius: 4px; padding: 4px 6px; white-space: nowrap }
.on { background: #4772b3 } .gap { height: 7px } .label { color: #ccc }
.check::before { content: "\\2611  " } .off::before { content: "\\2610  " }
"""


def main() -> None:
    python = ROOT / ".venv-blender" / "bin" / "python"
    with tempfile.TemporaryDirectory() as scratch:
        subprocess.run([python, "-m", "tools.blender_render", scratch], check=True, cwd=ROOT)
        for name in ("blender-pose.png", "blender-build.png"):
            (OUT / name).write_bytes((Path(scratch) / name).read_bytes())
        draw_sidebar(json.loads((Path(scratch) / "panels.json").read_text()))


def draw_sidebar(panels: list[dict[str, Any]]) -> None:
    halves = (panels[:2], panels[2:])
    columns = "".join(f'<div class="column">{"".join(map(drawn, half))}</div>' for half in halves)
    with sync_playwright() as start:
        browser = start.chromium.launch(executable_path=find_chromium(), args=FLAGS)
        page = browser.new_page(viewport={"width": 634, "height": 400}, device_scale_factor=2)
        page.set_content(f"<style>{STYLE}</style>{columns}")
        page.screenshot(path=OUT / "blender-panel.png", full_page=True)
        browser.close()


def drawn(panel: dict[str, Any]) -> str:
    return f'<div class="panel"><h2>{escape(panel["label"])}</h2>{"".join(map(line, panel["items"]))}</div>'


def line(item: dict[str, Any]) -> str:
    return '<div class="gap"></div>' if item["kind"] == "separator" else f'<div class="line">{control(item)}</div>'


def control(item: dict[str, Any]) -> str:
    kind, text, value = item["kind"], escape(item["text"]), escape(item["value"])
    if kind == "row":
        return "".join(control(one) for one in item["items"])
    if kind in ("field", "choice"):
        return f'<span class="name">{text}</span><span class="box {kind}">{value}</span>'
    if kind == "toggle":
        return f'<span class="button {"on" if value == "True" else ""}">{text}</span>'
    if kind == "check":
        return f'<span class="{"check" if value == "True" else "off"}">{text}</span>'
    return f'<span class="{"button" if kind == "operator" else "label"}">{text}</span>'


if __name__ == "__main__":
    main()
