"""Events of a pointer as one drag. Knows the names of Blender's events, and no window."""

from collections.abc import Callable
from typing import Literal

from .pose_drag import PoseDrag, Ray

Outcome = Literal["RUNNING_MODAL", "FINISHED", "CANCELLED"]
_GIVEN_UP = {"ESC", "RIGHTMOUSE"}


class PoseGesture:
    """From press to release, or to Esc."""

    def __init__(self, drag: PoseDrag) -> None:
        self.drag = drag
        self.moved = False

    def handle(self, kind: str, value: str, ray: Callable[[], Ray]) -> Outcome:
        """What an event makes of the drag; `ray` is asked where the pointer is."""
        if kind in _GIVEN_UP and value == "PRESS":
            self.drag.cancel()
            return "CANCELLED"
        if kind == "MOUSEMOVE":
            self.drag.move(ray())
            self.moved = True
        elif (kind == "LEFTMOUSE" and value == "RELEASE") or (kind == "RET" and value == "PRESS"):
            return "FINISHED"
        return "RUNNING_MODAL"
