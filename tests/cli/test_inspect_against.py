"""`inspect --against`: two rigs of one topology, shape by shape."""

from pathlib import Path

import msgspec
import pytest

import facewright as fw
from tests.cli.command import run
from tests.report.report_rigs import random_rig


def files(folder: Path) -> tuple[Path, Path]:
    rig = random_rig(1)
    other = fw.edit.add_shape(fw.edit.scale_shape(rig, "s1", 0.25), fw.Shape("more", [3], [[0, 1.0, 0]]))
    fw.save(rig, folder / "one.fwface")
    fw.save(other, folder / "other.fwface")
    return folder / "one.fwface", folder / "other.fwface"


def test_the_second_rig_is_compared_shape_by_shape(tmp_path: Path) -> None:
    one, other = files(tmp_path)
    done = run("inspect", one, "--against", other)
    assert done.returncode == 0
    words = " ".join(done.stdout.split())
    assert "against other.fwface: neutrals differ by 0.00%" in words
    assert "s1 75.0%" in words
    assert "4 of 5 shapes that both have are the same" in words
    assert "shapes only there: more" in words


def test_json_has_all_numbers_of_the_comparison(tmp_path: Path) -> None:
    one, other = files(tmp_path)
    told = msgspec.json.decode(run("inspect", one, "--json", "--against", other).stdout)
    expected = fw.compare_rigs(fw.load(one), fw.load(other))
    assert told["difference"] == msgspec.json.decode(msgspec.json.encode(expected))
    assert told["difference"]["extra"] == ["more"]
    assert [shape["distance"] for shape in told["difference"]["shapes"]] == pytest.approx([0, 0.75, 0, 0, 0])


def test_the_embedded_head_can_be_the_second_rig(tmp_path: Path) -> None:
    fw.save(fw.edit.scale_shape(fw.sample(), "jawOpen", 0.5), tmp_path / "one.fwface")
    done = run("inspect", tmp_path / "one.fwface", "--against", "sample")
    assert done.returncode == 0
    assert "51 of 52 shapes that both have are the same" in " ".join(done.stdout.split())


def test_another_topology_is_refused_with_the_remedy(tmp_path: Path) -> None:
    one, _ = files(tmp_path)
    fw.save(random_rig(1, vertices=9), tmp_path / "small.fwface")
    done = run("inspect", one, "--against", tmp_path / "small.fwface")
    assert done.returncode == 2
    assert "register" in done.stderr
    assert "14 vertices, the other 9" in " ".join(done.stderr.split())
