import numpy as np
import pytest

from facewright.report.asymmetry import asymmetry, partner_names
from facewright.rig.rig import Rig
from facewright.rig.shape import Shape
from tests.report.report_rigs import even_face


def two_sided(change: float = 0.0) -> Rig:
    """A smile on each side, the right one changed by a share of its length, and a jaw in the middle."""
    neutral, quads = even_face()
    bump = np.exp(-8 * ((neutral[:, :2] - [0.5, -0.4]) ** 2).sum(axis=1))[:, None]
    left = bump * [0.3, 0.5, 0.1]
    mirror = np.array([np.argmin(np.linalg.norm(neutral - point * [-1, 1, 1], axis=1)) for point in neutral])
    right = (left * [-1, 1, 1])[mirror]
    noise = np.random.default_rng(3).normal(size=right.shape) * (right != 0)
    right = right + change * noise * np.linalg.norm(right) / np.linalg.norm(noise)
    jaw = np.exp(-5 * (neutral[:, 1:2] + 1) ** 2) * [0, -1, 0.2]
    shapes = zip(("smile_L", "smile_R", "jawOpen"), (left, right, jaw), strict=True)
    return Rig(neutral, quads, tuple(Shape.from_dense(name, delta) for name, delta in shapes))


def test_mirrored_shapes_do_not_differ() -> None:
    found = asymmetry(two_sided())
    assert found is not None
    assert {(one.name, one.partner) for one in found.shapes} == {("smile_L", "smile_R"), ("jawOpen", "jawOpen")}
    assert max(one.difference for one in found.shapes) < 1e-9
    assert all(one.ratio == pytest.approx(1) for one in found.shapes)


def test_the_difference_is_measured_against_the_shape() -> None:
    found = asymmetry(two_sided(0.3))
    assert found is not None
    worst = found.shapes[0]
    assert (worst.name, worst.partner) == ("smile_L", "smile_R")
    assert 0.25 < worst.difference < 0.3


def test_a_shape_that_goes_twice_as_far_on_one_side_has_that_ratio() -> None:
    rig = two_sided()
    half = Shape("smile_R", rig.shapes[1].vertices, 0.5 * rig.shapes[1].offsets)
    found = asymmetry(Rig(rig.neutral, rig.polygons, (rig.shapes[0], half, rig.shapes[2])))
    assert found is not None
    assert found.shapes[0].ratio == pytest.approx(2)
    assert found.shapes[0].difference == pytest.approx(0.5)


def test_a_shape_without_its_partner_is_alone() -> None:
    rig = two_sided()
    found = asymmetry(Rig(rig.neutral, rig.polygons, (rig.shapes[0], rig.shapes[2])))
    assert found is not None
    assert found.alone == ("smile_L",)


def test_partners_are_found_in_any_spelling() -> None:
    names = ("mouthSmile_L", "mouthSmileRight", "jawOpen")
    rig = Rig(np.eye(3), [[0, 1, 2]], tuple(Shape(name, [0], [[1, 0, 0]]) for name in names))
    assert partner_names(rig) == dict(zip(names, ("mouthSmileRight", "mouthSmile_L", "jawOpen"), strict=True))


def test_a_face_without_two_sides_is_not_judged() -> None:
    rng = np.random.default_rng(5)
    rig = Rig(rng.normal(size=(40, 3)), rng.permutation(40)[:39].reshape(13, 3), (Shape("a", [0], [[1, 0, 0]]),))
    assert asymmetry(rig) is None


def test_a_shape_on_vertices_without_a_partner_is_not_judged() -> None:
    rig = two_sided()
    away = np.array([[3.0, 3.0, 0.0], [3.5, 3.0, 0.1], [3.0, 3.6, 0.2]])
    last = rig.vertex_count
    faces = [*rig.polygons.corners.reshape(-1, 4), [last, last + 1, last + 2]]
    flag = Shape("flag", [last, last + 1], [[0, 1, 0], [0, 1, 0]])
    found = asymmetry(Rig(np.vstack([rig.neutral, away]), faces, (*rig.shapes, flag)))
    assert found is not None
    assert {one.name for one in found.shapes} == {"smile_L", "jawOpen"}


def test_a_combination_whose_name_says_too_little_is_paired_by_the_sliders_that_drive_it() -> None:
    neutral, quads = even_face()
    one = np.random.default_rng(11).normal(size=neutral.shape)
    plain = [Shape.from_dense(name, one) for name in ("smile_L", "smile_R", "pull_L", "pull_R", "jaw")]
    left = Shape.from_dense("pull_L up_Lx", one, sliders=("smile_L", "pull_L"), at=(1.0, 0.5))
    right = Shape.from_dense("pull_R up_Rx", one, sliders=("pull_R", "smile_R"), at=(0.5, 1.0))
    other = Shape.from_dense("pull_R low_Rx", one, sliders=("pull_R", "smile_R"), at=(1.0, 1.0))
    rig = Rig(neutral, quads, (*plain, left, right, other))
    found = partner_names(rig)
    assert (found["pull_L up_Lx"], found["pull_R up_Rx"]) == ("pull_R up_Rx", "pull_L up_Lx")
    assert "pull_R low_Rx" not in found
