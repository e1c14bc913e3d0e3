"""Posing and keying go to the current layer, the face shows all of them, and nothing is lost by merging or undoing."""

from dataclasses import replace

import numpy as np
import pytest

from facewright.document import Document
from facewright.errors import BadValue, UnknownName
from facewright.formats.registry import load_document, save
from facewright.motion.curve import Curve
from facewright.motion.layer import LayerKind
from facewright.rig.evaluate import evaluate
from facewright.session.context import Context
from facewright.session.edits import keys, layers
from facewright.session.edits.active_layer import LAYER_WEIGHT
from facewright.session.edits.build import fresh_plan
from facewright.session.edits.held import hold_vertices
from facewright.session.edits.keys import DeleteKeys, KeyChoice
from facewright.session.edits.pose import SetWeights
from facewright.session.edits.time import choose_clip, go_to_time
from facewright.session.preferences import Preferences
from facewright.session.views import VIEWS as VIEWS
from facewright.session.views import timeline
from facewright.session.views.view import Seen, look
from tests.formats.format_rigs import assert_same_clip
from tests.session.faces import document, lively_vertex


def at_hand() -> Document:
    return go_to_time(choose_clip(document(), "take"), 0.5)


def posed(one: Document, values: dict[int, float]) -> Document:
    pose = one.pose.copy()
    pose[list(values)] = list(values.values())
    return replace(one, pose=pose)


def context_of(one: Document) -> Context:
    return Context(one, fresh_plan(), lambda run, newest=None: run())


@pytest.mark.parametrize("kind", ["additive", "override"])
@pytest.mark.parametrize("weight", [1.0, 0.4])
def test_a_pose_that_is_keyed_in_a_layer_is_what_the_clip_then_shows(kind: LayerKind, weight: float) -> None:
    one = layers.set_layer_weight(layers.add_layer(at_hand(), "more", kind), "more", weight, 0.0)
    wanted = {0: 0.35, 2: 0.6, 7: 0.2}
    keyed = keys.key_changes(posed(one, wanted), 0.5)
    assert keyed.clips[0].curves == one.clips[0].curves  # the clip itself is as it was
    again = go_to_time(go_to_time(keyed, 0.0), 0.5)
    np.testing.assert_allclose(again.pose[list(wanted)], list(wanted.values()), atol=1e-12)
    if kind == "additive" and weight == 1:
        value = keyed.clips[0].layers[0].curves[one.rig.sliders[0]](0.5)
        assert value == pytest.approx(0.35 - one.pose[0])


def test_a_key_below_another_layer_is_what_that_layer_needs() -> None:
    one = keys.set_keys(posed(layers.add_layer(at_hand(), "top"), {0: 0.9}), 0.5, [at_hand().rig.sliders[0]])
    back = replace(one, layer="")
    keyed = keys.set_keys(posed(back, {0: 0.5}), 0.5, [one.rig.sliders[0]])
    assert keyed.clips[0].layers[0].curves[one.rig.sliders[0]] is one.clips[0].layers[0].curves[one.rig.sliders[0]]
    assert go_to_time(keyed, 0.5).pose[0] == pytest.approx(0.5)


def test_a_key_that_would_not_be_seen_is_refused_in_words() -> None:
    one, slider = at_hand(), at_hand().rig.sliders[0]
    layered = keys.set_keys(layers.add_layer(one, "all", "override"), 0.5, [slider])
    with pytest.raises(BadValue, match="would not be seen"):
        keys.set_keys(replace(layered, layer=""), 0.5, [slider])
    muted = layers.MuteLayer(layer="all", muted=True).apply(layered, context_of(layered))
    with pytest.raises(BadValue, match="unmute it"):
        keys.set_keys(muted, 0.5, [slider])
    context = context_of(replace(layered, layer=""))
    context.prefer(Preferences(auto_key=True))
    context.apply(SetWeights(weights={slider: 0.1}))
    assert "would not be seen" in context.notices()[0]
    assert context.document.value.pose[0] == pytest.approx(0.1)


def test_keys_that_are_edited_are_those_of_the_current_layer_and_its_weight() -> None:
    one = keys.set_keys(posed(layers.add_layer(at_hand(), "more"), {0: 0.9, 1: 0.1}), 0.5, at_hand().rig.sliders[:2])
    context = context_of(one)
    name = one.rig.sliders[0]
    context.apply(layers.KeyLayerWeight(layer="more", time=0.0))
    context.apply(layers.SetLayerWeight(layer="more", weight=0.0, time=1.0))
    layer = context.document.value.clips[0].layers[0]
    assert isinstance(layer.weight, Curve)
    assert layer.weight.values.tolist() == [1.0, 0.0]
    seen = look(context, Seen()).made
    shown = {slider: curve.times.tolist() for (_, slider), curve in timeline.curves(context).items()}
    assert shown == {LAYER_WEIGHT: [0.0, 1.0], name: [0.5], one.rig.sliders[1]: [0.5]}
    assert seen["layers"][0].weight == pytest.approx(0.5)
    assert seen["layered"][name] == pytest.approx(float(context.document.value.pose[0]))
    context.apply(keys.MoveKeys(keys=[KeyChoice(LAYER_WEIGHT, [1.0])], by=0.25, lift=3.0))
    moved = context.document.value.clips[0].layers[0].weight
    assert isinstance(moved, Curve)
    assert (moved.times.tolist(), moved.values.tolist()) == ([0.0, 1.25], [1.0, 1.0])
    context.apply(DeleteKeys(keys=[KeyChoice(LAYER_WEIGHT, [0.0, 1.25]), KeyChoice(name, [0.5])]))
    now = context.document.value
    assert now.clips[0].layers[0].weight == 1.0
    assert tuple(now.clips[0].layers[0].curves) == (one.rig.sliders[1],)
    assert now.pose[0] == pytest.approx(float(now.clips[0].curves[name](0.5)))


def test_additive_keys_move_within_the_room_of_their_slider_and_others_within_its_bounds() -> None:
    name = at_hand().rig.sliders[0]
    one = keys.set_keys(layers.add_layer(at_hand(), "more"), 0.5, [name])
    down = keys.move_keys(one, {name: [0.5]}, lift=-5.0, beyond=False)
    assert down.clips[0].layers[0].curves[name](0.5) == -1.0
    assert down.pose[0] == 0.0


def test_the_first_key_of_a_slider_leaves_the_keys_around_it_as_they_were() -> None:
    one = layers.add_layer(at_hand(), "all", "override")
    for time in (0.0, 1.0):
        one = keys.set_keys(go_to_time(one, time), time, [one.rig.sliders[0]])
    keyed = keys.key_changes(posed(go_to_time(one, 0.5), {1: 0.9}), 0.5)
    below = at_hand().clips[0].curves[one.rig.sliders[1]]
    curve = keyed.clips[0].layers[0].curves[one.rig.sliders[1]]
    np.testing.assert_allclose(curve([0.0, 0.5, 1.0]), np.array([below(0.0), 0.9, below(1.0)], np.float64))


def test_points_are_held_over_the_clip_where_the_pose_has_them() -> None:
    one = posed(go_to_time(at_hand(), 0.5), {1: 0.9})
    vertex = lively_vertex(one.rig)
    chosen = hold_vertices(one, [vertex])
    now = layers.hold_over_clip(chosen, "still")
    before, after = (
        evaluate(one.rig, each.clips[0].sample(one.rig.sliders, [0.0, 0.5, 1.0], one.rig.bounds))[:, vertex]
        for each in (chosen, now)
    )
    there = evaluate(one.rig, one.pose)[vertex]
    assert np.linalg.norm(after - there, axis=1).max() < 0.2 * np.linalg.norm(before - there, axis=1).max()
    assert now.layer == "still"
    with pytest.raises(BadValue, match="no points are chosen"):
        layers.hold_over_clip(one, "still")
    with pytest.raises(BadValue, match="already"):
        layers.hold_over_clip(now, "still")


def test_every_edit_of_layers_is_undone_and_done_again_and_the_face_follows() -> None:
    context = context_of(at_hand())
    name = at_hand().rig.sliders[9]  # which the clip does not move
    context.apply(SetWeights(weights={name: 0.0}))
    context.prefer(Preferences(auto_key=True))
    steps = [
        layers.AddLayer(name="more"),
        SetWeights(weights={name: 0.7}),
        layers.AddLayer(name="all", kind="override"),
        SetWeights(weights={name: 0.2}),
        layers.SetLayerWeight(layer="all", weight=0.5, time=0.5),
        layers.MoveLayer(layer="all", to=0),
        layers.SoloLayer(layer="all", solo=True),
        layers.MuteLayer(layer="all", muted=True),
        layers.SoloLayer(layer="all", solo=False),
        layers.SetLayerKind(layer="all", kind="additive"),
        layers.MuteLayer(layer="all", muted=False),
        layers.RenameLayer(layer="all", name="some"),
        layers.MergeLayer(layer="more"),
        layers.DeleteLayer(layer="some"),
    ]
    values, poses = [], []
    for step in steps:
        assert context.apply(step), step
        values.append(context.document.value)
        poses.append(float(values[-1].pose[9]))
    np.testing.assert_allclose(poses, [0, 0.7, 0.7, 0.2, 0.45, 0.8, 0.1, 0.7, 0.7, 0.7, 0.8, 0.8, 0.8, 0], atol=1e-9)
    start = len(context.document.history.steps) - len(steps)
    for at in range(len(steps) - 1, -1, -1):
        context.go_to("document", start + at)
        if at:
            assert context.document.value is values[at - 1]
    context.go_to("document", start + len(steps))
    assert context.document.value is values[-1]


def test_layers_survive_their_file_and_other_formats_get_the_same_motion(tmp_path: object) -> None:
    one = layers.add_layer(at_hand(), "more")
    one = keys.set_keys(posed(one, {0: 0.9, 7: 0.3}), 0.5, [one.rig.sliders[0], one.rig.sliders[7]])
    one = keys.with_curves(one, {LAYER_WEIGHT: Curve([0.0, 1.0], [0.0, 1.0])})
    one = keys.set_keys(layers.add_layer(one, "all", "override"), 0.25, [one.rig.sliders[1]])
    for suffix in ("fwface", "glb", "fbx"):
        path = tmp_path / f"face.{suffix}"  # type: ignore[operator]
        save(one, path)
        again = load_document(path)
        times, sliders = one.clips[0].times(), one.rig.sliders
        wanted = one.clips[0].sample(sliders, times, one.rig.bounds)
        np.testing.assert_allclose(
            again.clips[0].sample(sliders, times, again.rig.bounds), wanted, atol=1e-12 if suffix == "fwface" else 1e-4
        )
        assert bool(again.clips[0].layers) == (suffix == "fwface")
        if suffix == "fwface":
            assert_same_clip(one.clips[0], again.clips[0])
            assert again.layer == "all"


def test_mistakes_are_told() -> None:
    one = layers.add_layer(at_hand(), "more")
    with pytest.raises(BadValue, match="has a layer 'more' already"):
        layers.add_layer(one, "more")
    with pytest.raises(UnknownName, match="more"):
        layers.ChooseLayer(layer="mroe").apply(one, context_of(one))
    with pytest.raises(BadValue, match="lie over a clip"):
        layers.delete_layer(replace(document(), clip=""), "more")
    assert choose_clip(one, "").layer == ""
