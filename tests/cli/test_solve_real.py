"""Real recordings through the command line, to files that other programs open."""

from pathlib import Path

import numpy as np
import pytest

import facewright as fw
from tests.cli.command import run
from tests.formats.gltf_files import errors

LIVE_LINK = Path("mocap_livelink") / "alex_rom_3.csv"
FACE_CAP = Path("facecap") / "facecap.glb"


@pytest.mark.parametrize(
    "recording", [FACE_CAP, pytest.param(LIVE_LINK, marks=pytest.mark.long)], ids=lambda path: path.stem
)
def test_recorded_weights_play_on_the_sample_by_names_and_as_glb(
    shared_data: Path, tmp_path: Path, recording: Path
) -> None:
    done = run("solve", "sample", shared_data / recording, "-o", tmp_path / "out.glb")
    assert done.returncode == 0, done.stderr
    assert errors(tmp_path / "out.glb") == []
    document = fw.load_document(tmp_path / "out.glb")
    source = (
        fw.load_document(shared_data / FACE_CAP).clips[0]
        if recording == FACE_CAP
        else fw.load_clip(shared_data / recording)
    )
    clip, times = document.clips[-1], source.times()[::7]
    pairs = {slider: name for name, slider in fw.match_names(source.curves, document.rig.sliders).pairs.items()}
    assert len(pairs) >= 51
    names = list(pairs)
    wanted = np.clip(source.sample([pairs[name] for name in names], times), 0, 1)
    np.testing.assert_allclose(clip.sample(names, times), wanted, atol=2e-3)
    lively = [i for i, name in enumerate(names) if name in ("jawOpen", "eyeBlinkLeft", "mouthSmileRight")]
    assert (np.ptp(wanted, axis=0)[lively] > 0.3).all()
    faces = fw.evaluate(document.rig, document.rig.weights(dict(zip(names, wanted[len(wanted) // 2], strict=True))))
    assert np.abs(faces - document.rig.neutral).max() > 0.1


@pytest.mark.usefixtures("small_pictures")
@pytest.mark.parametrize("seconds", [5.0, pytest.param(60.0, marks=pytest.mark.long)])
@pytest.mark.parametrize("name", ["EyebrowsMoCap", pytest.param("JawMoCap", marks=pytest.mark.long)])
def test_recorded_markers_become_an_animation_and_a_report(
    shared_data: Path, tmp_path: Path, name: str, seconds: float
) -> None:
    take = tmp_path / f"{name}.csv"
    fw.save_take(fw.load_take(shared_data / "mocap_markers" / take.name).between(0, seconds), take)
    done = run(
        "solve",
        "sample",
        take,
        "-o",
        tmp_path / "out.glb",
        "--residual",
        "--keys",
        "0.005",
        "--report",
        tmp_path / "out.html",
    )
    assert done.returncode == 0, done.stderr
    assert errors(tmp_path / "out.glb") == []
    document = fw.load_document(tmp_path / "out.glb")
    rig, clip = document.rig, document.clips[-1]
    recorded = fw.load_take(take)
    solved = fw.solve_take(fw.sample(), recorded, fw.bind(fw.sample(), recorded))
    frames = np.arange(0, len(solved), 50)
    played = fw.evaluate(rig, clip.sample(rig.sliders, solved.times[frames]))
    met = solved.binding.places(played) - solved.binding.places(rig.neutral)
    missed = solved.millimetres * np.linalg.norm(met - solved.wanted[frames], axis=2)
    assert missed.mean() < 0.4  # by shapes added for the residual, within the keys' tolerance
    assert (tmp_path / "out.html").stat().st_size > 100_000


def test_a_file_of_markers_that_ends_early_is_solved_as_far_as_it_goes(shared_data: Path, tmp_path: Path) -> None:
    take = fw.load_take(shared_data / "mocap_markers" / "JawMoCap.csv").between(0, 5)
    fw.save_take(take, tmp_path / "whole.c3d")
    data = (tmp_path / "whole.c3d").read_bytes()
    (tmp_path / "cut.c3d").write_bytes(data[: len(data) * 2 // 3])
    done = run("solve", "sample", tmp_path / "cut.c3d", "-o", tmp_path / "out.csv")
    assert done.returncode == 0, done.stderr
    assert "of 300 frames are there" in done.stderr
    assert 150 < len(fw.load_clip(tmp_path / "out.csv").times()) < 220
