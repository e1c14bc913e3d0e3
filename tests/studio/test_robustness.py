"""The server keeps serving whatever it is told, and what was committed survives a kill."""

import shutil
import signal
import socket
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import pytest

from facewright.document import Document
from facewright.formats.registry import load_document, save
from facewright.samples import mask
from facewright.studio.state_directory import StateDirectory
from tests.studio.served import PATIENCE, Page, Served, serving, wire
from tests.studio.test_conversation import drag, mouth_corner

Message = dict[str, Any]
T = TypeVar("T")


class Chatter:
    """Messages of every kind: valid, stale, out of order, wrong in a field, not messages at all."""

    def __init__(self, seed: int, sliders: list[str]) -> None:
        self.rng = np.random.default_rng(seed)
        self.sliders = sliders
        self.gesture = 1
        self.corner = mouth_corner()

    def message(self) -> str | bytes:
        kind = self.rng.random()
        if kind < 0.05:
            return self.rng.bytes(int(self.rng.integers(0, 60)))
        text = wire(self.meant())
        if kind < 0.15:
            at = int(self.rng.integers(0, len(text)))
            return text[:at] + self.pick(["", "0", "}", '"', "x", "\u2603", "-1e30"]) + text[at + 1 :]
        return text

    def meant(self) -> Message:
        makers = [
            self.begin,
            self.end,
            self.weights,
            self.drag,
            self.pins,
            self.hold,
            self.keys,
            self.clips,
            self.travel,
            self.rest,
        ]
        odds = np.array([1.0, 1, 3, 4, 2, 1, 2, 1, 1, 0.5])
        made = makers[self.rng.choice(len(makers), p=odds / odds.sum())]()
        return {"seq": int(self.rng.integers(0, 1000)), **made}

    def pick(self, choices: Sequence[T]) -> T:
        return choices[int(self.rng.integers(len(choices)))]

    def which(self) -> int:
        """A gesture: none, the last one, or one long over."""
        return self.pick([0, self.gesture, self.gesture, self.gesture, 1, 999_999])

    def some(self) -> list[str]:
        chosen = [self.pick(self.sliders) for _ in range(int(self.rng.integers(0, 4)))]
        return [*chosen, "nobody"] if self.rng.random() < 0.1 else chosen

    def number(self) -> float:
        return float(self.pick([0.0, 0.5, 1.0, -3.0, 1e6, 1e300, self.rng.normal()]))

    def begin(self) -> Message:
        self.gesture += 1
        return {"type": "Begin", "gesture": self.gesture, "label": self.pick(["drag", "", "naïve"])}

    def end(self) -> Message:
        return {"type": self.pick(["Commit", "Discard"]), "gesture": self.which()}

    def weights(self) -> Message:
        if self.rng.random() < 0.2:
            return {"type": "ResetWeights", "gesture": self.which(), "sliders": self.pick([None, self.some()])}
        return {"type": "SetWeights", "gesture": self.which(), "weights": {name: self.number() for name in self.some()}}

    def drag(self) -> Message:
        targets = [{"pin": self.pick([1, 2, 3]), "target": (3 * self.rng.normal(size=3)).tolist()}]
        return {
            "type": "DragPins", "gesture": self.which(), "targets": targets, "axes": self.pick(["xyz", "x", "q"]),
            "plane": self.pick([None, [0, 0, 1], [0, 0, 0], [1e300, 1e300, 1]]), "symmetric": self.rng.random() < 0.2,
        }  # fmt: skip

    def pins(self) -> Message:
        id = int(self.rng.integers(1, 5))
        vertex = self.pick([self.corner, 0, 6859, 6860, -1])
        mixes = [[0.5, 0.25, 0.25], [1, 1, 1], [1e308, -1e308, 1]]
        return self.pick([
            {"type": "AddPin", "pin": id, "vertex": vertex, "gesture": self.which()},
            {"type": "AddPin", "pin": id, "triangle": vertex, "barycentric": self.pick(mixes)},
            {"type": "MovePin", "pin": id, "vertex": vertex},
            {"type": "ChangePins", "pins": [id], "hold": True, "strength": abs(self.number())},
            {"type": "DeletePins", "pins": [id]},
            {"type": "MirrorPins", "pins": [id]},
        ])  # fmt: skip

    def hold(self) -> Message:
        vertices = self.rng.integers(-1 if self.rng.random() < 0.1 else 0, 6860, 5).tolist()
        mode = self.pick(["add", "remove", "set"])
        return self.pick([
            {"type": "HoldVertices", "vertices": vertices, "axes": "xy", "mode": mode, "gesture": self.which()},
            {"type": "SetHoldAxes", "axes": "z"},
            {"type": "SetHolding", "on": bool(self.rng.random() < 0.5), "alpha": self.pick([None, 1.0, -1.0, 1e12])},
            {"type": "LockSliders", "sliders": self.some(), "locked": bool(self.rng.random() < 0.3)},
        ])  # fmt: skip

    def keys(self) -> Message:
        chosen = [{"slider": name, "times": [self.pick([0.0, 0.5, 1.0])]} for name in self.some()]
        time, sliders = self.pick([0.0, 0.5, 1.0, 1e300]), self.pick([None, self.some()])
        return self.pick([
            {"type": "SetKeys", "time": time, "sliders": sliders, "gesture": self.which()},
            {"type": "MoveKeys", "keys": chosen, "by": self.number(), "lift": self.number()},
            {"type": "CopyKeys", "keys": chosen, "by": self.pick([0.5, -1.0])},
            {"type": "DeleteKeys", "keys": chosen},
            {"type": "SetTangents", "tangent": self.pick(["step", "linear", "auto", "free", "round"])},
        ])  # fmt: skip

    def clips(self) -> Message:
        names, rate, source = ["a", "b", "", "clip 1"], self.pick([24, 0, 1e9]), self.pick([None, "a"])
        return self.pick([
            {"type": "CreateClip", "name": self.pick(names), "rate": rate, "copy_of": source},
            {"type": "RenameClip", "clip": self.pick(names), "name": self.pick(names)},
            {"type": "DeleteClip", "clip": self.pick(names)},
            {"type": "SetRate", "clip": self.pick(names), "rate": 60},
            {"type": "ChooseClip", "clip": self.pick(names)},
            {"type": "Scrub", "time": self.number()},
        ])  # fmt: skip

    def travel(self) -> Message:
        return self.pick([{"type": "Undo"}, {"type": "Redo"}, {"type": "GoTo", "at": int(self.rng.integers(0, 20))}])

    def rest(self) -> Message:
        return self.pick([
            {"type": "Remember", "view": {"a": [1, {"b": None}]}},
            {"type": "SetDragOptions", "method": self.pick(["bounded", "pinv", "magic"]), "damped": True},
            {"type": "OpenPath", "path": "../../etc/passwd"},
            {"type": "Save", "path": "rigs/../x.fwface"},
            {"type": "Ping"},
        ])  # fmt: skip


def listen(page: Page, seq: int) -> int:
    """Read until an answer to `seq`; how many refusals came."""
    refusals = 0
    while True:
        message = page.next()
        refusals += int(message["type"] == "Refused")
        if message["type"] == "Pong" and message["seq"] == seq:
            return refusals


@pytest.mark.parametrize("messages", [2_000, pytest.param(10_000, marks=pytest.mark.long)])
def test_thousands_of_random_messages_leave_the_server_serving_and_the_document_valid(
    served: Served, page: Page, tmp_path: Path, messages: int
) -> None:
    chatter = Chatter(11, [slider["name"] for slider in page.state["rig"]["sliders"]])
    refusals = 0
    for turn in range(messages // 100):
        for _ in range(100):
            page.socket.send(chatter.message())
        refusals += listen(page, page.send("Ping"))
        assert np.isfinite(page.weights).all(), turn
    assert messages * 0.2 < refusals < messages
    for type in ("Discard", "Commit"):
        page.ask(type, gesture=chatter.gesture)
    fresh = served.page()
    assert fresh.state["history"] == page.state["history"]
    np.testing.assert_array_equal(fresh.weights, page.weights)
    (tmp_path / "out.fwface").write_bytes(served.ask("GET", "/api/export/fwface")[2])
    document = load_document(tmp_path / "out.fwface")
    np.testing.assert_allclose(document.pose, fresh.weights, atol=1e-4, rtol=1e-5)
    assert {pin.id for pin in document.pins} == {pin["id"] for pin in fresh.state["pins"]}
    fresh.do("OpenSample")
    fresh.do("SetDragOptions", method="bounded")
    drag(fresh, 0.02)
    assert fresh.weights.any()
    fresh.close()


def test_a_flood_of_moves_is_answered_by_the_newest_and_leaves_no_queue(page: Page) -> None:
    page.do("AddPin", pin=1, vertex=mouth_corner())
    place = page.pose[1]["places"][0].astype(float)
    page.do("Begin", gesture=1, label="flood")
    goals = place + np.linspace([0, 0, 0], [0.2, 0.4, 0], 3000)
    for goal in goals:
        last = page.send("DragPins", gesture=1, targets=[{"pin": 1, "target": goal.tolist()}])
    seen: list[int] = []
    while not seen or seen[-1] < last:
        message = page.next()
        if message["type"] == "Pose":
            seen.append(message["seq"])
    assert seen == sorted(set(seen))
    assert len(seen) < 3000
    final = page.weights.copy()
    np.testing.assert_array_equal(
        page.do("DragPins", gesture=1, targets=[{"pin": 1, "target": goals[-1].tolist()}])["data"]["weights"], final
    )
    page.do("Commit", gesture=1)


def test_killed_in_the_middle_of_a_drag_the_last_committed_state_is_there(tmp_path: Path) -> None:
    with serving(tmp_path) as served:
        page = served.page()
        drag(page, 0.02)
        page.do("SetKeys", time=0.5)
        page.do("Remember", view={"camera": 3})
        committed, history = page.weights.copy(), page.state["history"]
        page.do("Begin", gesture=2, label="the drag that never ended")
        place = page.pose[1]["places"][0].astype(float)
        for share in np.linspace(0, 3, 20):
            page.send("DragPins", gesture=2, targets=[{"pin": 1, "target": (place + share).tolist()}])
        page.take("Pose")
        served.kill()
        port, token, cookie = served.port, served.token, served.cookie
        page.close()
    with serving(tmp_path) as again:
        assert (again.port, again.token, again.cookie) == (port, token, cookie)
        page = again.page()
        np.testing.assert_array_equal(page.weights, committed)
        assert page.state["history"] == history
        assert page.state["view"] == {"camera": 3}
        assert page.state["file"]["unsaved"]
        assert page.curves["clip 1", "jawOpen"]["times"] == [0.5]
        page.do("GoTo", at=0)
        assert not page.weights.any()
        page.close()


def test_a_file_is_opened_by_the_command_and_unsaved_work_on_it_comes_back(tmp_path: Path) -> None:
    file = tmp_path / "face.fwface"
    save(Document(mask(600, 8)), file)
    with serving(tmp_path / "state", str(file)) as served:
        page = served.page()
        names = [slider["name"] for slider in page.state["rig"]["sliders"]]
        assert page.state["file"] == {"name": "face", "unsaved": False, "saves_to": "face.fwface"}
        page.do("SetWeights", weights={names[0]: 0.5})
        served.kill()
        page.close()
    with serving(tmp_path / "state", str(file)) as served:
        page = served.page()
        assert page.weight(names[0]) == 0.5
        page.do("Save")
        assert load_document(file).pose[0] == 0.5
        page.do("SetWeights", weights={names[0]: 0.75})
        page.close()
    with serving(tmp_path / "state", "--fresh", str(file)) as served:
        page = served.page()
        assert page.weight(names[0]) == 0.5
        assert len(served.json("/api/files")["recovered"]) == 1
        page.close()


def test_a_port_that_is_taken_is_named(served: Served, tmp_path: Path) -> None:
    other = Served(tmp_path, "--port", served.port)
    with pytest.raises(AssertionError, match="no address"):
        other.start()
    assert other.process.wait(PATIENCE) == 2
    other.stop()
    assert f"port {served.port} cannot be used" in " ".join("".join(other.errors).split())
    assert not list(tmp_path.rglob("journal"))  # nothing of the last time was touched


@pytest.mark.usefixtures("hangups")
@pytest.mark.parametrize("name", ["SIGTERM", pytest.param("SIGHUP", marks=pytest.mark.long)])
def test_a_studio_that_is_ended_while_a_file_arrives_leaves_no_temporary_folders(tmp_path: Path, name: str) -> None:
    (tmp_path / "temporary").mkdir()
    environment = {"TMPDIR": str(tmp_path / "temporary")}
    with serving(tmp_path / "state", environment=environment) as served:
        scratch = tmp_path / "state" / "studio-0" / "scratch"
        with socket.create_connection(("127.0.0.1", served.port), PATIENCE) as plain:
            head = f"POST {served.keyed('/api/upload?name=face.glb')} HTTP/1.1\r\nHost: 127.0.0.1:{served.port}\r\n"
            more = f"Origin: {served.origin}\r\nCookie: {served.cookie}\r\nContent-Length: 1000\r\n\r\nhalf of it"
            plain.sendall((head + more).encode())
            page = served.page()
            while not list(scratch.glob("upload-*")):
                page.do("Ping")
            served.process.send_signal(getattr(signal, name))
            assert served.process.wait(PATIENCE) == 0
        assert list(scratch.glob("*")) == []
        assert list((tmp_path / "temporary").iterdir()) == []


def test_what_a_killed_studio_left_in_its_scratch_folder_is_removed_by_the_next(tmp_path: Path) -> None:
    (tmp_path / "studio-0" / "scratch" / "upload-x").mkdir(parents=True)
    state = StateDirectory(tmp_path)
    assert not state.scratch.exists()
    state.close()


def test_a_file_that_takes_for_ever_leaves_the_face_free_and_can_be_stopped(tmp_path: Path) -> None:
    folder = tmp_path / "rigs"
    folder.mkdir()
    save(Document(mask(600, 8)), folder / "face.fwface")
    with serving(tmp_path / "state", folder=folder) as served:
        page = served.page()
        page.do("OpenPath", path="rigs/face.fwface")  # the process that reads files is there from now on
        slider = page.state["rig"]["sliders"][0]["name"]
        with served.halted("spawn_main"):
            opening = page.send("OpenPath", path="rigs/face.fwface")
            page.until(lambda: page.state["loading"] == {"name": "face.fwface", "waiting": 0}, "it is being read")
            page.do("SetWeights", weights={slider: 0.5})
            page.do("Undo")
            page.send("StopLoading")
            page.until(lambda: any(said["type"] == "Refused" for said in page.told), "it is stopped")
            (refused,) = [said for said in page.told if said["type"] == "Refused"]
            assert (refused["seq"], refused["message"]) == (opening, "Reading face.fwface was stopped.")
            page.until(lambda: page.state["loading"] is None, "nothing is being read")
        page.do("OpenPath", path="rigs/face.fwface")
        assert page.state["file"]["name"] == "face"
        assert not served.tracebacks()


def test_the_server_stops_when_it_is_asked_to(tmp_path: Path) -> None:
    with serving(tmp_path) as served:
        page = served.page()
        served.process.terminate()
        assert served.process.wait(PATIENCE) in (0, -15)
        page.close()


def test_a_state_folder_deleted_while_the_studio_runs_is_said_and_made_again(tmp_path: Path) -> None:
    with serving(tmp_path / "state") as served:
        page = served.page()
        slider = page.state["rig"]["sliders"][0]["name"]
        page.do("SetWeights", weights={slider: 0.5})
        shutil.rmtree(tmp_path / "state")
        page.until(lambda: any("was deleted while" in said.get("message", "") for said in page.told), "it is said")
        served.kill()
        page.close()
    with serving(tmp_path / "state") as served:
        assert served.page().weight(slider) == 0.5


def test_a_take_that_cannot_be_shown_is_refused_and_the_studio_goes_on_and_starts_again(tmp_path: Path) -> None:
    rows = [f"{frame},{frame / 60},1e200,2,3,4,5,-1e200" for frame in range(5)]
    table = "\n".join(["frame,time,a_x,a_y,a_z,b_x,b_y,b_z", *rows]).encode()
    with serving(tmp_path) as served:
        page = served.page()
        slider = page.state["rig"]["sliders"][0]["name"]
        assert served.ask("POST", "/api/upload?name=take.csv&how=new", table)[0] == 400
        page.do("SetWeights", weights={slider: 0.5})
        page.do("Undo")
        page.do("Redo")
        assert served.page().weight(slider) == 0.5
        served.kill()
    with serving(tmp_path) as served:
        assert served.page().weight(slider) == 0.5
        assert not served.tracebacks()
