"""The choice of renderer: GL where there is one, or the software renderer. Both draw the same picture."""

from __future__ import annotations

from collections.abc import Callable

from facewright.errors import FacewrightError, UnknownName
from facewright.render import cpu
from facewright.render.shot import Shot
from facewright.render.tone import Bytes

RENDERERS = ("auto", "gl", "cpu")


def renderer_named(name: str) -> Callable[[Shot], Bytes]:
    """The function that draws shots: `gl`, `cpu`, or `auto`, which is `gl` where it is available."""
    if name not in RENDERERS:
        raise UnknownName("renderer", name, RENDERERS)
    if name == "cpu":
        return cpu.draw
    from facewright.render.gl import renderer

    try:
        renderer.prepared()
    except FacewrightError:
        if name == "gl":
            raise
        return cpu.draw
    return renderer.draw


def has_gl() -> bool:
    """Whether `auto` is GL on this machine."""
    return renderer_named("auto") is not cpu.draw
