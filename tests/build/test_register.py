"""Registering a mesh to another: laws, proposals, refusals."""

import numpy as np
import pytest

import facewright as fw
from facewright.build.registration.face_mesh import FaceMesh
from facewright.build.registration.openings import holes
from facewright.errors import BadValue, FacewrightWarning, UnknownName
from facewright.mesh.closest import Surface
from facewright.rig.edit import scale
from facewright.samples.mask import MaskGrid, mask
from tests.build.faces import bent, turn, turned

SOURCE, FINE = mask(vertices=500, shapes=4, seed=3), mask(vertices=900, shapes=1)


def target(points: np.ndarray | None = None) -> fw.Rig:
    """Another face, of another topology."""
    return fw.Rig(bent(FINE) if points is None else points, FINE.polygons)


def pairs(count: int = 14) -> list[tuple[int, int]]:
    """Vertices of both masks at the same place of the relief."""
    ours, theirs = MaskGrid.of(500).places(), MaskGrid.of(900).places()
    chosen = np.random.default_rng(4).choice(len(ours), count, replace=False)
    return [(int(i), int(((theirs - ours[i]) ** 2).sum(axis=1).argmin())) for i in chosen]


def test_a_mesh_onto_itself_gives_itself() -> None:
    for rig in (SOURCE, fw.sample()):
        found = fw.register(rig, rig)
        np.testing.assert_allclose(found.fitted, rig.neutral, atol=1e-9 * rig.size)
        assert found.good
        assert found.quality.mean < 1e-9 * rig.size


def test_the_source_comes_to_lie_on_the_target_where_it_belongs() -> None:
    face = target()
    found = fw.register(SOURCE, face, pairs())
    apart = Surface(face.neutral, face.triangles).closest(found.fitted).distances
    assert apart.mean() < 3e-4 * face_size()
    assert np.linalg.norm(found.fitted - bent(SOURCE), axis=1).mean() < 0.01 * face_size()
    assert found.good
    assert "a good fit" in found.verdict
    assert len(found.quality.folded) == 0


@pytest.mark.parametrize("factor", [0.01, 100.0])
def test_where_how_large_and_how_turned_either_side_is_changes_nothing_else(factor: float) -> None:
    known = pairs()
    plain = fw.register(SOURCE, target(), known)
    moved = fw.register(SOURCE, target(turned(bent(FINE), factor)), known)
    np.testing.assert_allclose(moved.fitted, turned(plain.fitted, factor), atol=1e-5 * factor * face_size())
    own = scale(fw.Rig(SOURCE.neutral @ turn(8).T, SOURCE.polygons), factor)
    again = fw.register(own, target(), known)
    np.testing.assert_allclose(again.fitted, plain.fitted, atol=1e-5 * face_size())
    assert again.quality.mean == pytest.approx(plain.quality.mean, rel=1e-3)


def test_another_scale_and_another_direction_are_told() -> None:
    told = " ".join(fw.register(SOURCE, target(turned(bent(FINE), 100.0)), pairs()).notes)
    assert "times as large as the source" in told
    assert "degrees" in told


def test_arrays_are_as_good_as_rigs() -> None:
    face = target()
    found = fw.register((SOURCE.neutral, SOURCE.triangles), (face.neutral, face.polygons), pairs())
    assert found.good
    assert found.fitted.shape == SOURCE.neutral.shape


def test_it_can_be_stopped_and_keeps_the_last_whole_step() -> None:
    seen: list[float] = []

    def told(step: object) -> bool:
        seen.append(step.distance)  # type: ignore[attr-defined]
        return len(seen) < 6

    found = fw.register(SOURCE, target(), pairs(), progress=told)
    assert len(seen) == 6
    assert not found.finished
    whole = fw.register(SOURCE, target(), pairs())
    assert whole.finished
    assert whole.quality.mean < found.quality.mean < 0.02 * face_size()


def test_seam_copies_of_a_vertex_stay_together() -> None:
    rows = SOURCE.polygons.uniform()
    assert rows is not None
    cut = rows.copy()
    half = len(rows) // 2
    copies = np.intersect1d(rows[:half], rows[half:])
    twin = {int(v): SOURCE.vertex_count + i for i, v in enumerate(copies)}
    cut[half:] = [[twin.get(int(v), int(v)) for v in row] for row in rows[half:]]
    split = fw.Rig(np.concatenate([SOURCE.neutral, SOURCE.neutral[copies]]), cut)
    found = fw.register(split, target(), pairs())
    np.testing.assert_array_equal(found.fitted[copies], found.fitted[SOURCE.vertex_count :])
    np.testing.assert_allclose(
        found.fitted[: SOURCE.vertex_count], fw.register(SOURCE, target(), pairs()).fitted, atol=1e-9 * face_size()
    )


def test_what_is_not_skin_follows_and_eyeballs_stay_round() -> None:
    head, man = fw.sample(), fw.sample("kenji")
    found = fw.register(head, fw.Rig(man.neutral, man.triangles[:, [1, 2, 0]]), _same(head))
    for name in ("left eye", "right eye"):
        part = head.part(name)
        eye = found.fitted[part.start : part.stop]
        radius = np.linalg.norm(eye - (eye.min(axis=0) + eye.max(axis=0)) / 2, axis=1)
        before = head.neutral[part.start : part.stop]
        wanted = np.linalg.norm(before - (before.min(axis=0) + before.max(axis=0)) / 2, axis=1)
        np.testing.assert_allclose(radius / radius.mean(), wanted / wanted.mean(), atol=0.01)
    off = np.linalg.norm(found.fitted - man.neutral, axis=1)
    assert off[found.skin].mean() < 0.006 * man.size
    assert off.mean() < 0.01 * man.size  # teeth, tongue and the inside of the mouth included


def test_openings_of_eyes_and_mouth_are_told_from_other_holes() -> None:
    head = fw.sample()
    mesh = FaceMesh(head, "the head")
    assert set(mesh.openings) == {"left eye", "right eye", "mouth"}
    chains = [*mesh.openings.values(), *mesh.loops]
    shuffled = [chains[i] for i in (3, 1, 2, 0)]
    found = holes(head.neutral, head.triangles, shuffled)
    assert {name: set(chain) for name, chain in found.items()} == {
        name: set(chain) for name, chain in mesh.openings.items()
    }
    assert holes(head.neutral, head.triangles, shuffled[:2]) == {}
    features = mesh.landmarks
    assert {"nose tip", "chin", "mouth left", "left eye inner", "right eye outer", "upper lip"} <= set(features)
    place = {name: head.neutral[vertex] for name, vertex in features.items()}
    assert place["left eye outer"][0] > place["left eye inner"][0] > 0 > place["mouth right"][0]
    assert place["nose tip"][2] > place["chin"][2]
    assert place["left eye upper"][1] > place["left eye lower"][1]


def test_landmarks_come_from_openings_and_from_shapes_of_the_same_name() -> None:
    head = fw.sample()
    opened = fw.register(head, _cut_open(fw.sample("edith")), stages=())
    assert "openings" in opened.pairs.origin
    assert len(opened.pairs) >= 13
    with pytest.raises(BadValue, match="nothing in these meshes says"):
        fw.register(SOURCE, target())
    other = fw.sample("kenji")
    shuffled = fw.Rig(other.neutral, other.triangles[:, [1, 2, 0]], other.shapes)
    plain = fw.Rig(head.neutral, head.triangles[:, [2, 0, 1]], head.shapes)
    named = fw.register(plain, shuffled, stages=())
    assert "shapes of the same name" in named.pairs.origin
    apart = np.linalg.norm(other.neutral[named.pairs.source] - other.neutral[named.pairs.target], axis=1)
    assert apart.max() < 0.03 * other.size
    assert len(named.pairs) >= 12


def test_names_stand_for_landmarks_that_are_known() -> None:
    head = fw.sample()
    known = FaceMesh(head, "the head").landmarks
    chosen = ("nose tip", "chin", "mouth left", "mouth right", "left eye outer", "right eye outer")
    man = fw.sample("kenji")
    face = fw.Rig(man.neutral, man.triangles[:, [1, 2, 0]])
    named = fw.register(head, face, {name: known[name] for name in chosen}, stages=())
    np.testing.assert_array_equal(named.pairs.source, [known[name] for name in chosen])
    with pytest.raises(UnknownName, match=r"no landmark of the source named 'nose'.*nose tip"):
        fw.register(head, face, {"nose": 3, "chin": 4, "mouth left": 5})


def test_pairs_that_cannot_be_are_refused_in_words() -> None:
    known, face = pairs(), target()
    for given, words in (
        (known[:2], "there are 2 pairs; at least 3"),
        ([*known[:5], (9999, 3)], "names vertex 9999 of the source, which has vertices 0 to 499"),
        ([*known[:5], (known[0][0], 17)], f"vertex {known[0][0]} of the source is in 2 pairs"),
        ([(1, 2, 3)], "each pair has two ends"),
        ([*known[:5], (1.5, 3)], "a vertex's number or a landmark's name, not 1.5"),
        ([*known[:8], (known[8][0], known[9][1])], "the pairs do not fit together: pair 9"),
    ):
        with pytest.raises(BadValue, match=words):
            fw.register(SOURCE, face, given)  # type: ignore[arg-type]
    with pytest.raises(BadValue, match="mirror image"):
        fw.register(SOURCE, target(bent(FINE) * [-1, 1, 1]), known)


def test_meshes_that_cannot_be_are_refused_in_words() -> None:
    face, known = target(), pairs()
    with pytest.raises(BadValue, match="the target has no polygons"):
        fw.register(SOURCE, fw.Rig(face.neutral, []), known)
    with pytest.raises(BadValue, match="turned inside out"):
        fw.register(SOURCE, fw.Rig(face.neutral, face.triangles[:, ::-1]), known)
    with pytest.raises(BadValue, match="hardly any surface"):
        fw.register(SOURCE, fw.Rig(face.neutral, face.triangles[:3]), known)
    with pytest.raises(BadValue, match="a rig, or a pair of vertices"):
        fw.register(SOURCE, face.neutral, known)  # type: ignore[arg-type]


def test_triangles_without_area_and_lonely_vertices_are_told_and_do_no_harm() -> None:
    face = target()
    broken = fw.Rig(np.concatenate([face.neutral, [[0.0, 0, 90]]]), [*face.triangles.tolist(), [0, 0, 1], [5, 6, 6]])
    with pytest.warns(
        FacewrightWarning, match=r"the target: 2 triangles have no area.*1 vertices belong to no polygon"
    ):
        found = fw.register(SOURCE, broken, pairs())
    np.testing.assert_allclose(found.fitted, fw.register(SOURCE, face, pairs()).fitted, atol=1e-9 * face_size())
    own = fw.Rig(np.concatenate([SOURCE.neutral, [[0.0, 0, 30]]]), [*SOURCE.triangles.tolist(), [0, 0, 1]])
    with pytest.warns(FacewrightWarning, match="the source: 1 triangles"):
        found = fw.register(own, face, pairs())
    assert np.isfinite(found.fitted).all()
    assert found.good


def test_a_fit_that_is_bad_is_refused_and_says_what_would_help() -> None:
    x, y, _ = FINE.neutral.T
    crumpled = FINE.neutral + FINE.size * 0.06 * np.stack([0 * x, 0 * x, np.sin(2 * x) * np.cos(2.6 * y)], 1)
    found = fw.register(SOURCE, target(crumpled), pairs(6))
    assert not found.good
    assert "not a fit to build on" in found.verdict
    assert "More pairs would help" in found.verdict
    with pytest.raises(BadValue, match="could not be registered to the target: not a fit"):
        found.require()


def face_size() -> float:
    return float(np.linalg.norm(np.ptp(bent(FINE), axis=0)))


def _same(rig: fw.Rig) -> list[tuple[int, int]]:
    return [(vertex, vertex) for vertex in FaceMesh(rig, "").landmarks.values()]


def _cut_open(rig: fw.Rig) -> fw.Rig:
    """A head without what is behind its lids and lips."""
    mesh = FaceMesh(rig, "")
    rims = np.concatenate(list(mesh.openings.values()))
    seen = np.zeros(rig.vertex_count, bool)
    seen[mesh.visible.vertices] = True
    seen[rims] = True
    vertices, kept = np.unique(rig.triangles[seen[rig.triangles].all(axis=1)], return_inverse=True)
    return fw.Rig(rig.neutral[vertices], kept.reshape(-1, 3))
