"""Poses carried onto a mesh that was registered to their neutral."""

from dataclasses import replace

import numpy as np

from facewright.build.pose_transfer import PoseTransfer
from facewright.mesh.polygons import Polygons
from facewright.rig.evaluate import evaluate
from facewright.rig.rig import Rig
from facewright.samples.head import sample


def head() -> Rig:
    return sample("kenji", shapes="units")


def shuffled(rig: Rig, positions: np.ndarray, seed: int = 0) -> Rig:
    """The same surface with its vertices in another order and triangles instead of quads."""
    order = np.random.default_rng(seed).permutation(rig.vertex_count)
    return Rig(positions[order], Polygons.of(np.argsort(order)[rig.triangles]))


def skin(rig: Rig) -> np.ndarray:
    """1 for all that is not an eye, a tooth or a tongue."""
    found = np.zeros(rig.vertex_count)
    found[slice(rig.parts[0].start, rig.parts[0].stop)] = 1.0
    return found


def test_a_pose_of_the_same_surface_in_other_triangles_comes_back_exactly_on_its_skin() -> None:
    rig = head()
    posed = evaluate(rig, {"mouth-open": 0.8, "eyebrows-left-up": 0.6})
    carried = PoseTransfer(rig, skin(rig), shuffled(rig, rig.neutral))(shuffled(rig, posed).neutral)
    off = np.linalg.norm(carried - posed, axis=1)[skin(rig) > 0]
    assert np.median(off) < 1e-3 * rig.size
    assert np.linalg.norm(off) < 0.1 * np.linalg.norm(posed - rig.neutral)


def test_the_neutral_itself_moves_nothing() -> None:
    rig = head()
    other = shuffled(rig, rig.neutral)
    np.testing.assert_allclose(PoseTransfer(rig, skin(rig), other)(other.neutral), rig.neutral, atol=1e-6 * rig.size)


def test_teeth_and_eyes_keep_their_form_and_go_where_those_of_the_pose_go() -> None:
    rig = head()
    posed = evaluate(rig, {"mouth-open": 0.8})
    carried = PoseTransfer(rig, skin(rig), shuffled(rig, rig.neutral))(shuffled(rig, posed).neutral)
    for part in rig.parts[1:]:
        own = slice(part.start, part.stop)
        if "teeth" not in part.name and "eye" not in part.name:
            continue
        moved, true = (each[own].mean(axis=0) - rig.neutral[own].mean(axis=0) for each in (carried, posed))
        assert np.linalg.norm(moved - true) < 0.1 * np.linalg.norm(true) + 1e-3 * rig.size, part.name


def test_a_larger_face_in_other_units_changes_nothing_but_the_size() -> None:
    rig = head()
    posed = evaluate(rig, {"mouth-open": 0.8})
    small = PoseTransfer(rig, skin(rig), shuffled(rig, rig.neutral))(shuffled(rig, posed).neutral)
    grown = replace(rig, neutral=100 * rig.neutral)
    large = PoseTransfer(grown, skin(rig), shuffled(grown, grown.neutral))(100 * shuffled(rig, posed).neutral)
    np.testing.assert_allclose(large / 100, small, atol=1e-4 * rig.size)  # of two triangles as near either may be taken
