"""The session's thread: whatever fails in it, pages are answered and told, and nobody's drag is lost."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

import facewright
from facewright.document import Document
from facewright.errors import BadValue
from facewright.formats.registry import save
from facewright.samples import mask
from facewright.session.context import Context
from facewright.session.edits.pose import SetWeights
from facewright.studio import protocol as p
from facewright.studio.client import Client
from facewright.studio.files import Folders
from facewright.studio.queue import WorkQueue
from facewright.studio.state_directory import StateDirectory
from facewright.studio.worker import SessionWorker
from facewright.studio.workspace import Workspace
from tests.studio.served import PATIENCE

RIG = mask(600, 8)
WELCOME = p.Welcome(
    protocol=1, version=facewright.__version__, methods=[], upload_limit=1, formats=[], suffixes={}, folders=[]
)


class Page:
    """A page without a socket."""

    def __init__(self, worker: SessionWorker) -> None:
        self._worker, self._client, self._seq = worker, Client(), 0
        worker.join(self._client, WELCOME)

    async def send(self, message: p.PageMessage) -> int:
        self._seq += 1
        await self._worker.post(self._client, msgspec.structs.replace(message, seq=self._seq))
        return self._seq

    async def take(self, *types: str) -> dict[str, Any]:
        """The next message of one of these types."""
        while True:
            message = await asyncio.wait_for(self._client.next(), PATIENCE)
            assert message is not None
            if not message.is_frame and (found := msgspec.json.decode(message.data))["type"] in types:
                return dict(found)

    async def ask(self, message: p.PageMessage) -> dict[str, Any]:
        """The answer to a message."""
        seq = await self.send(message)
        while (answer := await self.take("Done", "Refused"))["seq"] != seq:
            pass
        return answer


class Studio:
    """The sessions of a studio and their thread, on a small face that is in a file."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / "rigs" / "face.fwface"
        self.file.parent.mkdir()
        save(Document(RIG), self.file)
        self._state, self.queue = StateDirectory(folder / "state"), WorkQueue()
        self.workspace = Workspace(self._state, Folders.of([self.file.parent]), self.queue.post, skin=False)
        self.workspace.begin(self.file)
        self.worker = SessionWorker(self.workspace, self.queue, asyncio.get_running_loop())

    def close(self) -> None:
        self.worker.stop()
        self._state.close()


def tried(folder: Path, test: Callable[[Studio, Page], Awaitable[None]]) -> None:
    async def run() -> None:
        studio = Studio(folder)
        try:
            await test(studio, Page(studio.worker))
        finally:
            studio.close()

    asyncio.run(run())


def posed(value: float, gesture: int = 0) -> p.Do:
    return p.Do(edit=SetWeights(weights={RIG.sliders[0]: value}), gesture=gesture)


class Failing:
    """A task that cannot look at the document."""

    def __init__(self, context: Context) -> None:
        self.problem: Exception = ZeroDivisionError("division by zero")

    def document_changed(self) -> None:
        raise self.problem


def test_what_fails_between_messages_is_told(tmp_path: Path) -> None:
    async def test(studio: Studio, page: Page) -> None:
        def fail() -> None:
            raise BadValue("the solved clip cannot be added")

        studio.queue.post(fail)
        assert (await page.take("Notice"))["message"] == "the solved clip cannot be added"
        assert (await page.ask(posed(0.5)))["type"] == "Done"

    tried(tmp_path, test)


def test_a_message_is_answered_though_a_task_fails_to_see_the_change(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def test(studio: Studio, page: Page) -> None:
        studio.worker.context.task(Failing)
        seq = await page.send(posed(0.5))
        assert "division by zero" in (await page.take("Notice"))["message"]
        assert await page.take("Done", "Refused") == {"type": "Done", "seq": seq}
        assert studio.worker.context.document.value.pose[0] == 0.5

    tried(tmp_path, test)
    assert "something failed outside a message" in caplog.text


def test_a_file_that_was_read_waits_for_the_end_of_a_drag(tmp_path: Path) -> None:
    async def test(studio: Studio, page: Page) -> None:
        await page.ask(p.Begin(gesture=1, label="Drag"))
        await page.send(posed(0.5, gesture=1))
        opening = await page.send(p.OpenPath(path="rigs/face.fwface", how="clips"))
        await page.take("State")  # it is being read
        uploading = asyncio.create_task(studio.worker.call("", lambda workspace: workspace.context.document.value.pose))
        done, _ = await asyncio.wait([uploading], timeout=0.05)
        assert not done
        assert (await page.ask(p.Commit(gesture=1)))["type"] == "Done"
        assert (await uploading)[0] == 0.5
        assert studio.worker.context.document.history.labels == ["Drag"]
        refused = await page.take("Refused")
        assert (refused["seq"], refused["message"]) == (opening, "the file has no clips")

    tried(tmp_path, test)
