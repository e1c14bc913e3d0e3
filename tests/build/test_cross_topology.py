"""Shapes on a mesh of another topology, and on a scan."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import facewright as fw
from facewright.build.contact import closing_shapes
from facewright.build.cross_topology import transfer_shapes
from facewright.build.registration.face_mesh import FaceMesh
from facewright.build.registration.quality import folded
from facewright.build.transfer import prepare
from facewright.errors import BadValue, OtherTopology, UnknownName
from facewright.rig.edit import scale
from facewright.samples.mask import MaskGrid, mask
from tests.build.faces import bent, template, turn, turned

RIG = template(vertices=400, shapes=5)
FINE = mask(vertices=900, shapes=1)
KNOWN = json.loads((Path(__file__).parent / "landmarks.json").read_text())


def pairs() -> list[tuple[int, int]]:
    ours, theirs = MaskGrid.of(400).places(), MaskGrid.of(900).places()
    chosen = np.random.default_rng(4).choice(len(ours), 14, replace=False)
    return [(int(i), int(((theirs - ours[i]) ** 2).sum(axis=1).argmin())) for i in chosen]


def other(points: np.ndarray | None = None) -> fw.Rig:
    return fw.Rig(bent(FINE) if points is None else points, FINE.polygons)


def test_on_a_mesh_that_has_the_templates_triangles_it_is_transfer() -> None:
    face = fw.Rig(bent(RIG), RIG.triangles[:, [1, 2, 0]])
    found = replace(fw.register(RIG, face, [(i, i) for i in range(0, 400, 25)]), fitted=bent(RIG))
    here, there = transfer_shapes(found, closing={}), fw.transfer(RIG, bent(RIG), closing={})
    for one, wanted in zip(here.shapes, there.shapes, strict=True):
        np.testing.assert_allclose(one.dense(400), wanted.dense(400), atol=1e-3 * RIG.size)


def test_vertices_polygons_and_uvs_are_the_faces_and_sliders_the_templates() -> None:
    rule = fw.StaysWithin("brow", np.arange(40), 0.5)
    rig = replace(RIG, rules=(rule,), exclusive=((RIG.sliders[0], RIG.sliders[1]),))
    made = fw.transfer(rig, other(), pairs())
    assert made.polygons is FINE.polygons
    np.testing.assert_array_equal(made.neutral, bent(FINE))
    assert (made.sliders, made.shape_names, made.exclusive) == (rig.sliders, rig.shape_names, rig.exclusive)
    assert len(made.rules[0].vertices) > 40


def test_a_shape_moves_what_it_moves_on_the_template_and_nothing_else() -> None:
    made = fw.transfer(RIG, other(), pairs())
    ours, theirs = MaskGrid.of(400).places(), MaskGrid.of(900).places()
    nearest = ((theirs[:, None] - ours) ** 2).sum(axis=2).argmin(axis=1)
    for before, after in zip(RIG.shapes, made.shapes, strict=True):
        wanted = np.linalg.norm(before.dense(400), axis=1)[nearest]
        found = np.linalg.norm(after.dense(900), axis=1)
        assert np.corrcoef(wanted, found)[0, 1] > 0.97, before.name
        assert (found == 0).mean() > 0.5 * (wanted == 0).mean()


@pytest.mark.parametrize("factor", [0.01, 100.0])
def test_where_how_large_and_how_turned_the_face_is_changes_nothing_else(factor: float) -> None:
    here, there = (fw.transfer(RIG, other(points), pairs()) for points in (bent(FINE), turned(bent(FINE), factor)))
    np.testing.assert_allclose(there.deltas() / factor, here.deltas() @ turn().T, atol=5e-4 * RIG.size)
    grown = fw.transfer(scale(RIG, factor), other(), pairs())
    np.testing.assert_allclose(grown.deltas(), here.deltas(), atol=5e-4 * RIG.size)


def test_a_scan_takes_the_templates_topology_and_says_so() -> None:
    rng = np.random.default_rng(3)
    middles = bent(FINE)[FINE.triangles].mean(axis=1)
    kept = np.ones(len(middles), bool)
    while (~kept).mean() < 0.1:
        kept &= np.linalg.norm(middles - middles[rng.integers(len(middles))], axis=1) > 0.9
    noisy = bent(FINE) + 0.001 * RIG.size * rng.normal(size=FINE.neutral.shape)
    used, corners = np.unique(FINE.triangles[kept], return_inverse=True)
    scan = fw.Rig(noisy[used], corners.reshape(-1, 3))
    place = {int(v): i for i, v in enumerate(used)}
    known = [(source, place[target]) for source, target in pairs() if target in place]
    ready = prepare(RIG, scan, known)
    assert not ready.on_target
    assert any("seems to be a scan" in words for words in ready.words)
    made = fw.transfer(RIG, scan, known)
    assert made.polygons is RIG.polygons
    assert np.linalg.norm(made.neutral - bent(RIG), axis=1).mean() < 0.015 * RIG.size
    assert fw.transfer(RIG, scan, known, topology="target").vertex_count == len(used)


def test_what_cannot_be_carried_is_refused_in_words() -> None:
    with pytest.raises(OtherTopology, match="register"):
        fw.transfer(RIG, bent(FINE))
    with pytest.raises(UnknownName, match="no topology named 'mine'"):
        fw.transfer(RIG, other(), pairs(), topology="mine")  # type: ignore[arg-type]
    with pytest.raises(BadValue, match="nothing in these meshes says"):
        fw.transfer(RIG, other())


@pytest.fixture(scope="module")
def real(shared_data: Path) -> dict[str, fw.Rig]:
    with np.load(shared_data / "ict_face" / "ict_face.npz") as data:
        named = zip(data["names"].tolist(), data["deltas"], strict=True)
        shapes = tuple(fw.Shape.from_dense(name, delta) for name, delta in named)
        ict = fw.Rig(data["neutral"], data["quads"], shapes)
    return {"ict_face": ict, "facecap": fw.load(shared_data / "facecap" / "facecap_decoded.glb")}


@pytest.mark.parametrize("name", ["ict_face", "facecap"])
def test_the_embedded_heads_shapes_on_real_faces_are_like_these_faces_own(name: str, real: dict[str, fw.Rig]) -> None:
    own = real[name]
    bare = fw.Rig(own.neutral, own.polygons, parts=own.parts)
    made = fw.transfer(fw.sample(), bare, KNOWN[name])
    same = fw.match_names(made.shape_names, own.shape_names).pairs
    assert len(same) >= 49
    skin = FaceMesh(own, "the face").visible
    for shape, least in (("jawOpen", 0.9), ("mouthSmileLeft", 0.7), ("eyeBlinkRight", 0.7), ("mouthPucker", 0.75)):
        ours, theirs = (
            rig.shape(of).dense(own.vertex_count)[skin.vertices] for rig, of in ((made, shape), (own, same[shape]))
        )
        assert (ours * theirs).sum() / (np.linalg.norm(ours) * np.linalg.norm(theirs)) > least, shape
    whole, openers = FaceMesh(own, "the face").whole, closing_shapes(made)
    seen = np.asarray(np.isin(whole.vertices, skin.vertices)[whole.triangles].all(axis=1))
    for shape in made.shape_names:
        pose = {name: 1.0 for name in (shape, openers.get(shape)) if name is not None}
        posed = fw.evaluate(made, pose)
        turned_over = folded(own.neutral[whole.vertices], posed[whole.vertices], whole.triangles)
        assert not seen[turned_over].any(), shape  # the head's own shapes turn 14 over


def test_the_ict_faces_shapes_come_onto_the_embedded_head(real: dict[str, fw.Rig]) -> None:
    head = fw.sample()
    bare = fw.Rig(head.neutral, head.polygons, parts=head.parts)
    given = [(vertex, name) for name, vertex in KNOWN["ict_face"].items()]
    made = fw.transfer(real["ict_face"], bare, given)
    assert opening(made, {}) > 0.005
    assert opening(made, {"eyeBlink_L": 1, "eyeBlink_R": 1}) < 0.02 * opening(made, {})
    lower, upper = (made.part(name) for name in ("lower teeth", "upper teeth"))
    jaw = made.shape("jawOpen").dense(made.vertex_count)
    assert jaw[lower.start : lower.stop, 1].mean() < -1.0
    assert not jaw[upper.start : upper.stop].any()


def opening(rig: fw.Rig, pose: dict[str, float]) -> float:
    """The share of what is seen from the front that is eyeballs."""
    from facewright.render import frame, rasterise

    samples = rasterise(frame(rig.neutral), fw.evaluate(rig, pose), rig.triangles, (600, 600))
    first = rig.triangles[samples.triangle, 0]
    eyes = [rig.part(name) for name in ("left eye", "right eye")]
    return float(np.mean(np.any([(first >= part.start) & (first < part.stop) for part in eyes], axis=0)))
