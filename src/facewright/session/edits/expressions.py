"""Expressions of an avatar: shown on the face, added, renamed, deleted, and bound to shapes."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, ClassVar

import numpy as np
from msgspec import Meta

from facewright.document import Document
from facewright.rig import expression_edit
from facewright.rig.expression import Expression, ExpressionBind, Override
from facewright.session.context import Context
from facewright.session.edits.edit import DocumentEdit
from facewright.session.edits.pose import set_weights
from facewright.session.fields import Name, NameOrNone
from facewright.workflow.perfect_sync import Addition

ExpressionName = Annotated[str, Meta(min_length=1, max_length=200)]
Share = Annotated[float, Meta(ge=0, le=1)]


class SetExpression(DocumentEdit, frozen=True, kw_only=True):
    """Bring an expression to a value: the sliders of all shapes that it drives move, and of those it overrides."""

    expression: ExpressionName
    value: Share

    @property
    def label(self) -> str:
        return f"Expression {self.expression}"

    def apply(self, document: Document, context: Context) -> Document:
        rig, values = document.rig, {self.expression: self.value}
        expression_edit.expression_named(document.expressions, self.expression)
        wanted = expression_edit.pose_with_expressions(rig, document.expressions, document.pose, values)
        moved = [i for i in np.flatnonzero(wanted != document.pose) if rig.sliders[i] not in document.locked]
        return set_weights(document, {rig.sliders[i]: float(wanted[i]) for i in moved}, context.solvers)


class AddExpression(DocumentEdit, frozen=True, kw_only=True):
    """Add an expression that drives nothing yet, or, from the pose, all that is on now."""

    name: ExpressionName
    from_pose: bool = False

    @property
    def label(self) -> str:
        return f"Add expression {self.name}"

    def apply(self, document: Document, context: Context) -> Document:
        pose = document.pose if self.from_pose else np.zeros_like(document.pose)
        new = expression_edit.expression_of_pose(self.name, document.rig, pose)
        return replace(document, expressions=expression_edit.add_expression(document.expressions, new))


class RenameExpression(DocumentEdit, frozen=True, kw_only=True):
    """Give an expression another name."""

    expression: ExpressionName
    name: ExpressionName

    @property
    def label(self) -> str:
        return f"Rename expression to {self.name}"

    def apply(self, document: Document, context: Context) -> Document:
        if self.name == self.expression:
            return document
        renamed = expression_edit.rename_expression(document.expressions, self.expression, self.name)
        return replace(document, expressions=renamed)


class DeleteExpression(DocumentEdit, frozen=True, kw_only=True):
    """Delete an expression; the shapes that it drives stay."""

    expression: ExpressionName

    @property
    def label(self) -> str:
        return f"Delete expression {self.expression}"

    def apply(self, document: Document, context: Context) -> Document:
        left = expression_edit.drop_expression(document.expressions, self.expression)
        return replace(document, expressions=left)


class BindShape(DocumentEdit, frozen=True, kw_only=True):
    """Let an expression drive a shape to a value, on all parts or on one."""

    expression: ExpressionName
    shape: Name
    value: Share
    part: NameOrNone = ""

    @property
    def label(self) -> str:
        return f"{self.expression} drives {self.shape}"

    def apply(self, document: Document, context: Context) -> Document:
        bind = ExpressionBind(self.shape, self.value, self.part)
        changed = expression_edit.set_bind(document.expressions, self.expression, bind, document.rig)
        return _with(document, changed)


class UnbindShape(DocumentEdit, frozen=True, kw_only=True):
    """Let an expression no longer drive a shape."""

    expression: ExpressionName
    shape: Name
    part: NameOrNone = ""

    @property
    def label(self) -> str:
        return f"{self.expression} no longer drives {self.shape}"

    def apply(self, document: Document, context: Context) -> Document:
        changed = expression_edit.drop_bind(document.expressions, self.expression, self.shape, self.part)
        return _with(document, changed)


class SetExpressionOptions(DocumentEdit, frozen=True, kw_only=True):
    """Change an expression: its preset, whether it is on or off, and what it overrides. What is null stays."""

    expression: ExpressionName
    preset: NameOrNone | None = None  # "": an expression of the author's own
    is_binary: bool | None = None
    blink: Override | None = None
    look: Override | None = None
    mouth: Override | None = None

    @property
    def label(self) -> str:
        return f"Change expression {self.expression}"

    def apply(self, document: Document, context: Context) -> Document:
        changed = expression_edit.set_options(
            document.expressions,
            self.expression,
            preset=self.preset,
            is_binary=self.is_binary,
            blink=self.blink,
            look=self.look,
            mouth=self.mouth,
        )
        return _with(document, changed)


class AddPerfectSync(DocumentEdit, frozen=True, kw_only=True):
    """Add shapes of ARKit, and expressions that drive them; those whose names are there already stay as they are."""

    from_page: ClassVar[bool] = False

    added: Addition

    @property
    def label(self) -> str:
        return "Perfect sync"

    def apply(self, document: Document, context: Context) -> Document:
        return self.added.onto(document)


def _with(document: Document, expressions: tuple[Expression, ...]) -> Document:
    return document if expressions == document.expressions else replace(document, expressions=expressions)
