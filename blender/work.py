"""Long work beside Blender's window: in a thread that touches nothing of Blender, with progress and Esc."""

import threading
import warnings
from collections.abc import Callable
from typing import Any

from facewright.errors import FacewrightError, FacewrightWarning

from .reporting import CANCELLED, FINISHED, InWords

_LOOKED = 0.1  # seconds between two looks at the work


class Stopped(FacewrightError):
    """The work was stopped by the person who started it."""

    def __init__(self) -> None:
        super().__init__("stopped; nothing was changed")


class Progress:
    """What the work says, and whether it should stop. For two threads."""

    def __init__(self) -> None:
        self.share, self.words = 0.0, ""
        self._stop = threading.Event()

    def tell(self, share: float, words: str) -> bool:
        """Say how far the work is, from 0 to 1; returns whether to go on, as the library's listeners do."""
        self.share, self.words = min(max(share, 0.0), 1.0), words
        return not self._stop.is_set()

    def check(self) -> None:
        """Raise `Stopped` once the work should stop."""
        if self._stop.is_set():
            raise Stopped

    def stop(self) -> None:
        self._stop.set()

    @property
    def stopped(self) -> bool:
        return self._stop.is_set()


class Work:
    """A function that runs in a thread of its own."""

    def __init__(self, run: Callable[[Progress], Any]) -> None:
        self.progress = Progress()
        self.result: Any = None
        self.problem: Exception | None = None
        self.warned: tuple[str, ...] = ()
        self._run = run
        self._thread = threading.Thread(target=self._work, name="facewright", daemon=True)

    def start(self) -> None:
        self._thread.start()

    @property
    def done(self) -> bool:
        return not self._thread.is_alive()

    def wait(self, seconds: float) -> None:
        self._thread.join(seconds)

    def _work(self) -> None:
        try:
            with warnings.catch_warnings(record=True) as heard:
                warnings.simplefilter("always", FacewrightWarning)
                self.result = self._run(self.progress)
            self.warned = tuple(dict.fromkeys(str(one.message) for one in heard))
        except Exception as problem:  # it is raised again in Blender's own thread
            self.problem = problem


class WorkOperator(InWords):
    """An operator that works long: beside the window where it is invoked, at once where a script calls it.

    `prepare` reads what is needed and returns the work, `finish` writes its result; both run in Blender's thread.
    """

    _work: Work
    _timer: Any

    def prepare(self, context: Any) -> Callable[[Progress], Any]:
        raise NotImplementedError

    def finish(self, context: Any, result: Any) -> str:
        raise NotImplementedError

    def run(self, context: Any) -> str:
        return self.finish(context, self.prepare(context)(Progress()))

    def invoke(self, context: Any, event: Any) -> set[str]:
        """Called by Blender."""
        try:
            self._work = Work(self.prepare(context))
        except FacewrightError as problem:
            return self.refuse(problem)
        self._work.start()
        manager = context.window_manager
        self._timer = manager.event_timer_add(_LOOKED, window=context.window)
        manager.progress_begin(0, 100)
        manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context: Any, event: Any) -> set[str]:
        """Called by Blender."""
        if event.type == "ESC" and event.value == "PRESS":
            self._work.progress.stop()
        if not self._work.done:
            self._show(context)
            return {"RUNNING_MODAL"} if event.type == "ESC" else {"PASS_THROUGH"}
        self._hide(context)
        return self.conclude(context)

    def conclude(self, context: Any) -> set[str]:
        """Write what the work has made, or say why there is nothing."""
        work = self._work
        try:
            work.progress.check()
            if work.problem is not None:
                raise work.problem
            words = self.finish(context, work.result)
        except Stopped as problem:
            self.report({"WARNING"}, str(problem))
            return CANCELLED
        except FacewrightError as problem:
            return self.refuse(problem)
        for warned in work.warned:
            self.report({"WARNING"}, warned)
        if words:
            self.report({"INFO"}, words)
        return FINISHED

    def _show(self, context: Any) -> None:
        progress = self._work.progress
        context.window_manager.progress_update(100 * progress.share)
        words = "stopping" if progress.stopped else f"{progress.share:.0%} {progress.words} (Esc stops)"
        context.workspace.status_text_set(f"Facewright: {words}")

    def _hide(self, context: Any) -> None:
        context.window_manager.event_timer_remove(self._timer)
        context.window_manager.progress_end()
        context.workspace.status_text_set(None)
