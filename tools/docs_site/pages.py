"""The site's pages in Markdown: docs/, pages of the repository's root, the examples and the API reference."""

import posixpath
import re
import shutil
from collections import defaultdict
from pathlib import Path

import griffe

import facewright

ROOT = Path(__file__).resolve().parents[2]
PLACES = {  # in the repository: on the site
    "README.md": "index.md",
    "ARCHITECTURE.md": "architecture.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "security.md",
    "examples/README.md": "examples.md",
}
LINK = re.compile(r"(?<=\]\()([^)\s#]+)(?=[)#])")


def write_pages(folder: Path) -> None:
    """Write every page, picture, style and script of the site into a folder."""
    shutil.copytree(ROOT / "docs", folder)
    shutil.copytree(Path(__file__).with_name("assets"), folder / "assets")
    places = PLACES | {path.relative_to(ROOT).as_posix(): _place(path) for path in (ROOT / "docs").rglob("*.md")}
    for source, place in places.items():
        text = relinked((ROOT / source).read_text(encoding="utf-8"), source, place, places)
        (folder / place).write_text(text, encoding="utf-8")
    _append(folder / "examples.md", _scripts())
    _append(folder / "decisions" / "README.md", _decisions())
    for place, text in api_pages().items():
        (folder / place).parent.mkdir(exist_ok=True)
        (folder / place).write_text(text, encoding="utf-8")


def relinked(text: str, source: str, place: str, places: dict[str, str]) -> str:
    """Turn links that are right in the repository into links that are right on the site."""

    def relink(match: re.Match[str]) -> str:
        if ":" in match[1]:
            return match[1]
        target = posixpath.normpath(posixpath.join(posixpath.dirname(source), match[1]))
        if (ROOT / target).is_dir():
            target = f"{target}/README.md"
        return posixpath.relpath(places.get(target, target.removeprefix("docs/")), posixpath.dirname(place) or ".")

    return LINK.sub(relink, text)


def api_pages() -> dict[str, str]:
    """A page for each subpackage that has public names, and one that lists all names."""
    package = griffe.load("facewright", search_paths=[str(ROOT / "src")], allow_inspection=False)
    by_home: dict[str, list[str]] = defaultdict(list)
    for name in sorted(facewright.__all__, key=str.lower):
        by_home[package[name].canonical_path.split(".")[1]].append(name)
    pages, index = {}, ["# API reference\n\nEvery public name, used as `import facewright as fw`.\n"]
    for home, names in sorted(by_home.items()):
        about = _first_paragraph(package[home])
        index.append(f"\n## [{home.capitalize()}]({home}.md)\n\n{about}\n\n| name | |\n|---|---|\n")
        index += [f"| [`{name}`][facewright.{name}] | {_first_paragraph(package[name])} |\n" for name in names]
        body = "".join(f"\n::: facewright.{name}\n" for name in names)
        pages[f"api/{home}.md"] = f"# {home.capitalize()}\n\n{about}\n{body}"
    return {"api/index.md": "".join(index), **pages}


def _place(path: Path) -> str:
    return path.relative_to(ROOT / "docs").as_posix()


def _append(page: Path, text: str) -> None:
    page.write_text(f"{page.read_text(encoding='utf-8')}\n{text}", encoding="utf-8")


def _decisions() -> str:
    """A list of all decisions by title: the repository shows the folder itself."""
    pages = sorted((ROOT / "docs" / "decisions").glob("[0-9]*.md"))
    titles = [path.read_text(encoding="utf-8").split("\n", 1)[0].lstrip("# ") for path in pages]
    return "".join(f"- [{title}]({path.name})\n" for title, path in zip(titles, pages, strict=True))


def _scripts() -> str:
    """Every example with its code."""
    scripts = sorted((ROOT / "examples").glob("*.py"))
    return "\n".join(f"## {path.name}\n\n```python\n{path.read_text(encoding='utf-8')}```\n" for path in scripts)


def _first_paragraph(item: griffe.Object | griffe.Alias) -> str:
    return " ".join(item.docstring.value.split("\n\n")[0].split()) if item.docstring else ""
