"""Edits of the modeller's rules of a rig."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from facewright.errors import BadValue, UnknownName
from facewright.rig.rig import Rig
from facewright.rig.rules import Rule


def rule_named(rig: Rig, name: str) -> Rule:
    """The rule of that name; an unknown name raises `UnknownName`."""
    for rule in rig.rules:
        if rule.name == name:
            return rule
    raise UnknownName("rule", name, (rule.name for rule in rig.rules))


def add_rule(rig: Rig, rule: Rule) -> Rig:
    """Add a rule after the others."""
    if any(other.name == rule.name for other in rig.rules):
        raise BadValue(f"there is a rule named {rule.name!r} already; choose another name, or change that one")
    return replace(rig, rules=(*rig.rules, _checked(rule)))


def replace_rule(rig: Rig, name: str, rule: Rule) -> Rig:
    """Put a rule in the place of another; it may have another name."""
    old = rule_named(rig, name)
    if rule.name != name and any(other.name == rule.name for other in rig.rules):
        raise BadValue(f"there is a rule named {rule.name!r} already; choose another name")
    new = _checked(rule)
    return replace(rig, rules=tuple(new if each is old else each for each in rig.rules))


def drop_rule(rig: Rig, name: str) -> Rig:
    """Drop a rule."""
    old = rule_named(rig, name)
    return replace(rig, rules=tuple(each for each in rig.rules if each is not old))


def _checked(rule: Rule) -> Rule:
    """The rule with each of its vertices once, in order; a rule on no vertices raises."""
    if not len(rule.vertices):
        raise BadValue(f"rule {rule.name!r} is about no vertices: name at least one, or drop the rule")
    return replace(rule, vertices=np.unique(rule.vertices))
