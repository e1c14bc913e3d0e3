"""Real recordings on real faces: against a truth that is known, and as they are."""

from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import facewright as fw
from facewright.capture.markers import BoundRig
from facewright.capture.places import FacePlaces
from facewright.capture.residual import ResidualField
from facewright.capture.solution import FrameStatus, TakeSolution
from facewright.capture.statistics import largest_step, take_statistics
from facewright.mesh.align import Similarity
from tests.capture.acting import smooth
from tests.conftest import SHARED

FACES = ("embedded head", pytest.param("ICT face", marks=pytest.mark.long))
TAKES = ("JawMoCap", "EyebrowsMoCap")
NOISE = 0.3  # millimetres, of a coordinate
LENGTH = NOISE * np.sqrt(8 / np.pi)  # of the noise of a point, on average
SLIDER_STEP = 0.3  # of a slider's range, in a sixtieth of a second
VERTEX_STEP = 1.25  # times the furthest that any marker goes in a frame

pytestmark = pytest.mark.usefixtures("shared_data")


@cache
def face(name: str) -> fw.Rig:
    return fw.sample() if name == "embedded head" else fw.load(SHARED / "ict_face" / "ict_face.npz")


@cache
def take(name: str) -> fw.Take:
    return fw.load_take(SHARED / "mocap_markers" / f"{name}.csv")


@cache
def solved(name: str, face_name: str) -> TakeSolution:
    rig = face(face_name)
    return fw.solve_take(rig, take(name), fw.bind(rig, take(name)))


@dataclass(frozen=True, eq=False)
class Known:
    rig: fw.Rig
    binding: fw.Binding
    take: fw.Take
    weights: np.ndarray  # (frames, n)
    clean: np.ndarray  # (frames, k, 3) motion of the markers, the head held

    def mesh_error(self, found: TakeSolution) -> float:
        """Mean distance of the skin from where it should be, over how far it moves."""
        frames, skin = np.arange(0, len(found), 30), np.flatnonzero(FacePlaces(self.rig).skin)
        there = fw.Playback(found, residual=False)(frames)[:, skin]
        wanted = fw.evaluate(self.rig, self.weights[frames])[:, skin]
        moved = np.linalg.norm(wanted - self.rig.neutral[skin], axis=2).mean()
        return float(np.linalg.norm(there - wanted, axis=2).mean() / moved)


@cache
def known(name: str, frames: int | None = None) -> Known:
    """A phone's weights on a face, seen by 41 markers: head motion, 0.3 mm of noise and 5 % of gaps are added."""
    rig, rng = face(name), np.random.default_rng(11)
    clip = fw.retarget(fw.load_clip(SHARED / "mocap_livelink" / "alex_rom_3.csv"), rig).clip
    weights = np.clip(clip.sample(rig.sliders, next(iter(clip.curves.values())).times), 0, 1)[:frames]
    bound = fw.bind(rig, take("JawMoCap"))
    rest = bound.places(rig.neutral)
    binding = replace(bound, rest=rest, to_rig=Similarity(np.eye(3), np.zeros(3)), unit="cm", notes=())
    clean = np.tensordot(weights, binding.rows(rig), axes=1)
    turns = Rotation.from_euler("yxz", smooth(rng, len(weights), 3, 90) * np.radians([8, 8, 5])).as_matrix()
    seen = (rest + clean) @ np.swapaxes(turns, 1, 2) + smooth(rng, len(weights), 3, 90)[:, None]
    seen += NOISE / 10 * rng.normal(size=seen.shape)
    gaps = round(0.05 * seen.shape[0] * seen.shape[1] / 12)
    for start, marker in zip(rng.integers(len(seen), size=gaps), rng.integers(seen.shape[1], size=gaps), strict=True):
        seen[start : start + 12, marker] = np.nan
    return Known(rig, binding, fw.Take(binding.markers, seen, 30.0, "cm"), weights, clean)


@pytest.mark.parametrize("name", [pytest.param("embedded head", marks=pytest.mark.long), "ICT face"])
def test_from_markers_alone_the_mesh_and_the_weights_behind_them_come_back(name: str) -> None:
    made = known(name)
    found = fw.solve_take(made.rig, made.take, made.binding)
    assert len(made.binding) == 41
    assert made.mesh_error(found) <= 0.15
    moving = np.flatnonzero(made.weights.std(axis=0) > 0.05)
    assert len(moving) > 15
    seen = [i for i in moving if found.weights[:, i].std() > 1e-9]
    r = [np.corrcoef(made.weights[:, i], found.weights[:, i])[0, 1] for i in seen] + [0.0] * (len(moving) - len(seen))
    assert np.median(r) >= 0.85
    field = ResidualField(BoundRig(made.rig, made.binding))
    met = found.motion + field.at_markers(field.strengths(found.filled_offsets))
    off = 10 * np.linalg.norm(met - made.clean, axis=2)[found.believed].mean()
    assert off < 1.25 * LENGTH


@pytest.mark.parametrize("name", FACES)
def test_the_bounded_form_comes_nearer_than_the_papers_and_that_nearer_by_region(name: str) -> None:
    made = known(name, 300)
    bounded = fw.solve_take(made.rig, made.take, made.binding)
    whole = fw.solve_take(made.rig, made.take, made.binding, method="convex")
    by_region = fw.solve_take(made.rig, made.take, made.binding, fw.segment(made.rig), method="convex")
    errors = [made.mesh_error(found) for found in (bounded, by_region, whole)]
    assert errors == sorted(errors)
    assert errors[0] < 0.5 * errors[2]


@pytest.mark.parametrize("name", FACES)
@pytest.mark.parametrize("recorded", TAKES)
def test_markers_are_met_to_two_millimetres_by_shapes_and_to_a_tenth_with_the_residual(
    recorded: str, name: str
) -> None:
    figures = take_statistics(solved(recorded, name))
    assert figures.mean() < 2.0
    assert figures.mean_after() < 0.1
    played = fw.Playback(solved(recorded, name))
    frames = np.arange(0, len(solved(recorded, name)), 40)
    found = solved(recorded, name)
    met = found.binding.places(played(frames)) - found.binding.places(found.rig.neutral)
    missed = found.millimetres * np.linalg.norm(met - found.wanted[frames], axis=2)
    assert missed[found.believed[frames]].mean() < 0.1  # on the mesh itself, lids and all


@pytest.mark.parametrize("name", FACES)
@pytest.mark.parametrize("recorded", TAKES)
def test_no_slider_leaves_its_bounds_and_every_frame_is_solved(recorded: str, name: str) -> None:
    found = solved(recorded, name)
    low, high = found.rig.bounds.T
    assert (found.weights >= low).all()
    assert (found.weights <= high).all()
    assert set(found.status) == {FrameStatus.SOLVED}


@pytest.mark.parametrize("name", FACES)
@pytest.mark.parametrize("recorded", TAKES)
def test_nothing_jumps(recorded: str, name: str) -> None:
    found = solved(recorded, name)
    assert largest_step(found) < SLIDER_STEP
    fastest = np.linalg.norm(np.diff(found.wanted, axis=0), axis=2).max()
    last = None
    for faces in fw.Playback(found).chunks():
        joined = faces if last is None else np.concatenate([last[None], faces])
        assert np.linalg.norm(np.diff(joined, axis=0), axis=2).max() < VERTEX_STEP * fastest
        last = faces[-1]


@pytest.mark.parametrize("name", FACES)
def test_the_take_of_the_jaw_opens_the_jaw_and_that_of_the_brows_raises_them(name: str) -> None:
    jaw, brows = (solved(recorded, name) for recorded in TAKES)
    opened = [found.clip.curves["jawOpen"].values.max() for found in (jaw, brows)]
    assert opened[0] > 0.6 > 0.3 > opened[1]
    inner = [i for i, slider in enumerate(jaw.rig.sliders) if slider.startswith("browInnerUp")]
    raised = [found.weights[:, inner].max() for found in (jaw, brows)]
    assert raised[1] > max(0.6, raised[0])


def test_a_binding_by_names_is_of_the_files_own_unit_and_its_notes_say_which_frame_is_at_rest(
    shared_data: Path,
) -> None:
    recorded = fw.load_take(shared_data / "mocap_markers" / "JawMoCap.csv")
    binding = fw.bind(fw.sample(), recorded)
    assert binding.unit == "cm"
    assert binding.markers == recorded.names
    assert any("at rest in frame" in note for note in binding.notes)
