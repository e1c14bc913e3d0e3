"""`python -m tests.fuzz.run --count 20000`: every mutated file loads or raises our own error, in time and in memory."""

import argparse
import multiprocessing
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from random import Random

import numpy as np

import facewright as fw
from facewright.errors import FacewrightError
from facewright.formats.clips import load_clip, save_clip
from facewright.formats.json_files import load_regions, save_regions
from facewright.image.codec import encoded, pixels
from facewright.image.encoded import Encoded
from facewright.samples import mask
from tests.fuzz import mutate
from tests.image.ktx2_files import HERE

SECONDS, BYTES = 2.0, 1 << 30
FORMATS: dict[str, list[mutate.Mutation]] = {
    "rig.glb": [*mutate.BYTES, mutate.glb_json, mutate.glb_json, mutate.glb_json, mutate.glb_cycle],
    "rig.gltf": [mutate.gltf_json, mutate.gltf_json, *mutate.BYTES],
    "rig.fwface": [*mutate.BYTES, mutate.zip_member, mutate.zip_member, mutate.zip_member, mutate.zip_claims],
    "rig.npz": [*mutate.BYTES, mutate.zip_member, mutate.zip_member, mutate.zip_claims],
    "rig.obj": [*mutate.BYTES, mutate.text_token, mutate.text_token, mutate.text_line],
    "clip.csv": [*mutate.BYTES, mutate.text_token, mutate.text_token, mutate.text_line],
    "livelink.csv": [*mutate.BYTES, mutate.text_token, mutate.text_line],
    "etc1s.ktx2": mutate.BYTES,
    "uastc.ktx2": mutate.BYTES,
    "regions.json": [*mutate.BYTES, mutate.text_token, mutate.text_token, mutate.gltf_json, mutate.gltf_json],
}
READERS: dict[str, Callable[[Path], object]] = {
    ".csv": load_clip,
    ".json": load_regions,
    ".ktx2": lambda path: pixels(Encoded(path.read_bytes())),
}
TEXTURES = {"etc1s.ktx2": "etc1s-alpha.ktx2", "uastc.ktx2": "uastc-zstd.ktx2"}


@dataclass(frozen=True)
class Failure:
    name: str
    case: int
    what: str


def originals(folder: Path) -> dict[str, bytes]:
    """One small, rich file of every format that is read."""
    rig = mask(vertices=150, shapes=5, seed=3)
    times = [0.0, 0.1, 0.2, 0.4]
    clip = fw.Clip.from_table("talk", rig.sliders, times, [[0.1 * i] * len(rig.sliders) for i in range(4)])
    regions = fw.segment(rig)
    skin, smile = (
        encoded(np.full((4, 4, 3), level, np.uint8), kind) for level, kind in ((9, "image/png"), (99, "image/webp"))
    )
    textures = fw.Textures(skin, (fw.ShapeTexture(rig.shape_names[:2], smile),), skin, ("face",))
    document = fw.Document(rig, (clip,), pose=np.full(len(rig.sliders), 0.2), regions=regions, textures=textures)
    for name in ("rig.glb", "rig.gltf", "rig.npz", "rig.obj"):
        fw.save(document, folder / name)
    local = np.full((len(regions.names), len(rig.sliders)), 0.1)
    fw.save(replace(document, local=local), folder / "rig.fwface")
    save_regions(regions, folder / "regions.json")
    save_clip(clip, folder / "clip.csv")
    save_clip(clip, folder / "livelink.csv", style="livelink")
    for name, kept in TEXTURES.items():
        (folder / name).write_bytes((HERE / kept).read_bytes())
    return {name: (folder / name).read_bytes() for name in FORMATS}


def check(name: str, data: bytes, folder: Path) -> str:
    """'loaded' or 'refused'; anything else is a failure in words."""
    path = folder / "case" / name
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(data)
    before = sorted(folder.iterdir())
    start = time.process_time()
    try:
        READERS.get(path.suffix, fw.load_document)(path)
        outcome = "loaded"
    except FacewrightError as problem:
        outcome = "out of memory" if isinstance(problem.__cause__, MemoryError) else "refused"
    except BaseException:
        outcome = traceback.format_exc()
    if time.process_time() - start > SECONDS:
        outcome = f"took {time.process_time() - start:.1f} s"
    if sorted(folder.iterdir()) != before:
        outcome = "wrote outside its folder"
    return outcome


def mutated(name: str, data: bytes, case: int, seed: int) -> bytes:
    rng = Random(f"{seed} {name} {case}")
    for _ in range(rng.choice([1, 1, 1, 2])):
        try:
            data = rng.choice(FORMATS[name])(data, rng)
        except Exception:  # a file broken once may be too broken to be broken with care again
            data = mutate.flipped(data, rng)
    return data


def _limit_memory() -> None:
    """Let this process take so many bytes more. On Linux only."""
    import resource

    used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + BYTES, resource.getrlimit(resource.RLIMIT_AS)[1]))


def run(cases: range, seed: int, limit_memory: bool = True) -> tuple[Counter[str], list[Failure]]:
    """All formats in turn over the cases."""
    outcomes: Counter[str] = Counter()
    failures = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        files = originals(folder)
        if limit_memory:
            _limit_memory()
        for case in cases:
            kind = list(files)[case % len(files)]
            outcome = check(kind, mutated(kind, files[kind], case, seed), folder)
            short = outcome if outcome in ("loaded", "refused") else "failed"
            outcomes[f"{kind} {short}"] += 1
            if short == "failed":
                failures.append(Failure(kind, case, outcome))
    return outcomes, failures


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=20000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    bounds = [options.count * i // options.workers for i in range(options.workers + 1)]
    tasks = [(range(a, b), options.seed) for a, b in pairwise(bounds)]
    with multiprocessing.get_context("spawn").Pool(options.workers) as pool:
        results = pool.starmap_async(run, tasks).get(timeout=options.count * SECONDS)
    total: Counter[str] = sum((outcomes for outcomes, _ in results), Counter())
    failures = [failure for _, found in results for failure in found]
    for key, count in sorted(total.items()):
        print(f"{key:24} {count}")
    for failure in failures[:20]:
        print(f"--- {failure.name} case {failure.case}\n{failure.what}")
    print(f"{options.count - len(failures)} passed, {len(failures)} failed")
    sys.exit(bool(failures))


if __name__ == "__main__":
    main()
