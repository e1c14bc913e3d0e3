"""A misspelt option is refused, and the message names the one that was meant."""

from collections.abc import Callable
from dataclasses import is_dataclass
from enum import Enum
from inspect import Parameter, isclass, isfunction, signature

import numpy as np
import pytest

import facewright as fw
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


def public_functions() -> dict[str, Callable[..., object]]:
    """What users call of posing and capture, without the constructors of plain data."""
    found: dict[str, Callable[..., object]] = {}
    for name in fw.__all__:
        made = getattr(fw, name)
        if not getattr(made, "__module__", "").startswith(("facewright.pose.", "facewright.capture.")):
            continue
        if not isclass(made):
            found[name] = made
        elif not is_dataclass(made) and not issubclass(made, Enum):
            methods = [member for member in ("__init__", *dir(made)) if member == "__init__" or member[0] != "_"]
            found |= {f"{name}.{each}": getattr(made, each) for each in methods if isfunction(getattr(made, each))}
    return found


def test_every_public_function_of_posing_and_capture_with_options_suggests_them() -> None:
    functions = public_functions()
    assert {"solve_take", "solve_pose", "bind", "PoseSolver.drag", "TakeSolver.__init__"} <= set(functions)
    for name, function in functions.items():
        kinds = {each.kind for each in signature(function).parameters.values()}
        assert Parameter.VAR_KEYWORD not in kinds, name
        assert Parameter.KEYWORD_ONLY not in kinds or hasattr(function, "__wrapped__"), name


def test_misspelt_options_of_a_solver_fail_for_type_checkers_too() -> None:
    rig = fw.Rig(np.eye(3), fw.Polygons.of(np.array([[0, 1, 2]])), ())
    with pytest.raises(TypeError, match="solve_pose has no option 'hold'; did you mean held"):
        fw.solve_pose(rig, [], hold=[1])  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="solve_take has no option 'stedy'; did you mean steady"):
        fw.solve_take(rig, fw.Take((), np.zeros((0, 0, 3)), 60.0), stedy=3)  # type: ignore[call-arg]
