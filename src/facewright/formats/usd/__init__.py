"""USD, as .usda, .usdc and .usdz: blend shapes with their in-betweens, animations, preview surfaces."""

from __future__ import annotations

from facewright.formats.carried import CARRIED
from facewright.formats.contents import EVERYTHING
from facewright.formats.registry import Format
from facewright.formats.usd.read import SUFFIXES, files_of, read, recognise
from facewright.formats.usd.write.file import write, write_with

_LOST = {"take", "scan sequence", "layer", "pose", "sound", "reference picture", "texture", *CARRIED}

FORMAT = Format(
    "USD",
    SUFFIXES,
    read,
    write,
    recognise,
    lambda _: EVERYTHING - _LOST,
    files_of,
    write_with,
)
