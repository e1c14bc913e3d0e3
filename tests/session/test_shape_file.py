"""Shapes are taken from sculpts and from other rigs; a sculpt of another topology is registered first."""

from collections.abc import Callable
from dataclasses import replace
from threading import Event

import numpy as np
import pytest

from facewright.document import Document
from facewright.errors import BadFile, BadValue, OtherTopology
from facewright.rig.evaluate import evaluate
from facewright.rig.rig import Rig
from facewright.session.context import Context
from facewright.session.edits.sculpts import posed
from facewright.session.files import ROLES, Arrival
from facewright.session.tasks.shape_file import (
    CloseShapeFile,
    OpenShapeFile,
    RegisterSculpt,
    ShapeFileInfo,
    TakeSculpt,
    TakeShapes,
)
from facewright.session.views.shape_file import shape_file
from tests.session.rigged import rigged
from tests.session.test_rig_edits import context_of
from tests.some import some
from tests.studio.served import PATIENCE


def sculpt() -> Document:
    """The posed face, puffed up, as a mesh without shapes."""
    rig = rigged().rig
    at = posed(whole())
    return Document(Rig(at + 0.02 * rig.size * at / np.linalg.norm(at, axis=1, keepdims=True), rig.polygons))


def whole() -> Document:
    return replace(rigged(), local=None)


def opened(document: Document, name: str = "puffed") -> Context:
    context = context_of(whole())
    made = ROLES["shapes"].make(context, Arrival(name, document, {}))
    assert isinstance(made, OpenShapeFile)
    made.run(context)
    return context


def info(context: Context) -> ShapeFileInfo:
    return some(shape_file(context))


def test_a_sculpt_becomes_a_shape_a_replacement_or_a_corrective_of_the_pose() -> None:
    context = opened(sculpt())
    assert (info(context).shapes, info(context).fits, info(context).words) == ([], True, "")
    target = sculpt().rig.neutral
    TakeSculpt(how="shape").run(context)
    rig = context.document.value.rig
    assert rig.shape_names[-1] == rig.sliders[-1] == "puffed"
    np.testing.assert_allclose(evaluate(rig, {"puffed": 1.0}), target, atol=1e-12)
    TakeSculpt(how="replace", name="jawSmile").run(context)
    full = {"jawOpen": 1.0, "smileLeft": 1.0}
    np.testing.assert_allclose(evaluate(context.document.value.rig, full), target, atol=1e-12)
    TakeSculpt(how="in_pose", name="smileLeft").run(context)
    np.testing.assert_allclose(posed(context.document.value), target, atol=1e-12)
    context.go_to("document", 0)
    TakeSculpt(how="corrective", name="fix").run(context)
    now = context.document.value
    np.testing.assert_allclose(posed(now), target, atol=1e-6 * now.rig.size)
    assert now.rig.shape("fix").at == (1.0, 0.5)
    assert context.document.history.labels == ["Corrective fix"]


def test_shapes_of_another_rig_are_added_or_take_the_place_of_one() -> None:
    context = opened(rigged(), "other")
    assert info(context).shapes == list(rigged().rig.shape_names)
    TakeShapes(shapes=["sneer", "jawSmile"]).run(context)
    rig = context.document.value.rig
    assert rig.shape_names[-2:] == ("sneer2", "jawSmile2")
    TakeShapes(shapes=["browUp"], replace="pucker").run(context)
    rig = context.document.value.rig
    np.testing.assert_array_equal(rig.shape("pucker").offsets, rigged().rig.shape("browUp").offsets)
    with pytest.raises(BadValue, match="replaced by one shape"):
        TakeShapes(shapes=["browUp", "sneer"], replace="pucker").run(context)
    with pytest.raises(BadValue, match="choose at least one"):
        TakeShapes(shapes=[]).run(context)
    CloseShapeFile().run(context)
    assert shape_file(context) is None
    with pytest.raises(BadValue, match="choose a file first"):
        TakeShapes(shapes=["sneer"]).run(context)


def test_another_face_needs_another_file() -> None:
    context = opened(sculpt())
    rig = whole().rig
    face = Document(Rig(rig.neutral, rig.triangles))
    context.document.go(lambda _: face)
    assert shape_file(context) is None
    with pytest.raises(BadValue, match="choose a file first"):
        TakeSculpt(how="shape").run(context)


def test_an_unusual_unit_or_place_is_said() -> None:
    rig = sculpt().rig
    assert "times as large as the face" in info(opened(Document(replace(rig, neutral=100 * rig.neutral)))).words
    assert "move it into place" in info(opened(Document(replace(rig, neutral=rig.neutral + 0.3 * rig.size)))).words


def test_a_file_without_a_mesh_is_refused() -> None:
    with pytest.raises(BadFile, match="no mesh"):
        ROLES["shapes"].make(context_of(whole()), Arrival("x", Document(Rig(np.zeros((0, 3)), [])), {}))


def other_topology() -> Document:
    """The sculpt with every quad cut, and its vertices in another order."""
    rig = sculpt().rig
    order = np.random.default_rng(2).permutation(rig.vertex_count)
    return Document(Rig(rig.neutral[order], np.argsort(order)[rig.triangles]))


def test_a_sculpt_of_another_topology_says_what_helps_and_is_registered() -> None:
    context = opened(other_topology())
    assert not info(context).fits
    assert "but other polygons" in info(context).words
    assert "facewright register" in info(context).words
    with pytest.raises(OtherTopology, match="facewright register"):
        TakeSculpt(how="shape").run(context)
    done = Event()

    def post(run: Callable[[], None], newest: object = None) -> None:
        run()
        done.set()

    context.post = post
    RegisterSculpt().run(context)
    assert info(context).registering
    with pytest.raises(BadValue, match="being registered already"):
        RegisterSculpt().run(context)
    assert done.wait(PATIENCE)
    assert context.notices() == []
    assert info(context).fits
    TakeSculpt(how="corrective", name="fix").run(context)
    now = posed(context.document.value)
    off = np.linalg.norm(now - sculpt().rig.neutral, axis=1)
    assert np.median(off) < 0.006 * whole().rig.size  # the sculpt is .02 away from the pose
