"""A KTX 2.0 file's picture as bytes."""

from __future__ import annotations

import numpy as np

from facewright.errors import BadFile
from facewright.image.encoded import Encoded
from facewright.image.ktx2.container import Container, read_container
from facewright.image.ktx2.etc1s.decode import unpack_etc1s
from facewright.image.ktx2.levels import BASIS_LZ, plain_level
from facewright.image.ktx2.uastc.decode import unpack_uastc
from facewright.image.srgb import Bytes

_ETC1S, _UASTC = 163, 166
# Vulkan's numbers (unsigned, and the same in sRGB) to the places of red, green, blue and opacity in a texel
_PLAIN = {
    **dict.fromkeys((9, 15), (0, 0, 0)),  # R8
    **dict.fromkeys((23, 29), (0, 1, 2)),  # R8G8B8
    **dict.fromkeys((30, 36), (2, 1, 0)),  # B8G8R8
    **dict.fromkeys((37, 43), (0, 1, 2, 3)),  # R8G8B8A8
    **dict.fromkeys((44, 50), (2, 1, 0, 3)),  # B8G8R8A8
}


def unpack(picture: Encoded) -> Bytes:
    """The largest level, (h, w, 3) or with opacity (h, w, 4); its bytes are sRGB, as glTF has it."""
    file = read_container(picture.data)
    texels = _texels(file)[:: -1 if file.upwards else 1, :: -1 if file.leftwards else 1]
    return np.ascontiguousarray(texels)


def _texels(file: Container) -> Bytes:
    if file.format in _PLAIN and file.scheme != BASIS_LZ:
        return _plain(file)
    if file.format == 0 and file.model == _ETC1S and file.scheme == BASIS_LZ:
        return unpack_etc1s(file)
    if file.format == 0 and file.model == _UASTC and file.scheme != BASIS_LZ:
        return unpack_uastc(file)
    kind = f"of Vulkan's format {file.format}" if file.format else f"of colour model {file.model}"
    known = "ETC1S (BasisLZ), UASTC, and plain RGB and RGBA of 8 bits are unpacked here"
    raise BadFile(f"the KTX2 file is {kind}, which is for graphics cards; {known}")


def _plain(file: Container) -> Bytes:
    places = _PLAIN[file.format]
    size = max(places) + 1
    texels = np.frombuffer(plain_level(file, file.width * file.height * size), np.uint8)
    return texels.reshape(file.height, file.width, size)[..., places]
