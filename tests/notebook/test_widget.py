"""The widget in Python: what may be set, what is told, and what is sent."""

import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import facewright as fw
from facewright.notebook.widget import FaceView
from tests.notebook.page import KeptComm, kept_messages
from tests.notebook.pictured import pictured
from tests.some import some

MISSING = """
import sys
sys.modules["anywidget"] = None
import facewright as fw
try:
    fw.view(fw.sample())
except fw.MissingExtra as problem:
    print(problem)
"""


@pytest.fixture
def rig() -> fw.Rig:
    return fw.sample()


def view_of(face: fw.Rig | fw.Document, **options: Any) -> FaceView:
    with kept_messages():
        return fw.view(face, **options)


def sent(view: FaceView) -> list[dict[str, Any]]:
    assert isinstance(view.comm, KeptComm)
    kept, view.comm.kept = view.comm.kept, []
    return kept


def from_page(view: FaceView, **state: Any) -> None:
    """As a page sends it."""
    data = {"method": "update", "state": state, "buffer_paths": []}
    view.comm.handle_msg({"content": {"data": data}, "buffers": []})


def talk(rig: fw.Rig) -> fw.Clip:
    times = [0.0, 1.0, 2.0]
    return fw.Clip("talk", {"jawOpen": fw.Curve(times, [0.0, 0.8, 0.0]), "HeadYaw": fw.Curve(times, [0.0, 0.3, 0.0])})


def test_a_pose_is_a_mapping_and_an_array_and_goes_wherever_weights_go(rig: fw.Rig) -> None:
    view = view_of(rig, pose={"jawOpen": 0.3})
    assert view.pose["jawOpen"] == 0.3
    assert view.pose["tongueOut"] == 0
    assert len(view.pose) == len(rig.sliders)
    view.pose |= {"tongueOut": 0.2}
    np.testing.assert_array_equal(np.asarray(view.pose), view.weights)
    np.testing.assert_array_equal(fw.evaluate(rig, view.pose), fw.evaluate(rig, {"jawOpen": 0.3, "tongueOut": 0.2}))
    assert repr(view.pose) == "ViewPose({'jawOpen': 0.3, 'tongueOut': 0.2}, 50 others at 0)"
    view.pose = np.full(len(rig.sliders), 0.5)
    assert set(view.pose.values()) == {0.5}
    with pytest.raises(fw.UnknownName, match="no slider named 'jaw'"):
        view.pose["jaw"]
    assert view.pose.get("jaw", 7) == 7
    assert "jaw" not in view.pose


def test_a_wrong_pose_is_refused_and_the_one_before_stays(rig: fw.Rig) -> None:
    view = view_of(rig, pose={"jawOpen": 0.3})
    for wrong in ({"jaw": 1.0}, [1.0, 2.0], np.full(len(rig.sliders), np.nan)):
        with pytest.raises(fw.FacewrightError):
            view.pose = wrong
    assert view.pose["jawOpen"] == 0.3


def test_a_page_that_moves_a_slider_is_heard_by_observers_and_gets_no_echo(rig: fw.Rig) -> None:
    view = view_of(rig)
    sent(view)
    heard: list[float] = []
    view.observe(lambda change: heard.append(change.new["jawOpen"]), "pose")
    from_page(view, pose=[0.25] * len(rig.sliders))
    assert heard == [0.25]
    assert sent(view) == []


def test_after_the_first_time_only_weights_are_sent(rig: fw.Rig) -> None:
    view = view_of(rig)
    (opened,) = sent(view)
    assert sum(map(len, opened["buffers"])) > 1_000_000
    view.pose = {"jawOpen": 0.5}
    (update,) = sent(view)
    assert update["state"].keys() == {"pose"}
    assert not update["buffers"]
    assert len(repr(update)) < 1000


def test_a_document_is_shown_in_its_pose_with_its_clips_and_pictures(rig: fw.Rig) -> None:
    document = pictured(rig, clips=[talk(rig)], pose={"browInnerUp": 0.4})
    view = view_of(document)
    assert view.pose["browInnerUp"] == 0.4
    ((number, image),) = view._faces[0]["images"].items()
    assert (number, image["media"], image["data"]) == ("0", "image/png", some(document.materials).images[0].data)
    view.play("talk")
    assert view.playing
    assert view.pose["browInnerUp"] == 0.4
    view.pause()
    view.time = 0.5
    assert view.pose["jawOpen"] == pytest.approx(0.4)
    assert view.pose["browInnerUp"] == 0.4
    weights = np.frombuffer(view._clip["weights"], "<f4").reshape(-1, len(rig.sliders))
    np.testing.assert_allclose(weights[30], document_row(document, 1.0), atol=1e-6)
    turned = np.frombuffer(view._clip["head"], "<f4").reshape(-1, 12)
    np.testing.assert_allclose(turned[30][[0, 2]], [np.cos(0.3), np.sin(0.3)], atol=1e-6)
    with pytest.raises(fw.UnknownName, match="no clip named 'walk'"):
        view.play("walk")


def document_row(document: fw.Document, time: float) -> np.ndarray:
    row = document.pose.copy()
    row[document.rig.slider_index("jawOpen")] = document.clips[0].curves["jawOpen"](np.array([time]))[0]
    return row


def test_a_time_that_the_page_sends_leaves_the_pose_to_the_page(rig: fw.Rig) -> None:
    view = view_of(rig, clip=talk(rig))
    from_page(view, time=0.5, pose=[0.1] * len(rig.sliders))
    assert view.time == 0.5
    assert view.pose["jawOpen"] == 0.1


def test_mistakes_are_said_in_words(rig: fw.Rig) -> None:
    with pytest.raises(fw.BadValue, match="is a Rig or a Document, not str: fw"):
        fw.view("face.glb")  # type: ignore[arg-type]
    with pytest.raises(fw.BadValue, match="one of beside, split, over"):
        fw.view(rig, arrangement="below")  # type: ignore[arg-type]
    with pytest.raises(fw.BadValue, match="160 to 4000 pixels"):
        fw.view(rig, height=10)
    with pytest.raises(fw.BadValue, match="there is no clip to play"):
        fw.view(rig).play()
    view = fw.view(rig)
    with pytest.raises(fw.BadValue, match="heat"):
        view.heat = [1.0, 2.0]


def test_without_anywidget_the_error_says_how_to_get_it() -> None:
    said = subprocess.run([sys.executable, "-c", MISSING], capture_output=True, text=True, check=True).stdout
    assert said.strip() == (
        "showing a face in a notebook needs the package anywidget: pip install 'facewright[notebook]'"
    )
