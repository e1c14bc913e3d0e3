"""python -m tools.docs_site FOLDER: build the site into a folder. A broken link or an unknown name fails the build."""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import yaml
from tools.docs_site.pages import ROOT, write_pages


def build(folder: Path) -> None:
    """Gather the pages in a temporary folder, build them there and move the site to its place."""
    with tempfile.TemporaryDirectory() as temporary:
        work = Path(temporary)
        write_pages(work / "pages")
        settings = yaml.safe_load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"))
        settings |= {"docs_dir": "pages", "site_dir": "site", "nav": unfolded(settings["nav"], work / "pages")}
        (work / "mkdocs.yml").write_text(yaml.safe_dump(settings, sort_keys=False), encoding="utf-8")
        paths = os.pathsep.join([str(ROOT / "src"), str(ROOT)])
        command = [sys.executable, "-m", "zensical", "build", "--strict"]
        subprocess.run(command, cwd=work, env=os.environ | {"PYTHONPATH": paths}, check=True)
        shutil.rmtree(folder, ignore_errors=True)
        shutil.move(work / "site", folder)


def unfolded(nav: Any, pages: Path) -> Any:
    """The navigation with each folder replaced by its pages, the folder's own page first."""
    if isinstance(nav, list):
        return [unfolded(entry, pages) for entry in nav]
    if isinstance(nav, dict):
        return {title: unfolded(entry, pages) for title, entry in nav.items()}
    if nav.endswith("/"):
        inside = sorted((pages / nav).glob("*.md"), key=lambda page: (page.name not in ("index.md", "README.md"), page))
        return [page.relative_to(pages).as_posix() for page in inside]
    return nav


if __name__ == "__main__":
    build(Path(sys.argv[1]))
