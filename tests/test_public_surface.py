"""What a user of the library meets: every public name is documented and typed, and the examples need no others."""

import ast
import enum
import inspect
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import facewright as fw
from facewright import errors

EXAMPLES = sorted((Path(__file__).resolve().parents[1] / "examples").glob("*.py"))
NAMES = {name: getattr(fw, name) for name in fw.__all__}
MODULES = {name: value for name, value in NAMES.items() if isinstance(value, ModuleType)}
NAMES |= {f"{place}.{name}": getattr(module, name) for place, module in MODULES.items() for name in module.__all__}


def members(owner: type) -> Iterator[tuple[str, Any]]:
    """Public methods and properties that a class, or one of our own that it comes from, defines."""
    for base in owner.__mro__:
        if base.__module__.startswith("facewright"):
            for name, value in vars(base).items():
                if not name.startswith("_") and (callable(value) or hasattr(value, "__doc__")):
                    plain = value.__func__ if isinstance(value, classmethod | staticmethod) else value
                    if inspect.isfunction(plain) or isinstance(plain, property) or hasattr(plain, "attrname"):
                        yield name, plain


def functions() -> Iterator[tuple[str, Any]]:
    for name, value in NAMES.items():
        if inspect.isfunction(value):
            yield name, value
        elif inspect.isclass(value):
            yield from ((f"{name}.{own}", each) for own, each in members(value) if inspect.isfunction(each))
            if inspect.isfunction(value.__init__) and value.__init__.__module__.startswith("facewright"):
                yield f"{name}.__init__", value.__init__


def has_docstring(value: Any) -> bool:
    """Whether somebody wrote one: a dataclass without a docstring gets its signature as one."""
    text = (value.__doc__ or "").strip()
    return bool(text) and not text.startswith(f"{getattr(value, '__name__', None)}(")


def test_every_public_name_has_a_docstring() -> None:
    bare = [name for name, value in NAMES.items() if callable(value) or name in MODULES if not has_docstring(value)]
    assert not bare, bare


def test_every_public_method_and_property_has_a_docstring() -> None:
    classes = {name: value for name, value in NAMES.items() if inspect.isclass(value)}
    assert len(classes) > 40
    own = {f"{name}.{each}": member for name, value in classes.items() for each, member in members(value)}
    bare = sorted(name for name, member in own.items() if not has_docstring(member))
    assert not bare, bare


def test_no_public_function_takes_options_of_any_type() -> None:
    found = dict(functions())
    assert len(found) > 150
    for name, function in found.items():
        for each in inspect.signature(function).parameters.values():
            if each.kind is inspect.Parameter.VAR_KEYWORD:
                assert "Unpack" in str(each.annotation), f"{name} takes **{each.name}: {each.annotation}"


def test_every_error_can_be_caught_by_its_own_name() -> None:
    own = {
        name for name, value in vars(errors).items() if inspect.isclass(value) and value.__module__ == errors.__name__
    }
    assert own <= set(fw.__all__), own - set(fw.__all__)
    assert all(issubclass(getattr(fw, name), fw.FacewrightError) for name in own)


@pytest.mark.parametrize("script", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_imports_facewright_alone(script: Path) -> None:
    for node in ast.walk(ast.parse(script.read_text("utf8"))):
        if isinstance(node, ast.Import):
            assert all(not alias.name.startswith("facewright.") for alias in node.names), script.name
        if isinstance(node, ast.ImportFrom):
            assert not (node.module or "").startswith("facewright"), script.name


POSE = {"jawOpen": 0.5, "mouthSmileLeft": 0.25}


def test_names_to_values_are_taken_wherever_weights_are() -> None:
    rig = fw.sample()
    row = rig.weights(POSE)
    np.testing.assert_array_equal(fw.evaluate(rig, POSE), fw.evaluate(rig, row))
    np.testing.assert_array_equal(fw.Evaluator(rig)(POSE), fw.Evaluator(rig)(row))
    np.testing.assert_array_equal(fw.jacobian(rig, POSE, [7, 300]), fw.jacobian(rig, row, [7, 300]))
    for named, plain in (
        (fw.edit.bake_pose(rig, POSE), fw.edit.bake_pose(rig, row)),
        (fw.edit.combine_shapes(rig, "grin", POSE), fw.edit.combine_shapes(rig, "grin", row)),
    ):
        np.testing.assert_array_equal(fw.evaluate(named, {"jawOpen": 0.1}), fw.evaluate(plain, {"jawOpen": 0.1}))
        assert named.shape_names == plain.shape_names
    by_name, by_row = (fw.render.face_picture(rig, weights, size=(24, 24), samples=1) for weights in (POSE, row))
    np.testing.assert_array_equal(by_name, by_row)


def test_names_to_values_are_taken_for_regions() -> None:
    rig = fw.sample()
    regions = fw.segment(rig, threshold=0.5)
    region = regions.names[0]
    rows = fw.region_weights(rig, regions, within={region: POSE})
    by_name, by_row = (fw.evaluate_regions(rig, regions, weights) for weights in ({region: POSE}, rows))
    np.testing.assert_array_equal(by_name, by_row)
    less = {"jawOpen": 0.1}
    by_name, by_row = (fw.moved_within(rig, regions, rows, region, values) for values in (less, rig.weights(less)))
    np.testing.assert_array_equal(by_name, by_row)


def test_an_unknown_name_is_refused_with_the_near_one() -> None:
    with pytest.raises(fw.UnknownName, match="jawOpen"):
        fw.evaluate(fw.sample(), {"jawOpem": 1.0})
    with pytest.raises(fw.UnknownOption, match="samples"):
        fw.render.face_picture(fw.sample(), sample=2)  # type: ignore[call-arg]


def test_statuses_say_what_they_mean() -> None:
    for status in (fw.Status, fw.FrameStatus):
        assert issubclass(status, enum.Enum)
        assert all(isinstance(each.value, str) and len(each.value.split()) >= 1 for each in status)


def test_what_holds_arrays_is_shown_in_one_line() -> None:
    rig = fw.sample()
    clip = fw.Clip.from_table("talk", ["jawOpen"], np.arange(200.0), np.linspace(0, 1, 200)[:, None])
    shown = (
        rig, clip, clip.curves["jawOpen"], rig.shapes[0], rig.polygons, rig.uvs, fw.Document(rig, (clip,)),
        fw.Take(("a", "b"), np.zeros((300, 2, 3)), 60.0, "mm"), fw.bind_vertices(rig, {"chin": 7, "nose": 9}),
        fw.solve_pose(rig, [fw.Pin(vertex=7, target=rig.neutral[7])]), fw.edit.symmetry(rig),
        fw.render.frame(rig.neutral), fw.render.Heat(np.zeros(500)), fw.Similarity(np.eye(3), np.zeros(3)),
    )  # fmt: skip
    for one in shown:
        assert type(one).__name__ in repr(one)
        assert "\n" not in repr(one)
        assert len(repr(one)) < 200
