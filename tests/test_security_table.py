"""Every promise in SECURITY.md names tests that are there, every figure of docs/reliability.md a test or a command."""

import ast
import importlib.util
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def functions_in(file: Path) -> set[str]:
    return {node.name for node in ast.walk(ast.parse(file.read_text("utf8"))) if isinstance(node, ast.FunctionDef)}


def test_every_promise_names_a_test_that_is_there() -> None:
    text = (ROOT / "SECURITY.md").read_text("utf8")
    rows = [line for line in text.splitlines() if line.startswith("| ") and "held by" not in line]
    assert len(rows) > 15
    for row in rows:
        named = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", row)
        assert named, row
        for file, test in named:
            assert test in functions_in(ROOT / file), f"{file}::{test}"


def test_every_figure_names_a_test_or_a_command_that_is_there() -> None:
    text = (ROOT / "docs" / "reliability.md").read_text("utf8")
    rows = [line for line in text.splitlines() if line.startswith("| ") and not line.startswith("| what |")]
    ours = [row for row in rows if "python -m" in row or "tests/" in row]
    assert len(ours) > 8
    for file, test in re.findall(r"`(tests/[\w/]+\.py)(?:::(\w+))?`", text):
        assert not test or test in functions_in(ROOT / file), f"{file}::{test}"
        assert (ROOT / file).exists(), file
    for module in re.findall(r"python -m ((?:tools|tests|bench)[\w.]*)", text):
        assert importlib.util.find_spec(module), module


def test_nothing_reads_the_time_of_day() -> None:
    """A clock that is set back changes nothing: intervals are measured by clocks that only go forward."""
    wrong = []
    for file in (ROOT / "src").rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf8"))):
            called = ast.unparse(node.func) if isinstance(node, ast.Call) else ""
            if called in ("time.time", "datetime.now", "datetime.utcnow", "datetime.datetime.now", "time.localtime"):
                wrong.append(f"{file.name}: {called}")
    assert not wrong
