"""Keys of what changed, keys set by themselves, and tools on many keys; each is one step that undo takes back."""

from dataclasses import replace

import numpy as np
import pytest

from facewright.document import Document
from facewright.errors import BadValue, UnknownName
from facewright.formats.schema.clip import CurveEntry
from facewright.motion.clip import Clip
from facewright.motion.curve import Curve
from facewright.session.context import Context
from facewright.session.edits import auto_key as auto_key
from facewright.session.edits import key_tools, keys, tangents
from facewright.session.edits.build import fresh_plan
from facewright.session.edits.edit import Edit
from facewright.session.edits.pose import SetWeights
from facewright.session.edits.time import Scrub, choose_clip, go_to_time
from facewright.session.tasks.settings import SetKeying
from tests.session.faces import document


def opened(one: Document | None = None) -> Context:
    first = one or go_to_time(choose_clip(document(), "take"), 0.25)
    return Context(first, fresh_plan(), lambda run, newest=None: run())


def rested() -> Document:
    """A face at rest without a clip."""
    one = document()
    return replace(one, clips=(), pose=np.zeros(len(one.rig.sliders)))


def curves(context: Context) -> dict[str, Curve]:
    one = context.document.value
    return dict(one.clip_named(one.clip).curves)


def test_what_changed_is_what_the_clip_does_not_have() -> None:
    one = go_to_time(choose_clip(replace(document(), pose=np.zeros(12)), "take"), 0.25)
    assert keys.changed_sliders(one) == []
    names = one.rig.sliders
    pose = one.pose.copy()
    pose[[1, 6]] += 0.2
    assert keys.changed_sliders(replace(one, pose=pose)) == [names[1], names[6]]


def test_only_what_changed_is_keyed_and_a_new_curve_begins_at_rest() -> None:
    context = opened(rested())
    names = context.document.value.rig.sliders
    context.apply(keys.KeyChanges(time=0.0))
    assert set(curves(context)) == set(names)  # a face at rest is keyed whole
    context.apply(keys.DeleteKeys(keys=[keys.KeyChoice(name, [0.0]) for name in names[2:]]))
    context.apply(Scrub(time=1.0))
    context.apply(SetWeights(weights={names[0]: 0.5, names[5]: 0.75}))
    context.apply(keys.KeyChanges(time=1.0))
    found = curves(context)
    assert found[names[0]].times.tolist() == [0.0, 1.0]
    assert found[names[1]].times.tolist() == [0.0]
    assert found[names[5]].times.tolist() == [0.0, 1.0]
    assert found[names[5]].values.tolist() == [0.0, 0.75]
    context.apply(Scrub(time=2.0))
    context.apply(keys.KeyChanges(time=2.0))  # nothing changed: a key of all that has a curve
    assert all(curve.times[-1] == 2.0 for curve in curves(context).values())


def test_new_keys_have_the_tangents_that_are_set() -> None:
    context = opened(rested())
    name, other = context.document.value.rig.sliders[:2]
    context.apply(keys.SetKeys(time=0.0, sliders=[name]))
    assert curves(context)[name].tangents is not None
    SetKeying(auto_key=False, tangent="linear").run(context)
    context.apply(keys.SetKeys(time=0.0, sliders=[other]))
    assert curves(context)[other].interpolation == "linear"


def test_a_pose_is_keyed_by_itself_in_the_step_that_made_it() -> None:
    context = opened(rested())
    name = context.document.value.rig.sliders[3]
    SetKeying(auto_key=True, tangent="auto").run(context)
    context.apply(SetWeights(weights={name: 0.5}))
    assert {key: curve.values.tolist() for key, curve in curves(context).items()} == {name: [0.5]}
    assert len(context.document.history.steps) == 1
    context.apply(Scrub(time=1.0))
    with context.document.doing("drag"):
        context.update(SetWeights(weights={name: 0.6}))
        context.update(SetWeights(weights={name: 0.9}))
        assert curves(context)[name].times.tolist() == [0.0]  # not before the gesture ends
    assert curves(context)[name].values.tolist() == [0.5, 0.9]
    context.go_to("document", 0)
    assert context.document.value.clips == ()
    SetKeying(auto_key=False, tangent="auto").run(context)
    context.apply(SetWeights(weights={name: 0.5}))
    assert context.document.value.clips == ()


def test_a_pose_that_was_left_is_keyed_where_it_was() -> None:
    context = opened()
    name = context.document.value.rig.sliders[0]
    context.apply(Scrub(time=0.8))
    context.apply(keys.KeyValues(time=0.25, weights={name: 0.9}))
    assert curves(context)[name](0.25) == pytest.approx(0.9)
    assert context.document.value.time == 0.25
    assert context.document.value.pose[0] == pytest.approx(0.9)


def test_dragged_keys_keep_to_the_bounds_unless_they_may_go_beyond() -> None:
    context = opened()
    name = context.document.value.rig.sliders[0]
    chosen = [keys.KeyChoice(name, [0.0, 0.5])]
    context.apply(keys.MoveKeys(keys=chosen, lift=4.0))
    assert curves(context)[name].values[:2].tolist() == [1.0, 1.0]
    context.apply(keys.MoveKeys(keys=chosen, lift=0.5, beyond=True))
    assert curves(context)[name].values[:2].tolist() == [1.5, 1.5]
    context.apply(keys.MoveKeys(keys=chosen, lift=-0.25))
    assert curves(context)[name].values[:2].tolist() == [1.25, 1.25]


def test_keys_are_placed_by_numbers() -> None:
    context = opened()
    a, b = context.document.value.rig.sliders[:2]
    chosen = [keys.KeyChoice(a, [0.5]), keys.KeyChoice(b, [0.5, 1.0])]
    context.apply(keys.PlaceKeys(keys=chosen, time=0.75))
    assert curves(context)[a].times.tolist() == [0.0, 0.75, 1.0]
    assert curves(context)[b].times.tolist() == [0.0, 0.75, 1.25]
    context.apply(keys.PlaceKeys(keys=[keys.KeyChoice(b, [0.75, 1.25])], value=7.0))
    assert curves(context)[b].values[1:].tolist() == [1.0, 1.0]


def tools(name: str) -> list[Edit]:
    chosen = [keys.KeyChoice(name, [0.51])]
    every = [keys.KeyChoice(name, [0.0, 0.51, 1.0])]
    return [
        key_tools.ScaleKeys(keys=every, about=0.0, factor=2.0, level=0.5, gain=0.5),
        key_tools.SnapKeys(keys=every),
        key_tools.SmoothKeys(keys=chosen, strength=1.0),
        key_tools.ReduceKeys(keys=chosen, tolerance=10.0),
        key_tools.TweenKeys(keys=[keys.KeyChoice(name, [0.25])], share=0.5),
        key_tools.BlendKeys(keys=chosen, share=-1.0),
        tangents.SetTangents(tangent="flat", keys=chosen),
        tangents.TurnHandle(slider=name, time=0.51, slope=1.0, leaving=True),
        tangents.SetOutside(outside="offset", sliders=[name]),
    ]


@pytest.mark.parametrize("number", range(9))
def test_every_tool_is_one_step_that_shows_in_the_pose_and_is_undone(number: int) -> None:
    context = opened()
    name = context.document.value.rig.sliders[0]
    context.apply(keys.MoveKeys(keys=[keys.KeyChoice(name, [0.5])], by=0.01))  # off the frames
    before = context.document.value
    assert context.apply(tools(name)[number])
    after = context.document.value
    assert after.pose[0] == pytest.approx(curves(context)[name](after.time))
    assert curves(context)[name] is not before.clip_named("take").curves[name]
    for other in list(curves(context))[1:]:
        assert curves(context)[other] is before.clip_named("take").curves[other]
    context.go_to("document", 1)
    assert context.document.value is before


def test_keys_are_pasted_at_a_time_on_either_side_and_into_an_empty_document() -> None:
    context = opened(Document(document().rig))
    names = context.document.value.rig.sliders
    left = next(name for name in names if name.endswith("Left"))
    right = left.removesuffix("Left") + "Right"
    copied = [CurveEntry.of(left, Curve([0.0, 1.0], [0.2, 0.8], "cubic", tangents=["flat", "auto"]))]
    context.apply(key_tools.PasteKeys(curves=copied, at=2.0))
    context.apply(key_tools.PasteKeys(curves=copied, at=3.0, mirrored=True))
    found = curves(context)
    assert found[left].times.tolist() == [2.0, 3.0]
    assert found[right].times.tolist() == [3.0, 4.0]
    with pytest.raises(BadValue, match="no keys to paste"):
        key_tools.paste_keys(context.document.value, [], 0.0)
    with pytest.raises(UnknownName, match="no curve in clip"):
        context.apply(key_tools.SnapKeys(keys=[keys.KeyChoice("nobody", [0.0])]))


def test_a_clip_of_old_keeps_its_flat_ease() -> None:
    old = Clip("old", {"a": Curve([0.0, 1.0, 2.0], [0.0, 0.5, 1.0], "cubic")})
    assert old.curves["a"].tangents is None
    assert old.sample(["a"], [0.25])[0, 0] == pytest.approx(0.5 * (3 * 0.25**2 - 2 * 0.25**3))
