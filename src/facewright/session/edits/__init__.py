"""Every edit, one file a feature. A class in a file of this folder is an edit, and part of the page's protocol."""

from __future__ import annotations

from facewright.session.discover import classes_in
from facewright.session.edits.edit import Edit

EDITS: tuple[type[Edit], ...] = classes_in(__name__, __path__, Edit)
