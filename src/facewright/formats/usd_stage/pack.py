"""A layer of text as a binary one."""

from __future__ import annotations

from pxr import Sdf


def pack(text: str, binary: str) -> None:
    """Write a layer in the format of the second path."""
    if not Sdf.Layer.FindOrOpen(text).Export(binary):
        raise SystemExit(f"{binary} cannot be written")
