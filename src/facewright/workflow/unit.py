"""Which unit a face is in where its file does not say it, and how tall it is in a file in metres, in words."""

from __future__ import annotations

from dataclasses import replace

from facewright.document import Document
from facewright.rig.unit import WORDS, face_height, guess_unit, length_words, metres_per


def with_unit(document: Document, unit: str = "") -> tuple[Document, str]:
    """The document with a unit, and in words where it is from: given, the document's own, or guessed from its size."""
    if unit:
        return replace(document, unit=unit), f"taken to be in {WORDS[unit]}"
    if document.unit:
        return document, f"in {WORDS[document.unit]}"
    height, guess = face_height(document.rig), guess_unit(document.rig)
    if not guess:
        return document, f"of an unknown unit: {height:.3g} tall, which is a face in none; say its unit"
    return replace(document, unit=guess), f"of no stated unit: {height:.3g} tall, so {WORDS[guess]}"


def size_words(document: Document) -> str:
    """How tall a face is in a file in metres."""
    tall = face_height(document.rig) * metres_per(document.unit)
    return f"{length_words(tall)} tall" if document.unit else f"{tall:.3g} tall, its numbers as they are"
