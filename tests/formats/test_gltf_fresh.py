"""New files: they pass the validator and give the rig back, with all that glTF itself has no place for."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.formats.format_rigs import NAMES, SEEDS
from tests.formats.format_rigs import document as random_document
from tests.formats.gltf_files import assert_same_document, errors, issues, unpack
from tests.some import some

from facewright.arrays import Floats
from facewright.document import Document, HeldPoints, PlacedPin
from facewright.errors import BadValue, FacewrightWarning
from facewright.formats import gltf, npz
from facewright.formats.gltf.geometry.unweld import unweld
from facewright.mesh.polygons import Polygons, Uvs
from facewright.motion.clip import Clip
from facewright.motion.curve import Curve, Interpolation
from facewright.rig.evaluate import evaluate
from facewright.rig.rig import Part, Rig
from facewright.rig.shape import Shape
from facewright.samples import mask, sample


def round_trip(document: Document, path: Path) -> Document:
    gltf.FORMAT.write(document, path)
    return gltf.FORMAT.read(path)


def grid(rows: int = 4, columns: int = 5, faces: Any = None) -> tuple[Floats, Any]:
    """A bent sheet of quads with coordinates that have a seam along one edge."""
    y, x = (axis.ravel() for axis in np.mgrid[:rows, :columns])
    positions = np.column_stack([x, y, 0.1 * x * y]) * 0.3
    corner = (np.arange(rows - 1)[:, None] * columns + np.arange(columns - 1)).ravel()
    quads = corner[:, None] + np.array([0, 1, columns + 1, columns])
    return positions, quads if faces is None else faces


def test_the_samples_and_the_scanned_face_come_back_and_pass_the_validator(shared_data: Path, tmp_path: Path) -> None:
    rigs = {
        "sample": sample(),
        "mask": mask(vertices=400, shapes=9, seed=2),
        "scan": npz.FORMAT.read(shared_data / "ict_face" / "ict_face.npz").rig,
    }
    for name, rig in rigs.items():
        wanted = Document(rig, pose=np.linspace(0, 1, len(rig.sliders)))
        assert_same_document(wanted, round_trip(wanted, tmp_path / f"{name}.glb"), 1e-6)
    found = issues(*(tmp_path / f"{name}.glb" for name in rigs))
    assert [(one["numErrors"], one["numWarnings"]) for one in found] == [(0, 0)] * 3


@settings(max_examples=25, deadline=None)
@given(st.lists(NAMES, min_size=6, max_size=6, unique=True), SEEDS)
def test_any_rig_with_in_betweens_combinations_and_rules_comes_back(
    tmp_path_factory: pytest.TempPathFactory, names: list[str], seed: int
) -> None:
    given_document = random_document(names, seed)
    # glTF keeps polygons by part and has coordinates at all corners of a mesh or at none.
    rig = given_document.rig
    uvs = Uvs(some(rig.uvs).coordinates, np.maximum(some(rig.uvs).corners, 0))
    wanted = replace(given_document, rig=replace(rig, uvs=uvs), attachments={})
    path = tmp_path_factory.mktemp("any") / "rig.glb"
    found = round_trip(wanted, path)
    assert_same_document(replace(wanted, clips=()), replace(found, clips=()), 1e-6)
    assert [rule.name for rule in found.rig.rules] == [rule.name for rule in rig.rules]
    assert found.extra == wanted.extra
    for mine, theirs in zip(wanted.clips, found.clips, strict=True):
        assert (theirs.name, theirs.rate, set(theirs.curves)) == (mine.name, mine.rate, set(mine.curves))
        for name, curve in mine.curves.items():
            np.testing.assert_array_equal(theirs.curves[name].times, curve.times)
            np.testing.assert_array_equal(theirs.curves[name].values, curve.values)


def test_pins_held_points_locks_and_the_clip_at_hand_come_back(tmp_path: Path) -> None:
    rig = mask(vertices=300, shapes=4, seed=5)
    clip = Clip("take", {rig.sliders[0]: Curve([0.0, 1.0], [0.0, 1.0])})
    pins = (PlacedPin(id=3, triangle=5, barycentric=(0.25, 0.25, 0.5), axes="xy"), PlacedPin(id=4, vertex=9, hold=True))
    held = HeldPoints(np.array([1, 4]), np.array([7, 2]), True, 0.5)
    wanted = Document(rig, (clip,), pins=pins, held=held, locked=rig.sliders[1:2], clip="take", time=0.5)
    once = round_trip(wanted, tmp_path / "a.glb")
    for found in (once, round_trip(once, tmp_path / "b.glb")):
        assert (found.pins, found.locked, found.clip, found.time) == (pins, wanted.locked, "take", 0.5)
        assert (found.held.vertices.tolist(), found.held.axes.tolist()) == ([1, 4], [7, 2])


def test_pins_that_no_longer_fit_are_left_out_with_a_word(tmp_path: Path) -> None:
    rig = mask(vertices=300, shapes=4, seed=5)
    gltf.FORMAT.write(Document(rig, pins=(PlacedPin(id=1, vertex=2),)), tmp_path / "a.gltf")
    tree = json.loads((tmp_path / "a.gltf").read_text())
    tree["extras"]["facewright"]["work"]["pins"][0]["vertex"] = 10**6
    (tmp_path / "a.gltf").write_text(json.dumps(tree))
    with pytest.warns(FacewrightWarning, match="pins"):
        found = gltf.FORMAT.read(tmp_path / "a.gltf")
    assert found.pins == ()
    assert found.rig.vertex_count == rig.vertex_count


def test_a_random_rig_passes_the_validator(tmp_path: Path) -> None:
    for seed in range(4):
        gltf.FORMAT.write(random_document(list("abcdef"), seed), tmp_path / f"{seed}.glb")
    assert errors(*(tmp_path / f"{seed}.glb" for seed in range(4))) == []


def test_quads_and_ngons_come_back_in_order_even_where_neighbours_begin_with_the_same_vertex(tmp_path: Path) -> None:
    faces = [[0, 1, 6, 5], [0, 5, 10, 11, 6], [0, 6, 11], [0, 2, 3], [7, 8, 13, 12], [8, 9, 14], [8, 14, 13]]
    positions, _ = grid()
    rig = Rig(positions, Polygons.of(faces), (Shape("up", [3], [[0, 0, 1.0]]),))
    found = round_trip(Document(rig), tmp_path / "a.glb")
    assert [row.tolist() for row in found.rig.polygons.rows()] == faces
    assert found.rig.vertex_count == len(positions)
    tree, _ = unpack((tmp_path / "a.glb").read_bytes())
    assert tree["extensionsUsed"] == ["FB_ngon_encoding"]
    assert errors(tmp_path / "a.glb") == []


def test_no_two_polygons_in_a_row_begin_with_the_same_render_vertex() -> None:
    faces = Polygons.of([[0, 1, 2, 3], [0, 3, 4], [0, 4, 5], [1, 2, 6], [1, 6, 5, 4]])
    found = unweld(7, faces, None)
    begins = found.triangles[np.flatnonzero(np.diff(faces.polygon_of_triangle, prepend=-1)), 0]
    assert (begins[1:] != begins[:-1]).all()
    np.testing.assert_array_equal(found.point[found.triangles], faces.triangles)


def test_a_seam_makes_copies_in_the_file_and_none_in_the_rig(tmp_path: Path) -> None:
    positions, quads = grid()
    coordinates = np.random.default_rng(0).uniform(size=(quads.size, 2))
    rig = Rig(positions, Polygons.of(quads), uvs=Uvs(coordinates, np.arange(quads.size)))
    found = round_trip(Document(rig), tmp_path / "a.glb").rig
    tree, _ = unpack((tmp_path / "a.glb").read_bytes())
    assert tree["accessors"][tree["meshes"][0]["primitives"][0]["attributes"]["POSITION"]]["count"] == quads.size
    assert found.vertex_count == len(positions)
    np.testing.assert_allclose(some(found.uvs).coordinates[some(found.uvs).corners], coordinates, atol=1e-7)


def test_points_of_a_rig_that_lie_together_stay_apart(tmp_path: Path) -> None:
    positions, quads = grid()
    twice = Rig(np.vstack([positions, positions]), Polygons.of(np.vstack([quads, quads + len(positions)])))
    found = round_trip(Document(twice), tmp_path / "a.glb")
    assert_same_document(Document(twice), found, 1e-6)
    again = round_trip(found, tmp_path / "b.glb")
    assert_same_document(found, again)


def test_parts_become_meshes_and_shapes_go_only_where_they_move_something(tmp_path: Path) -> None:
    positions, quads = grid()
    count = len(positions)
    rig = Rig(
        np.vstack([positions, positions + 5]),
        Polygons.of(np.vstack([quads, quads + count])),
        (
            Shape("b", [count + 1], [[0, 0, 1]]),
            Shape("a", [1, count], np.ones((2, 3))),
            Shape("none", [], np.zeros((0, 3))),
        ),
        parts=(Part("head", 0, count), Part("teeth", count, 2 * count)),
    )
    wanted = Document(replace(rig, groups=("other", "other", "other")))
    assert_same_document(wanted, round_trip(wanted, tmp_path / "a.glb"), 1e-6)
    meshes = unpack((tmp_path / "a.glb").read_bytes())[0]["meshes"]
    assert [mesh["extras"]["targetNames"] for mesh in meshes] == [["a"], ["b", "a", "none"]]


def test_parts_that_share_polygons_are_one_mesh_and_come_back_as_parts(tmp_path: Path) -> None:
    positions, quads = grid()
    rig = Rig(positions, Polygons.of(quads), parts=(Part("face", 0, 7), Part("neck", 7, 15), Part("rest", 15, 20)))
    assert_same_document(Document(rig), round_trip(Document(rig), tmp_path / "a.glb"), 1e-6)
    assert len(unpack((tmp_path / "a.glb").read_bytes())[0]["meshes"]) == 1


def test_small_targets_are_sparse_and_wide_ones_are_not(tmp_path: Path) -> None:
    rig = mask(vertices=2000, shapes=3, seed=1)
    wide = Shape("wide", np.arange(rig.vertex_count), np.ones((rig.vertex_count, 3)))
    small = Shape("small", [5], [[0, 0, 1.0]])
    found = Document(Rig(rig.neutral, rig.polygons, (small, wide)))
    gltf.FORMAT.write(found, tmp_path / "a.glb")
    tree = unpack((tmp_path / "a.glb").read_bytes())[0]
    accessors = [tree["accessors"][target["POSITION"]] for target in tree["meshes"][0]["primitives"][0]["targets"]]
    assert ["sparse" in accessor for accessor in accessors] == [True, False]
    assert (accessors[0]["min"], accessors[0]["max"]) == ([0, 0, 0], [0, 0, 1])
    assert (accessors[1]["min"], accessors[1]["max"]) == ([1, 1, 1], [1, 1, 1])


def test_normals_and_targets_normals_show_the_posed_surface(tmp_path: Path) -> None:
    from facewright.formats.gltf.accessors import decode
    from facewright.formats.gltf.container.asset import parse_glb
    from facewright.mesh.normals import vertex_normals

    rig = mask(vertices=300, shapes=4, seed=5)
    gltf.FORMAT.write(Document(rig), tmp_path / "a.glb")
    asset = parse_glb((tmp_path / "a.glb").read_bytes())
    start = 0
    for mesh, part in zip(asset.json["meshes"], rig.parts, strict=True):
        primitive = mesh["primitives"][0]
        base = decode.numbers(asset, primitive["attributes"]["NORMAL"], "VEC3")
        positions = decode.numbers(asset, primitive["attributes"]["POSITION"], "VEC3")
        for name, target in zip(mesh["extras"]["targetNames"], primitive["targets"], strict=True):
            posed = evaluate(rig, {name: 1.0})
            expected = vertex_normals(posed, rig.triangles)[part.start : part.stop]
            found = base + decode.numbers(asset, target["NORMAL"], "VEC3")
            nearest = np.argmin(
                np.abs(positions[:, None] - rig.neutral[None, part.start : part.stop]).sum(axis=2), axis=1
            )
            np.testing.assert_allclose(found, expected[nearest], atol=1e-5)
        start = part.stop
    assert start == rig.vertex_count


@pytest.mark.parametrize("how", ["linear", "step", "cubic"])
def test_clips_with_common_keys_are_written_as_they_are(tmp_path: Path, how: Interpolation) -> None:
    positions, quads = grid()
    rig = Rig(positions, Polygons.of(quads), tuple(Shape(name, [i], [[0, 0, 1.0]]) for i, name in enumerate("abc")))
    rng = np.random.default_rng(2)
    times = np.array([0.0, 0.25, 1.5])
    slopes = (lambda: rng.normal(size=(3, 2)).astype(np.float32)) if how == "cubic" else (lambda: None)
    curves = {name: Curve(times, rng.normal(size=3).astype(np.float32), how, slopes()) for name in "abc"}
    wanted = Document(rig, (Clip("all", curves), Clip("some", {"b": curves["b"]}, 24.0)))
    found = round_trip(wanted, tmp_path / "a.glb")
    assert_same_document(wanted, found, 1e-7)
    animation = unpack((tmp_path / "a.glb").read_bytes())[0]["animations"][0]
    assert (
        animation["samplers"][0]["interpolation"] == {"linear": "LINEAR", "step": "STEP", "cubic": "CUBICSPLINE"}[how]
    )
    assert "extras" not in animation
    assert errors(tmp_path / "a.glb") == []


def shape_table(path: Path, times: Floats) -> Floats:
    """The animated weights of the first mesh as any other program plays them."""
    from facewright.formats.gltf.accessors.budget import Budget
    from facewright.formats.gltf.animation.tracks import tracks
    from facewright.formats.gltf.container.asset import parse_glb

    asset = parse_glb(path.read_bytes())
    names = asset.json["meshes"][0]["extras"]["targetNames"]
    (track,) = tracks(asset, asset.json["animations"][0], {0: names}, Budget(asset))
    return np.column_stack([track.curves[name](times) for name in names])


def test_curves_with_keys_of_their_own_play_the_same_elsewhere_and_come_back_exactly(tmp_path: Path) -> None:
    positions, quads = grid()
    rig = Rig(
        positions,
        Polygons.of(quads),
        (
            Shape("smile", [1], [[0, 0, 1.0]]),
            Shape("half", [2], [[0, 1.0, 0]], ("smile",), 0.5),
            Shape("jaw", [3], [[0, 0, 1.0]]),
            Shape("both", [4], [[1.0, 0, 0]], ("smile", "jaw")),
        ),
    )
    curves = {
        "smile": Curve([-1 / 3, 0.4, 2.1], [0.0, 1.0, 0.2], "cubic", np.array([[0, 1], [0.5, 0.5], [0, 0]])),
        "jaw": Curve([0.1, 0.7, 0.9], [0.0, 1.0, 0.5], "step"),
    }
    wanted = Document(rig, (Clip("own keys", curves, 60.0),), pose=[0.75, 0.5])
    found = round_trip(wanted, tmp_path / "a.glb")
    assert_same_document(replace(wanted, clips=()), replace(found, clips=()), 1e-6)
    for name, curve in curves.items():
        np.testing.assert_array_equal(found.clips[0].curves[name].times, curve.times)
        np.testing.assert_array_equal(found.clips[0].curves[name].values, curve.values)
    from facewright.rig.combine import Combine

    times = np.arange(0, 2.4, 1 / 60)  # a third of a second later than in the clip, which begins before 0
    expected = Combine(rig)(wanted.clips[0].sample(rig.sliders, times - 1 / 3))
    away = np.abs(times[:, None] - 1 / 3 - curves["jaw"].times).min(axis=1) > 1e-3
    np.testing.assert_allclose(shape_table(tmp_path / "a.glb", times)[away], expected[away], atol=2e-3)
    assert errors(tmp_path / "a.glb") == []


def test_weights_that_another_program_has_animated_anew_win_over_our_curves(tmp_path: Path) -> None:
    positions, quads = grid()
    rig = Rig(positions, Polygons.of(quads), (Shape("a", [1], [[0, 0, 1.0]]), Shape("b", [2], [[0, 0, 1.0]])))
    curves = {"a": Curve([0.0, 1.0], [0.0, 1.0]), "b": Curve([0.0, 0.5], [0.5, 1.0])}
    gltf.FORMAT.write(Document(rig, (Clip("take", curves),)), tmp_path / "a.gltf")
    tree = json.loads((tmp_path / "a.gltf").read_text())
    stated = tree["animations"][0]["extras"]["facewright"]["curves"]
    stated[0]["values"] = [0.9, 0.1]
    (tmp_path / "a.gltf").write_text(json.dumps(tree))
    found = gltf.FORMAT.read(tmp_path / "a.gltf").clips[0]
    np.testing.assert_allclose(
        found.sample(["a", "b"], [0.0, 0.5, 1.0]), np.array([[0, 0.5], [0.5, 1], [1, 1]]), atol=1e-6
    )


def test_clips_without_shapes_to_move_are_left_out_with_a_word(tmp_path: Path) -> None:
    positions, quads = grid()
    clip = Clip("take", {"x": Curve([0.0], [1.0])})
    with pytest.warns(FacewrightWarning, match="clips are left out"):
        gltf.FORMAT.write(Document(Rig(positions, Polygons.of(quads)), (clip,)), tmp_path / "a.glb")
    assert gltf.FORMAT.read(tmp_path / "a.glb").clips == ()


def test_a_rig_without_vertices_is_refused_in_words(tmp_path: Path) -> None:
    with pytest.raises(BadValue, match="at least one vertex"):
        gltf.FORMAT.write(Document(Rig(np.zeros((0, 3)), Polygons.of([]))), tmp_path / "a.glb")


@pytest.mark.parametrize("scale", [0.01, 100.0])
def test_another_unit_changes_nothing_but_the_size(tmp_path: Path, scale: float) -> None:
    rig = mask(vertices=300, shapes=4, seed=5)
    other = replace(
        rig,
        neutral=rig.neutral * scale,
        shapes=tuple(replace(shape, offsets=shape.offsets * scale) for shape in rig.shapes),
    )
    found = round_trip(Document(rig), tmp_path / "a.glb").rig
    scaled = round_trip(Document(other), tmp_path / "b.glb").rig
    np.testing.assert_allclose(scaled.neutral / scale, found.neutral, atol=1e-6 * rig.size)
    np.testing.assert_allclose(scaled.deltas() / scale, found.deltas(), atol=1e-6 * rig.size)
    np.testing.assert_array_equal(scaled.triangles, found.triangles)


def test_curves_with_keys_at_different_times_stay_sparse_and_exact_on_a_rig_without_correctives(tmp_path: Path) -> None:
    positions, quads = grid()
    rig = Rig(positions, Polygons.of(quads), tuple(Shape(name, [i], [[0, 0, 1.0]]) for i, name in enumerate("abcd")))
    curves = {
        "a": Curve([0.0, 0.5, 2.0], [0.0, 1.0, 0.2], "cubic", tangents=["auto", "auto", "flat"]),
        "b": Curve([0.25, 1.0, 1.75], [0.5, 0.0, 1.0]),
        "c": Curve([0.1, 0.9, 1.5], [0.1, 0.8, 0.3], "cubic", [[0, 1], [0, -1], [2, 0]], ["broken", "step", "free"]),
        "d": Curve([0.0, 0.5], [0.0, 1.0], outside="offset"),
    }
    wanted = Document(rig, (Clip("sparse", curves, 30.0),))
    found = round_trip(wanted, tmp_path / "a.glb").clips[0]
    for name, curve in curves.items():
        assert (found.curves[name].times.tolist(), found.curves[name].outside) == (curve.times.tolist(), curve.outside)
    tree = unpack((tmp_path / "a.glb").read_bytes())[0]
    (sampler,) = tree["animations"][0]["samplers"]
    assert sampler["interpolation"] == "CUBICSPLINE"
    assert tree["accessors"][sampler["input"]]["count"] == 10  # every key once, those of a cycle, one before the step
    times = np.arange(0, 2.0, 1 / 60)
    expected = wanted.clips[0].sample(rig.sliders, times)
    np.testing.assert_allclose(shape_table(tmp_path / "a.glb", times), expected, atol=1e-5)
    assert errors(tmp_path / "a.glb") == []
