"""The unit of a document is set as a step, and another face in another unit moves its head as far as before."""

from dataclasses import replace

import numpy as np
import pytest

from facewright.document import Document
from facewright.motion.clip import Clip
from facewright.motion.curve import Curve
from facewright.rig import edit
from facewright.rig.unit import guess_unit
from facewright.session.context import Context
from facewright.session.edits.build import fresh_plan
from facewright.session.edits.face import change_face
from facewright.session.edits.unit import SetUnit
from facewright.session.views.unit import unit
from tests.session.faces import document


def nodding() -> Document:
    """A face without a unit that is 10 to 40 cm tall in centimetres, whose head moves."""
    one = document()
    head = {
        "HeadY": Curve([0.0, 1.0], [0.0, 2.0], "cubic", tangents=["free", "auto"], slopes=[[0.0, 3.0], [0.0, 0.0]]),
        "HeadYaw": Curve([0.0, 1.0], [0.0, 0.5]),
    }
    return replace(one, clips=(Clip("nod", {**one.clips[0].curves, **head}),), clip="nod")


@pytest.mark.parametrize(
    ("unit", "factor", "other"), [("cm", 0.01, "m"), ("", 0.01, ""), ("cm", 10.0, "mm"), ("", 1e7, "")]
)
def test_the_head_of_another_face_moves_as_far_in_its_unit(unit: str, factor: float, other: str) -> None:
    one = replace(nodding(), unit=unit)
    assert guess_unit(one.rig) == "cm"
    changed = change_face(one, Document(edit.scale(one.rig, factor), unit=other)).clip_named("nod").curves
    before, times = one.clip_named("nod").curves, np.linspace(0, 1, 7)
    np.testing.assert_allclose(changed["HeadY"](times), factor * before["HeadY"](times), rtol=1e-9)
    assert changed["HeadYaw"] is before["HeadYaw"]
    assert changed[one.rig.sliders[0]] is before[one.rig.sliders[0]]


def test_units_that_are_stated_count_more_than_sizes() -> None:
    one = replace(nodding(), unit="cm")
    giant = Document(edit.scale(one.rig, 30.0), unit="cm")
    changed = change_face(one, giant).clip_named("nod").curves
    assert changed["HeadY"] is one.clip_named("nod").curves["HeadY"]


def test_the_unit_is_a_step_and_is_told_in_words() -> None:
    context = Context(document(), fresh_plan(), lambda run, newest=None: run())
    assert unit(context).words.endswith("units tall, as a face in centimetres")
    neutral = context.document.value.rig.neutral
    assert context.apply(SetUnit(unit="mm"))
    assert not context.apply(SetUnit(unit="mm"))
    assert context.document.value.rig.neutral is neutral
    assert unit(context).words.endswith("m tall")
    assert SetUnit(unit="mm").label == "Unit: millimetres"
    context.go_to("document", 0)
    assert context.document.value.unit == ""
