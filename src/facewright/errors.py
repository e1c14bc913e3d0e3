"""Every mistake a caller can make. Each message says what is wrong and what would have worked."""

from collections.abc import Iterable
from difflib import get_close_matches

_LISTED = 12


class FacewrightError(Exception):
    """The base of all errors raised on purpose by this library."""


class BadValue(FacewrightError, ValueError):
    """A value that cannot be used: wrong shape, not finite, out of range, inconsistent."""


class UnknownName(FacewrightError, KeyError):
    """A name that does not exist, with the names that do."""

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        known = tuple(known)
        self.kind, self.name, self.known = kind, name, known
        super().__init__(f"no {kind} named {name!r}; {_suggestion(name, known)}")

    def __str__(self) -> str:  # KeyError would show the message's repr
        return str(self.args[0])


class UnknownOption(FacewrightError, TypeError):
    """A keyword argument that a function does not have, with those that it has."""

    def __init__(self, function: str, name: str, known: Iterable[str]) -> None:
        super().__init__(f"{function} has no option {name!r}; {_suggestion(name, tuple(known))}")


class OtherTopology(BadValue):
    """A face with other vertices or polygons than the one it should be like: registering would do."""


class OutOfPlace(BadValue):
    """A face that is only larger, turned or moved: fitting it would do."""

    def __init__(self, finding: str, remedy: str) -> None:
        self.finding = finding
        super().__init__(f"{finding}: {remedy}")


class BadFile(FacewrightError):
    """A file that cannot be read, or not be trusted, as the format it claims to be."""


class UnknownFormat(FacewrightError):
    """A path whose suffix no format answers to, or a direction the format does not go."""


class MissingExtra(FacewrightError, ImportError):
    """An optional package that this operation needs."""

    def __init__(self, what: str, package: str, extra: str) -> None:
        super().__init__(f"{what} needs the package {package}: pip install 'facewright[{extra}]'")


class FacewrightWarning(FacewrightError, UserWarning):
    """Something that went well enough, but not as one would expect; our own error where warnings are made errors."""


def _suggestion(name: str, known: tuple[str, ...]) -> str:
    if not known:
        return "there are none"
    close = get_close_matches(name, known, n=3, cutoff=0.6)
    if close:
        return f"did you mean {' or '.join(close)}?"
    rest = len(known) - _LISTED
    return f"there are {', '.join(known[:_LISTED])}" + (f" and {rest} more" if rest > 0 else "")
