"""Every function, command, option, test, experiment, tab and link on the pages about the papers exists."""

import ast
import importlib
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import typer

import facewright as fw
from facewright.cli.main import app

ROOT = Path(__file__).resolve().parents[1]
PAGE = (ROOT / "docs" / "papers.md").read_text("utf8")
EXPERIMENTS = (ROOT / "docs" / "papers-experiments.md").read_text("utf8")
DATA = {"alex_rom_3"}  # names of recordings
CODE = sorted(
    set(re.findall(r"`([^`]+)`", PAGE + EXPERIMENTS))
    - {"fw", "import facewright as fw", "python -m tools.make_docs NAME", *DATA}
)


@cache
def commands() -> dict[str, set[str]]:
    """Options of every command, as the command line has them."""
    group: Any = typer.main.get_command(app)
    context, found = typer.Context(group), {}
    for name in group.list_commands(context):
        command = group.resolve_command(context, [name])[1]
        own = [command, *getattr(command, "commands", {}).values()]
        found[name] = {word for one in own for parameter in one.params for word in parameter.opts}
    return found


def missing(name: str) -> str:
    """Why what a piece of code names does not exist; empty if it does."""
    if name.startswith(("fw.", "facewright.")):
        return _python(name)
    if name.startswith("facewright "):
        return _command(name.split()[1:])
    if name.startswith("tests/"):
        return _test(*name.partition("::")[::2])
    if name.startswith("tools/"):
        return "" if (ROOT / name).is_file() else "no such file"
    if match := re.fullmatch(r"python -m (tools\.make_docs|bench) (\w+)", name):
        folder = "tools/experiments" if match[1] != "bench" else "bench"
        there = (ROOT / folder / f"{match[2]}.py").is_file() or (ROOT / folder / match[2]).is_dir()
        return "" if there else "no such experiment"
    return "neither a function, a command nor a file"


def _python(name: str) -> str:
    path = re.sub(r"\(.*", "", name).split(".")
    found: object = fw
    if path[0] == "facewright":
        for end in range(len(path), 0, -1):
            try:
                found, path = importlib.import_module(".".join(path[:end])), path[end - 1 :]
                break
            except ModuleNotFoundError:
                continue
    for part in path[1:]:
        if not hasattr(found, part):
            return f"there is no {part}"
        found = getattr(found, part)
    return ""


def _command(words: list[str]) -> str:
    known = commands()
    if words[0] not in known:
        return "no such command"
    wrong = [word for word in words[1:] if word.startswith("-") and word not in known[words[0]]]
    if wrong:
        return f"no option {wrong[0]}"
    if "--method" in words and words[0] == "pose":
        from facewright.pose.method import filter_of

        filter_of(words[words.index("--method") + 1])
    return ""


def _test(file: str, name: str) -> str:
    if not (ROOT / file).is_file():
        return "no such file"
    tree = ast.parse((ROOT / file).read_text("utf8"))
    names = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    return "" if not name or name in names else "no such test in it"


@pytest.mark.parametrize("name", CODE)
def test_what_the_page_names_exists(name: str) -> None:
    assert not missing(name), missing(name)


def test_every_tab_is_one_of_the_studios() -> None:
    named = set(re.findall(r"tab \*(\w+)\*", PAGE))
    pages = "\n".join(file.read_text("utf8") for file in (ROOT / "web" / "src" / "features").glob("*/*.ts*"))
    titles = set(re.findall(r"(?:title|label|name): '(\w+)'", pages))
    assert len(named) >= 6
    assert named <= titles, named - titles


def test_every_link_leads_to_a_heading_of_a_page() -> None:
    links = re.findall(r"\]\(([\w-]+\.md)(?:#([\w-]+))?\)", PAGE + EXPERIMENTS)
    assert len(links) > 8
    for page, anchor in links:
        text = (ROOT / "docs" / page).read_text("utf8")
        headings = {_anchor(line) for line in re.findall(r"^#+ (.*)$", text, re.MULTILINE)}
        assert not anchor or anchor in headings, (page, anchor)


def _anchor(heading: str) -> str:
    return re.sub(r"[\s-]+", "-", re.sub(r"[^\w\s-]", "", heading.lower()).strip())


@pytest.mark.parametrize(
    "name",
    [
        "fw.none",
        "facewright.pose.none",
        "facewright none",
        "facewright pose --none",
        "tests/none.py",
        "tests/test_papers_page.py::test_none",
        "python -m bench none",
        "tools/none.py",
        "other",
    ],
)
def test_what_does_not_exist_is_found_out(name: str) -> None:
    assert missing(name)


def test_every_paper_has_its_table() -> None:
    assert len(re.findall(r"^\| in the paper \|", PAGE, re.MULTILINE)) == 4
