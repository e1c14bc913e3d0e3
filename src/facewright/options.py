"""Keyword arguments of public functions: a misspelt name is refused with the name that was probably meant."""

from collections.abc import Callable
from functools import cache, wraps
from inspect import Parameter, signature
from typing import ParamSpec, TypeVar, get_args, get_type_hints

from facewright.errors import UnknownOption

P = ParamSpec("P")
R = TypeVar("R")


def suggests_options(function: Callable[P, R]) -> Callable[P, R]:
    """A decorator: calling the function with an unknown keyword raises `UnknownOption`, which names a similar one.

    Options that the function passes on, as `**options: Unpack[...]`, are known, too. Python 3.13 suggests names by
    itself; earlier versions only say that a keyword is unexpected.
    """
    parameters = signature(function).parameters.values()
    named = tuple(
        each.name for each in parameters if each.kind in (Parameter.KEYWORD_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
    )
    passed_on = next((each.name for each in parameters if each.kind is Parameter.VAR_KEYWORD), "")
    called = function.__qualname__.removesuffix(".__init__")

    @cache
    def unpacked() -> tuple[str, ...]:
        """The keys of the typed dictionary in `Unpack[...]`, which may be defined after the function."""
        return tuple(get_args(get_type_hints(function)[passed_on])[0].__annotations__) if passed_on else ()

    @wraps(function)
    def checked(*args: P.args, **kwargs: P.kwargs) -> R:
        for name in kwargs:
            if name not in named and name not in unpacked():
                options = (each for each in (*named, *unpacked()) if each not in ("self", "cls"))
                raise UnknownOption(called, name, tuple(options))
        return function(*args, **kwargs)

    return checked
