"""The documentation's site builds without warnings, its links lead somewhere, and it loads nothing from elsewhere."""

import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

import facewright

ROOT = Path(__file__).resolve().parents[1]
pytestmark = pytest.mark.long  # building the site takes longer than nearly every test
LOADS = {("link", "href"), ("script", "src"), ("img", "src"), ("iframe", "src"), ("source", "src"), ("video", "src")}


class Parsed(HTMLParser):
    """The anchors of a page, where it links to, and what a browser loads to show it."""

    def __init__(self, page: Path) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.feed(page.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name == "id" and value:
                self.anchors.add(value)
            elif (tag, name) in LOADS and value:
                self.loads.append(value)
            elif (tag, name) == ("a", "href") and value:
                self.links.append(value)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site") / "site"
    paths = os.pathsep.join([str(ROOT / "src"), str(ROOT)])
    command = [sys.executable, "-m", "tools.docs_site", str(folder)]
    built = subprocess.run(
        command, cwd=ROOT, env=os.environ | {"PYTHONPATH": paths}, capture_output=True, text=True, check=False
    )
    assert built.returncode == 0, built.stdout + built.stderr
    return folder


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[Path, Parsed]:
    return {page: Parsed(page) for page in site.rglob("*.html") if page.name != "404.html"}


def test_every_document_is_a_page_of_the_site(site: Path) -> None:
    for source in (ROOT / "docs").rglob("*.md"):
        page = source.relative_to(ROOT / "docs").with_suffix(".html")
        assert (site / page.with_stem("index" if page.stem == "README" else page.stem)).is_file()


def test_every_link_leads_to_a_page_and_a_place_in_it(pages: dict[Path, Parsed]) -> None:
    broken = []
    for page, parsed in pages.items():
        for link in (*parsed.links, *parsed.loads):
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
            target = target / "index.html" if target.is_dir() else target
            anchor = unquote(parts.fragment)
            if not target.is_file() or (anchor and target in pages and anchor not in pages[target].anchors):
                broken.append(f"{page.name}: {link}")
    assert not broken


def test_a_page_is_shown_without_loading_anything_from_elsewhere(site: Path, pages: dict[Path, Parsed]) -> None:
    loads = [load for parsed in pages.values() for load in parsed.loads]
    assert len(loads) > len(pages)
    assert [load for load in loads if urlsplit(load).scheme in ("http", "https") or urlsplit(load).netloc] == []
    for style in site.rglob("*.css"):
        assert not re.search(r"(url\(|@import)\s*[\"']?(https?:)?//", style.read_text(encoding="utf-8"))


def test_the_api_reference_lists_and_describes_every_public_name(site: Path, pages: dict[Path, Parsed]) -> None:
    listed = {link.partition("#facewright.")[2] for link in pages[site / "api" / "index.html"].links}
    assert listed - {""} == set(facewright.__all__)
    described = set().union(*(parsed.anchors for parsed in pages.values()))
    assert {f"facewright.{name}" for name in facewright.__all__} <= described
