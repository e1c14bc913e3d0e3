"""Errors for mistakes of a caller. Each message says what is wrong and what would work instead."""

from collections.abc import Iterable
from difflib import get_close_matches

_LISTED = 12
_LONGEST = 64  # characters of a name that is shown, or looked for among similar ones
_COMPARED = 1 << 21  # pairs of characters that the search for similar names compares: about half a second


class FacewrightError(Exception):
    """The base of all errors that this library raises on purpose."""


class BadValue(FacewrightError, ValueError):
    """A value that cannot be used: wrong shape, not finite, out of range, or inconsistent."""


class UnknownName(FacewrightError, KeyError):
    """A name that does not exist; the message lists similar names, or those that exist."""

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        known = tuple(known)
        self.kind, self.name, self.known = kind, name, known
        super().__init__(f"no {kind} named {shortened(name)!r}; {_suggestion(name, known)}")

    def __str__(self) -> str:  # KeyError would show the repr of the message
        return str(self.args[0])


class UnknownOption(FacewrightError, TypeError):
    """A keyword argument that a function does not have; the message names similar ones."""

    def __init__(self, function: str, name: str, known: Iterable[str]) -> None:
        super().__init__(f"{function} has no option {name!r}; {_suggestion(name, tuple(known))}")


class OtherTopology(BadValue):
    """A face with other vertices or polygons than expected. Registering it first would help."""


class OutOfPlace(BadValue):
    """A face of the right topology that is scaled, rotated or moved. Aligning it would help."""

    def __init__(self, finding: str, remedy: str) -> None:
        self.finding = finding
        super().__init__(f"{finding}: {remedy}")


class BadFile(FacewrightError):
    """A file that cannot be read as the format it claims to be, or that is not safe to read."""


class UnknownFormat(FacewrightError):
    """A path whose suffix belongs to no format, or a format that cannot be read or written.

    `known` lists all that would work, a line each, where the message names only some of it.
    """

    def __init__(self, message: str, known: Iterable[str] = ()) -> None:
        self.known = tuple(known)
        super().__init__(message)


class MissingExtra(FacewrightError, ImportError):
    """An optional package that this operation needs; the message says how to install it."""

    def __init__(self, what: str, package: str, extra: str) -> None:
        super().__init__(f"{what} needs the package {package}: pip install 'facewright[{extra}]'")


class FacewrightWarning(FacewrightError, UserWarning):
    """A warning about something that works, but is unusual. It is our own error where warnings are
    turned into errors.
    """


def shortened(name: str) -> str:
    """A name as messages show it: a long one without its end."""
    return name if len(name) <= _LONGEST else f"{name[:_LONGEST]}..."


def _suggestion(name: str, known: tuple[str, ...]) -> str:
    if not known:
        return "there are none"
    close = get_close_matches(name, _comparable(name, known), n=3, cutoff=0.6)
    if close:
        return f"did you mean {' or '.join(close)}?"
    rest = len(known) - _LISTED
    listed = ", ".join(map(shortened, known[:_LISTED]))
    return f"there are {listed}" + (f" and {rest} more" if rest > 0 else "")


def _comparable(name: str, known: tuple[str, ...]) -> list[str]:
    """The first names that can be compared with one in a short time."""
    found: list[str] = []
    left = _COMPARED if len(name) <= _LONGEST else 0
    for other in known:
        left -= len(name) * len(other)
        if left < 0:
            break
        found.append(other)
    return found
