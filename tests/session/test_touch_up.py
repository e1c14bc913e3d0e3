"""Shapes are touched up in strokes, each one step; pages are sent the shape that changed and nothing else."""

from dataclasses import replace

import numpy as np
import pytest

from facewright.document import Document
from facewright.errors import BadValue
from facewright.formats.parts import rig_to_bytes
from facewright.rig.edit.brush import Brush, Dab, touch_up
from facewright.rig.rig import Rig
from facewright.session.context import Context
from facewright.session.edits.build import fresh_plan
from facewright.session.edits.regions import find_regions
from facewright.session.edits.touch_up import ShowShape, TouchUpShape
from facewright.session.views.geometry import geometry
from facewright.session.views.rig import known_rig_id, rig_info
from facewright.session.views.shape_change import ShapeChange, shape_change
from tests.session.faces import face

MIXES = ((0.2, 0.3, 0.5), (0.1, 0.1, 0.8), (1.0, 0.0, 0.0))


def _path(rig: Rig, shape: int) -> list[tuple[int, float, float, float]]:
    """Three points about the vertex that a shape moves most."""
    lively = np.linalg.norm(rig.deltas()[shape], axis=1).argmax()
    triangles = np.flatnonzero((rig.triangles == lively).any(axis=1))[:3]
    return [(int(triangle), *mix) for triangle, mix in zip(triangles, MIXES, strict=True)]


PATH = _path(face(), 2)


def posed() -> tuple[Document, str]:
    rig = face()
    name = rig.shapes[2].name
    return Document(rig, (), rig.weights({name: 1.0})), name


def change_of(context: Context) -> ShapeChange:
    found = shape_change(context)
    assert isinstance(found, ShapeChange)
    return found


def context_of(one: Document) -> Context:
    return Context(one, fresh_plan(), lambda run, newest=None: run())


def stroke(name: str, dabs: int = 3, **more: object) -> TouchUpShape:
    return TouchUpShape(shape=name, kind="smooth", path=PATH[:dabs], radius=0.2, strength=0.8, **more)  # type: ignore[arg-type]


def expected(rig: Rig, name: str, dabs: int, kind: str = "smooth") -> Rig:
    path = [Dab(triangle, (a, b, c)) for triangle, a, b, c in PATH[:dabs]]
    return touch_up(rig, name, Brush(kind, 0.2, 0.8), path)  # type: ignore[arg-type]


def same(one: Rig, other: Rig) -> bool:
    return all(
        np.array_equal(a.vertices, b.vertices) and np.array_equal(a.offsets, b.offsets)
        for a, b in zip(one.shapes, other.shapes, strict=True)
    )


def test_a_stroke_that_grows_is_one_step_and_equals_the_whole_stroke() -> None:
    document, name = posed()
    context = context_of(document)
    context.document.begin("Smooth")
    for dabs in (1, 2, 3):
        context.update(stroke(name, dabs))
        assert same(context.document.value.rig, expected(document.rig, name, dabs))
    context.update(stroke(name, 2))  # a page may also take a dab back
    assert same(context.document.value.rig, expected(document.rig, name, 2))
    context.document.commit()
    assert len(context.document.history.labels) == 1


def test_undone_and_redone_a_stroke_gives_the_same_bytes() -> None:
    document, name = posed()
    context = context_of(document)
    before = rig_to_bytes(document.rig)
    context.apply(stroke(name))
    after = rig_to_bytes(context.document.value.rig)
    assert after != before
    context.go_to("document", 0)
    assert rig_to_bytes(context.document.value.rig) == before
    context.go_to("document", 1)
    assert rig_to_bytes(context.document.value.rig) == after
    assert context.document.history.labels == [f"Smooth {name}"]


def test_a_page_is_sent_one_shape_of_a_rig_that_it_has() -> None:
    document, name = posed()
    context = context_of(document)
    assert rig_info(context).base == change_of(context).base == ""
    known = known_rig_id(context, document.rig)
    context.apply(stroke(name))
    info, change = rig_info(context), change_of(context)
    assert info.base == change.base == known
    assert info.id == change.rig != known
    whole = geometry(context.document.value, info.id)
    start, stop = whole.starts[change.shape : change.shape + 2]
    assert context.document.value.rig.shapes[change.shape].name == name
    np.testing.assert_array_equal(change.vertices, whole.vertices[start:stop])
    np.testing.assert_array_equal(change.offsets, whole.offsets[start:stop])
    np.testing.assert_array_equal(change.turns, whole.turns[start:stop])
    assert change.pack()
    context.go_to("document", 0)
    assert (rig_info(context).base, rig_info(context).id) == (info.id, known)
    renamed = replace(document.rig.shapes[2], name="other", sliders=document.rig.shapes[2].sliders)
    rig = replace(document.rig, shapes=(*document.rig.shapes[:2], renamed, *document.rig.shapes[3:]))
    context.document.value = replace(document, rig=rig)
    assert rig_info(context).base == change_of(context).base == ""


def test_a_stroke_that_changes_nothing_leaves_no_step() -> None:
    document, name = posed()
    context = context_of(document)
    assert not context.apply(TouchUpShape(shape=name, kind="grab", path=PATH, radius=0.1, strength=1.0))
    assert context.document.history.labels == []


def test_a_shape_that_is_off_is_refused_and_the_gesture_goes_on() -> None:
    document, name = posed()
    other = document.rig.shapes[5].name
    context = context_of(document)
    context.document.begin("Smooth")
    context.update(stroke(name, 1))
    with pytest.raises(BadValue, match=f"'{other}' is at 0"):
        context.update(stroke(other))
    assert same(context.document.value.rig, expected(document.rig, name, 1))


def test_posed_regions_are_refused_in_words() -> None:
    document, name = posed()
    document = find_regions(document, 0.75)
    assert document.regions is not None
    local = np.zeros((len(document.regions.names), len(document.rig.sliders)))
    local[0, 0] = 0.5
    with pytest.raises(BadValue, match="regions have poses of their own"):
        context_of(replace(document, local=local)).apply(stroke(name))


def test_a_shape_is_shown_fully_on_and_the_other_sliders_stay() -> None:
    document, name = posed()
    other = document.rig.shapes[5].name
    context = context_of(document)
    assert context.apply(ShowShape(shape=other))
    assert not context.apply(ShowShape(shape=other))
    np.testing.assert_array_equal(context.document.value.pose, document.rig.weights({name: 1.0, other: 1.0}))
    assert context.document.history.labels == [f"Show {other}"]
