"""Constructors that are declared for type checkers have the fields of their dataclass, in order and with defaults."""

import ast
from pathlib import Path

SOURCES = Path(__file__).resolve().parents[1] / "src"


def declared() -> dict[str, tuple[list[str], list[str]]]:
    """By class: its fields, and the parameters of the `__init__` that only type checkers see, each with its default."""
    found = {}
    for path in SOURCES.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                hidden = [inner for block in node.body if isinstance(block, ast.If) for inner in block.body]
                inits = [inner for inner in hidden if isinstance(inner, ast.FunctionDef) and inner.name == "__init__"]
                if inits:
                    found[node.name] = (_fields(node), _parameters(inits[0]))
    return found


def _fields(node: ast.ClassDef) -> list[str]:
    fields = [item for item in node.body if isinstance(item, ast.AnnAssign)]
    return [ast.unparse(item.target) + (f" = {ast.unparse(item.value)}" if item.value else "") for item in fields]


def _parameters(init: ast.FunctionDef) -> list[str]:
    names = [argument.arg for argument in init.args.args[1:]]
    defaults = [f" = {ast.unparse(value)}" for value in init.args.defaults]
    return [name + default for name, default in zip(names, [""] * (len(names) - len(defaults)) + defaults, strict=True)]


def test_a_declared_constructor_takes_the_fields_of_its_class() -> None:
    classes = declared()
    assert {"Curve", "Rig", "Shape"} <= set(classes)
    for fields, parameters in classes.values():
        assert parameters == fields
