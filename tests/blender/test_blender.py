"""Blender's own importer agrees with us about the files that we write. Runs where `.venv-blender` has `bpy`."""

import json
import subprocess
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.formats.gltf_files import pack, unpack

from facewright.document import Document
from facewright.formats import gltf
from facewright.formats.gltf.read import open_asset
from facewright.formats.gltf.unpack import unpack_file
from facewright.motion.clip import Clip
from facewright.motion.curve import Curve
from facewright.rig.evaluate import Evaluator
from facewright.rig.rig import Rig
from facewright.samples import mask, sample
from facewright.samples.skin.embedded import embedded_skin
from facewright.workflow.export import ExportOptions, export

CLOSE = 1e-5  # of the rig's size


def expected(path: Path, rig: Rig) -> dict[str, np.ndarray]:
    """Positions that the importer should show: of the vertices that triangles use, in the file's order."""
    opened = open_asset(unpack_file(path))
    evaluator = Evaluator(rig)
    found = {}
    start = 0
    for part in opened.parts:
        geometry = part.geometry
        used = np.unique(geometry.polygons.corners)
        vertices = start + geometry.weld.point[used]
        start += len(geometry.weld.first)
        found[f"{part.name}/neutral"] = rig.neutral[vertices]
        for name in geometry.names:
            found[f"{part.name}/{name}"] = evaluator({name: 1.0})[vertices]
    return found


def check(blender: Path, path: Path, rig: Rig) -> None:
    compare(blender, path, expected(path, rig), rig.size)


def compare(blender: Path, path: Path, table: dict[str, np.ndarray], size: float, importer: str = "") -> None:
    """Let Blender import a file, and compare positions with those of a table; see `compare.py`."""
    np.savez(path.with_suffix(".npz"), **table)  # type: ignore[arg-type]
    command = [str(one) for one in (blender, Path(__file__).with_name("compare.py"), path, path.with_suffix(".npz"))]
    done = subprocess.run([*command, importer], capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    report = json.loads(done.stdout.strip().splitlines()[-1])
    assert (report["missing"], report["other sizes"]) == ([], [])
    assert report["compared"] == len(table)
    assert report["apart"] <= CLOSE * size, report


@pytest.mark.parametrize("name", ["sample", "mask"])
def test_blender_shows_a_new_file_as_we_do(blender: Path, tmp_path: Path, name: str) -> None:
    rig = sample() if name == "sample" else mask(vertices=800, shapes=12, seed=3)
    gltf.FORMAT.write(Document(rig), tmp_path / "face.glb")
    check(blender, tmp_path / "face.glb", rig)


def without_looks(path: Path, to: Path) -> Path:
    """The same file at rest, without materials and images, whose kind (KTX2) Blender refuses to open."""
    tree, binary = unpack(path.read_bytes())
    for key in ("animations", "materials", "textures", "images", "samplers", "extensionsUsed", "extensionsRequired"):
        tree.pop(key, None)
    for primitive in (primitive for mesh in tree["meshes"] for primitive in mesh["primitives"]):
        primitive.pop("material", None)
    to.write_bytes(pack(tree, binary))
    return to


def job() -> Document:
    """The embedded head with its skin in a pose, and a clip of two seconds of curves of every kind."""
    rig = sample()
    curves = {
        "jawOpen": Curve([0.0, 0.5, 2.0], [0.0, 0.8, 0.1]),
        "mouthSmileLeft": Curve([0.25, 1.0, 1.5], [0.0, 1.0, 0.4], "step"),
        "browInnerUp": Curve([0.5, 1.0], [0.0, 0.9], "cubic", tangents=["auto", "auto"]),
        "eyeBlinkLeft": Curve([0.0, 0.25, 0.375], [0.0, 1.0, 0.0]),
    }
    skin = embedded_skin("default", rig)
    return Document(rig, [Clip("talk", curves, 24.0)], rig.weights({"jawOpen": 0.5}), textures=skin, unit="cm")


def test_an_export_arrives_in_blender_with_its_size_skin_and_curves(blender: Path, tmp_path: Path) -> None:
    document, frames = job(), 49
    (tmp_path / "face.glb").write_bytes(export(document, "glb", ExportOptions(keys="straight")).data)
    command: list[str | Path] = [
        blender,
        Path(__file__).with_name("played.py"),
        tmp_path / "face.glb",
        "24",
        str(frames),
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    found = json.loads(next(line for line in done.stdout.splitlines() if line.startswith('{"tall"')))
    assert found["tall"] == pytest.approx(0.28806, rel=1e-4)
    assert found["skins"] == {"head": [1024, 1024]}
    (clip,) = document.clips
    times = np.arange(frames) / 24
    for name, listed in found["curves"].items():
        wanted = clip.curves[name](times) if name in clip.curves else np.zeros(frames)
        for keys, values in listed:
            assert keys < frames / 2  # a bend of half a second has a key on each of its 12 frames
            np.testing.assert_allclose(values, wanted, atol=1e-4, err_msg=name)
    assert set(clip.curves) <= set(found["curves"])


@pytest.mark.parametrize("name", ["facecap/facecap_decoded.glb", "gltf_samples/MorphStressTest.glb"])
def test_blender_shows_an_edited_file_as_we_do(blender: Path, shared_data: Path, tmp_path: Path, name: str) -> None:
    document = gltf.FORMAT.read(without_looks(shared_data / name, tmp_path / "given.glb"))
    rig = document.rig
    pushed = rig.neutral.copy()
    pushed[::2] += 0.01 * rig.size
    louder = replace(rig.shapes[0], offsets=rig.shapes[0].offsets * 1.5)
    parts = tuple(replace(part, name=f"my {part.name}") for part in rig.parts)
    wanted = replace(rig, neutral=pushed, shapes=(louder, *rig.shapes[1:]), parts=parts)
    gltf.FORMAT.write(replace(document, rig=wanted, clips=()), tmp_path / "face.glb")
    check(blender, tmp_path / "face.glb", wanted)
