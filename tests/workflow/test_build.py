"""A rig is built from faces of any topology by one plan and its runner, whether asked by the command line or not."""

from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import facewright as fw
from facewright.build.transfer import prepare
from facewright.cli.main import app
from facewright.errors import BadValue, FacewrightError
from facewright.formats.registry import load, save
from facewright.workflow.build.base import base_of
from facewright.workflow.build.plan import BuildPlan, GivenFace, GivenPose, Mesh, trusting, with_poses
from facewright.workflow.build.poses_file import NamedPose, pose_from
from facewright.workflow.build.register import ready_plan
from facewright.workflow.build.run import BuildRunner
from facewright.workflow.report.build.page import build_report
from tests.build.faces import bent, template
from tests.build.test_cross_topology import FINE, RIG, other, pairs


def plan(neutral: fw.Rig, *poses: GivenPose, mesh: Mesh = "auto", rig: fw.Rig = RIG) -> BuildPlan:
    return BuildPlan(GivenFace("template", rig), GivenFace("face", neutral), mesh=mesh, poses=poses)


def test_poses_of_a_face_of_another_topology_build_its_rig() -> None:
    carried = fw.transfer(RIG, other(), pairs())
    weights = {RIG.sliders[0]: 1.0}
    pose = GivenPose("smile", fw.Rig(fw.evaluate(carried, weights), FINE.polygons), weights)
    assert prepare(RIG, other(), pairs()).on_target
    ready = ready_plan(plan(other(), pose), pairs())
    assert any("neutral's own" in words for words in ready.words)
    runner = BuildRunner()
    built = runner.solve(runner.check(ready.plan), lambda _: None).built
    assert built.rig.vertex_count == FINE.vertex_count
    assert built.errors[0].relative < 0.02
    onto = ready_plan(plan(other(), pose, mesh="template"), pairs())
    checked = BuildRunner().check(onto.plan)
    assert checked.positions["smile"].shape == RIG.neutral.shape


def test_faces_that_share_their_polygons_are_not_registered() -> None:
    here = plan(fw.Rig(bent(RIG), RIG.polygons))
    ready = ready_plan(here)
    assert ready.plan is here
    assert ready.words == ()
    assert base_of(here).template is RIG


def test_a_plan_without_a_neutral_is_refused() -> None:
    with pytest.raises(BadValue, match="neutral"):
        ready_plan(BuildPlan(GivenFace("template", RIG)))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    rig = template()
    face = fw.transfer(rig, bent(rig))
    save(rig, tmp_path / "template.npz")
    save(fw.Rig(face.neutral, face.polygons), tmp_path / "neutral.obj")
    save(fw.Rig(fw.evaluate(face, {rig.sliders[0]: 0.9}), face.polygons), tmp_path / "smile.obj")
    return tmp_path


def test_the_command_line_builds_what_the_plan_builds(folder: Path) -> None:
    rig = load(folder / "template.npz")
    words = [f"{folder / 'smile.obj'}:{rig.sliders[0]}=0.8", "--iterations", "3", "--trust", "0.7"]
    files = [str(folder / name) for name in ("template.npz", "neutral.obj")]
    done = CliRunner().invoke(app, ["build", *files, "-o", str(folder / "rig.fwface"), "--pose", *words])
    assert done.exit_code == 0, done.output
    pose = GivenPose("smile", load(folder / "smile.obj"), {rig.sliders[0]: 0.8})
    runner = BuildRunner()
    checked = runner.check(trusting(plan(load(folder / "neutral.obj"), pose, rig=rig), 0.7))
    result = runner.solve(checked, lambda _: None, iterations=3)
    assert len(result.built.history) == 3
    np.testing.assert_allclose(load(folder / "rig.fwface").deltas(), result.rig.deltas(), atol=1e-6)
    page = build_report("neutral.obj", result)
    assert "smile" in page
    assert "build report" in page


def test_a_pose_that_takes_no_part_keeps_its_error() -> None:
    face = fw.Rig(bent(RIG), RIG.polygons)
    large = GivenPose("large", fw.Rig(100 * bent(RIG), RIG.polygons), {RIG.sliders[0]: 1.0})
    obstacle = BuildRunner().check(plan(face, large)).obstacles["large"]
    assert obstacle.can_be_aligned
    assert isinstance(obstacle.problem, FacewrightError)
    assert str(obstacle.problem).startswith(obstacle.reason)
    assert len(str(obstacle.problem)) > len(obstacle.reason)  # it also says what would have worked


def test_poses_are_named_by_their_files_and_numbered() -> None:
    one = pose_from("faces/smile.obj:jawOpen=0.2, mouthSmileLeft=1")
    assert one == NamedPose("smile", Path("faces/smile.obj"), {"jawOpen": 0.2, "mouthSmileLeft": 1.0})
    poses = [GivenPose(name, RIG) for name in (one.name, one.name, "smile 2", one.name)]
    assert [pose.name for pose in with_poses(plan(RIG), poses).poses] == ["smile", "smile 2", "smile 2 2", "smile 3"]
    assert pose_from("faces/smile.obj") == NamedPose("smile", Path("faces/smile.obj"), None)
    with pytest.raises(BadValue, match="a weight is a name and a number"):
        pose_from("smile.obj:jawOpen=wide")
