"""Making ARKit's expressions beside the session: one step, and none on a face that is no longer open."""

from pathlib import Path

import numpy as np
import pytest

from facewright.document import Document
from facewright.errors import BadValue
from facewright.formats.joined_parts import joinable_meshes
from facewright.rig.expression import Expression
from facewright.rig.shape import Shape
from facewright.samples import mask, sample
from facewright.session.edits.expressions import AddPerfectSync
from facewright.session.tasks.perfect_sync import MadeExpressions, MakePerfectSync, PerfectSyncing
from facewright.workflow.perfect_sync import Addition
from tests.formats.test_joined_parts import opened
from tests.session.test_rig_edits import context_of

PATIENCE = 60.0  # seconds


def test_they_are_one_step_that_is_undone() -> None:
    context = context_of(Document(sample()))
    MakePerfectSync().run(context)
    context.task(PerfectSyncing).wait(PATIENCE)
    assert len(context.document.value.expressions) == 52
    assert context.notices() == ["0 shapes of ARKit were made, 52 were there."]
    context.document.undo()
    assert context.document.value.expressions == ()


def test_nothing_is_added_to_another_face_than_they_were_made_for() -> None:
    context = context_of(Document(sample()))
    made = MadeExpressions(Addition((), sample().shapes[:1], ()), "")
    context.task(PerfectSyncing).finished(mask(100), made)
    assert "no longer open" in context.notices()[0]
    assert len(context.document.value.rig.shapes) == 52


def test_lashes_join_the_face_and_leave_it_again(tmp_path: Path) -> None:
    before = opened(tmp_path)
    context = context_of(before)
    count = before.rig.vertex_count
    blink = Shape("eyeBlinkLeft", np.array([0, count]), np.array([[0.0, -0.01, 0.0]] * 2))
    jaw = Shape("shape_0", np.array([0, count + 1]), np.array([[0.0, -9.0, 0.0]] * 2))
    added = Addition(joinable_meshes(before)[:1], (blink, jaw), (Expression("EyeBlinkLeft"),))
    context.apply(AddPerfectSync(added=added))
    rig = context.document.value.rig
    assert [part.name for part in rig.parts] == ["face", "lashes"]
    assert rig.shape("eyeBlinkLeft").vertices.tolist() == [0, count]
    np.testing.assert_array_equal(  # what the shape of the avatar did before it still does
        rig.shape("shape_0").dense(rig.vertex_count)[:count], before.rig.shape("shape_0").dense(count)
    )
    assert rig.shape("shape_0").dense(rig.vertex_count)[count + 1].tolist() == [0.0, -9.0, 0.0]
    data = context.document.value.attachments
    context.document.undo()
    assert context.document.value.rig.vertex_count == count
    context.document.redo()
    assert context.document.value.attachments == data
    with pytest.raises(BadValue, match="other vertices"):
        context.apply(AddPerfectSync(added=Addition((), (Shape("far", [10**6], [[1.0, 0, 0]]),), ())))
