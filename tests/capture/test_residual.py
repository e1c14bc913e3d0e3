from dataclasses import replace

import numpy as np
import pytest

import facewright as fw
from facewright.capture.markers import BoundRig
from facewright.capture.playback import Playback
from facewright.capture.residual import Kernel, ResidualField, Space
from facewright.capture.residual_shapes import with_residual_shapes
from facewright.capture.solver import solve_take
from facewright.capture.statistics import take_statistics
from facewright.errors import UnknownName
from facewright.rig.binding import Binding
from facewright.rig.rig import Rig
from tests.capture.acting import Acted, acted


def on_triangles(rig: Rig, count: int = 30) -> Binding:
    rng = np.random.default_rng(2)
    base = acted().binding
    vertices = rig.triangles[np.linspace(5, len(rig.triangles) - 6, count).astype(int)]
    shares = rng.dirichlet((1, 1, 1), size=count)
    rest = np.einsum("kc,kca->ka", shares, rig.neutral[vertices])
    return replace(base, markers=tuple(f"m{i}" for i in range(count)), vertices=vertices, barycentric=shares, rest=rest)


def poorer(made: Acted) -> Rig:
    """The rig without some of its shapes."""
    return replace(made.rig, shapes=made.rig.shapes[:9], sliders=(), bounds=None, groups=())  # type: ignore[arg-type]


@pytest.mark.parametrize("space", ["rest", "deformed"])
@pytest.mark.parametrize("kernel", ["smooth", "paper"])
def test_markers_are_met_exactly_wherever_in_their_triangles_they_sit(space: Space, kernel: Kernel) -> None:
    rig = acted().rig
    binding = on_triangles(rig)
    left = np.random.default_rng(0).normal(size=(4, 30, 3)) * 0.2
    left[1, 5:9] = np.nan
    left[3] = np.nan
    posed = fw.evaluate(rig, np.random.default_rng(1).uniform(size=(4, 16)))
    moved = ResidualField(BoundRig(rig, binding), space, kernel).added(posed, left)
    given = binding.places(moved) - binding.places(posed)
    np.testing.assert_allclose(np.where(np.isnan(left), 0, given), np.nan_to_num(left), atol=1e-9)
    np.testing.assert_array_equal(moved[3], posed[3])


@pytest.mark.parametrize("by", [0.01, 100.0])
def test_a_scene_in_another_unit_gets_the_same_field(by: float) -> None:
    made = acted()
    there = made.scaled(by)
    left = np.random.default_rng(0).normal(size=(2, 60, 3))
    a, b = (ResidualField(BoundRig(one.rig, one.binding)).added(one.rig.neutral[None].repeat(2, 0), scale * left)
            for one, scale in ((made, 1.0), (there, by)))  # fmt: skip
    np.testing.assert_allclose(by * a, b, rtol=1e-9, atol=1e-9 * by)


def test_in_a_face_at_rest_both_spaces_are_the_same() -> None:
    made = acted()
    left = np.random.default_rng(0).normal(size=(1, 60, 3))
    a, b = (
        ResidualField(BoundRig(made.rig, made.binding), space).added(made.rig.neutral[None], left)
        for space in ("rest", "deformed")
    )
    np.testing.assert_allclose(a, b, atol=1e-9)


def test_two_markers_on_one_point_share_what_they_ask() -> None:
    made = acted()
    binding = replace(made.binding, vertices=np.concatenate([made.binding.vertices[:1], made.binding.vertices[:-1]]))
    field = ResidualField(BoundRig(made.rig, binding))
    left = np.zeros((1, 60, 3))
    left[0, 0], left[0, 1] = (1, 0, 0), (3, 0, 0)
    assert np.isfinite(field.added(made.rig.neutral[None], left)).all()
    np.testing.assert_allclose(field.at_markers(field.strengths(left))[0, :2, 0], 2.0, atol=1e-6)


def test_what_the_shapes_lack_is_made_up_for_at_and_about_the_markers() -> None:
    made = acted(frames=60, head=False)
    rig = poorer(made)
    solved = solve_take(rig, made.take, made.binding)
    figures = take_statistics(solved)
    assert figures.mean() > 0.1
    assert figures.mean_after() < 1e-9
    truth = fw.evaluate(made.rig, made.weights[::10])
    shapes_alone, met = (Playback(solved, residual=on)(np.arange(0, 60, 10)) for on in (False, True))
    assert np.linalg.norm(met - truth, axis=2).mean() < 0.9 * np.linalg.norm(shapes_alone - truth, axis=2).mean()


@pytest.mark.parametrize("gap", [slice(20, 27), slice(30, 130), slice(0, 70), slice(90, 160)])
def test_a_marker_that_is_lost_and_found_again_does_not_make_the_skin_jump(gap: slice) -> None:
    made = acted(frames=160, head=False)
    solved = solve_take(made.rig, made.take, made.binding)
    wanted, believed = np.array(solved.motion), np.ones(solved.believed.shape, bool)
    wanted[:, 7] += (0.0, 0.0, 1.0)  # bound a unit away from where it is
    believed[gap, 7] = False
    held = replace(solved, wanted=wanted, believed=believed, weights=np.zeros_like(solved.weights))
    skin = (
        Playback(held)(np.arange(160))[:, made.binding.vertices[7, 0], 2]
        - made.rig.neutral[made.binding.vertices[7, 0], 2]
    )
    np.testing.assert_allclose(skin[believed[:, 7]], 1.0, atol=1e-9)
    assert np.abs(np.diff(skin)).max() < 2.01 / 60  # half a second to let go, at 60 frames a second
    assert skin[gap].min() == pytest.approx(1.0 if gap.stop - gap.start < 60 else 0.0, abs=1e-9)


def test_playing_with_the_head_gives_the_recorded_markers() -> None:
    made = acted(frames=40)
    solved = solve_take(poorer(made), made.take, made.binding)
    played = np.concatenate(list(Playback(solved, head=True).chunks()))
    missed = np.linalg.norm(made.binding.places(played) - made.take.positions, axis=2)
    assert missed[solved.believed].max() < 1e-6


def test_residual_shapes_bring_the_markers_within_their_tolerance() -> None:
    made = acted(frames=60, head=False)
    solved = solve_take(poorer(made), made.take, made.binding)
    rig, clip = with_residual_shapes(solved, tolerance=0.02)
    added = len(rig.shapes) - len(solved.rig.shapes)
    assert 0 < added < 3 * 60
    played = fw.evaluate(rig, clip.sample(rig.sliders, solved.times))
    missed = np.linalg.norm(made.binding.places(played) - solved.binding.places(rig.neutral) - solved.wanted, axis=2)
    spacing = BoundRig(rig, solved.binding).spacing
    assert np.quantile(np.where(solved.believed, missed, 0).max(axis=1), 0.98) <= 0.02 * spacing * 1.01
    coarse, _ = with_residual_shapes(solved, tolerance=0.2)
    assert len(coarse.shapes) < len(rig.shapes)


def test_an_unknown_kernel_is_refused_with_those_there_are() -> None:
    made = acted()
    with pytest.raises(UnknownName, match="smooth"):
        ResidualField(BoundRig(made.rig, made.binding), kernel="gauss")  # type: ignore[arg-type]
