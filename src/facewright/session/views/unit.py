"""The unit of the document, and how tall its face is by it."""

from __future__ import annotations

from msgspec import Struct

from facewright.rig.unit import WORDS, face_height, guess_unit
from facewright.session.context import Context
from facewright.session.views.view import view
from facewright.workflow.unit import size_words


class UnitInfo(Struct):
    """A unit, "" where it is not known, and in words what follows from it."""

    unit: str
    units: list[tuple[str, str]]  # that there are, with their names
    words: str


@view("unit", lambda context: (context.document.value.unit, context.document.value.rig))
def unit(context: Context) -> UnitInfo:
    """What a length of 1 is."""
    document = context.document.value
    words = size_words(document)
    if not document.unit:
        guess = guess_unit(document.rig)
        seems = f", as a face in {WORDS[guess]}" if guess else ""
        words = f"{face_height(document.rig):.3g} units tall{seems}"
    return UnitInfo(document.unit, list(WORDS.items()), words)
