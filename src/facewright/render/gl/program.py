"""Shaders, with the constants that they share with the software renderer filled in."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from facewright.render import iris, occlusion, scene, shadow, tone
from facewright.render.mipmap import PROBES
from facewright.render.shot import MATTE

BLUR = int(4 * occlusion.BLUR + 0.5)  # cells on either side, as far as scipy's Gaussian reaches


def program(context: Any, vertex: str, *fragment: str) -> Any:
    """A program of a vertex shader and of a fragment shader in several files."""
    text = "".join(_text(one) for one in fragment)
    return context.program(vertex_shader=_HEAD + _text(vertex), fragment_shader=_HEAD + _numbers() + text)


def put(made: Any, **values: ArrayLike) -> None:
    """Set uniforms of a program; those that the driver has removed as unused are skipped."""
    for name, value in values.items():
        found = made.get(name, None)
        if found is None:
            continue
        kind = {"i": "i4", "b": "i4"}.get(np.asarray(value).dtype.kind, "f4")
        found.write(np.ascontiguousarray(value, kind).tobytes())


_HEAD = "#version 330 core\n"


@cache
def _text(name: str) -> str:
    return files("facewright.render.gl").joinpath(name).read_text("utf8")


@cache
def _numbers() -> str:
    single = {
        "KNEE": tone.KNEE,
        "MATTE": MATTE,
        "INSIDE": scene.INSIDE,
        "IRIS_SINE": iris.IRIS_SINE,
        "PUPIL_SHARE": iris.PUPIL_SHARE,
        "ROOM_LEAST": occlusion.LEAST,
        "ROOM_STRENGTH": occlusion.STRENGTH / occlusion.TAPS,
    }
    whole = {"TAPS": shadow.taps().shape[1], "ROOM_TAPS": occlusion.TAPS, "BLUR": BLUR, "PROBES": PROBES}
    colors = {"IRIS": iris.IRIS, "RIM": iris.RIM, "PUPIL": iris.PUPIL, "VEIN": iris.VEIN}
    lines = [f"const float {name} = {value!r};" for name, value in single.items()]
    lines += [f"const int {name} = {value};" for name, value in whole.items()]
    lines += [f"const vec3 {name} = {_vector(color)};" for name, color in colors.items()]
    return "\n".join(lines) + "\n"


def _vector(color: ArrayLike) -> str:
    return f"vec3({', '.join(repr(float(channel)) for channel in np.asarray(color))})"
