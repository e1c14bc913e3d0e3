"""A large sparse rig costs its own size to save and load, not that of its dense deltas."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = """
import json, re, resource, sys
from pathlib import Path
import numpy as np
import facewright as fw
from facewright.samples import mask

def peak():  # in MB; what getrusage tells on Linux begins with what the process that started this one had
    status = Path("/proc/self/status")
    if status.exists():
        return int(re.search(r"VmHWM:\\s+(\\d+) kB", status.read_text())[1]) // 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024 // (1024 if sys.platform == "darwin" else 1)

path, vertices, shapes = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
rig = mask(vertices=vertices, shapes=shapes, seed=0, support=0.15)
rng = np.random.default_rng(0)
pose = rng.uniform(size=shapes)
before, built = fw.evaluate(rig, pose)[::97], peak()
fw.save(rig, path)
del rig
again = fw.load(path)
same = np.array_equal(fw.evaluate(again, pose)[::97], before)
print(json.dumps({"built": built, "peak": peak(), "same": same}))
"""


@pytest.mark.parametrize(
    ("name", "vertices", "shapes", "megabytes"),
    [  # dense deltas alone: 144, and 1135 in the long run
        ("a.fwface", 20_000, 300, 600),
        pytest.param("a.npz", 20_000, 300, 600, marks=pytest.mark.long),
        pytest.param("a.fwface", 50_000, 946, 1500, marks=pytest.mark.long),
    ],
)
def test_a_large_rig_is_saved_loaded_and_evaluated_in_bounded_memory(
    name: str, vertices: int, shapes: int, megabytes: int, tmp_path: Path
) -> None:
    command = [sys.executable, "-c", SCRIPT, str(tmp_path / name), str(vertices), str(shapes)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    found = json.loads(done.stdout)
    assert found["same"]
    assert found["peak"] < megabytes
    assert found["peak"] - found["built"] < 250  # neither saving nor loading needs much beside the rig
