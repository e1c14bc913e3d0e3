"""`inspect` lists the meshes that a file carries besides the face."""

import json
from pathlib import Path

from tests.cli.command import run


def test_carried_meshes_are_listed_with_skin_and_materials(shared_data: Path) -> None:
    robot = str(shared_data / "gltf_samples" / "RobotExpressive.glb")
    shown = run("inspect", robot)
    assert "besides the face" in shown.stdout
    line = next(line for line in shown.stdout.splitlines() if "Hand.R" in line)
    for word in ("554", "skin 0, 43 joints", "Grey, Main"):
        assert word in line
    facts = json.loads(run("inspect", robot, "--json").stdout)["carried"]
    assert [one["name"] for one in facts] == ["Hand.R", "Hand.L"]
    assert facts[1]["skin"] == {"name": "skin 1", "joints": 43}
    assert facts[1]["extensions"] == []
    assert [material["alpha"] for material in facts[0]["materials"]] == ["OPAQUE", "OPAQUE"]


def test_a_face_alone_carries_nothing() -> None:
    assert json.loads(run("inspect", "sample", "--json").stdout)["carried"] == []
    assert "besides the face" not in run("inspect", "sample").stdout


def test_what_a_character_loses_in_another_format_is_said(shared_data: Path, tmp_path: Path) -> None:
    robot = shared_data / "gltf_samples" / "RobotExpressive.glb"
    done = run("convert", robot, tmp_path / "robot.fbx")
    assert "robot.fbx: not kept in .fbx: 2 skins, 2 other meshes, 14 joint animations" in done.stderr
    done = run("convert", robot, tmp_path / "robot.glb")
    assert "not kept" not in done.stderr
    assert "2 skins, 2 other meshes, 14 joint animations" in done.stderr
