"""Drivers of shape keys: those of correctives written and read, all others described."""

import re
from collections.abc import Sequence
from typing import Any

import bpy

from facewright.rig.shape import Factor

from . import expression
from .expression import NotOurs

_VALUE = re.compile(r'key_blocks\["((?:[^"\\]|\\.)*)"\]\.value')
_SAME = 1e-5


def value_path(name: str) -> str:
    """The path of a key's value."""
    return f'key_blocks["{bpy.utils.escape_identifier(name)}"].value'


def key_of_path(path: str) -> str | None:
    """The name of the key whose value a path names."""
    found = _VALUE.fullmatch(path)
    return None if found is None else bpy.utils.unescape_identifier(found[1])


def drivers_of(keys: Any) -> dict[str, Any]:
    """The driver of each key's value that has one which is not switched off."""
    curves = [] if keys.animation_data is None else keys.animation_data.drivers
    found = {key_of_path(curve.data_path): curve for curve in curves if not curve.mute}
    return {name: curve for name, curve in found.items() if name is not None and name in keys.key_blocks}


def drive(keys: Any, name: str, factors: Sequence[Factor]) -> None:
    """Drive a key by the product of factors of other keys."""
    driver = _new_driver(keys, name)
    driver.type = "SCRIPTED"
    names = expression.variable_names([factor.slider for factor in factors])
    for variable, factor in zip(names, factors, strict=True):
        _add_variable(driver, variable, keys, factor.slider)
    driver.expression = expression.product(factors, names)


def follow_key(keys: Any, name: str, leader: Any) -> None:
    """Let a key have the value, and the range, of the key of its name in another mesh."""
    driver = _new_driver(keys, name)
    driver.type = "SUM"
    _add_variable(driver, "value", leader, name)
    block, other = keys.key_blocks[name], leader.key_blocks[name]
    block.slider_min, block.slider_max = other.slider_min, other.slider_max


def followed_keys(keys: Any, leader: Any) -> list[str]:
    """The keys that have the value of the key of their name in another mesh."""
    return [name for name, curve in drivers_of(keys).items() if _is_following(curve, name, leader)]


def _is_following(curve: Any, name: str, leader: Any) -> bool:
    driver = curve.driver
    if driver.type != "SUM" or len(driver.variables) != 1 or driver.variables[0].type != "SINGLE_PROP":
        return False
    target = driver.variables[0].targets[0]
    return bool(target.id == leader and key_of_path(target.data_path) == name)


def _new_driver(keys: Any, name: str) -> Any:
    """An empty driver of a key's value, in place of the one that it has."""
    block = keys.key_blocks[name]
    block.driver_remove("value")
    curve = block.driver_add("value")
    while curve.modifiers:
        curve.modifiers.remove(curve.modifiers[0])
    curve.keyframe_points.clear()
    return curve.driver


def _add_variable(driver: Any, variable: str, keys: Any, name: str) -> None:
    """A variable that is the value of a key."""
    made = driver.variables.new()
    made.name, made.type = variable, "SINGLE_PROP"
    target = made.targets[0]
    target.id_type, target.id, target.data_path = "KEY", keys, value_path(name)


def read_factors(keys: Any, curve: Any) -> tuple[Factor, ...]:
    """The factors of a key that is driven as a corrective is; `NotOurs` for any other driver."""
    driver = curve.driver
    if driver.type != "SCRIPTED" or driver.use_self or not _is_plain(curve):
        raise NotOurs
    sliders = {}
    for variable in driver.variables:
        target = variable.targets[0]
        if variable.type != "SINGLE_PROP" or target.id_type != "KEY" or target.id != keys:
            raise NotOurs
        name = key_of_path(target.data_path)
        if name is None or name not in keys.key_blocks:
            raise NotOurs
        sliders[variable.name] = name
    return expression.factors_of(driver.expression, sliders)


def _is_plain(curve: Any) -> bool:
    """Whether the driver's value is used as it is."""
    if not len(curve.keyframe_points) and not len(curve.modifiers):
        return True
    return all(abs(curve.evaluate(value) - value) < _SAME for value in (-5.0, -0.3, 0.0, 0.2, 0.7, 1.0, 5.0))


def described(curve: Any) -> str:
    """What drives a key, in words."""
    found = list(dict.fromkeys(words for variable in curve.driver.variables for words in _variable_words(variable)))
    return ", ".join(found) or f"the expression {curve.driver.expression}"


def _variable_words(variable: Any) -> list[str]:
    words = []
    for target in variable.targets:
        if variable.type == "CONTEXT_PROP":
            words.append(f"{target.data_path} of the scene")
        elif target.id is None:
            words.append("something that is missing")
        elif variable.type == "SINGLE_PROP":
            name = key_of_path(target.data_path)
            words.append(f"{target.id.name} {target.data_path}" if name is None else f"the key {name}")
        else:
            bone = f"bone {target.bone_target} of " if target.bone_target else ""
            words.append(f"{bone}{target.id.name}")
    return words
