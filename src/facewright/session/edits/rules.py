"""Rules of the modeller: which sliders may move a part of the face, and how far it may go."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Literal

import numpy as np
from msgspec import Meta, field

from facewright.arrays import Ints, indices
from facewright.document import Document
from facewright.errors import BadValue
from facewright.rig import edit
from facewright.rig.edit.rules import rule_named
from facewright.rig.rig import Rig
from facewright.rig.rules import OnlyMovedBy, Rule, StaysWithin
from facewright.session.context import Context
from facewright.session.edits.edit import DocumentEdit
from facewright.session.fields import Index, Name, Region, some
from facewright.workflow.drag.region_values import region_vertices

RuleKind = Literal["only", "within"]
Share = Annotated[float, Meta(ge=0, le=10)]  # of the face's size


class AddRule(DocumentEdit, frozen=True, kw_only=True):
    """Add a rule about some vertices, or about a region: only some sliders move them, or they stay near their rest."""

    rule: Name
    kind: RuleKind
    vertices: list[Index] = field(default_factory=list)
    region: Region = ""  # its vertices are added to the others
    sliders: list[Name] = field(default_factory=list)  # of "only"
    share: Share | None = None  # the distance of "within", the tolerance of "only"; null: as usual

    @property
    def label(self) -> str:
        return f"Add rule {self.rule}"

    def apply(self, document: Document, context: Context) -> Document:
        rig = document.rig
        given = indices("vertices", np.asarray(self.vertices, np.int64), (None,), below=rig.vertex_count)
        vertices = np.union1d(given, region_vertices(document, self.region)) if self.region else given
        if not len(vertices):
            raise BadValue(
                f"rule {self.rule} is about no points yet: paint some on the face, or take those of a region"
            )
        return replace(document, rig=edit.add_rule(rig, self._rule(rig, vertices)))

    def _rule(self, rig: Rig, vertices: Ints) -> Rule:
        if self.kind == "only":
            plain = OnlyMovedBy(self.rule, vertices, tuple(self.sliders))
            return plain if self.share is None else replace(plain, tolerance=self.share)
        share = 0.01 if self.share is None else self.share
        return StaysWithin(self.rule, vertices, share * rig.size)


class PaintRule(DocumentEdit, frozen=True, kw_only=True):
    """Add vertices to a rule, or take some away."""

    rule: Name
    vertices: list[Index]
    mode: Literal["add", "remove"] = "add"

    @property
    def label(self) -> str:
        return f"{'Paint' if self.mode == 'add' else 'Erase'} rule {self.rule}"

    def apply(self, document: Document, context: Context) -> Document:
        rule = rule_named(document.rig, self.rule)
        given = indices("vertices", np.asarray(self.vertices, np.int64), (None,), below=document.rig.vertex_count)
        change = np.union1d if self.mode == "add" else np.setdiff1d
        vertices = change(rule.vertices, given)
        if np.array_equal(vertices, rule.vertices):
            return document
        if not len(vertices):
            raise BadValue(f"rule {self.rule} would be about no points; delete it instead")
        return replace(document, rig=edit.replace_rule(document.rig, self.rule, replace(rule, vertices=vertices)))


class SetRule(DocumentEdit, frozen=True, kw_only=True):
    """Change what a rule allows: its sliders, or its distance or tolerance. What is null stays."""

    rule: Name
    sliders: list[Name] | None = None
    share: Share | None = None  # of the face's size

    @property
    def label(self) -> str:
        if self.sliders is not None:
            return f"Let {some(self.sliders)} move {self.rule}"
        return f"Change the distance of {self.rule}"

    def apply(self, document: Document, context: Context) -> Document:
        rig, old = document.rig, rule_named(document.rig, self.rule)
        if isinstance(old, StaysWithin):
            if self.sliders is not None:
                raise BadValue(f"rule {self.rule} is about a distance; it has no sliders")
            new: Rule = old if self.share is None else replace(old, distance=self.share * rig.size)
            same = isinstance(new, StaysWithin) and new.distance == old.distance
        else:
            tolerance = old.tolerance if self.share is None else self.share
            sliders = old.sliders if self.sliders is None else tuple(dict.fromkeys(self.sliders))
            new = replace(old, sliders=sliders, tolerance=tolerance)
            same = (new.sliders, new.tolerance) == (old.sliders, old.tolerance)
        return document if same else replace(document, rig=edit.replace_rule(rig, self.rule, new))


class RenameRule(DocumentEdit, frozen=True, kw_only=True):
    """Give a rule another name."""

    rule: Name
    name: Name

    @property
    def label(self) -> str:
        return f"Rename rule to {self.name}"

    def apply(self, document: Document, context: Context) -> Document:
        old = rule_named(document.rig, self.rule)
        if self.name == self.rule:
            return document
        return replace(document, rig=edit.replace_rule(document.rig, self.rule, replace(old, name=self.name)))


class DeleteRule(DocumentEdit, frozen=True, kw_only=True):
    """Drop a rule."""

    rule: Name

    @property
    def label(self) -> str:
        return f"Delete rule {self.rule}"

    def apply(self, document: Document, context: Context) -> Document:
        return replace(document, rig=edit.drop_rule(document.rig, self.rule))
