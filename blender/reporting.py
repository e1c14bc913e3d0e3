"""Operators that say in words what went wrong."""

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from facewright.errors import FacewrightError, FacewrightWarning

FINISHED, CANCELLED = {"FINISHED"}, {"CANCELLED"}


class InWords:
    """An operator whose mistakes are reports. `run` does the work, and returns what a person should know."""

    report: Callable[[set[str], str], None]

    def run(self, context: Any) -> str:
        raise NotImplementedError

    def execute(self, context: Any) -> set[str]:
        """Called by Blender."""
        try:
            with self.heard():
                words = self.run(context)
        except FacewrightError as problem:
            return self.refuse(problem)
        if words:
            self.report({"INFO"}, words)
        return FINISHED

    def refuse(self, problem: FacewrightError | OSError) -> set[str]:
        """Report a mistake."""
        self.report({"ERROR"}, str(problem))
        return CANCELLED

    @contextmanager
    def heard(self) -> Iterator[None]:
        """Report warnings of the library."""
        with warnings.catch_warnings(record=True) as heard:
            warnings.simplefilter("always", FacewrightWarning)
            yield
        for words in dict.fromkeys(str(one.message) for one in heard if issubclass(one.category, FacewrightWarning)):
            self.report({"WARNING"}, words)
