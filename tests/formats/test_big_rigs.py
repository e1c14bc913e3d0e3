"""A large sparse rig costs its own size to save and load, not that of its dense deltas."""

import json
import subprocess
import sys

import pytest

SCRIPT = """
import json, resource, sys
from pathlib import Path
import numpy as np
from facewright.document import Document
from facewright.formats.registry import Format
from facewright.formats import fwface, npz
from facewright.mesh.polygons import Polygons
from facewright.rig.evaluate import evaluate
from facewright.rig.rig import Rig
from facewright.rig.shape import Shape

def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024

def sparse(i):
    moved = np.sort(rng.choice(vertices, int(0.15 * vertices), replace=False))
    return Shape(f"s{i}", moved, rng.normal(size=(len(moved), 3)))

path, vertices, shapes = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
rng = np.random.default_rng(0)
faces = Polygons.of(rng.integers(0, vertices, (vertices, 4)))
rig = Rig(rng.normal(size=(vertices, 3)), faces, tuple(sparse(i) for i in range(shapes)))
pose = rng.uniform(size=shapes)
before, built = evaluate(rig, pose)[::97], peak()
format = {".fwface": fwface.FORMAT, ".npz": npz.FORMAT}[path.suffix]
format.write(Document(rig), path)
del rig
again = format.read(path).rig
same = np.array_equal(evaluate(again, pose)[::97], before)
print(json.dumps({"built": built, "peak": peak(), "same": same}))
"""


@pytest.mark.parametrize(
    ("name", "vertices", "shapes", "megabytes"),
    [("a.fwface", 50_000, 946, 1000), ("a.npz", 20_000, 300, 350)],  # dense deltas alone: 1135 and 144
)
def test_a_large_rig_is_saved_loaded_and_evaluated_in_bounded_memory(name, vertices, shapes, megabytes, tmp_path):
    command = [sys.executable, "-c", SCRIPT, str(tmp_path / name), str(vertices), str(shapes)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    found = json.loads(done.stdout)
    assert found["same"]
    assert found["peak"] < megabytes
    assert found["peak"] - found["built"] < 150  # neither saving nor loading needs much beside the rig
