"""Edits of the rig are undone, redone and kept to the byte, and all that names a slider or a shape follows them."""

import io
from dataclasses import replace

import numpy as np
import pytest

from facewright.document import Document
from facewright.errors import BadValue, UnknownName
from facewright.formats.registry import save
from facewright.rig.evaluate import evaluate
from facewright.session.context import Context
from facewright.session.edits.build import fresh_plan
from facewright.session.edits.edit import DocumentEdit
from facewright.session.edits.rig import DeleteShape, DuplicateShape, RenameShape
from facewright.session.storage.blobs import Blobs
from facewright.session.storage.document import DocumentCodec
from facewright.session.views.shapes import shapes
from tests.session.rigged import rigged
from tests.session.test_journal import Memory
from tests.some import some

EDITS: list[DocumentEdit] = [
    RenameShape(shape="jawOpen", name="mouthWide"),
    RenameShape(shape="jawSmile", name="corner"),
    DuplicateShape(shape="smileLeft"),
    DeleteShape(shape="jawSmile"),
    DeleteShape(shape="jawOpen", uses=True),
    DeleteShape(shape="sneer", uses=True),
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
    listed = {shape.name: shape for shape in shapes(context)}
    assert (listed["blinkRight"].used, listed["blinkRight"].uses) == (False, "nothing else uses it")
    assert listed["blinkLeft"].uses == "1 clip and 1 rule use it"
    context.apply(DeleteShape(shape="blinkRight"))
    assert "blinkRight" not in context.document.value.rig.shape_names


def test_the_list_tells_reach_support_drivers_and_group() -> None:
    rig = rigged().rig
    for shape, detail in zip(rig.shapes, shapes(context_of(rigged())), strict=True):
        assert detail.name == shape.name
        assert detail.sliders == list(shape.sliders)
        assert detail.support == len(shape.vertices)
        assert detail.reach == pytest.approx(np.linalg.norm(shape.offsets, axis=1).max())
        assert detail.group == rig.groups[rig.slider_index(shape.sliders[0])]


def test_a_copy_does_what_the_shape_does_and_the_face_stays() -> None:
    context, before = context_of(rigged()), rigged()
    context.apply(DuplicateShape(shape="smileRight"))
    now = context.document.value
    assert now.rig.sliders[:4] == ("jawOpen", "smileLeft", "smileRight", "smileRight2")
    np.testing.assert_array_equal(evaluate(now.rig, now.pose), evaluate(before.rig, before.pose))
    np.testing.assert_array_equal(evaluate(now.rig, {"smileRight2": 0.7}), evaluate(now.rig, {"smileRight": 0.7}))


def test_a_mistake_says_what_would_have_worked() -> None:
    context = context_of(rigged())
    with pytest.raises(UnknownName, match="jawOpen"):
        context.apply(RenameShape(shape="jawOpne", name="x"))
    with pytest.raises(BadValue, match="two sliders named 'pucker'"):
        context.apply(RenameShape(shape="jawOpen", name="pucker"))
    locked = context_of(replace(rigged(), locked=("jawOpen",)))
    locked.apply(DeleteShape(shape="jawOpen", uses=True))
    assert locked.document.value.locked == ()
