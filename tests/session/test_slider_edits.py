"""Edits of sliders are undone, redone and kept to the byte; pose, clips, regions and sets follow them."""

from dataclasses import replace
from pathlib import Path

import msgspec
import numpy as np
import pytest

from facewright.document import Document
from facewright.errors import BadValue, UnknownName
from facewright.formats.registry import load_document, save
from facewright.motion.clip import Clip
from facewright.motion.curve import Curve
from facewright.regions.local_pose import weights_of
from facewright.rig.evaluate import evaluate
from facewright.session.edits.edit import DocumentEdit
from facewright.session.edits.pose import SetDragSliders
from facewright.session.edits.sliders import (
    AllowSliders,
    DropSliderSet,
    ExcludeSliders,
    JoinSliders,
    KeepSliderSet,
    MoveSliders,
    PartSlider,
    RenameSlider,
    SetBounds,
    SetSliderGroup,
)
from facewright.session.views.rig import known_rig_id, rig_info
from facewright.session.views.shape_change import shape_change
from facewright.session.views.sliders import Proposals, proposals_of, slider_sets
from tests.session.rigged import rigged
from tests.session.test_rig_edits import assert_same_bytes_after_undo_and_redo, context_of
from tests.some import some

EDITS: list[DocumentEdit] = [
    RenameSlider(slider="jawOpen", name="mouthWide"),
    SetBounds(sliders=["jawOpen", "sneer"], low=-0.5, high=0.7),
    SetSliderGroup(sliders=["jawOpen"], group="chin"),
    MoveSliders(sliders=["sneer", "jawOpen"], before="browUp"),
    MoveSliders(sliders=["jawOpen"]),
    JoinSliders(negative="blinkLeft", positive="sneer", name="blink_sneer"),
    ExcludeSliders(pairs=[("blinkLeft", "sneer"), ("browUp", "sneer")]),
    AllowSliders(one="smileLeft", other="pucker"),
    KeepSliderSet(name="lips", sliders=["pucker", "smileLeft"]),
]


@pytest.mark.parametrize("edit", EDITS, ids=lambda edit: edit.label)
def test_an_edit_undone_redone_and_kept_gives_the_same_bytes(edit: DocumentEdit) -> None:
    assert_same_bytes_after_undo_and_redo(rigged(), edit)


def through_0() -> Document:
    """The face with a slider that goes both ways, in a pose, in a clip and in a region."""
    context = context_of(rigged())
    context.apply(JoinSliders(negative="blinkLeft", positive="sneer", name="both"))
    context.apply(KeepSliderSet(name="lips", sliders=["pucker", "both"]))
    document = context.document.value
    clip = Clip("nod", {"both": Curve([0.0, 1.0, 2.0], [-1.0, 0.5, -0.2], "cubic")})
    weights = {"both": -0.3, "jawOpen": 0.5}
    return replace(document, clips=(*document.clips, clip), pose=document.rig.pose(weights))


def test_parting_is_undone_and_dropping_a_set_too() -> None:
    assert_same_bytes_after_undo_and_redo(through_0(), PartSlider(slider="both"))
    assert_same_bytes_after_undo_and_redo(through_0(), DropSliderSet(name="lips"))


def test_joined_sliders_are_one_in_the_pose_the_clips_and_the_regions() -> None:
    context, before = context_of(rigged()), rigged()
    context.apply(JoinSliders(negative="blinkLeft", positive="sneer", name="both"))
    now = context.document.value
    talk, times = before.clips[0], np.linspace(0, 1, 7)
    assert "both" in now.rig.sliders
    np.testing.assert_array_equal(now.clips[0].curves["both"](times), -talk.curves["blinkLeft"](times))
    region = some(before.regions).names[0]
    np.testing.assert_array_equal(
        now.clips[0].curves[f"both @ {region}"](times), talk.curves[f"sneer @ {region}"](times)
    )
    assert set(now.clips[0].curves) == {"jawOpen", "both", "foreign", f"both @ {region}"}
    assert now.rig.rules[0].sliders == ("both",)  # type: ignore[union-attr]
    old, new = weights_of(before), weights_of(now)
    for a, b in zip(old, new, strict=True):
        np.testing.assert_allclose(evaluate(now.rig, b), evaluate(before.rig, a), atol=1e-12)


def test_a_parted_slider_gives_the_same_face_in_the_pose_and_the_clip() -> None:
    before = through_0()
    context = context_of(before)
    context.apply(PartSlider(slider="both"))
    now = context.document.value
    assert now.rig.sliders[-3:] == ("blinkLeft", "sneer", "blinkRight")
    assert ("blinkLeft", "sneer") in now.rig.exclusive
    np.testing.assert_allclose(evaluate(now.rig, now.pose), evaluate(before.rig, before.pose), atol=1e-12)
    for a, b in zip(weights_of(before), weights_of(now), strict=True):
        np.testing.assert_allclose(evaluate(now.rig, b), evaluate(before.rig, a), atol=1e-12)
    times = np.linspace(0, 2, 23)
    old, new = (one.clips[1].sample(one.rig.sliders, times) for one in (before, now))
    np.testing.assert_allclose(evaluate(now.rig, new), evaluate(before.rig, old), atol=1e-9)
    assert now.slider_sets["lips"] == ("pucker", "blinkLeft", "sneer")


def test_the_pose_is_brought_into_new_bounds_and_clips_keep_their_curves() -> None:
    context, before = context_of(rigged()), rigged()
    context.apply(SetBounds(sliders=["jawOpen"], low=0.0, high=0.6))
    now = context.document.value
    assert dict(zip(now.rig.sliders, now.pose, strict=True))["jawOpen"] == 0.6
    assert now.clips is before.clips
    assert not context.apply(SetBounds(sliders=["jawOpen"], low=0.0, high=0.6))


def test_sliders_move_together_and_values_stay_with_them() -> None:
    context, before = context_of(rigged()), rigged()
    context.apply(MoveSliders(sliders=["smileLeft", "jawOpen"], before="sneer"))
    now = context.document.value
    assert now.rig.sliders[-3:] == ("jawOpen", "smileLeft", "sneer")
    values = dict(zip(before.rig.sliders, before.pose, strict=True))
    assert dict(zip(now.rig.sliders, now.pose, strict=True)) == values
    np.testing.assert_allclose(evaluate(now.rig, now.pose), evaluate(before.rig, before.pose), atol=1e-12)
    assert not context.apply(MoveSliders(sliders=["sneer"]))


def test_a_named_set_is_followed_by_what_uses_it() -> None:
    context = context_of(rigged())
    context.apply(KeepSliderSet(name="lips", sliders=["pucker", "smileLeft"]))
    context.apply(SetDragSliders(sliders=["pucker", "smileLeft"]))
    context.apply(KeepSliderSet(name="lips", sliders=["pucker", "smileLeft", "smileRight"]))
    assert context.document.value.drag_sliders == ("pucker", "smileLeft", "smileRight")
    assert [one.name for one in slider_sets(context)] == ["lips"]
    context.apply(DropSliderSet(name="lips"))
    assert context.document.value.drag_sliders == ("pucker", "smileLeft", "smileRight")


def test_a_group_that_is_gone_is_not_used_by_drags() -> None:
    context = context_of(rigged())
    context.apply(SetDragSliders(sliders="jaw"))
    context.apply(SetSliderGroup(sliders=["jawOpen"], group="chin"))
    assert context.document.value.drag_sliders == ""


def test_pages_get_proposals_for_the_rig_that_they_show() -> None:
    names = {"smileLeft": "jawLeft", "smileRight": "jawRight", "blinkLeft": "mouthClose"}
    rig = rigged().rig
    sliders = tuple(names.get(name, name) for name in rig.sliders)
    shapes = tuple(replace(shape, sliders=tuple(names.get(one, one) for one in shape.sliders)) for shape in rig.shapes)
    context = context_of(Document(replace(rig, sliders=sliders, shapes=shapes, exclusive=(), ties=(), rules=())))
    found = msgspec.json.decode(proposals_of(context).data, type=Proposals)
    assert found.rig == known_rig_id(context, context.document.value.rig)
    assert ("mouthClose", "jawOpen") in found.ties
    assert all(pair.reason for pair in found.exclusive)


@pytest.mark.parametrize(
    "edit",
    [
        SetBounds(sliders=["jawOpen"], low=0.0, high=0.6),
        SetSliderGroup(sliders=["jawOpen"], group="chin"),
        ExcludeSliders(pairs=[("blinkLeft", "sneer")]),
        MoveSliders(sliders=["sneer"], before="jawOpen"),
    ],
    ids=lambda edit: edit.label,
)
def test_a_page_keeps_the_face_where_nothing_is_drawn_differently(edit: DocumentEdit) -> None:
    context = context_of(rigged())
    before, _ = rig_info(context), shape_change(context)
    context.apply(edit)
    now, change = rig_info(context), shape_change(context)
    assert now.base == change.base == before.id != now.id  # type: ignore[attr-defined]
    assert change.shape == -1  # type: ignore[attr-defined]
    context.apply(RenameSlider(slider="jawOpen", name="eyeLookUpLeft"))
    assert rig_info(context).base == ""


def test_sets_are_kept_in_files(tmp_path: Path) -> None:
    document = replace(through_0(), local=None)
    for name in ("face.fwface", "face.glb"):
        save(document, tmp_path / name)
        assert load_document(tmp_path / name).slider_sets == document.slider_sets == {"lips": ("pucker", "both")}


def test_a_mistake_says_what_would_have_worked() -> None:
    context = context_of(rigged())
    with pytest.raises(UnknownName, match="jawOpen"):
        context.apply(SetBounds(sliders=["jawOpne"], low=0, high=1))
    with pytest.raises(UnknownName, match="browUp"):
        context.apply(MoveSliders(sliders=["sneer"], before="browUpp"))
    with pytest.raises(BadValue, match="name one that stays"):
        context.apply(MoveSliders(sliders=["sneer"], before="sneer"))
    with pytest.raises(BadValue, match=r"jawSmile.*drop it first"):
        context.apply(JoinSliders(negative="jawOpen", positive="smileLeft", name="x"))
    with pytest.raises(UnknownName, match="there are none"):
        context.apply(DropSliderSet(name="lips"))
    with pytest.raises(UnknownName, match="did you mean pucker"):
        context.apply(KeepSliderSet(name="lips", sliders=["puker"]))
