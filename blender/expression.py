"""Values of correctives as expressions of Blender's drivers, and back. Knows no Blender.

A factor is a slider's value itself, or a hat of it: 1 at a value, straight to both sides down to 0. The expressions use
`min` and `max` alone, which Blender evaluates without Python, so that they work where scripts may not run.
"""

import ast
import keyword
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from facewright.errors import BadValue
from facewright.rig.shape import Factor

LONGEST = 255  # bytes of an expression that Blender keeps
_DIGITS = 9  # of a number: more than the single precision of a key's value, and 0.1 + 0.2 is read as 0.3
_DEEPEST = 8  # brackets within brackets; ours have four
_TAKEN = {"abs", "ceil", "clamp", "cos", "degrees", "exp", "floor", "fmod", "frame", "int", "lerp", "log", "max", "min"}
_TAKEN |= {"noise", "pi", "pow", "radians", "round", "self", "sin", "smoothstep", "sqrt", "tan", "trunc", "var", "bpy"}


class NotOurs(Exception):
    """An expression that is no product of factors."""


def variable_names(sliders: Sequence[str]) -> tuple[str, ...]:
    """A name that an expression can use for each slider: its own where that is possible."""
    found: list[str] = []
    for i, name in enumerate(sliders):
        fits = name.isascii() and name.isidentifier() and not keyword.iskeyword(name) and len(name) <= 24
        found.append(name if fits and name not in _TAKEN else f"v{i}")
    return tuple(found) if len(set(found)) == len(found) else tuple(f"v{i}" for i in range(len(sliders)))


def product(factors: Sequence[Factor], names: Sequence[str]) -> str:
    """The expression of a product of factors by the variables' names; a factor without ends is the slider's value."""
    text = "*".join(_factor(factor, name) for factor, name in zip(factors, names, strict=True))
    if len(text) > LONGEST:
        raise BadValue(
            f"its driver would be {len(text)} letters long, and Blender keeps {LONGEST}; shorten the names of"
            f" {', '.join(factor.slider for factor in factors)}, or drive it by fewer of them"
        )
    return text


def _factor(factor: Factor, name: str) -> str:
    if factor.span is None:
        return name
    low, high = factor.span
    sides = []
    if np.isfinite(low):
        sides.append(f"{_shifted(name, low)}/{_text(factor.at - low)}")
    if np.isfinite(high):
        sides.append(f"({_text(high)}-{name})/{_text(high - factor.at)}")
    return f"max(0,{sides[0]})" if len(sides) == 1 else f"max(0,min({sides[0]},{sides[1]}))"


def _shifted(name: str, low: float) -> str:
    if low == 0:
        return name
    return f"({name}-{_text(low)})" if low > 0 else f"({name}+{_text(-low)})"


def _text(value: float) -> str:
    return f"{value:.{_DIGITS}g}"


def factors_of(expression: str, sliders: Mapping[str, str]) -> tuple[Factor, ...]:
    """The factors that an expression multiplies; `sliders` names the slider that each variable reads.

    Raises `NotOurs` for every other expression.
    """
    try:
        tree = ast.parse(expression.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise NotOurs(expression) from None
    factors = tuple(_read_factor(node, sliders) for node in _multiplied(tree, 0))
    if len({factor.slider for factor in factors}) != len(factors):
        raise NotOurs(expression)
    return factors


def _multiplied(node: ast.expr, depth: int) -> list[ast.expr]:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult) and depth < 64:
        return [*_multiplied(node.left, depth + 1), *_multiplied(node.right, depth + 1)]
    return [node]


@dataclass(frozen=True)
class _Line:
    """A straight function of one variable."""

    name: str  # "": a number
    slope: float
    start: float  # at 0

    @property
    def root(self) -> float:
        return -self.start / self.slope

    @property
    def at(self) -> float:
        """Where it is 1."""
        return (1 - self.start) / self.slope


def _read_factor(node: ast.expr, sliders: Mapping[str, str]) -> Factor:
    if not isinstance(node, ast.Call):
        line = _line(node, 0)
        if line.name in sliders and line.slope == 1 and line.start == 0:
            return Factor(sliders[line.name], 1.0, None)
        raise NotOurs
    zero, inside = _arguments(node, "max")
    if _line(zero, 0) != _Line("", 0.0, 0.0):
        raise NotOurs
    sides = _arguments(inside, "min") if isinstance(inside, ast.Call) else (inside,)
    lines = [_line(side, 0) for side in sides]
    name = lines[0].name
    if name not in sliders or any(line.name != name or line.slope == 0 for line in lines):
        raise NotOurs
    return Factor(sliders[name], *_hat(lines))


def _hat(lines: Sequence[_Line]) -> tuple[float, tuple[float, float]]:
    """Where a hat is 1, and where it ends."""
    rising, falling = [one for one in lines if one.slope > 0], [one for one in lines if one.slope < 0]
    if len(rising) > 1 or len(falling) > 1:
        raise NotOurs
    at = _round(lines[0].at)
    low = _round(rising[0].root) if rising else -np.inf
    high = _round(falling[0].root) if falling else np.inf
    if not low < at < high or any(abs(one.at - at) > 1e-6 * max(1.0, abs(at)) for one in lines) or at == 0:
        raise NotOurs
    return at, (low, high)


def _round(value: float) -> float:
    """Without what writing and reading by a few digits adds; 0 is 0."""
    found = float(f"{value:.{_DIGITS - 1}g}")
    return 0.0 if abs(found) < 1e-9 else found


def _arguments(node: ast.expr, function: str) -> tuple[ast.expr, ast.expr]:
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == function):
        raise NotOurs
    if len(node.args) != 2 or node.keywords or any(isinstance(one, ast.Starred) for one in node.args):
        raise NotOurs
    return node.args[0], node.args[1]


def _line(node: ast.expr, depth: int) -> _Line:
    """A sum of multiples of one variable and numbers."""
    if depth > _DEEPEST:
        raise NotOurs
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float) and not isinstance(node.value, bool):
        return _number(node.value)
    if isinstance(node, ast.Name):
        return _Line(node.id, 1.0, 0.0)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return _scaled(_line(node.operand, depth + 1), -1.0)
    if not isinstance(node, ast.BinOp):
        raise NotOurs
    left, right = _line(node.left, depth + 1), _line(node.right, depth + 1)
    if isinstance(node.op, ast.Add | ast.Sub):
        right = _scaled(right, -1.0) if isinstance(node.op, ast.Sub) else right
        if left.name and right.name and left.name != right.name:
            raise NotOurs
        return _Line(left.name or right.name, left.slope + right.slope, left.start + right.start)
    if isinstance(node.op, ast.Div) and not right.name and right.start != 0:
        return _scaled(left, 1 / right.start)
    if isinstance(node.op, ast.Mult) and not (left.name and right.name):
        return _scaled(left, right.start) if left.name else _scaled(right, left.start)
    raise NotOurs


def _number(value: float) -> _Line:
    try:
        found = float(value)
    except OverflowError:
        raise NotOurs from None
    if not np.isfinite(found):
        raise NotOurs
    return _Line("", 0.0, found)


def _scaled(line: _Line, by: float) -> _Line:
    return _Line(line.name, line.slope * by, line.start * by)
