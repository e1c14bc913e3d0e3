"""The face as the program's own renderer draws it, for pages that cannot draw."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from facewright.document import Document
from facewright.errors import BadValue
from facewright.session.context import Context
from facewright.session.views.view import Reply, resource

if TYPE_CHECKING:
    from facewright.render.face_renderer import FaceRenderer

_SIZE = (480, 480)  # pixels: a processor draws it in a part of a second
_drawing = threading.Lock()
_prepared: list[tuple[Document, float, FaceRenderer]] = []  # the last one


@resource("server_picture/{angle}/{revision}")
def server_picture(context: Context, angle: str, revision: str) -> Reply:
    """The document in its pose, from an angle in degrees round the face; the revision makes each address another."""
    from facewright.render.png import png_bytes  # not in memory before it is needed

    try:
        degrees = float(angle) % 360
    except ValueError:
        raise BadValue(f"{angle[:40]!r} is no angle; give degrees round the face, such as 45") from None
    document = context.document.value
    with _drawing:
        renderer = _renderer(document, degrees)
        picture = renderer.of(renderer.pose.of(document), turn=renderer.pose.turn_of(document))
        return Reply(png_bytes(picture), "image/png", keep=False)


def _renderer(document: Document, degrees: float) -> FaceRenderer:
    from facewright.render.face_renderer import FaceRenderer

    if not _prepared or not _is_same_face(_prepared[0][0], document) or _prepared[0][1] != degrees:
        _prepared[:] = [(document, degrees, FaceRenderer(document, size=_SIZE, view=degrees, samples=1))]
    return _prepared[0][2]


def _is_same_face(one: Document, other: Document) -> bool:
    same_looks = one.materials is other.materials and one.textures is other.textures
    same_looks = same_looks and one.head is other.head
    return one.rig is other.rig and one.regions is other.regions and same_looks
