"""Keyword arguments of public functions: a misspelt name is refused with the name that was probably meant."""

from collections.abc import Callable
from functools import wraps
from inspect import Parameter, signature
from typing import ParamSpec, TypeVar

from facewright.errors import UnknownOption

P = ParamSpec("P")
R = TypeVar("R")


def suggests_options(function: Callable[P, R]) -> Callable[P, R]:
    """A decorator: calling the function with an unknown keyword raises `UnknownOption`, which names a similar one.

    Python 3.13 does this by itself; earlier versions only say that the keyword is unexpected.
    """
    parameters = signature(function).parameters.values()
    known = tuple(
        each.name for each in parameters if each.kind in (Parameter.KEYWORD_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
    )
    options = tuple(name for name in known if name != "self")
    called = function.__qualname__.removesuffix(".__init__")

    @wraps(function)
    def checked(*args: P.args, **kwargs: P.kwargs) -> R:
        for name in kwargs:
            if name not in known:
                raise UnknownOption(called, name, options)
        return function(*args, **kwargs)

    return checked
