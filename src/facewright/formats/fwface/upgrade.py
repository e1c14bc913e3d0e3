"""Upgrading the JSON of old .fwface files, one step per version, dict to dict."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from facewright.errors import BadFile

VERSION = 1
# version -> the step from it to the next; a step gets a plain dict and returns a new one
Steps = Mapping[int, Callable[[dict[str, Any]], dict[str, Any]]]
STEPS: Steps = {}


def upgrade(document: dict[str, Any], *, steps: Steps = STEPS, newest: int = VERSION) -> dict[str, Any]:
    """The JSON of any known version as that of the newest."""
    version = document.get("version")
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise BadFile(f"the document's version must be a whole number from 1 to {newest}, not {version!r}")
    if version > newest:
        raise BadFile(f"the file is of version {version}, this program reads up to {newest}; a newer program wrote it")
    for step in range(version, newest):
        document = {**steps[step](document), "version": step + 1}
    return document
