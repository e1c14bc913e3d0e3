"""Edits of the rig are undone, redone and kept to the byte, and all that names a slider or a shape follows them."""

import io
from dataclasses import replace

import numpy as np
import pytest

from facewright.document import Document
from facewright.errors import BadValue, UnknownName
from facewright.formats.registry import save
from facewright.image.codec import pixels
from facewright.image.encoded import Encoded
from facewright.rig.edit import split_shape
from facewright.rig.evaluate import evaluate
from facewright.session.context import Context
from facewright.session.edits.build import fresh_plan
from facewright.session.edits.edit import DocumentEdit
from facewright.session.edits.rig import (
    DeleteShape,
    DuplicateShape,
    MoveShape,
    PruneShape,
    RenameShape,
    ScaleShape,
)
from facewright.session.edits.sculpts import (
    AddCorrective,
    AddPoseShape,
    AddShapes,
    FitShape,
    FitShapeToPose,
    ReplaceShape,
    posed,
)
from facewright.session.edits.sides import FlipShape, MergeShapes, MirrorShape, SplitShape, SymmetriseShape
from facewright.session.storage.blobs import Blobs
from facewright.session.storage.document import DocumentCodec
from facewright.session.views.shape_fields import AskOffsets, AskSplit
from facewright.session.views.shape_pictures import shape_picture
from facewright.session.views.shapes import shapes
from facewright.session.views.view import Gone, Seen, differences, look
from tests.session.memory_store import Memory
from tests.session.rigged import rigged
from tests.some import some

EDITS: list[DocumentEdit] = [
    RenameShape(shape="jawOpen", name="mouthWide"),
    RenameShape(shape="jawSmile", name="corner"),
    DuplicateShape(shape="smileLeft"),
    DeleteShape(shape="jawSmile"),
    DeleteShape(shape="jawOpen", uses=True),
    DeleteShape(shape="sneer", uses=True),
    MoveShape(shape="sneer", before="smileLeft"),
    MoveShape(shape="smileLeft"),
    ScaleShape(shape="smileLeft", factor=-0.5),
    PruneShape(shape="browUp", tolerance=0.01),
    PruneShape(tolerance=0.01),
    MirrorShape(shape="smileLeft"),
    MirrorShape(shape="sneer", to="sneerOther"),
    FlipShape(shape="jawOpen"),
    SymmetriseShape(shape="pucker"),
    SymmetriseShape(shape="pucker", side="left"),
    SplitShape(shape="jawOpen", falloff=0.3),
    SplitShape(shape="pucker"),
    MergeShapes(shape="blinkLeft", other="blinkRight"),
    MergeShapes(shape="jawOpen", other="browUp", name="startle"),
    AddPoseShape(name="look"),
    FitShapeToPose(shape="browUp"),
    FitShapeToPose(shape="jawSmile"),
    AddShapes(shapes=(rigged().rig.shape("puckerHalf"), rigged().rig.shape("sneer"))),
    ReplaceShape(shape="puckerHalf", by=rigged().rig.shape("sneer")),
    FitShape(shape="pucker", sculpt=rigged().rig.neutral * 1.01),
]


def context_of(document: Document) -> Context:
    return Context(document, fresh_plan(), lambda run, newest=None: run())


def bytes_of(document: Document) -> bytes:
    file = io.BytesIO()
    save(document, file, format="fwface")
    return file.getvalue()


def assert_same_bytes_after_undo_and_redo(document: Document, edit: DocumentEdit) -> None:
    """Apply an edit, undo, redo and keep it; the document is the same to the byte each time."""
    context = context_of(document)
    before = bytes_of(document)
    assert context.apply(edit)
    after = context.document.value
    assert bytes_of(after) != before
    assert context.document.history.labels == [edit.label]
    context.go_to("document", 0)
    assert bytes_of(context.document.value) == before
    context.go_to("document", 1)
    assert bytes_of(context.document.value) == bytes_of(after)
    codec, memory = DocumentCodec(), Memory()
    first = codec.encode(None, document, Blobs(memory))
    step = codec.encode(document, after, Blobs(memory))
    read = Blobs(memory)  # as another process reads it after a kill
    kept = codec.decode(codec.decode(None, first, read), step, read)
    assert bytes_of(kept) == bytes_of(after)


@pytest.mark.parametrize("edit", EDITS, ids=lambda edit: edit.label)
def test_an_edit_undone_redone_and_kept_gives_the_same_bytes(edit: DocumentEdit) -> None:
    assert_same_bytes_after_undo_and_redo(rigged(), edit)


def test_a_renamed_slider_is_followed_everywhere() -> None:
    context, before = context_of(rigged()), rigged()
    context.apply(RenameShape(shape="jawOpen", name="mouthWide"))
    context.apply(RenameShape(shape="sneer", name="wrinkle"))
    now = context.document.value
    np.testing.assert_array_equal(now.pose, before.pose)
    assert now.rig.shape("jawSmile").sliders == ("mouthWide", "smileLeft")
    assert set(now.clips[0].curves) == {
        "mouthWide", "blinkLeft", "foreign", f"wrinkle @ {some(now.regions).names[0]}"
    }  # fmt: skip
    assert (now.drag_sliders, now.take_sliders) == (("mouthWide", "smileLeft"), ("mouthWide",))
    assert now.rig.ties == (("pucker", "mouthWide"),)
    assert some(now.textures).maps[0].shapes == ("mouthWide",)
    assert some(now.prior).sliders == now.rig.sliders
    assert now.rig.rules[0].sliders == ("blinkLeft", "wrinkle")  # type: ignore[union-attr]
    np.testing.assert_array_equal(some(now.local), some(before.local))


def test_a_deleted_slider_is_gone_everywhere_and_what_used_it_is_named_before() -> None:
    context, before = context_of(rigged()), rigged()
    with pytest.raises(BadValue, match="1 combination, 1 clip, 1 texture and 1 tie use it"):
        context.apply(DeleteShape(shape="jawOpen"))
    context.apply(DeleteShape(shape="jawOpen", uses=True))
    now = context.document.value
    assert "jawOpen" not in now.rig.sliders
    assert "jawSmile" not in now.rig.shape_names
    assert now.pose.tolist() == before.pose.tolist()[1:]
    np.testing.assert_array_equal(some(now.local), some(before.local)[:, 1:])
    assert "jawOpen" not in now.clips[0].curves
    assert now.clips[0].curves["blinkLeft"] is before.clips[0].curves["blinkLeft"]
    assert (now.drag_sliders, now.take_sliders, now.rig.ties) == (("smileLeft",), "", ())


def test_a_shape_that_nothing_uses_is_deleted_without_a_question() -> None:
    context = context_of(rigged())
    listed = shapes(context)
    assert (listed["blinkRight"].dependent, listed["blinkRight"].uses) == ([], "nothing else uses it")
    assert listed["blinkLeft"].uses == "1 clip and 1 rule use it"
    assert listed["blinkLeft"].dependent == ["curves of clip talk", "rule lid"]
    assert listed["jawOpen"].dependent == [
        "combination jawSmile", "curves of clip talk", "the texture that comes in with it", "tie of pucker to jawOpen"
    ]  # fmt: skip
    context.apply(DeleteShape(shape="blinkRight"))
    assert "blinkRight" not in context.document.value.rig.shape_names


def test_the_list_tells_reach_support_drivers_and_group() -> None:
    rig = rigged().rig
    for shape, detail in zip(rig.shapes, shapes(context_of(rigged())).values(), strict=True):
        assert detail.name == shape.name
        assert detail.sliders == list(shape.sliders)
        assert detail.support == len(shape.vertices)
        assert detail.reach == pytest.approx(np.linalg.norm(shape.offsets, axis=1).max())
        assert detail.group == rig.groups[rig.slider_index(shape.sliders[0])]


def test_the_picture_of_a_shape_is_another_one_when_its_look_is_and_only_then() -> None:
    context = context_of(rigged())
    before = {shape.name: shape.picture for shape in shapes(context).values()}
    context.apply(ScaleShape(shape="smileLeft", factor=2.0))
    after = {shape.name: shape.picture for shape in shapes(context).values()}
    changed = {name for name in before if before[name] != after[name]}
    assert changed == {"smileLeft", "jawSmile"}  # the combination is shown where its sliders are on
    picture = pixels(Encoded(shape_picture(context, after["smileLeft"]).data))
    assert picture.shape == (64, 64, 3)
    assert 0.2 < picture.any(axis=2).mean() < 1
    other = pixels(Encoded(shape_picture(context, after["browUp"]).data))
    assert not np.array_equal(picture, other)
    context.apply(DeleteShape(shape="smileRight", uses=True))
    with pytest.raises(Gone, match="another one"):
        shape_picture(context, "0" * 24)
    # A page that has not heard of the last step yet may ask for what it shows.
    past = pixels(Encoded(shape_picture(context, before["smileLeft"]).data))
    assert not np.array_equal(past, picture)


def test_the_face_can_show_the_halves_of_a_split_and_how_far_a_shape_moves_it() -> None:
    context, rig = context_of(rigged()), rigged().rig
    shown = AskSplit(shape="jawOpen", falloff=0.25).answer(context, 1)
    halves = split_shape(rig, "jawOpen", falloff=0.25)
    jaw, left = rig.shape("jawOpen").dense(rig.vertex_count), halves.shape("jawOpenLeft").dense(rig.vertex_count)
    np.testing.assert_allclose(shown.shares[:, None] * jaw, left, atol=1e-12)
    with pytest.raises(BadValue, match="is a combination"):
        AskSplit(shape="jawSmile", falloff=0.25).answer(context, 1)
    moved = AskOffsets(shape="jawOpen").answer(context, 2)
    np.testing.assert_allclose(moved.lengths * rig.size, np.linalg.norm(jaw, axis=1), atol=1e-12)


def test_a_copy_does_what_the_shape_does_and_the_face_stays() -> None:
    context, before = context_of(rigged()), rigged()
    context.apply(DuplicateShape(shape="smileRight"))
    now = context.document.value
    assert now.rig.sliders[:4] == ("jawOpen", "smileLeft", "smileRight", "smileRight2")
    np.testing.assert_array_equal(evaluate(now.rig, now.pose), evaluate(before.rig, before.pose))
    np.testing.assert_array_equal(evaluate(now.rig, {"smileRight2": 0.7}), evaluate(now.rig, {"smileRight": 0.7}))


def test_a_split_slider_keeps_the_face_and_all_that_named_it_names_both_halves() -> None:
    context, before = context_of(rigged()), rigged()
    context.apply(SplitShape(shape="jawOpen", falloff=0.2))
    now = context.document.value
    assert now.rig.sliders[:2] == ("jawOpenLeft", "jawOpenRight")
    np.testing.assert_allclose(evaluate(now.rig, now.pose), evaluate(before.rig, before.pose), atol=1e-12)
    assert {"jawOpenLeft", "jawOpenRight"} < set(now.clips[0].curves)
    assert now.drag_sliders == ("jawOpenLeft", "jawOpenRight", "smileLeft")
    assert some(now.textures).maps[0].shapes == ("jawOpenLeft", "jawOpenRight")
    assert now.rig.shape("jawSmileLeft").sliders == ("jawOpenLeft", "smileLeft")
    context.apply(MergeShapes(shape="jawOpenLeft", other="jawOpenRight"))
    merged = context.document.value
    assert set(merged.rig.shape_names) == set(before.rig.shape_names)
    assert set(merged.clips[0].curves) == set(before.clips[0].curves)
    assert (merged.drag_sliders, merged.take_sliders) == (before.drag_sliders, before.take_sliders)
    assert some(merged.textures).maps[0].shapes == ("jawOpen",)
    np.testing.assert_allclose(evaluate(merged.rig, merged.pose), evaluate(before.rig, before.pose), atol=1e-12)


def test_of_two_merged_sliders_the_one_that_is_on_and_the_first_curve_stay() -> None:
    context = context_of(replace(rigged(), locked=("browUp", "jawOpen")))
    curve = rigged().clips[0].curves["jawOpen"]
    context.apply(MergeShapes(shape="browUp", other="jawOpen", name="startle"))
    now = context.document.value
    assert now.pose[now.rig.slider_index("startle")] == 1.0
    assert now.clips[0].curves["startle"] is curve
    assert now.locked == ("startle",)


def test_a_pose_becomes_a_shape_with_what_regions_add() -> None:
    context = context_of(rigged())
    shown = posed(context.document.value)
    assert not np.allclose(shown, evaluate(rigged().rig, rigged().pose))  # a region sneers
    context.apply(AddPoseShape(name="look"))
    now = context.document.value
    np.testing.assert_allclose(evaluate(now.rig, {"look": 1.0}), shown, atol=1e-12)
    np.testing.assert_array_equal(posed(now), shown)
    context.apply(FitShapeToPose(shape="blinkLeft"))
    np.testing.assert_allclose(evaluate(context.document.value.rig, {"blinkLeft": 1.0}), shown, atol=1e-12)
    at_rest = context_of(Document(rigged().rig))
    with pytest.raises(BadValue, match="the face is at rest"):
        at_rest.apply(AddPoseShape(name="look"))


def test_a_sculpt_of_the_pose_becomes_a_corrective_or_changes_one_shape() -> None:
    context = context_of(replace(rigged(), local=None))
    before = context.document.value
    rng = np.random.default_rng(4)
    sculpt = posed(before) + 0.02 * before.rig.size * rng.normal(size=before.rig.neutral.shape)
    context.apply(AddCorrective(name="fix", sculpt=sculpt))
    now = context.document.value
    assert (now.rig.shape("fix").sliders, now.rig.shape("fix").at) == (("jawOpen", "smileLeft"), (1.0, 0.5))
    np.testing.assert_allclose(posed(now), sculpt, atol=1e-6 * now.rig.size)
    context.go_to("document", 0)
    context.apply(FitShape(shape="jawSmile", sculpt=sculpt, in_pose=True))
    np.testing.assert_allclose(posed(context.document.value), sculpt, atol=1e-12)
    with pytest.raises(BadValue, match="so that it is on"):
        context.apply(FitShape(shape="browUp", sculpt=sculpt, in_pose=True))
    with pytest.raises(BadValue, match="regions have poses of their own"):
        context_of(rigged()).apply(AddCorrective(name="fix", sculpt=sculpt))


def test_added_shapes_get_free_names_and_sliders_of_their_own() -> None:
    context = context_of(rigged())
    context.apply(AddShapes(shapes=(rigged().rig.shape("puckerHalf"), rigged().rig.shape("sneer"))))
    rig = context.document.value.rig
    assert rig.shape_names[-2:] == rig.sliders[-2:] == ("puckerHalf2", "sneer2")
    np.testing.assert_array_equal(rig.shape("puckerHalf2").offsets, rigged().rig.shape("puckerHalf").offsets)


def test_pruning_says_how_many_offsets_went_and_does_nothing_where_none_is_small() -> None:
    context = context_of(rigged())
    count = len(rigged().rig.shape("browUp").vertices)
    assert context.apply(PruneShape(shape="browUp", tolerance=0.01))
    left = len(context.document.value.rig.shape("browUp").vertices)
    assert context.notices() == [f"{count - left} offsets of browUp dropped."]
    assert left < count
    assert not context.apply(PruneShape(shape="browUp", tolerance=0.01))
    assert context.notices() == ["No offset is that small; all stay as they are."]


def test_a_mistake_says_what_would_have_worked() -> None:
    context = context_of(rigged())
    with pytest.raises(UnknownName, match="jawOpen"):
        context.apply(RenameShape(shape="jawOpne", name="x"))
    with pytest.raises(BadValue, match="two sliders named 'pucker'"):
        context.apply(RenameShape(shape="jawOpen", name="pucker"))
    with pytest.raises(BadValue, match="no other side; flip it, make it symmetric"):
        context.apply(MirrorShape(shape="jawOpen"))
    locked = context_of(replace(rigged(), locked=("jawOpen",)))
    locked.apply(DeleteShape(shape="jawOpen", uses=True))
    assert locked.document.value.locked == ()


def test_pages_are_told_of_the_shapes_that_changed_and_of_no_others() -> None:
    context = context_of(rigged())
    first = look(context, Seen())
    assert [shape.name for shape in differences(Seen(), first)["shapes"]] == list(rigged().rig.shape_names)
    context.apply(ScaleShape(shape="smileLeft", factor=2.0))
    scaled = look(context, first)
    told = differences(first, scaled)["shapes"]
    assert {shape.name for shape in told} == {"smileLeft", "jawSmile"}  # whose picture is another one, too
    assert [shape.reach for shape in told if shape.name == "smileLeft"] == [2 * first.made["shapes"]["smileLeft"].reach]
    context.apply(DeleteShape(shape="blinkRight"))
    dropped = look(context, scaled)
    assert differences(scaled, dropped)["shapes"] == []  # the rig, which lists them, tells that one is gone
    assert "shapes" not in differences(dropped, look(context, dropped))
