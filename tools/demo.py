"""`make demo`: build, divide, pose, capture and texture the embedded heads, and show it all on one page."""

import argparse
import importlib
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from pathlib import Path
from time import perf_counter

from tools.scenes.page import write_page
from tools.scenes.scene import Scene

ORDER = ("posing", "building", "take", "skin", "regions")
FILMED = {"skin"}
WORKERS = 2


def made(name: str, folder: Path) -> Scene:
    """A scene; films are written into the folder by those who make them."""
    module = importlib.import_module(f"tools.scenes.{name}")
    scene: Scene = module.scene(folder) if name in FILMED else module.scene()
    return scene


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("demo"), help="the folder of the page")
    folder = parser.parse_args().out
    folder.mkdir(exist_ok=True)
    start = perf_counter()
    with ProcessPoolExecutor(WORKERS, mp_context=get_context("spawn")) as pool:
        waiting = {pool.submit(made, name, folder): name for name in sorted(ORDER, key=lambda one: one not in FILMED)}
        for done in as_completed(waiting):
            done.result()
            print(f"{perf_counter() - start:5.0f} s  {waiting[done]}", flush=True)
        scenes = {name: future.result() for future, name in waiting.items()}
    took = perf_counter() - start
    page = write_page(folder, [scenes[name] for name in ORDER], f"Made in {took:.0f} s, on {WORKERS} processes.")
    print(f"open {page}")


if __name__ == "__main__":
    main()
