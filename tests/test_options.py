"""A misspelt option is refused, and the message names the one that was meant."""

from inspect import signature

import pytest

from facewright.errors import FacewrightError
from facewright.options import suggests_options


@suggests_options
def solve(take: str, *, steady: float = 1.0, sparse: float = 1.0) -> tuple[str, float, float]:
    """Solve a take."""
    return take, steady, sparse


class Solver:
    @suggests_options
    def __init__(self, *, steady: float = 1.0) -> None:
        self.steady = steady

    @suggests_options
    def drag(self, *, damped: bool = False) -> bool:
        return damped


def test_known_options_arrive() -> None:
    assert solve("a", sparse=2.0) == ("a", 1.0, 2.0)
    assert solve(take="a", steady=3.0) == ("a", 3.0, 1.0)
    assert Solver(steady=2.0).steady == 2.0
    assert Solver().drag(damped=True)


@pytest.mark.parametrize("kind", [TypeError, FacewrightError])
def test_an_unknown_option_names_the_near_one(kind: type[Exception]) -> None:
    with pytest.raises(kind, match=r"^solve has no option 'stedy'; did you mean steady\?$"):
        solve("a", stedy=3)  # type: ignore[call-arg]


def test_classes_and_methods_are_named() -> None:
    with pytest.raises(TypeError, match=r"^Solver has no option 'stedy'; did you mean steady\?$"):
        Solver(stedy=3)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match=r"^Solver.drag has no option 'damp'; did you mean damped\?$"):
        Solver().drag(damp=True)  # type: ignore[call-arg]


def test_without_a_near_one_all_are_listed() -> None:
    with pytest.raises(TypeError, match="there are take, steady, sparse"):
        solve("a", colour=1)  # type: ignore[call-arg]


def test_name_signature_and_docstring_stay() -> None:
    assert solve.__name__ == "solve"
    assert solve.__doc__ == "Solve a take."
    assert list(signature(solve).parameters) == ["take", "steady", "sparse"]
