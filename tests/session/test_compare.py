"""A second rig beside the document: its distances follow every edit, and nothing of it is a step."""

from dataclasses import replace

import numpy as np
import pytest

from facewright.document import Document
from facewright.errors import BadValue, OtherTopology
from facewright.mesh.normals import vertex_normals
from facewright.rig.edit import scale_shape
from facewright.rig.evaluate import evaluate
from facewright.session.context import Context
from facewright.session.edits.face import ChangeFace
from facewright.session.edits.rig import DeleteShape, RenameShape
from facewright.session.edits.show import ShowPose
from facewright.session.files import Arrival
from facewright.session.tasks.compare import CloseComparison, rig_of_file
from facewright.session.views.compare import AskCompared, ComparisonInfo, comparison
from tests.session.faces import face
from tests.session.rigged import rigged
from tests.session.test_rig_edits import context_of
from tests.some import some


def second() -> Document:
    return replace(rigged(), rig=scale_shape(rigged().rig, "smileLeft", 0.5))


def compared(document: Document | None = None) -> Context:
    """The face beside one with half of a smile."""
    context = context_of(rigged())
    rig_of_file(context, Arrival("half", document or second(), {})).run(context)
    return context


def distances(info: ComparisonInfo) -> dict[str, float]:
    return {shape.name or f"+{shape.other}": shape.distance for shape in info.shapes}


def test_distances_follow_every_edit_of_the_rig() -> None:
    context = compared()
    info = some(comparison(context))
    assert (info.name, info.obstacle, info.notes) == ("half", "", [])
    assert {name: far for name, far in distances(info).items() if far} == {"smileLeft": pytest.approx(0.5)}
    context.apply(DeleteShape(shape="blinkRight"))
    context.apply(RenameShape(shape="sneer", name="wrinkle"))
    changed = some(comparison(context))
    assert {"blinkRight", "sneer", "smileLeft", "wrinkle"} == {
        name.removeprefix("+") for name, far in distances(changed).items() if far
    }
    assert distances(changed)["+blinkRight"] == 1
    assert changed.notes == ["wrinkle is not in the second rig.", "blinkRight, sneer are only in the second rig."]
    context.go_to("document", 0)
    assert comparison(context) == info


def test_it_is_no_step_and_is_dropped_when_it_is_closed() -> None:
    context = compared()
    assert context.document.history.labels == []
    assert context.document.value is rigged()
    CloseComparison().run(context)
    assert comparison(context) is None
    with pytest.raises(BadValue, match="choose a file to compare with first"):
        AskCompared(shape="smileLeft", other="smileLeft").answer(context, 1)


def test_both_faces_have_the_shape_and_the_distance_is_that_of_their_motions() -> None:
    context, rig = compared(), rigged().rig
    frame = AskCompared(shape="smileLeft", other="smileLeft").answer(context, 3)
    delta = rig.shape("smileLeft").dense(rig.vertex_count)
    np.testing.assert_allclose(frame.one, rig.neutral + delta)
    np.testing.assert_allclose(frame.two, rig.neutral + 0.5 * delta)
    np.testing.assert_allclose(frame.distances, 0.5 * np.linalg.norm(delta, axis=1), atol=1e-12)
    np.testing.assert_allclose(frame.two_normals, vertex_normals(frame.two, rig.triangles))
    assert frame.seq == 3
    assert frame.pack()
    alone = AskCompared(shape="sneer").answer(context, 4)  # which the second lacks, say
    np.testing.assert_array_equal(alone.two, rig.neutral)


def test_without_a_shape_both_have_the_present_pose() -> None:
    context, rig = compared(), rigged().rig
    context.apply(ShowPose(weights={"smileLeft": 0.8, "jawOpen": 0.4}))
    frame = AskCompared().answer(context, 1)
    np.testing.assert_allclose(frame.one, evaluate(rig, {"smileLeft": 0.8, "jawOpen": 0.4}))
    np.testing.assert_allclose(frame.two, evaluate(second().rig, {"smileLeft": 0.8, "jawOpen": 0.4}))


def test_another_topology_is_refused_and_a_face_that_is_opened_later_is_an_obstacle() -> None:
    with pytest.raises(OtherTopology, match="register"):
        compared(Document(face()))
    context = compared()
    context.apply(ChangeFace(other=Document(face()), name="other"))
    assert "register" in some(comparison(context)).obstacle
    assert some(comparison(context)).shapes == []
