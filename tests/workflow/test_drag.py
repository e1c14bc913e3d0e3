"""Points of a face are moved by one function on the whole face or inside a region, also by `facewright pose`."""

import gc
import json
import weakref
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner, Result

import facewright as fw
from facewright.cli.main import app
from facewright.document import Document, PlacedPin
from facewright.errors import BadValue
from facewright.formats.json_files import save_regions
from facewright.formats.registry import load_document, save
from facewright.pose.solver import PoseSolver
from facewright.regions.bake import bake_regions
from facewright.regions.segment import segment
from facewright.samples.mask import mask
from facewright.terms.pin import Pin
from facewright.terms.selection import Selection
from facewright.workflow.drag.drag import PinDrag, drag_pins, move_pins
from facewright.workflow.solver_cache import SolverCache


@cache
def face() -> Document:
    rig = mask(vertices=900, shapes=12, seed=5)
    pose = np.linspace(0.1, 0.6, len(rig.sliders))
    return Document(rig, pose=pose, regions=segment(rig))


def positions(document: Document) -> np.ndarray:
    """Vertices, with what regions add."""
    baked = bake_regions(document).document
    return fw.evaluate(baked.rig, baked.pose)


def middle(document: Document, region: str) -> int:
    """A vertex that belongs to a region alone, and moves most."""
    assert document.regions is not None
    reach = np.abs(document.rig.deltas()).sum(axis=(0, 2))
    return int(np.argmax(np.where(document.regions.field(region) > 0.999, reach, -1.0)))


def up(document: Document, vertex: int, by: float = 0.002) -> np.ndarray:
    return np.asarray(positions(document)[vertex] + [0.0, by * document.rig.size, 0.0])


def test_on_the_whole_face_it_is_the_pose_solver() -> None:
    document, rig = face(), face().rig
    lively = int(np.abs(rig.deltas()[2:]).sum(axis=(0, 2)).argmax())  # by the sliders that are not locked
    pins = [
        Pin(vertex=40, hold=True),
        Pin(vertex=lively, target=up(document, lively), plane=np.array([0.0, 0.0, 1.0])),
        Pin(triangle=90, barycentric=np.array([0.2, 0.3, 0.5]), target=up(document, 300), axes="xy", strength=0.5),
    ]
    options = {"locked": rig.sliders[:2], "held": Selection.of([10, 11], "y"), "damped": True}
    posed, found = move_pins(document, pins, SolverCache(), **options)  # type: ignore[arg-type]
    wanted = PoseSolver(rig).solve(pins, document.pose, **options)  # type: ignore[arg-type]
    np.testing.assert_allclose(posed.pose, wanted.weights, atol=1e-9)
    np.testing.assert_allclose(found.residual, wanted.residual, atol=1e-9 * rig.size)
    assert not np.allclose(posed.pose, document.pose)


def test_inside_a_region_it_is_the_drag_of_a_placed_pin() -> None:
    document = face()
    assert document.regions is not None
    region = document.regions.names[0]
    vertex = middle(document, region)
    goal = up(document, vertex)
    pinned = replace(document, pins=(PlacedPin(id=7, vertex=vertex),))
    dragged, _ = drag_pins(pinned, PinDrag({7: tuple(goal.tolist())}, region=region), SolverCache())
    moved, _ = move_pins(document, [Pin(vertex=vertex, target=goal)], SolverCache(), region=region)
    assert moved.local is not None
    assert dragged.local is not None
    np.testing.assert_allclose(moved.local, dragged.local, atol=1e-9)


def test_a_pin_outside_its_region_is_refused() -> None:
    document = face()
    assert document.regions is not None
    here, there = document.regions.names[:2]
    vertex = int(np.argmin(document.regions.field(here)))
    with pytest.raises(BadValue, match=f"pin 0 is outside '{here}'"):
        move_pins(document, [Pin(vertex=vertex, target=np.zeros(3))], SolverCache(), region=here)
    assert there != here


def run(folder: Path, rig: str, *words: str) -> Result:
    return CliRunner().invoke(app, ["pose", str(folder / rig), "--pins", str(folder / "pins.json"), *words])


def test_the_command_line_moves_a_region_alone(tmp_path: Path) -> None:
    document = face()
    assert document.regions is not None
    region = document.regions.names[0]
    vertex = middle(document, region)
    offset = [0.0, 0.002 * document.rig.size, 0.0]
    (tmp_path / "pins.json").write_text(json.dumps({"pins": [{"vertex": vertex, "offset": offset}]}))
    save(document, tmp_path / "face.fwface")
    done = run(tmp_path, "face.fwface", "--region", region, "-o", str(tmp_path / "out.fwface"))
    assert done.exit_code == 0, done.output
    posed = load_document(tmp_path / "out.fwface")
    np.testing.assert_array_equal(posed.pose, document.pose)
    moved = np.linalg.norm(positions(posed) - positions(document), axis=1)
    assert moved[vertex] > 0.0015 * document.rig.size
    assert moved[document.regions.field(region) < 1e-9].max() < 1e-9 * document.rig.size
    done = run(tmp_path, "face.fwface", "--region", region, "-o", str(tmp_path / "out.json"))
    assert json.loads((tmp_path / "out.json").read_text())["region"] == region


def test_regions_may_come_from_a_file_of_their_own(tmp_path: Path) -> None:
    document = face()
    assert document.regions is not None
    region = document.regions.names[0]
    vertex = middle(document, region)
    (tmp_path / "pins.json").write_text(json.dumps([{"vertex": vertex, "target": up(document, vertex).tolist()}]))
    save(replace(document, regions=None), tmp_path / "face.glb")
    save_regions(document.regions, tmp_path / "regions.json")
    refused = run(tmp_path, "face.glb", "--region", region, "-o", str(tmp_path / "out.glb"))
    assert refused.exit_code == 2
    assert "no regions yet" in refused.output
    words = ("--region", region, "--regions", str(tmp_path / "regions.json"), "-o", str(tmp_path / "out.glb"))
    done = run(tmp_path, "face.glb", *words)
    assert done.exit_code == 0, done.output
    assert any("@" in name for name in load_document(tmp_path / "out.glb").rig.sliders)


def test_what_regions_add_counts_for_offsets_and_targets(tmp_path: Path) -> None:
    plain = face()
    assert plain.regions is not None
    region = plain.regions.names[0]
    vertex = middle(plain, region)
    document, _ = move_pins(plain, [Pin(vertex=vertex, target=up(plain, vertex))], SolverCache(), region=region)
    (tmp_path / "pins.json").write_text(json.dumps([{"vertex": vertex, "offset": [0, 0, 0]}]))
    save(document, tmp_path / "face.fwface")
    done = run(tmp_path, "face.fwface", "-o", str(tmp_path / "out.fwface"))
    assert done.exit_code == 0, done.output
    np.testing.assert_allclose(load_document(tmp_path / "out.fwface").pose, document.pose, atol=1e-6)


def test_few_solvers_of_regions_are_kept_and_none_of_another_face() -> None:
    solvers, document = SolverCache(), face()
    assert document.regions is not None
    names = document.regions.names[:-1]
    assert len(names) > 8
    made = [weakref.ref(solvers.within(document, name)) for name in names]
    assert solvers.within(document, names[-1]) is made[-1]()
    gc.collect()
    assert sum(each() is not None for each in made) == 8
    other = replace(document, regions=segment(document.rig, threshold=0.5))
    assert other.regions is not None
    solvers.within(other, other.regions.names[0])
    gc.collect()
    assert not any(each() is not None for each in made)
