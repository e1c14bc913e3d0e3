"""A command is a file in cli/commands/, or an entry point of another package; the list of them imports none."""

import subprocess
import sys
import tomllib
from pathlib import Path
from shutil import copy

import pytest
from typer.testing import CliRunner, Result

from facewright.cli import commands
from facewright.cli.discover import GROUP, find_commands, summary_of
from facewright.cli.main import app
from facewright.formats.registry import save
from facewright.samples.mask import mask

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "own_command"
HELLO = '''
# A comment may come first.
"""Greet somebody."""

import typer


def hello_there(name: str) -> None:
    """Greet somebody by name."""
    typer.echo(f"Hello there, {name}!")
'''


def run(*words: object) -> Result:
    return CliRunner().invoke(app, [str(word) for word in words])


def test_a_new_file_is_a_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "hello_there.py").write_text(HELLO)
    monkeypatch.setattr(commands, "__path__", [*commands.__path__, str(tmp_path)])
    listed = run("--help")
    assert "hello-there  Greet somebody." in listed.output
    assert "facewright.cli.commands.hello_there" not in sys.modules
    try:
        assert run("hello-there", "Ada").output == "Hello there, Ada!\n"
        assert "Greet somebody by name." in run("hello-there", "--help").output
    finally:
        sys.modules.pop("facewright.cli.commands.hello_there", None)


def install(folder: Path, entry_points: dict[str, str], summary: str = "") -> None:
    """Do what an installer does: the module in a folder of sys.path, and beside it what the package says of itself."""
    about = folder / "facewright_count-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: facewright-count\nVersion: 1.0\nSummary: {summary}\n"
    )
    lines = [f"{name} = {value}" for name, value in entry_points.items()]
    (about / "entry_points.txt").write_text("\n".join([f"[{GROUP}]", *lines]) + "\n")


def test_another_package_adds_a_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said = tomllib.loads((EXAMPLE / "pyproject.toml").read_text())["project"]
    install(tmp_path, said["entry-points"][GROUP])
    copy(EXAMPLE / "facewright_count.py", tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    assert "Print how many vertices each shape of a rig moves." in run("--help").output
    assert "facewright_count" not in sys.modules
    save(mask(vertices=160, shapes=4), tmp_path / "face.npz")
    try:
        done = run("count", tmp_path / "face.npz")
    finally:
        sys.modules.pop("facewright_count", None)
    assert done.exit_code == 0, done.output
    lines = [line.split() for line in done.output.splitlines()]
    assert {name for _, name in lines} == set(mask(vertices=160, shapes=4).shape_names)
    counts = [int(number) for number, _ in lines]
    assert counts == sorted(counts, reverse=True)


def test_a_command_of_another_package_that_cannot_be_loaded_is_one_paragraph(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path, {"lost": "no_such_module:lost", "build": "no_such_module:build"}, "Nothing much.")
    monkeypatch.syspath_prepend(tmp_path)
    assert "lost      Nothing much." in run("--help").output
    done = run("lost")
    assert done.exit_code == 2
    assert done.output.startswith("facewright: the command lost cannot be loaded from no_such_module:lost")
    assert run("build", "--help").exit_code == 0  # ours comes first


def test_the_list_imports_no_command_and_not_even_numpy() -> None:
    script = (
        "import sys; from typer.testing import CliRunner; from facewright.cli.main import app;"
        "shown = CliRunner().invoke(app, ['--help']).output; assert 'solve' in shown;"
        "print([name for name in sys.modules if 'cli.commands.' in name or name in ('numpy', 'importlib.metadata')])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)
    assert done.stdout == "[]\n", done.stderr


def test_a_summary_is_the_first_line_of_the_docstring(tmp_path: Path) -> None:
    file = tmp_path / "some.py"
    for text, summary in {
        '"""One line."""\n': "One line.",
        '"""First.\n\nMore."""\n': "First.",
        "import this\n": "",
        "": "",
    }.items():
        file.write_text(text)
        assert summary_of(file) == summary
    assert summary_of(tmp_path / "none.py") == ""
    assert all(found.summary.endswith(".") for found in find_commands().values())
