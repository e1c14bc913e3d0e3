"""Shape names to file names and back: safe on every system, and reversible."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence, Set
from hashlib import sha256
from string import ascii_letters, ascii_uppercase, digits
from urllib.parse import unquote

NEUTRAL = "neutral.obj"
_PLAIN = frozenset(ascii_letters + digits + "_-+.,@=()[] ")
_RESERVED = {"con", "prn", "aux", "nul", *(f"{port}{i}" for port in ("com", "lpt") for i in range(10)), "neutral"}
_LONGEST = 200  # file systems stop at 255 bytes


def file_names(names: Sequence[str]) -> list[str]:
    """A file name for each shape name, unique even where upper and lower case are the same."""
    stems = [_stem(name, _PLAIN) for name in names]
    alike = Counter(stem.lower() for stem in stems)
    taken: set[str] = set()
    for i, name in enumerate(names):
        if alike[stems[i].lower()] > 1:
            stems[i] = _stem(name, _PLAIN - set(ascii_uppercase))
        if len(stems[i]) > _LONGEST or stems[i].lower() in taken:  # not reversible, but rig.json has the name
            stems[i] = f"{stems[i][:100]}~{sha256(name.encode('utf8', 'surrogatepass')).hexdigest()[:16]}"
        taken.add(stems[i].lower())
    return [f"{stem}.obj" for stem in stems]


def shape_name(stem: str) -> str:
    """The shape name that a file's stem stands for."""
    try:
        return unquote(stem, errors="strict")
    except UnicodeDecodeError:
        return stem


def _stem(name: str, plain: Set[str]) -> str:
    letters = [letter if letter in plain else _percent(letter) for letter in name]
    if name.split(".")[0].rstrip().lower() in _RESERVED or name[0] in ". ":
        letters[0] = _percent(name[0])
    if name[-1] in ". ":
        letters[-1] = _percent(name[-1])
    return "".join(letters)


def _percent(letter: str) -> str:
    return "".join(f"%{byte:02X}" for byte in letter.encode("utf8", "surrogatepass"))
