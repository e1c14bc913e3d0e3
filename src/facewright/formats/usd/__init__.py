"""USD, as .usda, .usdc and .usdz: blend shapes with their in-betweens, animations, preview surfaces."""

from __future__ import annotations

from facewright.formats.contents import EVERYTHING
from facewright.formats.registry import Format
from facewright.formats.usd.read import SUFFIXES, files_of, read, recognise
from facewright.formats.usd.write.file import write, write_with

FORMAT = Format(
    "USD",
    SUFFIXES,
    read,
    write,
    "A take, textures of shapes, attachments; of an opened file joints, cameras, lights, variants and the motion of"
    " single meshes. Numbers have single precision, keys are joined by straight lines, polygons are ordered by part,"
    " images other than PNG and JPEG are left out. What USD has no place for (bounds, combinations, rules, pins,"
    " regions, a prior, curves that bend) is in the layer's own data, which other programs do not read: for them each"
    " combination is a shape of its own, with its own keys.",
    recognise,
    lambda _: EVERYTHING - {"take", "layer", "pose", "sound", "reference picture", "texture"},
    files_of,
    write_with,
)
