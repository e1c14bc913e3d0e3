"""A take is solved and finished by one function, whether the command line or the studio asks."""

import pickle
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from facewright import jobs
from facewright.cli.main import app
from facewright.errors import BadValue, UnknownName
from facewright.formats.clips import load_clip
from facewright.formats.json_files import save_binding
from facewright.formats.registry import save
from facewright.formats.takes import load_take, save_take
from facewright.motion.clip import Clip
from facewright.motion.curve import Curve
from facewright.regions.segment import segment
from facewright.workflow.take.options import TakeOptions
from facewright.workflow.take.retarget import retarget_clips
from facewright.workflow.take.solve import SolveJob, recorded_calibration, solve, solve_in_background
from tests.capture.acting import Acted, acted


@pytest.fixture(scope="module")
def made() -> Acted:
    return acted(frames=60, noise=0.01)


def test_the_command_line_writes_what_the_workflow_solves(made: Acted, tmp_path: Path) -> None:
    save(made.rig, tmp_path / "rig.npz")
    save_take(made.take, tmp_path / "take.csv")
    save_binding(made.binding, tmp_path / "bind.json")
    words = ["solve", "rig.npz", "take.csv", "--bind", "bind.json", "-o", "out.csv", "--smooth", "6", "--keys", "0.01"]
    done = CliRunner().invoke(
        app, [str(tmp_path / word) if "." in word and word[0].isalpha() else word for word in words]
    )
    assert done.exit_code == 0, done.output
    job = SolveJob(made.rig, load_take(tmp_path / "take.csv"), made.binding, TakeOptions(smooth="6", keys=0.01))
    found, written = solve(job).clip, load_clip(tmp_path / "out.csv")
    assert set(found.curves) == set(written.curves)
    times = made.take.times
    np.testing.assert_allclose(found.sample(tuple(found.curves), times), written.sample(tuple(found.curves), times))


def test_a_process_solves_as_this_one_does(made: Acted) -> None:
    job = SolveJob(made.rig, made.take, made.binding, TakeOptions())
    ended = jobs.start(solve_in_background, job, where="process", heard=lambda _: None).wait(60)
    assert isinstance(ended, jobs.Finished)
    here = solve(job)
    assert ended.value.solution is None
    assert here.solution is not None
    assert ended.value.line == here.line
    for name, curve in here.curves.items():
        np.testing.assert_allclose(ended.value.curves[name].values, curve.values, atol=1e-9)


def test_regions_add_curves_of_their_own_that_a_table_leaves_out(made: Acted) -> None:
    job = SolveJob(made.rig, made.take, made.binding, TakeOptions(), regions=segment(made.rig))
    found = solve(job)
    assert found.regional
    assert all("@" in name for name in found.regional)
    assert set(found.regional) < set(found.curves)
    assert not solve(replace(job, regions=None)).regional


def test_residual_shapes_come_with_their_rig(made: Acted) -> None:
    found = solve(SolveJob(made.rig, made.take, made.binding, TakeOptions(residual=True)))
    assert found.rig is not None
    added = set(found.rig.sliders) - set(made.rig.sliders)
    assert added
    assert added <= set(found.curves)


def test_a_recording_at_rest_becomes_the_zero(made: Acted) -> None:
    slider = made.rig.sliders[0]
    still = Clip("rest", {slider: Curve(np.array([0.0, 1.0]), np.array([0.2, 0.2]))})
    job = SolveJob(made.rig, made.take, made.binding, TakeOptions(keys=None))
    plain, calibrated = (solve(one).clip.curves[slider].values for one in (job, replace(job, rest=still)))
    np.testing.assert_allclose(calibrated, np.clip(plain - 0.2, 0.0, 1.0), atol=1e-9)


def test_markers_cannot_calibrate_without_a_solver(made: Acted) -> None:
    with pytest.raises(BadValue, match="record weights"):
        recorded_calibration(made.rig, made.take, None)


def test_a_job_can_be_sent_to_another_process(made: Acted) -> None:
    job = SolveJob(made.rig, made.take, made.binding, TakeOptions(gaze=True))
    assert pickle.loads(pickle.dumps(job)).options == job.options


def test_clips_are_retargeted_finished_and_explained(made: Acted) -> None:
    times, slider = np.linspace(0, 1, 31), made.rig.sliders[1]
    clip = Clip("talk", {slider: Curve(times, np.full(31, 0.5)), "nobody": Curve(times, times)})
    found = retarget_clips(made.rig, [clip], TakeOptions(keys=0.01))
    assert list(found.clips[0].curves) == [slider]
    assert len(found.clips[0].curves[slider].times) == 2
    assert "nothing on the rig is meant by nobody" in found.notes[0]
    assert "nothing moves" in found.notes[1]


def test_wrong_options_say_what_would_have_worked() -> None:
    with pytest.raises(BadValue, match="cutoff in Hz"):
        TakeOptions(smooth="much")
    with pytest.raises(BadValue, match="tolerance"):
        TakeOptions(keys=-0.1)
    with pytest.raises(BadValue, match="steady"):
        TakeOptions(steady=-1.0)
    with pytest.raises(UnknownName, match="bounded"):
        TakeOptions(method="best")  # type: ignore[arg-type]
