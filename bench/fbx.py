"""Reading a large FBX file beside reading its bytes and inflating its arrays, all of them, with zlib alone.

Times are those of the processor at work, not of the clock: a machine has other things to do.
"""

import tempfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from time import process_time

import numpy as np

import facewright as fw
from bench.row import Row
from facewright.formats.fbx.container.binary import PackedArray
from facewright.formats.fbx.container.budget import ReadBudget
from facewright.formats.fbx.container.file import parse_file
from facewright.formats.fbx.container.node import FbxNode
from facewright.samples import mask

REPEATS = 5


def rows(vertices: int = 50_000, shapes: int = 150) -> Iterator[Row]:
    size = f"{vertices / 1000:g}K x {shapes}"
    rig = mask(vertices=vertices, shapes=shapes)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "face.fbx"
        for case, face in ((f"{size}, local shapes", rig), (f"{size}, all vertices move", _dense(rig))):
            fw.save(face, path)
            slices = _slices(path.read_bytes())
            baseline = lambda slices=slices: _inflated(path, slices)  # noqa: E731
            yield _row(f"{case}, {path.stat().st_size / 1e6:.0f} MB", lambda: fw.load(path), baseline)


def _dense(rig: fw.Rig) -> fw.Rig:
    """The same rig with shapes that move every vertex."""
    rng = np.random.default_rng(1)
    offsets = rng.normal(size=(rig.vertex_count, 3)).astype(np.float32).astype(np.float64)
    names = rig.shape_names
    shapes = [fw.Shape(name, np.arange(len(offsets)), offsets + n / 8) for n, name in enumerate(names)]
    return fw.Rig(rig.neutral, rig.polygons, shapes)


def _slices(data: bytes) -> list[tuple[int, int]]:
    """Where the deflated arrays of a file are."""
    arrays: list[PackedArray] = []

    def collect(node: FbxNode) -> None:
        arrays.extend(value for value in node.values if isinstance(value, PackedArray) and value.deflated)
        for child in node.children:
            collect(child)

    collect(parse_file(data, ReadBudget(len(data)))[1])
    start = np.frombuffer(data, np.uint8).__array_interface__["data"][0]
    places = [np.frombuffer(one.data, np.uint8).__array_interface__["data"][0] - start for one in arrays]
    return [(at, at + len(one.data)) for at, one in zip(places, arrays, strict=True)]


def _inflated(path: Path, slices: list[tuple[int, int]]) -> int:
    data = memoryview(path.read_bytes())
    return sum(len(zlib.decompress(data[start:stop])) for start, stop in slices)


def _row(case: str, run: Callable[[], object], baseline: Callable[[], object]) -> Row:
    run()
    times = np.array([(_milliseconds(run), _milliseconds(baseline)) for _ in range(REPEATS)])
    own, other = np.median(times, axis=0).tolist()
    goal = f"{3 * other:.0f}"
    return Row("fbx", case, own, float(times[:, 0].max()), "reading the bytes and inflating them", other, goal)


def _milliseconds(run: Callable[[], object]) -> float:
    start = process_time()
    run()
    return 1000 * (process_time() - start)
