"""Expressions of VRM animations are clips."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.cli.command import run
from tests.formats.gltf_files import Tiny

import facewright as fw
from facewright.errors import BadFile
from facewright.formats.gltf.container.asset import parse_glb

TIMES = np.array([0.0, 0.5, 1.25])
MOVED = {"node": 1, "path": "translation"}
HAPPY, OH = np.array([0.0, 1.0, 0.25]), np.array([0.5, 0.0, 1.0])


def animation(path: Path, **extension: Any) -> Path:
    """A file that moves two expressions and a bone."""
    tiny = Tiny(extensionsUsed=["VRMC_vrm_animation"])
    times = tiny.accessor(TIMES)
    rows = [tiny.accessor(np.column_stack([values, np.zeros((3, 2))])) for values in (HAPPY, OH)]
    turns = tiny.accessor(np.tile([0, 0, 0, 1], (3, 1)))
    outputs = [(rows[0], "LINEAR"), (rows[1], "STEP"), (turns, "LINEAR")]
    tiny.json["animations"] = [
        {
            "samplers": [{"input": times, "output": output, "interpolation": how} for output, how in outputs],
            "channels": [
                {"sampler": 0, "target": {"node": 1, "path": "translation"}},
                {"sampler": 1, "target": {"node": 2, "path": "translation"}},
                {"sampler": 2, "target": {"node": 0, "path": "rotation"}},
            ],
        }
    ]
    named = {"expressions": {"preset": {"oh": {"node": 2}}, "custom": {"jawOpen": {"node": 1}}}}
    tiny.json["extensions"] = {"VRMC_vrm_animation": {"specVersion": "1.0", **named, **extension}}
    tiny.nodes({"name": "hips"}, {"name": "jawOpen"}, {"name": "oh"})
    return tiny.save(path)


def test_expressions_are_curves(tmp_path: Path) -> None:
    clip = fw.load_clip(animation(tmp_path / "wave.vrma"))
    assert (clip.name, set(clip.curves)) == ("wave", {"jawOpen", "oh"})
    np.testing.assert_allclose(clip.curves["jawOpen"](TIMES), HAPPY, atol=1e-7)
    assert clip.curves["oh"].interpolation == "step"


def test_they_play_on_a_face(tmp_path: Path) -> None:
    done = run("convert", animation(tmp_path / "wave.vrma"), tmp_path / "wave.glb")
    assert done.returncode == 0, done.stderr
    (clip,) = fw.load_document(tmp_path / "wave.glb").clips
    np.testing.assert_allclose(clip.curves["jawOpen"](TIMES), HAPPY, atol=1e-6)


@pytest.mark.parametrize(
    "extension", [{"expressions": 3}, {"expressions": {"preset": {"oh": {"node": "x"}}, "custom": 1}}]
)
def test_a_file_without_expressions_says_so(extension: dict[str, Any], tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="no expression"):
        fw.load_clip(animation(tmp_path / "bones.vrma", **extension))


@pytest.mark.parametrize(
    "broken",
    [
        {"animations": [3]},
        {"animations": [{"channels": [7]}]},
        {"animations": [{"channels": [{"target": 1.5, "sampler": 0}]}]},
        {"animations": [{"channels": [{"target": {**MOVED, "node": []}, "sampler": 0}]}]},
        {
            "animations": [
                {"samplers": [{}], "channels": [{"target": {"node": 1, "path": "translation"}, "sampler": 0}]}
            ]
        },
        {"extensions": 0.5},
    ],
)
def test_a_damaged_file_is_refused_in_words(broken: dict[str, Any], tmp_path: Path) -> None:
    path = animation(tmp_path / "wave.vrma")
    asset = parse_glb(path.read_bytes())
    with_buffer = {"buffers": [{"uri": "wave.bin", "byteLength": len(asset.binary)}]}
    (tmp_path / "wave.bin").write_bytes(asset.binary)
    path.write_bytes(json.dumps({**asset.json, **with_buffer, **broken}).encode())
    with pytest.raises(BadFile, match="wave") as raised:
        fw.load_clip(path)
    assert "Error:" not in str(raised.value)
