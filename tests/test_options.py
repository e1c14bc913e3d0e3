"""A misspelt option is refused, and the message names the one that was meant."""

from collections.abc import Callable
from inspect import Parameter, signature, unwrap
from os.path import isfile
from typing import get_type_hints

import numpy as np
import pytest

import facewright as fw
from facewright.capture.solver import TakeSolverOptions
from facewright.errors import FacewrightError
from facewright.options import suggests_options
from facewright.pose.solver import PoseOptions
from tests.test_public_surface import functions


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


def with_options() -> dict[str, Callable[..., object]]:
    """All public functions and methods that take options, without the constructors that dataclasses generate."""
    optional = (Parameter.KEYWORD_ONLY, Parameter.VAR_KEYWORD)
    return {
        name: function
        for name, function in functions()
        if any(each.kind in optional for each in signature(function).parameters.values())
        and isfile(unwrap(function).__code__.co_filename)
    }


def test_every_public_function_with_options_suggests_them() -> None:
    found = with_options()
    expected = {"solve_take", "bind", "PoseSolver.drag", "TakeSolver.__init__", "save", "transfer", "render.film"}
    assert expected <= set(found)
    assert not [name for name, function in found.items() if not hasattr(function, "__wrapped__")]
    for function in found.values():
        with pytest.raises(fw.UnknownOption, match="has no option 'no_such_option'"):
            function(no_such_option=1)


def test_options_that_are_passed_on_are_known_by_the_function_itself() -> None:
    with pytest.raises(TypeError, match=r"^face_picture has no option 'sampels'; did you mean samples\?$"):
        fw.render.face_picture(fw.sample(), sampels=2)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match=r"^film has no option 'rates'; did you mean rate\?$"):
        fw.render.film(fw.sample(), fw.Clip("a", {}), "a.gif", rates=2)  # type: ignore[call-arg]


@pytest.mark.parametrize(
    ("passed_on", "taken"),
    [
        (TakeSolverOptions, fw.TakeSolver.__init__),
        (PoseOptions, fw.PoseSolver.drag),
        (fw.render.FaceOptions, fw.render.FaceRenderer.__init__),
    ],
)
def test_what_is_passed_on_is_what_is_taken(passed_on: type, taken: Callable[..., object]) -> None:
    function = unwrap(taken)
    hints, parameters = get_type_hints(function), signature(function).parameters.values()
    options = {each.name: hints[each.name] for each in parameters if each.kind is Parameter.KEYWORD_ONLY}
    assert get_type_hints(passed_on) == options


def test_options_of_a_class_method_are_named_without_the_class() -> None:
    with pytest.raises(TypeError, match=r"^Shape.from_dense has no option 'colour'; there are name, "):
        fw.Shape.from_dense("a", np.zeros((3, 3)), colour=1)  # type: ignore[call-arg]


def test_misspelt_options_of_a_solver_fail_for_type_checkers_too() -> None:
    rig = fw.Rig(np.eye(3), fw.Polygons.of(np.array([[0, 1, 2]])), ())
    with pytest.raises(TypeError, match="solve_pose has no option 'hold'; did you mean held"):
        fw.solve_pose(rig, [], hold=[1])  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="solve_take has no option 'stedy'; did you mean steady"):
        fw.solve_take(rig, fw.Take((), np.zeros((0, 0, 3)), 60.0), stedy=3)  # type: ignore[call-arg]
