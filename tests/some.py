"""A value that may be None by its type, and must be there in a test."""

from typing import TypeVar

T = TypeVar("T")


def some(value: T | None) -> T:
    """The value; None fails the test."""
    assert value is not None
    return value
