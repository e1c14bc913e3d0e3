"""Landmarks beside depth: where the head is, what they pull, and that wrong ones do no harm."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from scipy.optimize import approx_fprime

import facewright as fw
from facewright.arrays import Floats
from facewright.build.registration.face_mesh import FaceMesh
from facewright.mesh.polygons import Polygons
from facewright.motion.depth import DepthImage, PointCloud, ScanFrame
from facewright.rig.landmark_numbering import other_side
from facewright.rig.mirrored_scan import mirrored, mirrored_frame
from facewright.tracking.landmarks import LandmarkPose, RigLandmarks
from facewright.tracking.placement import HeadPlacement
from tests.tracking.depth_of import LENS, before_camera, depth_of

MOVED = ("eyeBlinkLeft", "jawOpen", "mouthSmileRight")
OPTIONS = fw.TrackOptions(samples=1500)


@pytest.fixture(scope="module")
def rig() -> fw.Rig:
    return fw.sample()


@pytest.fixture(scope="module")
def landmarks(rig: fw.Rig) -> RigLandmarks:
    return RigLandmarks(rig, 6.0)


def vertices(rig: fw.Rig, landmarks: RigLandmarks) -> np.ndarray:
    return np.array([((rig.neutral - at) ** 2).sum(axis=1).argmin() for at in landmarks._rest])


def with_landmarks(
    frame: fw.DepthImage, rig: fw.Rig, landmarks: RigLandmarks, pose: tuple[Floats, HeadPlacement], off: float = 0.0
) -> fw.DepthImage:
    """A frame with the true landmarks, or with ones that are off by pixels."""
    weights, place = pose
    at = frame.lens.project(place(fw.evaluate(rig, weights)[vertices(rig, landmarks)]))
    at = at + off * np.random.default_rng(4).normal(size=at.shape)
    return replace(frame, landmarks=dict(zip(landmarks.names, at, strict=True)))


def test_the_rig_has_all_landmarks_on_its_two_sides(rig: fw.Rig, landmarks: RigLandmarks) -> None:
    assert len(landmarks.names) == 15
    for name, vertex in zip(landmarks.names, vertices(rig, landmarks).tolist(), strict=True):
        across = rig.neutral[vertex, 0]
        assert across > 1 if "left" in name else across < -1 if "right" in name else abs(across) < 0.5


@pytest.mark.parametrize("kind", ["depth", "cloud"])
def test_rows_are_the_derivatives_of_what_the_camera_sees(rig: fw.Rig, landmarks: RigLandmarks, kind: str) -> None:
    """By finite differences over the head's place, its size and the sliders."""
    weights, place = rig.pose({"jawOpen": 0.4, "eyeBlinkLeft": 0.3}), before_camera(rig, yaw=12, roll=20)
    rng, some = np.random.default_rng(0), vertices(rig, landmarks)
    there = place(rig.neutral[some]) + rng.normal(size=(15, 3)) * 0.005
    at = LENS.project(there) if kind == "depth" else there
    marks = dict(zip(landmarks.names, at, strict=True))
    nothing = np.zeros((1, 3))
    frame: ScanFrame = (
        DepthImage(np.ones((120, 160), np.float32), LENS, marks)
        if kind == "depth"
        else PointCloud(nothing, nothing, marks)
    )
    middle, free = np.array([0.01, 0.02, 0.4]), np.array([rig.slider_index(name) for name in MOVED])
    belief = replace(landmarks.believed(), offset=rng.normal(size=(15, 3)) * 0.1)
    depth = place(fw.evaluate(rig, weights)[some] + belief.offset)[:, 2:]

    def seen(step: Floats) -> Floats:
        moved = weights.copy()
        moved[free] += step[7:]
        points = place.moved(step[:7], middle)(fw.evaluate(rig, moved)[some] + belief.offset)
        return np.asarray((LENS.project(points) / LENS.fx * depth if kind == "depth" else points).ravel())

    found = landmarks.compared(frame, LandmarkPose(weights, place, middle, free), belief)
    assert found is not None
    np.testing.assert_allclose(found.rows.reshape(-1, 10), approx_fprime(np.zeros(10), seen, 1e-7), atol=1e-5)
    wanted = at / LENS.fx * depth if kind == "depth" else at
    np.testing.assert_allclose(found.residual.ravel(), wanted.ravel() - seen(np.zeros(10)), atol=1e-9)


def test_landmarks_place_a_head_even_if_some_of_them_are_wrong(rig: fw.Rig, landmarks: RigLandmarks) -> None:
    place = before_camera(rig, yaw=25, roll=100)
    frame = with_landmarks(depth_of(rig, rig.pose(), place), rig, landmarks, (rig.pose(), place))
    wrong = dict(frame.landmarks) | {"chin": np.array([5.0, 5.0]), "mouth left": np.array([80.0, 20.0])}
    for marks in (frame.landmarks, wrong):
        found = landmarks.place(replace(frame, landmarks=marks), None)
        assert found is not None
        assert np.trace(found.rotation.T @ place.rotation) > 3 - 0.02
        assert abs(found.scale / place.scale - 1) < 0.1
    few = {name: frame.landmarks[name] for name in ("chin", "nose tip", "mouth left")}
    assert landmarks.place(replace(frame, landmarks=few), None) is None
    nowhere = {name: np.full(2, np.nan) for name in frame.landmarks} | {"chin": np.array([1e9, -1e9])}
    assert landmarks.place(replace(frame, landmarks=nowhere), None) is None


def test_a_frame_with_all_landmarks_astray_hardly_changes_what_is_believed(
    rig: fw.Rig, landmarks: RigLandmarks
) -> None:
    place, belief = before_camera(rig), landmarks.believed()
    at = LENS.project(place(rig.neutral[vertices(rig, landmarks)])) + 1e6
    frame = DepthImage(np.ones((120, 160), np.float32), LENS, dict(zip(landmarks.names, at, strict=True)))
    found = landmarks.compared(frame, LandmarkPose(rig.pose(), place, np.zeros(3), np.array([0])), belief)
    assert found is not None
    after = landmarks.learned(found, belief, place)
    assert after.error < 1.5 * belief.error
    np.testing.assert_array_equal(after.offset, belief.offset)


def test_landmarks_say_which_of_two_heads_is_followed(rig: fw.Rig, landmarks: RigLandmarks) -> None:
    lens = fw.Pinhole(150.0, 150.0, 159.5, 59.5, 320, 120)
    middle = before_camera(rig)
    places = [replace(middle, offset=middle.offset + np.array([shift, 0, 0])) for shift in (-0.13, 0.13)]
    one, other = (depth_of(rig, rig.pose(), place, lens=lens) for place in places)
    both = fw.DepthImage(np.where(one.depth > 0, one.depth, other.depth), lens)
    for place in places:
        marked = with_landmarks(both, rig, landmarks, (rig.pose(), place), off=1.0)
        found = fw.TrackSolver(rig, options=OPTIONS).find(marked)
        assert found is not None
        np.testing.assert_allclose(found.place(rig.neutral), place(rig.neutral), atol=0.004)


def follow(rig: fw.Rig, frames: Sequence[DepthImage]) -> list[fw.TrackedFrame]:
    """As a stream, from where the head is."""
    solver = fw.TrackSolver(rig, options=OPTIONS, scale=0.01)
    solver.begin(before_camera(rig))
    return [solver.next(frame, (i + 1) / 30) for i, frame in enumerate(frames)]


@pytest.fixture(scope="module")
def blinking(rig: fw.Rig, landmarks: RigLandmarks) -> tuple[np.ndarray, list[DepthImage], list[DepthImage]]:
    """Poses, frames without landmarks, and with true ones; the camera measures badly."""
    poses = [rig.pose({"eyeBlinkLeft": i / 5, "eyeBlinkRight": i / 5, "jawOpen": 0.8 * i / 5}) for i in range(6)]
    places = [before_camera(rig, yaw=2.0 * i) for i in range(6)]
    each = list(zip(poses, places, strict=True))
    plain = [depth_of(rig, pose, place, noise=0.0015, seed=i) for i, (pose, place) in enumerate(each)]
    marked = [with_landmarks(frame, rig, landmarks, at, off=0.2) for frame, at in zip(plain, each, strict=True)]
    return np.array(poses), plain, marked


def error(rig: fw.Rig, poses: np.ndarray, found: list[fw.TrackedFrame]) -> float:
    """Mean distance of what moves, scene units."""
    off = fw.evaluate(rig, np.array([each.weights for each in found])) - fw.evaluate(rig, poses)
    moving = np.linalg.norm(fw.evaluate(rig, poses[-1]) - rig.neutral, axis=1) > 0.1
    return float(np.linalg.norm(off, axis=2)[:, moving].mean())


def test_landmarks_show_what_depth_lost(rig: fw.Rig, blinking) -> None:  # type: ignore[no-untyped-def]
    """A beard that swallows the camera's light."""
    poses, _, marked = blinking
    jaw = rig.slider_index("jawOpen")
    lost = []
    for frame in marked:
        depth = frame.depth.copy()
        depth[int(frame.landmarks["mouth left"][1]) - 6 :] = 0
        lost.append(replace(frame, depth=depth))
    plain = [replace(frame, landmarks={}) for frame in lost]
    weights = [follow(rig, [*frames, *frames[-1:] * 20])[-1].weights[jaw] for frames in (plain, lost)]
    assert abs(weights[1] - poses[-1, jaw]) < 0.7 * abs(weights[0] - poses[-1, jaw])


@pytest.mark.parametrize(
    "kind",
    ["anywhere", *(pytest.param(kind, marks=pytest.mark.long) for kind in ("beside", "late", "other side", "missing"))],
)
def test_wrong_landmarks_do_not_spoil_what_depth_shows(rig: fw.Rig, blinking, kind: str) -> None:  # type: ignore[no-untyped-def]
    poses, plain, marked = blinking
    rng = np.random.default_rng(1)
    wrong: dict[str, Callable[[int, str], Floats]] = {
        "anywhere": lambda i, name: rng.uniform(0, 120, 2),
        "beside": lambda i, name: marked[i].landmarks[name] + np.array([25.0, 3.0]),
        "late": lambda i, name: marked[max(i - 3, 0)].landmarks[name],
        "other side": lambda i, name: marked[i].landmarks[other_side(name)],
        "missing": lambda i, name: np.full(2, np.nan),
    }
    frames = [
        replace(frame, landmarks={name: wrong[kind](i, name) for name in marked[i].landmarks})
        for i, frame in enumerate(plain)
    ]
    found = follow(rig, frames)
    assert error(rig, poses, found) < 1.1 * error(rig, poses, follow(rig, plain))
    assert all(each.status is fw.TrackStatus.FOLLOWED for each in found)


def test_landmarks_beside_the_face_are_told(rig: fw.Rig, blinking) -> None:  # type: ignore[no-untyped-def]
    beside = [
        replace(frame, landmarks={name: at + np.array([25.0, 3.0]) for name, at in frame.landmarks.items()})
        for frame in blinking[2][3:]
    ]
    found = fw.track(rig, beside, options=OPTIONS, scale=0.01)
    assert any("mm beside the face that the depth shows" in note for note in found.notes)


def test_landmarks_of_a_rig_on_which_none_are_found_are_told(rig: fw.Rig, blinking) -> None:  # type: ignore[no-untyped-def]
    """A rig whose openings are not found, and whose shapes have names that say nothing."""
    loops = [FaceMesh(rig, "the rig").openings[f"{side} eye"] for side in ("left", "right")]
    lids = [[loop[0], one, other] for loop in loops for one, other in pairwise(loop[1:])]
    jaw, polygons = rig.shape("jawOpen"), Polygons.of(np.concatenate([rig.triangles, lids]))
    bare = fw.Rig(rig.neutral, polygons, [fw.Shape("a", jaw.vertices, jaw.offsets)])
    assert RigLandmarks(bare, 6.0).names == ()
    found = fw.track(bare, blinking[2][:2], options=OPTIONS, scale=0.01)
    assert any("landmarks are not used" in note for note in found.notes)


def test_mirrored_pictures_are_told_by_landmarks_and_turned_back(rig: fw.Rig, blinking) -> None:  # type: ignore[no-untyped-def]
    marked = blinking[2]
    # the detector saw the camera's own pictures, and the columns were reversed together with the depth
    flipped = [
        replace(
            mirrored_frame(frame), landmarks={n: np.array([159 - at[0], at[1]]) for n, at in frame.landmarks.items()}
        )
        for frame in marked
    ]
    with pytest.raises(fw.BadValue, match="the pictures are mirrored"):
        fw.track(rig, flipped, options=OPTIONS)
    back = mirrored(fw.ScanSequence(flipped, np.arange(6.0))).frames
    for one, other in zip(back, marked, strict=True):
        assert isinstance(one, DepthImage)
        np.testing.assert_array_equal(one.depth, other.depth)
        np.testing.assert_allclose(list(one.landmarks.values()), list(other.landmarks.values()))
        assert list(one.landmarks) == list(other.landmarks)


def test_a_rig_without_openings_has_fewer_landmarks(rig: fw.Rig) -> None:
    """By what its shapes move: the face with its eyes filled."""
    loops = [FaceMesh(rig, "the rig").openings[f"{side} eye"] for side in ("left", "right")]
    lids = [[loop[0], one, other] for loop in loops for one, other in pairwise(loop[1:])]
    filled = replace(rig, polygons=Polygons.of(np.concatenate([rig.triangles, lids])), parts=(), uvs=None)
    assert set(RigLandmarks(filled, 6.0).names) == {"nose tip", "mouth left", "mouth right", "chin"}
