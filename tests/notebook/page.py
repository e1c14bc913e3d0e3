"""A page with the widget's script, joined to a widget in this process by the messages that Jupyter would carry."""

from __future__ import annotations

import base64
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

import comm
import numpy as np
from comm.base_comm import BaseComm
from playwright.sync_api import Browser, ConsoleMessage, Page

from facewright.arrays import Floats
from facewright.notebook.widget import FaceView, bundle
from tests.forked import PATIENCE

# What ipywidgets and anywidget do in a notebook, as far as the widget needs it: a model with the state as it was sent,
# whose bytes are DataViews, and which queues what is saved.
MODEL = r"""
const bytes = (text) => new DataView(Uint8Array.from(atob(text), (c) => c.charCodeAt(0)).buffer)
class Model {
  state = {}
  listeners = new Map()
  dirty = {}
  sent = []
  take({ state, buffer_paths, buffers }) {
    buffer_paths.forEach((path, i) => {
      const last = path.pop()
      path.reduce((at, key) => at[key], state)[last] = bytes(buffers[i])
    })
    for (const [key, value] of Object.entries(state)) this.put(key, value)
  }
  put(key, value) {
    if (JSON.stringify(this.state[key]) === JSON.stringify(value) && !(value instanceof DataView)) return
    this.state[key] = value
    for (const listener of this.listeners.get(`change:${key}`) ?? []) listener()
  }
  get(key) { return this.state[key] }
  set(key, value) { this.dirty[key] = value; this.put(key, value) }
  save_changes() { this.sent.push(this.dirty); this.dirty = {} }
  on(event, listener) { this.listeners.set(event, [...(this.listeners.get(event) ?? []), listener]) }
  off(event, listener) { this.listeners.set(event, this.listeners.get(event).filter((one) => one !== listener)) }
}
window.show = async (script, message) => {
  window.model = new Model()
  window.model.take(message)
  const address = URL.createObjectURL(new Blob([script], { type: 'text/javascript' }))
  const { default: widget } = await import(address)
  window.leave = await widget.render({ model: window.model, el: document.querySelector('#cell') })
}
"""
CANVASES = "[...document.querySelector('#cell > div').shadowRoot.querySelectorAll('canvas')]"
ORIGIN = "http://notebook.test/"  # nothing leaves the browser: the test answers
HTML = '<!doctype html><meta charset="utf-8"><body style="margin: 0; background: #fff"><div id="cell"></div></body>'


class KeptComm(BaseComm):
    """Keeps the messages that a widget sends."""

    def __init__(self, **options: Any) -> None:
        self.kept: list[dict[str, Any]] = []
        super().__init__(**options)

    def publish_msg(self, msg_type: str, data: Any = None, metadata: Any = None, buffers: Any = None, **_: Any) -> None:
        """Keep a message, without echoes of what the page sent, which frontends ignore."""
        state = (data or {}).get("state")
        if state is None or (data or {}).get("method") == "echo_update":
            return
        encoded = [base64.b64encode(bytes(one)).decode() for one in buffers or ()]
        self.kept.append({"state": state, "buffer_paths": data.get("buffer_paths", []), "buffers": encoded})


@contextmanager
def kept_messages() -> Iterator[None]:
    """Widgets that are made meanwhile have such a comm."""
    with patch.object(comm, "create_comm", KeptComm):
        yield


class Shown:
    """A widget that is shown on a page."""

    def __init__(self, browser: Browser, view: FaceView, *, width: int = 900, ratio: float = 0.5) -> None:
        assert isinstance(view.comm, KeptComm), "make the widget within kept_messages()"
        self.view, self.comm = view, view.comm
        self.complaints: list[str] = []
        self.page: Page = browser.new_page(
            viewport={"width": width, "height": view.height}, device_scale_factor=ratio, reduced_motion="reduce"
        )
        self.page.on("pageerror", lambda problem: self.complaints.append(str(problem)))
        self.page.on("console", self._hear)
        self.page.route(ORIGIN, lambda route: route.fulfill(body=HTML, content_type="text/html"))
        self.page.goto(ORIGIN)  # an empty page has no origin, and may start no worker
        self.page.add_script_tag(content=MODEL)
        opened, self.comm.kept = self.comm.kept[0], self.comm.kept[1:]
        self.page.evaluate("([script, message]) => window.show(script, message)", [bundle().read_text("utf8"), opened])
        self.opened = sum(map(len, opened["buffers"]))  # bytes, in base64
        self.sent = 0  # characters that were sent to the page since then
        self.exchange()

    def _hear(self, said: ConsoleMessage) -> None:
        if said.type == "error":
            self.complaints.append(said.text)

    def exchange(self) -> None:
        """Carry what both sides have sent."""
        for state in self.page.evaluate("window.model.sent.splice(0)"):
            data = {"method": "update", "state": state, "buffer_paths": []}
            self.comm.handle_msg({"content": {"data": data}, "buffers": []})
        kept, self.comm.kept = self.comm.kept, []
        for message in kept:
            self.sent += len(repr(message))
            self.page.evaluate("(message) => window.model.take(message)", message)

    def until(self, holds: Callable[[], bool], what: str) -> None:
        """Carry messages until something holds."""
        limit = time.monotonic() + PATIENCE
        while not holds():
            assert time.monotonic() < limit, f"{what}; the page complains: {self.complaints}"
            self.exchange()
            self.page.wait_for_timeout(20)

    def still(self) -> None:
        """Wait until all that was asked for is drawn, and sharp."""
        self.exchange()
        self.page.wait_for_function(f"{CANVASES}.every(({{ viewport }}) => viewport.finished && viewport.redraw.still)")

    def positions(self, which: int = 0) -> Floats:
        """Where the page has the vertices (v, 3) of a face."""
        found = self.page.evaluate(f"[...{CANVASES}[{which}].viewport.drawnPositions()]")
        return np.array(found).reshape(-1, 3)

    def close(self) -> None:
        """Leave the page; nothing may have gone wrong on it."""
        self.page.evaluate("window.leave()")
        assert self.page.locator("#cell > *").count() == 0
        self.page.close()
        assert not self.complaints, self.complaints
