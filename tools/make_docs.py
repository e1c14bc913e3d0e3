"""`make docs`: run every experiment, and put its tables and pictures where the pages in docs/ have a place for them.

A place on a page is a pair of comments, `<!-- begin NAME -->` and `<!-- end NAME -->`; what is between is replaced.
"""

import argparse
import importlib
import pkgutil
import re
import sys
from pathlib import Path
from time import perf_counter

import tools.experiments
from tools.experiments.result import Results

from facewright.render.png import write_png

DOCS = Path(__file__).resolve().parents[1] / "docs"


def names() -> list[str]:
    """The modules that have results."""
    modules = (module.name for module in pkgutil.iter_modules(tools.experiments.__path__))
    return [name for name in modules if hasattr(importlib.import_module(f"tools.experiments.{name}"), "results")]


def put(results: Results) -> None:
    """Write an experiment's tables and pictures."""
    page = DOCS / results.page
    text = page.read_text()
    for name, table in results.tables.items():
        place = re.compile(rf"(<!-- begin {name} -->\n).*?(<!-- end {name} -->)", re.DOTALL)
        if not place.search(text):
            sys.exit(f"{page.name} has no place for {name}: add <!-- begin {name} --> and <!-- end {name} -->")
        text = place.sub(lambda match, filled=table: f"{match[1]}{filled}\n{match[2]}", text)  # type: ignore[misc]
    page.write_text(text)
    for name, picture in results.pictures.items():
        write_png(DOCS / "pictures" / name, picture)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help=f"some of: {', '.join(names())}; default all")
    for name in parser.parse_args().names or names():
        start = perf_counter()
        put(importlib.import_module(f"tools.experiments.{name}").results())
        print(f"{name}: {perf_counter() - start:.0f} s")


if __name__ == "__main__":
    main()
