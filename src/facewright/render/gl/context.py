"""The GL context, found once for each thread."""

from __future__ import annotations

import sys
import threading
from typing import Any

from facewright.errors import BadValue, MissingExtra

_LEAST = 330  # GL 3.3, which everything since 2010 has
_found = threading.local()


def context() -> Any:
    """A moderngl context of this thread without a window; raises an error with the reason if there is none."""
    if not hasattr(_found, "context"):
        _found.context, _found.problem = _search()
    if _found.problem is not None:
        raise _found.problem
    return _found.context


def _search() -> tuple[Any, Exception | None]:
    try:
        import moderngl
    except ImportError:
        return None, MissingExtra("drawing with GL", "moderngl", "render")
    reasons = []
    ways: list[dict[str, Any]] = [{"backend": "egl"}, {}] if sys.platform.startswith("linux") else [{}]
    for options in ways:
        try:
            made = moderngl.create_context(standalone=True, require=_LEAST, **options)
        except Exception as problem:  # drivers raise errors of their own
            reasons.append(str(problem) or type(problem).__name__)
            continue
        made.gc_mode = "auto"
        return made, None
    return None, BadValue(f"there is no GL to draw with ({'; '.join(reasons)}); --renderer cpu draws the same without")
