"""A take of markers on a face: brought, glued by names or by clicks, corrected, solved; each step can be undone."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import facewright as fw
from facewright import jobs
from facewright.capture.bind import bind
from facewright.capture.markers import BoundRig
from facewright.document import Document
from facewright.errors import BadValue, FacewrightError
from facewright.motion.curve import Curve
from facewright.regions.local_pose import local_curves, weights_of
from facewright.regions.region_evaluator import evaluate_regions
from facewright.regions.segment import segment
from facewright.rig.binding import Binding
from facewright.rig.rig import Rig
from facewright.samples import mask
from facewright.session.context import Context
from facewright.session.edits import active_layer, clips, takes
from facewright.session.edits.build import fresh_plan
from facewright.session.edits.face import change_face
from facewright.session.edits.takes import TriedBinding, add_solved, bring_take, glued_again
from facewright.session.edits.time import go_to_time
from facewright.session.storage.blobs import Blobs
from facewright.session.tasks.take import TakeSolving
from facewright.workflow.rename import rename_sliders
from facewright.workflow.solver_cache import SolverCache
from facewright.workflow.take.clip_motion import clip_motion
from facewright.workflow.take.fit import take_fit
from facewright.workflow.take.options import TakeOptions
from facewright.workflow.take.solve import STATUSES, solve, solve_job
from tests.formats.test_captured import assert_same_captured
from tests.session.acted import Acted, acted, bound, head, loose
from tests.session.marker_layout import LAYOUT
from tests.session.memory_store import Memory
from tests.session.test_journal import CODEC
from tests.some import some

CORNERS = ("mouth_corner_left", "mouth_corner_right", "nose_bridge", "chin")


def clicked(rig: Rig, vertex: int) -> tuple[int, tuple[float, float, float]]:
    """A triangle and barycentric coordinates right at a vertex."""
    triangle, corner = np.argwhere(rig.triangles == vertex)[0]
    shares = np.zeros(3)
    shares[corner] = 1.0
    first, second, third = shares.tolist()
    return int(triangle), (first, second, third)


@pytest.fixture(scope="module")
def made() -> Acted:
    return acted(200)


@pytest.fixture(scope="module")
def glued(made: Acted) -> Document:
    return bound(made)


@pytest.fixture(scope="module")
def solved(glued: Document) -> Document:
    return add_solved(glued, solve(solve_job(glued, TakeOptions())))


def test_a_take_is_glued_by_the_names_of_its_markers(made: Acted, glued: Document) -> None:
    captured = some(glued.captured)
    assert captured.origin == "names"
    assert set(some(captured.binding).markers) == set(LAYOUT)
    away = np.linalg.norm(some(captured.binding).places(head().neutral) - head().neutral[list(LAYOUT.values())], axis=1)
    assert np.median(away) < 0.03 * head().size
    assert made.document.captured is None


def test_names_that_say_nothing_leave_the_take_loose_and_three_clicks_glue_it(made: Acted) -> None:
    take = loose(made.take)
    document = takes.bring_take(made.document, take)
    assert some(document.captured).binding is None
    names = dict(zip(made.take.names, take.names, strict=True))
    for count, marker in enumerate(CORNERS, 1):
        document = takes.pair_marker(document, names[marker], *clicked(head(), LAYOUT[marker]))
        assert (some(document.captured).binding is None) == (count < 3)
    binding = some(some(document.captured).binding)
    at = binding.index(names["chin"])
    np.testing.assert_allclose(binding.places(head().neutral)[at], head().neutral[LAYOUT["chin"]], atol=1e-9)
    away = np.linalg.norm(binding.places(head().neutral) - head().neutral[list(LAYOUT.values())], axis=1)
    assert np.median(away) < 0.03 * head().size
    fewer = takes.unpair_markers(document, [names["chin"], names["nose_bridge"]])
    assert some(fewer.captured).binding is None
    assert len(some(fewer.captured).pairs) == 2
    with pytest.raises(BadValue, match="names show"):
        takes.bind_by_names(document)


def test_a_pair_corrects_one_marker_of_a_binding_by_names_and_taking_it_away_puts_it_back(glued: Document) -> None:
    before = some(some(glued.captured).binding)
    fixed = takes.pair_marker(glued, "chin", *clicked(head(), LAYOUT["lip_lower"]))
    at = before.index("chin")
    after = some(some(fixed.captured).binding)
    np.testing.assert_allclose(after.places(head().neutral)[at], head().neutral[LAYOUT["lip_lower"]])
    np.testing.assert_array_equal(np.delete(after.vertices, at, 0), np.delete(before.vertices, at, 0))
    again = takes.unpair_markers(fixed, ["chin"])
    np.testing.assert_array_equal(some(some(again.captured).binding).vertices, before.vertices)
    np.testing.assert_array_equal(some(some(takes.unpair_markers(fixed).captured).binding).vertices, before.vertices)
    assert takes.unpair_markers(again) is again


def test_a_take_that_is_loaded_first_shows_the_rest_for_the_next_one() -> None:
    made = acted(240)
    resting, talking = (
        replace(made.take, positions=made.take.positions[frames], name=name)
        for frames, name in ((slice(0, 60), "rest"), (slice(100, None), "talk"))
    )
    document = takes.bring_take(takes.bring_take(made.document, resting), talking)
    binding, alone = some(some(document.captured).binding), some(fw.bind(made.document.rig, talking))
    given = fw.bind(made.document.rig, talking, neutral=resting)
    assert binding.markers == given.markers
    np.testing.assert_allclose(binding.places(made.document.rig.neutral), given.places(made.document.rig.neutral))
    np.testing.assert_allclose(binding.to_rig(binding.rest), given.to_rig(given.rest), atol=1e-6)
    assert np.abs(alone.to_rig(alone.rest) - given.to_rig(given.rest)).max() > 0.05  # which it could not tell itself


def test_another_take_of_the_same_markers_keeps_the_binding(glued: Document) -> None:
    fixed = takes.pair_marker(glued, "chin", *clicked(head(), LAYOUT["lip_lower"]))
    other = takes.bring_take(fixed, acted(60, seed=9).take)
    assert some(other.captured).binding is some(fixed.captured).binding
    assert set(some(other.captured).pairs) == {"chin"}
    fresh = takes.bring_take(fixed, loose(acted(60).take))
    assert some(fresh.captured).binding is None
    assert not some(fresh.captured).pairs


def test_a_binding_from_a_file_takes_the_place_of_all_else(glued: Document) -> None:
    fixed = takes.pair_marker(glued, "chin", *clicked(head(), LAYOUT["lip_lower"]))
    told = takes.use_binding(takes.unbind(fixed), some(some(glued.captured).binding))
    assert some(told.captured).origin == "file"
    assert not some(told.captured).pairs
    assert some(takes.unbind(told).captured).binding is None
    strange = some(replace(some(some(glued.captured).binding), markers=tuple(f"x{i}" for i in range(41))))
    with pytest.raises(BadValue, match="the take has 0 of them"):
        takes.use_binding(told, strange)


def test_a_wrong_unit_is_put_right_and_the_take_glued_again(made: Acted) -> None:
    wrong = takes.bring_take(made.document, made.take.really_in("m"))
    assert any("no face" in note for note in some(some(wrong.captured).binding).notes)
    right = takes.change_take(wrong, unit="cm")
    assert not any("no face" in note for note in some(some(right.captured).binding).notes)
    assert some(some(right.captured).binding).unit == "cm"
    faster = takes.change_take(right, rate=120.0)
    assert some(faster.captured).take.rate == 120.0
    assert some(faster.captured).binding is some(right.captured).binding
    assert takes.change_take(faster, rate=120.0) is faster
    rest = takes.change_take(right, neutral=[10])
    assert some(rest.captured).neutral == (10,)
    assert some(takes.change_take(rest, neutral=[]).captured).neutral == ()


def test_an_ignored_marker_is_not_solved_with(glued: Document) -> None:
    without = takes.ignore_markers(glued, ["chin", "lip_lower"], True)
    assert len(solve_job(without, TakeOptions()).binding) == len(LAYOUT) - 2
    again = takes.ignore_markers(without, ["chin"], False)
    assert some(again.captured).ignored == ("lip_lower",)
    assert takes.ignore_markers(again, ["chin"], False) is again
    none = takes.ignore_markers(glued, list(LAYOUT)[2:], True)
    with pytest.raises(BadValue, match="three are the least"):
        solve_job(none, TakeOptions())


def test_solving_gives_the_truth_back_as_a_clip_with_the_heads_motion(made: Acted, solved: Document) -> None:
    clip = solved.clip_named(solved.clip)
    assert solved.clip == "talking"
    assert {"HeadYaw", "HeadX"} <= set(clip.curves)
    found = clip.sample(head().sliders, made.take.times)
    moving = np.flatnonzero(made.weights.std(axis=0) > 0.08)
    likeness = [np.corrcoef(found[:, i], made.weights[:, i])[0, 1] for i in moving]
    assert np.median(likeness) > 0.85
    assert (found >= head().bounds[:, 0] - 1e-9).all()
    assert (found <= head().bounds[:, 1] + 1e-9).all()
    twice = add_solved(solved, solve(solve_job(solved, TakeOptions(keys=None, smooth="6"))))
    assert [each.name for each in twice.clips] == ["talking", "talking 2"]
    assert len(twice.clips[1].curves["jawOpen"].times) == len(made.take)


def test_locked_sliders_stay_at_rest(glued: Document) -> None:
    found = solve(solve_job(replace(glued, locked=("jawOpen",)), TakeOptions()))
    assert not found.curves["jawOpen"].values.any()


def test_shapes_for_the_residual_are_added_and_bring_the_markers_home(glued: Document) -> None:
    plain, met = (
        add_solved(glued, solve(solve_job(glued, TakeOptions(residual=residual, keys=None))))
        for residual in (False, True)
    )
    assert len(met.rig.sliders) > len(plain.rig.sliders)
    means = [np.nanmean(some(take_fit(each, each.clip, SolverCache())).residual) for each in (plain, met)]
    assert means[1] < 0.6 * means[0]
    again = solve_job(met, TakeOptions())
    assert set(met.rig.sliders) - set(plain.rig.sliders) <= set(again.locked)


def test_regions_get_weights_of_their_own_and_come_nearer_to_the_markers(glued: Document) -> None:
    regions = segment(head())
    divided = replace(glued, regions=regions)
    options = TakeOptions(keys=None)
    whole = add_solved(divided, solve(solve_job(divided, options)))
    parts = add_solved(divided, solve(solve_job(divided, options, regions=regions, level=regions.levels - 3)))
    local = list(local_curves(parts.clip_named(parts.clip), head(), regions))
    assert local
    assert not list(local_curves(whole.clip_named(whole.clip), head(), regions))
    means = [np.nanmean(some(take_fit(each, each.clip, SolverCache())).residual) for each in (whole, parts)]
    assert means[1] < means[0]
    there = go_to_time(parts, 2.0)
    assert there.local is not None
    assert (weights_of(there) >= head().bounds[:, 0] - 1e-9).all()
    assert (weights_of(there) <= head().bounds[:, 1] + 1e-9).all()


def test_the_motion_of_a_clip_with_regions_is_that_of_the_posed_face(glued: Document) -> None:
    regions = segment(head())
    divided = replace(glued, regions=regions)
    done = add_solved(divided, solve(solve_job(divided, TakeOptions(keys=None), regions=regions)))
    bound_rig = BoundRig(head(), some(some(done.captured).binding))
    times = np.array([1.5, 2.5])
    motion = clip_motion(done, done.clip_named(done.clip), times, bound_rig)
    for time, moved in zip(times, motion, strict=True):
        there = go_to_time(done, time)
        face = evaluate_regions(head(), regions, weights_of(there))
        places = some(some(done.captured).binding).places(face) - bound_rig.surface
        assert np.abs(moved - places).max() < 0.02  # shares are mixed at the marker, not at its three vertices


def test_the_fit_of_a_clip_follows_what_is_done_to_it_by_hand(glued: Document, solved: Document) -> None:
    solvers = SolverCache()
    fit = some(take_fit(solved, solved.clip, solvers))
    assert np.nanmean(fit.residual) < 1.0
    assert not fit.from_markers
    assert (fit.status == 0).all()
    clip = solved.clip_named(solved.clip)
    spoiled = active_layer.with_clip(solved, replace(clip, curves={**clip.curves, "jawOpen": Curve([0.0], [1.0])}))
    worse = some(take_fit(spoiled, spoiled.clip, solvers))
    assert np.nanmean(worse.residual) > 4 * np.nanmean(fit.residual)
    assert (
        some(some(glued.captured).binding)
        .markers[int(np.bincount(worse.worst).argmax())]
        .startswith(("chin", "jaw", "lip"))
    )
    alone = some(take_fit(solved, "", solvers))
    assert alone.from_markers
    assert np.isnan(alone.residual).all()
    assert take_fit(takes.unbind(solved), solved.clip, solvers) is None
    np.testing.assert_allclose(alone.head.rotations, fit.head.rotations, atol=0.05)


def test_beyond_the_end_of_a_stopped_clip_nothing_is_said_of_the_fit(solved: Document) -> None:
    clip = solved.clip_named(solved.clip)
    short = replace(clip, curves={name: _cut(curve, 1.0) for name, curve in clip.curves.items()})
    fit = some(take_fit(active_layer.with_clip(solved, short), solved.clip, SolverCache()))
    assert not np.isnan(fit.mean[:60]).any()
    assert np.isnan(fit.mean[62:]).all()


def test_gaps_and_doubts_are_told_frame_by_frame(glued: Document) -> None:
    captured = some(glued.captured)
    positions = captured.take.positions.copy()
    positions[50] = np.nan
    positions[60, 5:] = np.nan
    gone = replace(glued, captured=replace(captured, take=replace(captured.take, positions=positions)))
    done = add_solved(gone, solve(solve_job(gone, TakeOptions())))
    fit = some(take_fit(done, done.clip, SolverCache()))
    assert STATUSES[fit.status[50]].name == "NO_MARKERS"
    assert STATUSES[fit.status[60]].name == "FEW_MARKERS"
    assert np.isnan(fit.mean[50])


def test_every_step_with_a_take_is_told_by_the_journal(made: Acted, solved: Document) -> None:
    glued = bound(made)
    found = [
        glued,
        takes.pair_marker(glued, "chin", *clicked(head(), LAYOUT["lip_lower"])),
        takes.ignore_markers(glued, ["chin"], True),
        takes.unbind(glued),
        add_solved(glued, solve(solve_job(glued, TakeOptions()))),
    ]
    memory = Memory()
    blobs = Blobs(memory)
    CODEC.encode(None, glued, blobs)
    kept = set(memory.kept)
    for before in found:
        for after in found:
            told = CODEC.decode(before, CODEC.encode(before, after, blobs), blobs)
            assert_same_captured(told.captured, after.captured)
    assert set(memory.kept) == kept  # the take is kept once
    removed = takes.remove_take(glued)
    assert CODEC.decode(glued, CODEC.encode(glued, removed, blobs), blobs).captured is None
    slower = takes.change_take(glued, rate=30.0)
    assert_same_captured(CODEC.decode(glued, CODEC.encode(glued, slower, blobs), blobs).captured, slower.captured)
    assert len(memory.kept) == len(kept) + 1


def test_a_renamed_clip_is_still_known_to_be_the_solved_one(solved: Document) -> None:
    other = clips.rename_clip(solved, "talking", "dialogue")
    assert some(some(other.captured).solved).clip == "dialogue"
    assert some(some(clips.rename_clip(other, "dialogue", "x").captured).solved).clip == "x"


def test_another_face_takes_the_take_over_by_names(glued: Document) -> None:
    other = change_face(glued, Document(replace(head(), neutral=head().neutral * 1.3)))
    assert some(other.captured).origin == "names"
    ratio = some(some(other.captured).binding).to_rig.scale / some(some(glued.captured).binding).to_rig.scale
    assert ratio == pytest.approx(1.3, rel=0.02)


@pytest.mark.parametrize(
    ("wrong", "word"),
    [
        (lambda d: takes.pair_marker(d, "chinn", 0, (1.0, 0.0, 0.0)), "chin"),
        (lambda d: takes.pair_marker(d, "chin", 10**7, (1.0, 0.0, 0.0)), "triangle"),
        (lambda d: takes.pair_marker(d, "chin", 0, (-1.0, -1.0, 0.0)), "barycentric"),
        (lambda d: takes.unpair_markers(d, ["chin"]), "no pair"),
        (lambda d: takes.change_take(d, unit="parsec"), "parsec"),
        (lambda d: takes.change_take(d, rate=-1.0), "frames a second"),
        (lambda d: takes.change_take(d, neutral=[10**6]), "rest"),
        (lambda d: takes.pair_marker(takes.remove_take(d), "chin", 0, (1.0, 0.0, 0.0)), "no take"),
        (lambda d: solve_job(takes.unbind(d), TakeOptions()), "not bound"),
        (lambda d: TakeOptions(smooth="soft"), "cutoff"),
        (lambda d: TakeOptions(keys=-1.0), "tolerance"),
    ],
)
def test_mistakes_are_told_in_words(glued: Document, wrong: Callable[..., Any], word: str) -> None:
    with pytest.raises(FacewrightError, match=word):
        wrong(glued)


def test_three_points_on_a_line_are_refused(made: Acted) -> None:
    document = takes.bring_take(made.document, loose(made.take))
    rig = head()
    name = dict(zip(made.take.names, some(document.captured).take.names, strict=True))
    triangle, shares = clicked(rig, LAYOUT["chin"])
    document = takes.pair_marker(document, name["chin"], triangle, shares)
    document = takes.pair_marker(document, name["nose_tip"], triangle, shares)
    with pytest.raises(BadValue, match="not on one line"):
        takes.pair_marker(document, name["forehead_mid"], triangle, shares)


def _cut(curve: Curve, end: float) -> Curve:
    kept = curve.times <= end
    return Curve(curve.times[kept], curve.values[kept]) if kept.any() else Curve([0.0], [curve.values[0]])


def test_several_frames_and_a_pose_may_be_the_face_at_rest(glued: Document) -> None:
    before = some(some(glued.captured).binding)
    several = takes.change_take(glued, neutral=[30, 10, 30])
    assert some(several.captured).neutral == (10, 30)
    assert not np.allclose(some(some(several.captured).binding).rest, before.rest, atol=1e-6)
    posed = replace(glued, pose=glued.rig.pose({"jawOpen": 0.2}))
    given = takes.change_take(posed, rest_pose="shown")
    captured = some(given.captured)
    assert captured.rest_pose == {"jawOpen": 0.2}
    assert some(captured.binding).notes[-1] == "at rest the face has jawOpen 0.20"
    moved = some(captured.binding).to_rig(some(captured.binding).rest) - before.to_rig(before.rest)
    at = before.index("chin")
    expected = before.places(glued.rig.neutral) - before.places(fw.evaluate(glued.rig, {"jawOpen": 0.2}))
    np.testing.assert_allclose(moved[at], expected[at], atol=1e-3 * glued.rig.size)
    solved = takes.change_take(given, rest_pose="solved")
    assert some(some(solved.captured).binding).notes[-1].startswith("at rest the face")
    assert some(takes.change_take(solved, rest_pose="neutral").captured).rest_pose is None
    assert takes.change_take(given, rest_pose="shown") is given
    with pytest.raises(BadValue, match="is the neutral; pose it"):
        takes.change_take(glued, rest_pose="shown")


def test_the_pose_at_rest_follows_its_sliders_names_and_goes_with_them(glued: Document) -> None:
    posed = replace(glued, pose=glued.rig.pose({"jawOpen": 0.2, "mouthFunnel": 0.1}))
    given = takes.change_take(posed, rest_pose="shown")
    renamed = rename_sliders(given, {"jawOpen": "mandible"})
    assert some(renamed.captured).rest_pose == {"mandible": 0.2, "mouthFunnel": 0.1}
    assert glued_again(mask(600, 8), some(given.captured)).rest_pose is None


def test_a_take_that_comes_bound_is_not_bound_again_unless_the_face_is_another(
    made: Acted, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried = TriedBinding(made.document.rig, bind(made.document.rig, made.take))
    plain = bring_take(made.document, made.take).captured

    def refuse(*args: object, **options: object) -> Binding:
        raise AssertionError("it was bound again")

    monkeypatch.setattr(takes, "bind", refuse)
    found = bring_take(made.document, made.take, tried).captured
    assert found is not None
    assert plain is not None
    assert found.binding is not None
    assert plain.binding is not None
    np.testing.assert_array_equal(found.binding.vertices, plain.binding.vertices)
    assert (found.origin, found.base) == (plain.origin, tried.binding)
    loose = bring_take(made.document, made.take, TriedBinding(made.document.rig, None)).captured
    assert loose is not None
    assert loose.binding is None
    with pytest.raises(AssertionError, match="bound again"):
        bring_take(replace(made.document, rig=mask(600, 8), pose=np.zeros(8)), made.take, tried)


def test_a_solve_that_ended_is_not_taken_for_another(made: Acted, glued: Document) -> None:
    posted: list[Callable[[], None]] = []
    context = Context(glued, fresh_plan(), lambda run, newest=None: posted.append(run))
    solving = context.task(TakeSolving)
    first, second = (solve_job(glued, TakeOptions()) for _ in range(2))
    solving.start(first)
    solving.close()
    solving.start(second)
    solving._hear(first, jobs.Failed("the first one failed"))
    solving._hear(first, jobs.Progress(3, 4))
    for run in posted:
        run()
    assert context.notices() == []
    assert solving.info is not None
    assert solving.info.done == 0
    solving.close()
