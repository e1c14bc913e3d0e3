"""The examples and the README's Python are run as they stand."""

import ast
import json
import re
import runpy
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
SLOW = ("03", "08", "10")
EXAMPLES = sorted((ROOT / "examples").glob("[0-9]*.py"))


def _marked(script: Path) -> object:
    """An example; those that draw or build take seconds, and run with the long tests."""
    return pytest.param(script, id=script.stem, marks=[pytest.mark.long] if script.stem[:2] in SLOW else [])


@pytest.mark.parametrize("script", [_marked(script) for script in EXAMPLES])
def test_an_example_runs_and_says_something(
    script: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.argv", [str(script)])
    with ThreadPoolExecutor(1) as alone:  # a browser of other tests may run an event loop in this thread
        alone.submit(runpy.run_path, str(script), run_name="__main__").result()
    assert capsys.readouterr().out.strip()


def test_the_cells_of_the_example_notebook_run_and_show_faces() -> None:
    (notebook,) = (ROOT / "examples").glob("*.ipynb")
    cells = [cell for cell in json.loads(notebook.read_text("utf8"))["cells"] if cell["cell_type"] == "code"]
    assert not any(cell["outputs"] for cell in cells), "outputs of a run are no part of the example"
    names: dict[str, object] = {}
    shown = [last_value("".join(cell["source"]), names) for cell in cells]
    assert [type(value).__name__ for value in shown if value is not None] == [
        "FaceView", "ViewPose", "FaceView", "FaceView", "FaceView",
    ]  # fmt: skip


def last_value(source: str, names: dict[str, object]) -> object:
    """Run a cell; what a notebook would show of it."""
    *before, last = ast.parse(source).body
    shown = isinstance(last, ast.Expr)
    exec(compile(ast.Module(before if shown else [*before, last], []), "cell", "exec"), names)
    return eval(compile(ast.Expression(last.value), "cell", "eval"), names) if isinstance(last, ast.Expr) else None


def test_the_readme_s_python_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text("utf8"), re.DOTALL)
    assert blocks
    names: dict[str, object] = {}
    for block in blocks:
        exec(compile(block, "README.md", "exec"), names)
    assert "pose" in names
