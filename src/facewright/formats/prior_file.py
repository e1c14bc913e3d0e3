"""Priors in files of their own: load_prior and save_prior."""

from __future__ import annotations

from os import PathLike
from pathlib import Path

from facewright.errors import BadFile, UnknownFormat
from facewright.formats import limits
from facewright.formats.files import read_text, write_atomically
from facewright.formats.registry import formats, load_document
from facewright.formats.sources import check_exists, naming
from facewright.rig.prior import Prior

_SUFFIX = ".json"
_LIKE = "`facewright prior learn RIG CLIP -o prior.json` and `fw.save_prior` write such a file"


def load_prior(path: str | PathLike[str]) -> Prior:
    """The prior in a .json file, or of the document in a rig's file."""
    from facewright.formats.schema.json import decode  # imported when used, as formats are
    from facewright.formats.schema.prior import prior_from_file

    where = Path(path)
    suffix = where.suffix.lower()
    check_exists(where)
    if suffix != _SUFFIX and any(suffix in format.suffixes for format in formats()):
        found = load_document(where).prior
        if found is None:
            raise BadFile(f"{where}: there is no prior in this document; {_LIKE}")
        return found
    with naming(where):
        try:
            return prior_from_file(decode(read_text(where, limits.JSON)))
        except BadFile as problem:
            raise BadFile(f"{problem}; {_LIKE}") from problem


def save_prior(prior: Prior, path: str | PathLike[str]) -> None:
    """Write a prior to a .json file; a document keeps one in its own file."""
    where = Path(path)
    if where.suffix.lower() != _SUFFIX:
        raise UnknownFormat(
            f"{where}: a prior of its own is kept in a .json file; `Document(rig, prior=prior)` keeps it with a rig"
        )
    from facewright.formats.schema.prior import encode_prior

    write_atomically(where, encode_prior(prior))
