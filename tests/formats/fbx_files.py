"""FBX files for tests, node by node, and what `ufbx`, a reader by others, makes of files."""

import importlib.util
import io
import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from facewright.formats.fbx.write.encode import Element, element, write_file
from facewright.formats.fbx.write.objects import WrittenObjects
from facewright.formats.fbx.write.properties import Property, properties

SQUARE = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0], [0.5, 0.5, 1.0]])
CORNERS = np.array([0, 1, 2, ~3, 0, 1, ~4], np.int32)  # a quad and a triangle


def ufbx_scene(path: Path, times: Sequence[float] = ()) -> dict[str, Any]:
    """What `ufbx` reads, in a process of its own; see `ufbx_scene.py`."""
    if importlib.util.find_spec("ufbx") is None:
        pytest.skip("the package ufbx is not here: it is part of the extra dev")
    script = Path(__file__).with_name("ufbx_scene.py")
    command = [sys.executable, str(script), str(path), *map(str, times)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    report: dict[str, Any] = json.loads(done.stdout)
    return report


def joined(table: dict[str, Any]) -> np.ndarray:
    """Positions of all meshes, one after the other."""
    return np.concatenate([np.array(points).reshape(-1, 3) for points in table.values()])


def add_model(objects: WrittenObjects, name: str, *listed: Property, above: int = 0, sort: str = "Mesh") -> int:
    number = objects.add("Model", name, sort, lambda: [element("Version", 232), properties(*listed)])
    objects.connect(number, above)
    return number


def add_geometry(objects: WrittenObjects, model: int, *more: Element, points: np.ndarray = SQUARE) -> int:
    inside = [element("Vertices", points), element("PolygonVertexIndex", CORNERS), *more]
    number = objects.add("Geometry", "mesh", "Mesh", lambda: inside)
    objects.connect(number, model)
    return number


def add_channel(
    objects: WrittenObjects,
    geometry: int,
    name: str,
    targets: Sequence[tuple[float, np.ndarray, np.ndarray]],
    *,
    percent: float = 0.0,
) -> int:
    """A channel with targets: percentage, vertices, offsets."""
    deformer = objects.add("Deformer", "shapes", "BlendShape", lambda: [element("Version", 100)])
    objects.connect(deformer, geometry)
    channel = objects.add("Deformer", name, "BlendShapeChannel", lambda: [
        element("DeformPercent", percent), element("FullWeights", np.array([at for at, _, _ in targets], np.float64)),
    ], label="SubDeformer")  # fmt: skip
    objects.connect(channel, deformer)
    for number, (_, rows, offsets) in enumerate(targets):
        inside = [element("Indexes", rows.astype(np.int32)), element("Vertices", offsets)]
        target = objects.add("Geometry", f"{name}{number}", "Shape", lambda inside=inside: inside)  # type: ignore[misc]
        objects.connect(target, channel)
    return channel


def fbx_bytes(objects: WrittenObjects, *settings: Property, header: Sequence[Element] = ()) -> bytes:
    file = io.BytesIO()
    first = [element("FBXVersion", 7500), *header]
    write_file(file, [
        element("FBXHeaderExtension", inside=first),
        element("GlobalSettings", inside=[properties(*(settings or (("UpAxis", "int", 1),)))]),
        *objects.elements(),
    ])  # fmt: skip
    return file.getvalue()
