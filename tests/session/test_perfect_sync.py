"""Making ARKit's expressions beside the session: one step, and none on a face that is no longer open."""

from facewright.document import Document
from facewright.samples import mask, sample
from facewright.session.tasks.perfect_sync import MadeExpressions, MakePerfectSync, PerfectSyncing
from facewright.workflow.perfect_sync import Addition
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
