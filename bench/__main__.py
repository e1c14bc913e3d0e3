"""`python -m bench [task ...]` prints every figure; `--json FILE` keeps them."""

import argparse
import dataclasses
import importlib
import os
import pkgutil
import sys
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # two threads stall small products now and then

import msgspec
from rich.console import Console
from rich.table import Table

import bench
from bench.row import Row

NOT_TASKS = {"__main__", "row"}


def tasks() -> list[str]:
    return sorted(module.name for module in pkgutil.iter_modules(bench.__path__) if module.name not in NOT_TASKS)


def shown(rows: list[Row]) -> Table:
    table = Table("task", "case", "median", "worst", "baseline", "its median", "ratio", "goal", box=None)
    for row in rows:
        table.add_row(
            row.task,
            row.case,
            f"{row.median:.3f} {row.unit}",
            f"{row.percentile} %: {row.worst:.3f}",
            row.baseline,
            f"{row.baseline_median:.3f}",
            f"{row.ratio:.3g}x",
            row.goal,
        )
    return table


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench")
    parser.add_argument("tasks", nargs="*", help=f"some of: {', '.join(tasks())}; default all")
    parser.add_argument("--json", type=Path, help="also write the rows there")
    options = parser.parse_args()
    if unknown := set(options.tasks) - set(tasks()):
        sys.exit(f"no task named {', '.join(sorted(unknown))}; there are {', '.join(tasks())}")
    rows: list[Row] = []
    for task in options.tasks or tasks():
        fresh = list(importlib.import_module(f"bench.{task}").rows())
        Console(width=150).print(shown(fresh))
        rows += fresh
    if options.json:
        options.json.write_bytes(msgspec.json.format(msgspec.json.encode([dataclasses.asdict(row) for row in rows])))


if __name__ == "__main__":
    main()
