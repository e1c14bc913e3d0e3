"""What the verbs of `facewright rig` are given: the rig, where to write it, and texts such as jawOpen=0.5."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from facewright.arrays import Floats, Ints
from facewright.cli.asked import asked
from facewright.cli.outputs import check_outputs
from facewright.cli.saving import save_and_tell
from facewright.cli.screen import plain, screen
from facewright.cli.streams import face_given
from facewright.document import Document
from facewright.errors import BadValue
from facewright.formats.registry import format_of
from facewright.workflow.open import open_as
from facewright.workflow.sculpt import check_topology, doubts, sculpt_of

Face = Annotated[Path, typer.Argument(metavar="RIG", help="A rig in any format, or `sample`: the embedded head.")]
Output = Annotated[Path, typer.Option("-o", "--output", help="Where to write it, in the format of its suffix.")]
Force = Annotated[bool, typer.Option("--force", help="Allow the file that is read to be written over.")]


def opened(rig: Path, out: Path | None, force: bool, others: Iterable[Path | None] = ()) -> Document:
    """The document in a file, once it is known that it may be written to another one."""
    if out is not None:
        format_of(out)  # before the work, not after it
        check_outputs([out], [*([] if force else [rig]), *others])
    return face_given(rig)


def write(document: Document, out: Path, *told: str) -> None:
    """Save a document, and say what was done to it."""
    console = screen(stderr=True)
    for line in told:
        asked.list("done", line)
        console.print(plain(line), soft_wrap=True)
    save_and_tell(document, out)


def sculpt_from(document: Document, file: Path) -> Floats:
    """The face (v, 3) that a file shows, which has the topology of the document's rig."""
    other = opened_alike(document, file)
    if doubt := doubts(document.rig, other):
        screen(stderr=True).print(f"[yellow]{plain(file.name)}: {plain(doubt)}[/]", soft_wrap=True)
    return sculpt_of(other)


def opened_alike(document: Document, file: Path) -> Document:
    """The document in another file, of the same topology."""
    other = open_as(file, Document)
    check_topology(document.rig, other, file.name)
    return other


def value_from(text: str, what: str, example: str) -> tuple[str, str]:
    """A name and what is after the last equals sign, from a text such as jawOpen=0.5."""
    name, equals, value = text.rpartition("=")
    if not (equals and name and value):
        raise BadValue(f"{what} is given as {example}, not {text!r}")
    return name.strip(), value.strip()


def values_from(texts: Iterable[str], what: str, example: str) -> dict[str, str]:
    """Names to what is after the last equals sign of each text; a name that is given twice is refused."""
    found: dict[str, str] = {}
    for text in texts:
        name, value = value_from(text, what, example)
        if name in found:
            raise BadValue(f"{what} is given once for each name, and {name!r} is named twice")
        found[name] = value
    return found


def pose_from(texts: Sequence[str], what: str = "a slider's value") -> dict[str, float]:
    """Names to values from texts such as jawOpen=0.5, or several with commas between; a name alone is 1."""
    found: dict[str, float] = {}
    for text in (each for listed in texts for each in listed.split(",") if each.strip()):
        name, value = value_from(text, what, "jawOpen=0.5") if "=" in text else (text.strip(), "1")
        if name in found:
            raise BadValue(f"slider {name!r} is named twice; a combination names each slider once")
        found[name] = number_from(value, name)
    return found


def number_from(text: str, what: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = float("nan")
    if not np.isfinite(number):
        raise BadValue(f"{what}: {text!r} is no number")
    return number


def bounds_from(text: str, what: str) -> tuple[float, float]:
    """Two numbers from a text such as 0:1 or -1:1."""
    low, colon, high = text.partition(":")
    if not colon:
        raise BadValue(f"{what}: bounds are given as 0:1 or -1:1, not {text!r}")
    return number_from(low, what), number_from(high, what)


def vertices_from(text: str) -> Ints:
    """Vertices from a text such as 3,7,20-31; empty for an empty text."""
    found: list[int] = []
    for each in filter(None, (word.strip() for word in text.split(","))):
        match = re.fullmatch(r"(\d{1,10})(?:-(\d{1,10}))?", each)
        if match is None or (match[2] and int(match[2]) < int(match[1])) or int(match[2] or 0) > 2**31:
            raise BadValue(f"vertices are given as 3,7,20-31, not {each!r}")
        found += range(int(match[1]), int(match[2] or match[1]) + 1)
    return np.array(sorted(set(found)), np.int64)


def names_from(text: str) -> tuple[str, ...]:
    """Names from a text with commas between them."""
    return tuple(dict.fromkeys(filter(None, (word.strip() for word in text.split(",")))))
