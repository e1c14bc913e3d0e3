"""What an avatar states of its author, and of what others may do with it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from facewright.cli.asked import asked
from facewright.cli.rig.inputs import Face, Force, opened, values_from
from facewright.cli.screen import plain, screen
from facewright.errors import BadValue
from facewright.formats.avatar_meta import ADDRESSES, CHOICES, FLAGS, LISTS, TEXTS, avatar_meta
from facewright.formats.registry import save_with
from facewright.formats.write_options import WriteOptions

_FIELDS = f"{', '.join((*TEXTS, *LISTS, *ADDRESSES))}; yes or no: {', '.join(FLAGS)}; " + "; ".join(
    f"{name}: {', '.join(words)}" for name, words in CHOICES.items()
)


def meta(
    rig: Face,
    fields: Annotated[list[str] | None, typer.Argument(metavar="[FIELD=TEXT]...", help=f"{_FIELDS}.")] = None,
    out: Annotated[Path | None, typer.Option("-o", "--output", help="The .vrm file to write.")] = None,
    force: Force = False,
) -> None:
    """Show what an avatar states of its author and its use, or state it: authors='Jo Doe' -o me.vrm."""
    wanted = values_from(fields or (), "what an avatar states", "authors='Jo Doe'")
    if bool(wanted) != (out is not None):
        raise BadValue("fields are written to a file: give both, such as authors='Jo Doe' -o me.vrm, or neither")
    if out is not None and out.suffix.lower() != ".vrm":
        raise BadValue(f"{out}: only .vrm files state who made an avatar")
    document = opened(rig, out, force)
    if out is not None:
        save_with(document, out, WriteOptions(avatar=wanted))
        asked.tell(written=str(out), stated=wanted)
        screen(stderr=True).print(f"{plain(str(out))}: states {plain(', '.join(wanted))}", soft_wrap=True)
        return
    found = avatar_meta(document)
    asked.tell(meta=found)
    for name, value in found.items():
        words = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
        screen().print(plain(f"{name}: {words}"), soft_wrap=True)
    if not found:
        screen().print("this file is no avatar; `facewright convert face.glb me.vrm --avatar authors=...` makes one")
