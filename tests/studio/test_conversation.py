"""What a page says and what it is told."""

from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from facewright.document import Document
from facewright.formats.clips import load_clip
from facewright.formats.registry import load_document, save
from facewright.rig.evaluate import evaluate
from facewright.samples import mask, sample
from facewright.session.frames import unpack
from tests.studio.served import Page, Served

CORNER = 0.02  # of the rig's size: how far the mouth corner is dragged


def mouth_corner() -> int:
    """The vertex that a smile on the left moves most."""
    shape = sample().shape("mouthSmileLeft")
    return int(shape.vertices[np.linalg.norm(shape.offsets, axis=1).argmax()])


def drag(page: Page, share: float, *, gesture: int = 1, commit: bool = True) -> None:
    page.do("AddPin", pin=1, vertex=mouth_corner())
    place = page.pose[1]["places"][0]
    page.do("Begin", gesture=gesture, label="drag the corner")
    goal = place + np.array([0.5, 1.0, 0.0], np.float32) * share * page.state["rig"]["size"]
    for step in np.linspace(0, 1, 5):
        target = (place + step * (goal - place)).tolist()
        page.do("DragPins", gesture=gesture, targets=[{"pin": 1, "target": target}], plane=[0, 0, 1])
    if commit:
        page.do("Commit", gesture=gesture)


def test_a_page_learns_everything_when_it_comes(page: Page) -> None:
    rig = sample()
    assert [slider["name"] for slider in page.state["rig"]["sliders"]] == list(rig.sliders)
    assert page.state["rig"]["vertices"] == rig.vertex_count
    mirror = page.state["rig"]["sliders"][rig.slider_index("eyeBlinkLeft")]["mirror"]
    assert rig.sliders[mirror] == "eyeBlinkRight"
    assert page.state["rig"]["sliders"][rig.slider_index("jawOpen")]["mirror"] == -1
    assert page.welcome["methods"][0] == "bounded"
    assert ".glb" in page.welcome["formats"]
    assert len(page.weights) == 52


def test_a_slider_moves_and_is_undone_and_done_again(page: Page) -> None:
    page.do("SetWeights", weights={"jawOpen": 0.4})
    assert page.weight("jawOpen") == pytest.approx(0.4)
    assert page.state["history"] == {"labels": ["Move jawOpen"], "at": 1, "gesture": ""}
    assert page.state["file"]["unsaved"]
    page.do("Undo")
    assert page.weight("jawOpen") == 0.0
    assert not page.state["file"]["unsaved"]
    page.do("Redo")
    assert page.weight("jawOpen") == pytest.approx(0.4)
    page.do("GoTo", at=0)
    assert page.weight("jawOpen") == 0.0


def test_a_gesture_of_slider_moves_is_one_entry(page: Page) -> None:
    page.do("Begin", gesture=7, label="open the jaw")
    assert page.state["history"]["gesture"] == "open the jaw"
    for value in np.linspace(0.1, 0.9, 9):
        page.do("SetWeights", gesture=7, weights={"jawOpen": float(value)})
    page.do("Commit", gesture=7)
    assert page.state["history"]["labels"] == ["open the jaw"]
    page.do("Undo")
    assert page.weight("jawOpen") == 0.0


def test_a_dragged_mouth_corner_moves_the_face_within_bounds_and_one_undo_takes_it_back(page: Page) -> None:
    drag(page, CORNER)
    header, arrays = page.pose
    assert page.weight("mouthSmileLeft") > 0.05
    assert (arrays["weights"] >= 0).all()
    assert (arrays["weights"] <= 1).all()
    assert page.state["history"]["labels"] == ["Add pin", "drag the corner"]
    place = evaluate(sample(), arrays["weights"].astype(float))[mouth_corner()]
    np.testing.assert_allclose(arrays["places"][0], place, atol=1e-3)
    page.do("Undo")
    assert not page.weights.any()
    assert header.pins == [1]


def test_an_answer_tells_what_moved_and_why_a_pin_is_not_met(page: Page) -> None:
    page.do("AddPin", pin=4, vertex=mouth_corner())
    page.do("Begin", gesture=1, label="drag")
    target = (page.pose[1]["places"][0] + [0, 100.0, 0]).tolist()
    answer = page.do("DragPins", gesture=1, targets=[{"pin": 4, "target": target}])
    assert answer["dragged"] == [4]
    assert answer["reasons"][0]
    assert answer["data"]["residual"][0] > 50
    np.testing.assert_allclose(answer["data"]["change"], page.weights, atol=1e-6)
    assert answer["data"]["helped"].sum() < 0.5
    page.do("Discard", gesture=1)
    assert not page.weights.any()
    assert page.state["history"]["labels"] == ["Add pin"]


def test_nothing_is_told_of_a_drag_that_was_discarded(page: Page) -> None:
    drag(page, CORNER, commit=False)
    assert page.pose[1]["change"].any()
    page.do("Discard", gesture=1)
    header, arrays = page.pose
    assert "change" not in arrays
    assert (header.dragged, header.reasons, header.status) == ([], [], "")


def test_a_held_brow_stays_while_the_mouth_is_dragged(page: Page) -> None:
    rig = sample()
    brow = rig.shape("browOuterUpLeft")
    held = brow.vertices[np.argsort(-np.linalg.norm(brow.offsets, axis=1))[:40]]
    page.do("SetWeights", weights={"browOuterUpLeft": 0.5})
    page.do("HoldVertices", vertices=held.tolist(), axes="xyz")
    before = page.weights.copy()
    page.do("SetHolding", on=True)
    np.testing.assert_array_equal(page.weights, before)
    drag(page, CORNER)
    moved = (evaluate(rig, page.weights.astype(float)) - evaluate(rig, before.astype(float)))[held]
    assert np.abs(moved).max() < 1e-3 * rig.size
    assert np.abs(page.weights - before).max() > 0.1
    assert page.state["held"]["default_alpha"] == pytest.approx((rig.vertex_count - 40) / 40)


def test_two_poses_are_keyed_played_and_kept(page: Page) -> None:
    page.do("SetKeys", time=0.0)
    page.do("SetWeights", weights={"jawOpen": 0.8})
    page.do("SetKeys", time=1.0)
    assert page.state["clip"] == "clip 1"
    assert page.curves["clip 1", "jawOpen"]["times"] == [0.0, 1.0]
    page.do("Scrub", time=0.5)
    assert page.weight("jawOpen") == pytest.approx(0.4)
    table = page.do("SampleClip", clip="clip 1")
    at = list(sample().sliders).index("jawOpen")
    assert table["data"]["weights"].shape == (31, 52)
    u = np.arange(31) / 30  # new keys ease in and out
    np.testing.assert_allclose(table["data"]["weights"][:, at], 0.8 * (3 - 2 * u) * u**2, atol=1e-6)
    np.testing.assert_allclose(table["data"]["values"][:, 0], table["data"]["weights"])
    page.do("MoveKeys", keys=[{"slider": "jawOpen", "times": [1.0]}], by=1.0)
    assert page.curves["clip 1", "jawOpen"]["times"] == [0.0, 2.0]
    assert page.weight("jawOpen") == pytest.approx(0.8 * (3 - 2 * 0.25) * 0.25**2)
    page.do("Undo")
    assert page.curves["clip 1", "jawOpen"]["times"] == [0.0, 1.0]
    page.do("SetTangents", tangent="linear")
    assert page.curves["clip 1", "jawOpen"]["interpolation"] == "linear"
    page.do("DeleteClip", clip="clip 1")
    assert page.curves == {}
    assert page.state["clip"] == ""


def test_only_what_changed_is_told(page: Page) -> None:
    page.do("SetKeys", time=0.0)
    page.told.clear()
    page.do("SetWeights", weights={"jawOpen": 0.25})
    (told,) = [message for message in page.told if message["type"] == "State"]
    assert set(told) == {"type", "revision", "history"}
    page.told.clear()
    page.do("SetKeys", time=1.0, sliders=["jawOpen"])
    assert [curve.slider for curve in page.frame("CurveKeys")[0].curves] == ["jawOpen"]


def test_two_windows_see_the_same_and_do_not_disturb_each_other(served: Served, page: Page) -> None:
    other = served.page()
    page.do("Begin", gesture=1, label="mine")
    page.do("SetWeights", gesture=1, weights={"jawOpen": 0.5})
    other.do("Ping")
    assert other.weight("jawOpen") == pytest.approx(0.5)
    assert other.pose[0].seq == 0
    assert "another window is in the middle of 'mine'" in other.ask("SetWeights", weights={"jawOpen": 0.1})["message"]
    assert other.ask("Begin", gesture=1, label="theirs")["type"] == "Refused"
    assert other.ask("Commit", gesture=1)["type"] == "Refused"
    assert other.ask("Undo")["type"] == "Refused"
    page.close()
    other.take("Pose")
    assert other.weight("jawOpen") == 0.0
    other.do("SetWeights", weights={"jawOpen": 0.1})
    other.close()


def test_beginning_again_discards_what_was_unfinished(page: Page) -> None:
    page.do("Begin", gesture=1, label="one")
    page.do("SetWeights", gesture=1, weights={"jawOpen": 0.5})
    page.do("Begin", gesture=2, label="two")
    assert page.weight("jawOpen") == 0.0
    assert "gesture is over" in page.ask("SetWeights", gesture=1, weights={"jawOpen": 0.9})["message"]
    page.do("Commit", gesture=2)
    assert page.state["history"]["labels"] == []


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "null", "\x00", '{"type": "Nothing"}', '{"type": "SetWeights"}', '{"type": "Undo", "extra": 1}',
     '{"type": "SetWeights", "weights": {"jawOpen": "x"}}', '{"type": "SetWeights", "weights": {"jawOpen": 1e999}}',
     '{"type": "Scrub", "time": NaN}', '{"type": "AddPin", "pin": -1, "vertex": 0}', "[" * 100_000,
     '{"type": "Begin", "gesture": 0, "label": "x"}', '{"type": "GoTo", "at": 1e20}'],
)  # fmt: skip
def test_a_message_that_cannot_be_read_is_refused_and_the_talk_goes_on(page: Page, text: str) -> None:
    page.socket.send(text)
    answer = page.take("Refused")
    assert answer["seq"] == 0
    assert answer["message"]
    page.socket.send(b"\x00\x01")
    assert page.take("Refused")["seq"] == 0
    assert page.do("Ping")["type"] == "Pong"


@pytest.mark.parametrize(
    ("type", "fields", "words"),
    [
        ("SetWeights", {"weights": {"jawOpne": 1}}, "did you mean jawOpen"),
        ("AddPin", {"pin": 1, "vertex": 10**6}, "they go from 0 to"),
        ("AddPin", {"pin": 1}, "on a vertex, or on a triangle"),
        ("DeletePins", {"pins": [9]}, "no pin 9"),
        ("GoTo", {"at": 99}, "0 steps"),
        ("ChooseClip", {"clip": "x"}, "no clip named 'x'"),
        ("SetDragOptions", {"method": "magic"}, "no method named 'magic'"),
        ("OpenSample", {"person": "nobody"}, "no person named 'nobody'"),
        ("Save", {}, "no file yet"),
        ("Commit", {"gesture": 5}, "gesture is over"),
        ("Remember", {"view": {"x": "y" * 70_000}}, "64 KB"),
    ],
)  # fmt: skip
def test_a_mistake_is_answered_with_what_would_have_worked(
    page: Page, type: str, fields: dict[str, Any], words: str
) -> None:
    answer = page.ask(type, **fields)
    assert answer["type"] == "Refused"
    assert words in answer["message"]


def test_what_the_page_wants_remembered_is_there_for_the_next(served: Served, page: Page) -> None:
    page.do("Remember", view={"camera": [1, 2, 3]})
    page.do("SetDragOptions", method="landweber(20)", damped=True)
    again = served.page()
    assert again.state["view"] == {"camera": [1, 2, 3]}
    assert again.state["drag"] == {"method": "landweber(20)", "damped": True}
    again.close()
    page.do("SetDragOptions", method="bounded")
    page.do("Remember", view={})


def test_the_document_is_saved_and_opened_again_with_all_that_was_done(served: Served, page: Page) -> None:
    drag(page, CORNER)
    page.do("SetKeys", time=0.5)
    page.do("LockSliders", sliders=["jawOpen"], locked=True)
    page.do("HoldVertices", vertices=[5, 6], axes="x")
    weights = page.weights.copy()
    page.do("Save", path="rigs/mine.fwface")
    assert page.state["file"] == {"name": "mine", "unsaved": False, "saves_to": "rigs/mine.fwface"}
    assert served.json("/api/files")["files"][0]["path"] == "rigs/mine.fwface"
    page.do("OpenSample", person="amara")
    assert not page.weights.any()
    page.do("OpenPath", path="rigs/mine.fwface")
    np.testing.assert_array_equal(page.weights, weights)
    assert [pin["id"] for pin in page.state["pins"]] == [1]
    assert page.state["locked"] == ["jawOpen"]
    assert page.state["held"]["vertices"] == [5, 6]
    assert page.curves["clip 1", "mouthSmileLeft"]["times"] == [0.5]
    page.do("SetWeights", weights={"eyeBlinkLeft": 1.0})
    page.do("Save")
    assert load_document(served.folder / "mine.fwface").pose[0] == 1.0


def test_unsaved_work_is_set_aside_when_another_face_is_opened(served: Served, page: Page) -> None:
    page.do("SetWeights", weights={"jawOpen": 0.625})
    page.do("OpenSample", person="kenji")
    assert any("not saved" in message["message"] for message in page.told if message["type"] == "Notice")
    newest = served.json("/api/files")["recovered"][0]["path"]
    page.do("OpenPath", path=newest)
    assert page.weight("jawOpen") == pytest.approx(0.625)


def test_another_face_keeps_pose_and_clip_by_name_and_can_be_undone(page: Page) -> None:
    drag(page, CORNER)
    page.do("SetKeys", time=0.0)
    before, id = page.weights.copy(), page.state["rig"]["id"]
    page.do("OpenSample", person="edith", how="keep")
    assert page.state["rig"]["id"] != id
    np.testing.assert_array_equal(page.weights, before)
    assert [pin["id"] for pin in page.state["pins"]] == [1]
    assert page.state["clip"] == "clip 1"
    page.do("Undo")
    assert page.state["rig"]["id"] == id


def test_geometry_is_fetched_by_the_rig_s_id_and_old_ids_are_gone(served: Served, page: Page) -> None:
    id = page.state["rig"]["id"]
    status, headers, data = served.ask("GET", f"/api/geometry/{id}")
    assert status == 200
    assert "immutable" in headers["cache-control"]
    header, arrays = unpack(data)
    assert header.rig == id
    assert arrays["positions"].shape[1] == 3
    assert served.ask("GET", "/api/geometry/0000")[0] == 404
    assert served.ask("GET", f"/api/texture/{id}/0")[0] == 400


def test_a_face_is_uploaded_and_what_is_exported_has_the_same_weights(
    served: Served, page: Page, tmp_path: Path
) -> None:
    save(Document(mask(600, 8)), tmp_path / "mask.glb")
    status, _, body = served.ask("POST", "/api/upload?name=mask.glb", (tmp_path / "mask.glb").read_bytes())
    assert (status, msgspec.json.decode(body)) == (200, {"name": "mask.glb", "brings": "face"})
    page.do("Ping")
    assert page.state["rig"]["vertices"] == 600
    assert page.state["file"]["name"] == "mask"
    names = [slider["name"] for slider in page.state["rig"]["sliders"]]
    page.do("SetWeights", weights={names[2]: 0.75})
    page.do("SetKeys", time=0.0)
    page.do("SetWeights", weights={names[2]: 0.25})
    page.do("SetKeys", time=1.0)
    for kind in ("glb", "fwface", "npz"):
        status, headers, data = served.ask("GET", f"/api/export/{kind}")
        assert status == 200
        assert f'filename="mask.{kind}"' in headers["content-disposition"]
        (tmp_path / f"out.{kind}").write_bytes(data)
        np.testing.assert_allclose(load_document(tmp_path / f"out.{kind}").pose, page.weights, atol=1e-6)
    clip = load_document(tmp_path / "out.glb").clips[0]
    np.testing.assert_allclose(clip.sample([names[2]], [0.0, 0.5, 1.0])[:, 0], [0.75, 0.5, 0.25], atol=1e-6)
    page.do("Ping")
    assert not page.state["file"]["unsaved"]


def test_a_textured_glb_is_uploaded_and_its_image_fetched(served: Served, page: Page, shared_data: Path) -> None:
    data = (shared_data / "gltf_samples" / "MorphStressTest.glb").read_bytes()
    assert served.ask("POST", "/api/upload?name=stress.glb", data)[0] == 200
    page.do("Ping")
    assert page.state["clip"] == page.state["clips"][0]["name"]
    id = page.state["rig"]["id"]
    header, _ = unpack(served.ask("GET", f"/api/geometry/{id}")[2])
    image = next(material.image for material in header.materials if material.image is not None)
    status, headers, data = served.ask("GET", f"/api/texture/{id}/{image}")
    assert (status, headers["content-type"], data[:4]) == (200, "image/png", b"\x89PNG")
    assert served.ask("GET", f"/api/texture/{id}/99")[0] == 400


def test_a_clip_comes_and_goes_as_a_table(served: Served, page: Page, tmp_path: Path) -> None:
    table = b"time,JawOpen,EyeBlinkLeft,Nonsense\n0,0,0,0\n0.5,0.5,1,0\n1,1,0,0\n"
    assert served.ask("POST", "/api/upload?name=my%20take.csv&how=new", table)[0] == 200
    page.do("Ping")
    assert page.state["clip"] == "my take"
    assert page.state["history"]["labels"] == ["Load clip my take"]
    assert page.curves["my take", "jawOpen"]["values"] == [0.0, 0.5, 1.0]
    assert any("Nonsense" in message["message"] for message in page.told if message["type"] == "Notice")
    page.do("Scrub", time=0.5)
    assert page.weight("eyeBlinkLeft") == 1.0
    (tmp_path / "out.csv").write_bytes(served.ask("GET", "/api/export/csv?clip=my%20take")[2])
    again = load_clip(tmp_path / "out.csv")
    np.testing.assert_allclose(again.sample(["jawOpen"], [0.0, 0.5, 1.0])[:, 0], [0, 0.5, 1], atol=1e-6)


def test_the_pose_is_exported_as_a_mesh_and_a_picture(served: Served, page: Page) -> None:
    page.do("SetWeights", weights={"jawOpen": 1.0})
    lines = served.ask("GET", "/api/export/obj")[2].decode().splitlines()
    points = np.array([line.split()[1:4] for line in lines if line.startswith("v ")], float)
    np.testing.assert_allclose(points, evaluate(sample(), {"jawOpen": 1.0}), atol=1e-4)
    status, headers, data = served.ask("GET", "/api/export/png?width=64&height=48&view=side")
    assert (status, headers["content-type"], data[:4]) == (200, "image/png", b"\x89PNG")


@pytest.mark.parametrize(
    "path", ["exe", "csv", "csv?clip=none", "png?width=1", "png?height=99999", "png?view=below", "png?width=%C2%B2"]
)
def test_an_export_that_cannot_be_made_says_why(served: Served, page: Page, path: str) -> None:
    status, _, body = served.ask("GET", f"/api/export/{path}")
    assert status == 400
    assert msgspec.json.decode(body)["problem"]
