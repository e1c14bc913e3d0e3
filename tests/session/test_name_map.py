"""A map of names in a session: used for the recordings that are loaded, refused in words, let go of."""

import numpy as np
import pytest

import facewright as fw
from facewright.document import Document
from facewright.errors import BadFile, BadValue, UnknownName
from facewright.motion.clip import Clip
from facewright.motion.curve import Curve
from facewright.session.context import Context
from facewright.session.edits.build import fresh_plan
from facewright.session.edits.clips import LoadClips
from facewright.session.tasks.name_map import ForgetNameMap, UseNameMap
from facewright.session.views.name_map import name_map
from tests.some import some

TABLE = "source,target,factor\nHappy,mouthSmileLeft,0.5\nHappy,mouthSmileRight,0.5\nJawOpen,\n"
TIMES = np.array([0.0, 1.0])


def recorded(*names: str) -> LoadClips:
    curves = {name: Curve(TIMES, np.array([0.0, 0.8])) for name in names}
    return LoadClips(clips=(Clip("phone", curves, 30.0),), name="phone")


@pytest.fixture
def context() -> Context:
    return Context(Document(fw.sample()), fresh_plan(), lambda run, newest=None: run())


def test_recordings_that_are_loaded_go_by_the_map(context: Context) -> None:
    with pytest.raises(BadValue, match="none of the 1 curves"):
        context.apply(recorded("Happy"))
    UseNameMap(name="names.csv", table=TABLE).run(context)
    told = some(name_map(context))
    assert (told.name, told.rows) == ("names.csv", 3)
    context.apply(recorded("Happy", "JawOpen", "CheekPuff"))
    curves = context.document.value.clips[-1].curves
    assert curves["mouthSmileLeft"](TIMES).tolist() == pytest.approx([0.0, 0.4])
    assert curves["cheekPuff"](TIMES).tolist() == pytest.approx([0.0, 0.8])
    assert "jawOpen" not in curves
    context.apply(recorded("CheekPuff"))  # the map is about other recordings
    assert set(context.document.value.clips[-1].curves) == {"cheekPuff"}


def test_a_map_is_let_go_of(context: Context) -> None:
    with pytest.raises(BadValue, match="no map of names is in use"):
        ForgetNameMap().run(context)
    UseNameMap(name="names.csv", table=TABLE).run(context)
    ForgetNameMap().run(context)
    assert name_map(context) is None
    context.apply(recorded("JawOpen"))
    assert set(context.document.value.clips[-1].curves) == {"jawOpen"}


@pytest.mark.parametrize(
    ("table", "problem", "words"),
    [
        ("Happy,mouthSmileLeftt\n", UnknownName, "mouthSmileLeft"),
        ("Happy\n", BadFile, "names.csv.*rows such as"),
        ("", BadFile, "no rows"),
    ],
)
def test_a_map_that_does_not_fit_is_refused_and_the_last_one_stays(
    context: Context, table: str, problem: type[Exception], words: str
) -> None:
    UseNameMap(name="first.csv", table=TABLE).run(context)
    with pytest.raises(problem, match=words):
        UseNameMap(name="names.csv", table=table).run(context)
    assert some(name_map(context)).name == "first.csv"
