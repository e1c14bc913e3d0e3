"""Keys are set, moved, copied and deleted by their times, and the pose shows what the clip now has."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from facewright.document import Document, PlacedPin
from facewright.errors import BadValue, UnknownName
from facewright.motion.clip import Clip
from facewright.motion.curve import Curve
from facewright.rig.edit import reorder
from facewright.rig.rig import Rig
from facewright.rig.shape import Shape
from facewright.session.context import Context
from facewright.session.edits import clips, face, keys
from facewright.session.edits.build import fresh_plan
from facewright.session.edits.tangents import set_tangents
from facewright.session.edits.time import choose_clip, go_to_time
from facewright.session.views import PUSHED_ITEMS
from facewright.session.views.timeline import CurveKeys
from tests.session.faces import document


def at_hand() -> Document:
    return choose_clip(document(), "take")


def curve(one: Document, slider: int = 0) -> Curve:
    return one.clip_named(one.clip).curves[one.rig.sliders[slider]]


def test_a_key_of_the_pose_makes_a_clip_that_gives_the_pose_back() -> None:
    one = document()
    two = keys.set_keys(one, 2.5)
    assert two.clip == keys.NEW
    assert [clip.name for clip in two.clips] == ["take", keys.NEW]
    np.testing.assert_array_equal(go_to_time(choose_clip(two, "take"), 0.5).pose[4:], one.pose[4:])
    np.testing.assert_array_equal(two.clips[1].sample(one.rig.sliders, [2.5])[0], one.pose)


def test_a_key_for_some_sliders_leaves_the_curves_of_others() -> None:
    one = at_hand()
    names = one.rig.sliders
    two = keys.set_keys(one, 0.25, [names[0], names[7]])
    assert curve(two).times.tolist() == [0.0, 0.25, 0.5, 1.0]
    assert two.clip_named("take").curves[names[1]] is one.clip_named("take").curves[names[1]]
    assert curve(two, 7).times.tolist() == [0.25]


def test_a_key_where_there_is_one_takes_its_place() -> None:
    one = at_hand()
    two = keys.set_keys(one, 0.5 + 1e-8)
    assert len(curve(two).times) == 3
    assert curve(two)(0.5) == pytest.approx(one.pose[0], abs=1e-6)


def test_scrubbing_takes_values_of_the_clip_and_keeps_the_rest() -> None:
    one = at_hand()
    two = go_to_time(one, 0.75)
    np.testing.assert_allclose(two.pose[:4], [curve(one, i)(0.75) for i in range(4)])
    np.testing.assert_array_equal(two.pose[4:], one.pose[4:])
    assert two.time == 0.75
    assert go_to_time(document(), 3.0).pose.tolist() == document().pose.tolist()


def test_moved_keys_keep_their_values_and_what_they_land_on_gives_way() -> None:
    one = at_hand()
    name = one.rig.sliders[0]
    two = keys.move_keys(one, {name: [0.0]}, by=0.5, lift=0.125)
    assert curve(two).times.tolist() == [0.5, 1.0]
    assert curve(two).values[0] == curve(one).values[0] + 0.125
    three = keys.move_keys(one, {name: [0.0, 0.5]}, by=0.5)
    assert curve(three).times.tolist() == [0.5, 1.0]
    np.testing.assert_array_equal(curve(three).values, curve(one).values[:2])


def test_copied_keys_are_there_twice() -> None:
    one = at_hand()
    two = keys.copy_keys(one, {one.rig.sliders[0]: [0.0, 1.0]}, by=2.0)
    assert curve(two).times.tolist() == [0.0, 0.5, 1.0, 2.0, 3.0]
    assert curve(two)(2.0) == curve(one).values[0]


def test_a_curve_that_loses_its_last_key_is_gone() -> None:
    one = at_hand()
    name = one.rig.sliders[0]
    assert curve(keys.delete_keys(one, {name: [0.5]})).times.tolist() == [0.0, 1.0]
    assert name not in keys.delete_keys(one, {name: [0.0, 0.5, 1.0]}).clip_named("take").curves


def test_editing_keys_shows_in_the_pose_for_the_edited_sliders_alone() -> None:
    one = go_to_time(at_hand(), 0.5)
    two = keys.move_keys(one, {one.rig.sliders[0]: [0.5]}, lift=0.25)
    assert two.pose[0] == pytest.approx(one.pose[0] + 0.25)
    np.testing.assert_array_equal(two.pose[1:], one.pose[1:])


def test_ease_is_smooth_and_flat_only_where_the_curve_turns() -> None:
    one = at_hand()
    rising = Curve([0.0, 1.0, 2.0, 3.0], [0.0, 0.2, 0.7, 0.1])
    clip = one.clip_named("take")
    one = replace(one, clips=(replace(clip, curves={**clip.curves, one.rig.sliders[0]: rising}),))
    eased = set_tangents(one, "auto")
    found = curve(eased)
    assert (found.interpolation, found.values.tolist()) == ("cubic", rising.values.tolist())
    assert found.slopes is not None
    assert (found.slopes[1] > 0.1).all()
    np.testing.assert_array_equal(found.slopes[[0, 2, 3]], 0)
    linear = set_tangents(eased, "linear", sliders=[one.rig.sliders[0]])
    assert (curve(linear).interpolation, curve(linear, 1).interpolation) == ("linear", "cubic")


@pytest.mark.parametrize(
    ("edit", "words"),
    [
        (lambda one: keys.move_keys(one, {one.rig.sliders[0]: [0.3]}, 1.0), "no key at 0.3 s"),
        (lambda one: keys.delete_keys(one, {one.rig.sliders[9]: [0.0]}), "no curve in clip 'take' named"),
        (lambda one: keys.delete_keys(choose_clip(one, ""), {}), "no clip is at hand"),
        (lambda one: keys.set_keys(one, 0.0, ["nobody"]), "no slider named 'nobody'"),
        (lambda one: clips.create_clip(one, "take"), "'take' already"),
        (lambda one: clips.rename_clip(one, "nothing", "x"), "no clip named 'nothing'"),
        (lambda one: clips.load_clips(one, ()), "no clips"),
        (lambda one: go_to_time(one, float("inf")), "number of seconds"),
    ],
)
def test_a_mistake_says_what_is_there(edit: Callable[..., Any], words: str) -> None:
    with pytest.raises((BadValue, UnknownName), match=words):
        edit(at_hand())


def test_clips_are_made_copied_renamed_and_deleted() -> None:
    one = clips.create_clip(at_hand(), "second", 24.0)
    assert (one.clip, one.clip_named("second").rate) == ("second", 24.0)
    two = clips.create_clip(one, "third", copy_of="take")
    assert two.clip_named("third").curves == one.clip_named("take").curves
    three = clips.rename_clip(two, "third", "fourth")
    assert three.clip == "fourth"
    four = clips.delete_clip(three, "fourth")
    assert (four.clip, [clip.name for clip in four.clips]) == ("", ["take", "second"])
    assert clips.set_rate(four, "take", 60.0).clip_named("take").rate == 60.0


def test_a_loaded_clip_finds_sliders_by_meaning_and_keeps_what_it_cannot_place() -> None:
    names = {"eyeBlinkLeft": "EyeBlink_L", "jawOpen": "Jaw_Open"}
    rig = clips_rig(tuple(names))
    two = clips.load_clips(
        Document(rig), [Clip("take", {name: Curve([0.0], [0.5]) for name in (*names.values(), "ear")})]
    )
    assert set(two.clip_named("take").curves) == {"eyeBlinkLeft", "jawOpen", "ear"}
    assert clips.unmatched(two.clip_named("take"), rig.sliders) == ["ear"]
    assert two.pose.tolist() == [0.5, 0.5]
    again = clips.load_clips(two, [Clip("take", {"jawOpen": Curve([0.0], [0.0])})])
    assert [clip.name for clip in again.clips] == ["take", "take 2"]


def clips_rig(names: tuple[str, ...]) -> Rig:
    neutral = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0]])
    return Rig(neutral, [[0, 1, 2]], tuple(Shape(name, [i], [[0, 0, 1.0]]) for i, name in enumerate(names)))


def test_another_face_keeps_pose_clips_and_locks_by_name_and_pins_only_on_the_same_polygons() -> None:
    one = replace(at_hand(), pins=(PlacedPin(id=1, vertex=3),), locked=(document().rig.sliders[2],))
    turned = reorder(one.rig, one.rig.shape_names[::-1])
    same = face.change_face(one, Document(turned))
    assert same.pins == one.pins
    assert same.locked == one.locked
    for name in one.rig.sliders:
        assert same.pose[turned.slider_index(name)] == one.pose[one.rig.slider_index(name)]
    assert same.clip == "take"
    other = face.change_face(one, Document(clips_rig(one.rig.sliders[:2]), (Clip("take"),)))
    assert other.pins == ()
    assert [clip.name for clip in other.clips] == ["take", "take 2"]
    assert other.clip_named("take").curves.keys() == one.clip_named("take").curves.keys()


def test_a_clip_without_a_name_gets_one_that_is_free() -> None:
    face = document()
    unnamed = Clip("", {}, 30.0)
    loaded = clips.load_clips(replace(face, clips=(Clip("clip", {}, 30.0),), clip=""), [unnamed, unnamed])
    assert [clip.name for clip in loaded.clips] == ["clip", "clip 2", "clip 3"]


def test_a_key_in_a_copied_clip_sends_its_own_curve_alone() -> None:
    context = Context(document(), fresh_plan(), lambda run, newest=None: run())
    first, second = context.document.value.rig.sliders[:2]
    context.apply(clips.CreateClip(name="one"))
    context.apply(keys.SetKeys(time=0.0, sliders=[first, second]))
    context.apply(clips.CreateClip(name="two", copy_of="one"))
    (pushed,) = PUSHED_ITEMS
    before = pushed.make(context)
    context.apply(keys.SetKeys(time=1.0, sliders=[first]))
    sent = pushed.frame(pushed.changed(before, pushed.make(context)))
    assert isinstance(sent, CurveKeys)
    assert [(curve.clip, curve.slider, curve.keys) for curve in sent.curves] == [("two", first, 2)]
    for task in context.tasks:
        if hasattr(task, "close"):
            task.close()
