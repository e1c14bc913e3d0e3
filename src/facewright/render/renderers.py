"""The choice of renderer. All of them draw the same picture."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec

from facewright.errors import FacewrightError, MissingExtra, UnknownName
from facewright.render import cpu
from facewright.render.shot import Shot
from facewright.render.tone import Bytes

RENDERERS = ("auto", "gl", "compiled", "cpu")
_IN_SOFTWARE = ("llvmpipe", "softpipe", "swrast", "swiftshader", "basic render")  # GL without a graphics card


def renderer_named(name: str) -> Callable[[Shot], Bytes]:
    """The function that draws shots: `gl`, `compiled`, `cpu`, or `auto`, which is `gl` where it is available."""
    if name not in RENDERERS:
        raise UnknownName("renderer", name, RENDERERS)
    if name == "cpu":
        return cpu.draw
    if name == "compiled":
        return _compiled()
    from facewright.render.gl import renderer

    try:
        renderer.prepared()
    except FacewrightError:
        if name == "gl":
            raise
        return cpu.draw
    return renderer.draw


def for_many(name: str) -> str:
    """The renderer of films and sheets: for `auto` GL on a graphics card, else compiled loops, else what one picture
    has.

    Compiling takes seconds on the first day, and loading what was compiled takes one: too long for a single picture.
    """
    if name != "auto" or not has_compiler():
        return name
    return "gl" if has_gl() and not _is_in_software() else "compiled"


def has_gl() -> bool:
    """Whether `auto` is GL on this machine."""
    return renderer_named("auto") is not cpu.draw


def has_compiler() -> bool:
    """Whether numba is installed."""
    return find_spec("numba") is not None


def _compiled() -> Callable[[Shot], Bytes]:
    try:
        from facewright.render.compiled.draw import draw
    except ImportError:
        raise MissingExtra("drawing with compiled loops", "numba", "films") from None
    return draw


def _is_in_software() -> bool:
    from facewright.render.gl.context import context

    name = str(context().info["GL_RENDERER"]).lower()
    return any(word in name for word in _IN_SOFTWARE)
