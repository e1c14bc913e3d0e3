"""Expressions of an avatar: listed, shown as a pose, added, renamed, dropped, and bound to shapes."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, get_args

import typer

from facewright.cli.asked import asked
from facewright.cli.rig.inputs import Face, Force, Output, opened, pose_from, values_from, write
from facewright.cli.screen import plain, screen
from facewright.cli.streams import face_given
from facewright.errors import UnknownName
from facewright.rig import expression_edit as edit
from facewright.rig.expression import Expression, ExpressionBind, Override

Named = Annotated[str, typer.Argument(metavar="EXPRESSION", help="The name of one, as `facewright vrm list` says it.")]
Binds = Annotated[list[str], typer.Argument(metavar="SHAPE=VALUE...", help="Such as jawOpen=0.5; a name alone is 1.")]
_OVERRIDE = "none, blend or block."


def list_(rig: Face) -> None:
    """List the expressions of an avatar, and the shapes that they drive."""
    document = face_given(rig)
    console = screen()
    for one in document.expressions:
        binds = {f"{bind.shape}{f' ({bind.part})' if bind.part else ''}": bind.value for bind in one.binds}
        options = {"blink": one.blink, "look": one.look, "mouth": one.mouth}
        asked.list(
            "expressions",
            {"name": one.name, "preset": one.preset, "binds": binds, "is_binary": one.is_binary, **options},
        )
        driven = ", ".join(f"{shape} {value:g}" for shape, value in binds.items()) or "nothing"
        said = [f"preset {one.preset}"] if one.preset else []
        said += ["on or off"] if one.is_binary else []
        said += [f"{key}: {how}" for key, how in options.items() if how != "none"]
        words = f" ({', '.join(said)})" if said else ""
        console.print(plain(f"{one.name}{words}: {driven}"), soft_wrap=True)
    if not document.expressions:
        console.print("no expressions; `facewright vrm add` makes one, `facewright vrm sync` those of ARKit")


def show(
    rig: Face,
    values: Annotated[list[str], typer.Argument(metavar="EXPRESSION=VALUE...", help="Such as happy=0.5.")],
    out: Output,
    force: Force = False,
) -> None:
    """Pose the face by expressions: all sliders that they drive, with what they override."""
    document = opened(rig, out, force)
    given = pose_from(values, "an expression's value")
    for name in given:
        edit.expression_named(document.expressions, name)
    pose = edit.pose_with_expressions(document.rig, document.expressions, document.pose, given)
    write(replace(document, pose=pose), out, *(f"{name} is at {value:g}" for name, value in given.items()))


def add(
    rig: Face,
    expression: Annotated[str, typer.Argument(help="The name of the new one; that of a preset makes it this preset.")],
    binds: Binds,
    out: Output,
    force: Force = False,
) -> None:
    """Add an expression that drives shapes to values."""
    document = opened(rig, out, force)
    empty = edit.expression_of_pose(expression, document.rig, 0 * document.pose)
    changed = edit.add_expression(document.expressions, empty)
    for shape, value in pose_from(binds, "a shape's value").items():
        changed = edit.set_bind(changed, expression, ExpressionBind(shape, value), document.rig)
    write(replace(document, expressions=changed), out, f"{expression} drives {len(changed[-1].binds)} shapes")


def bind(rig: Face, expression: Named, binds: Binds, out: Output, force: Force = False) -> None:
    """Let an expression drive shapes to values; at 0 it drives them no longer."""
    document = opened(rig, out, force)
    changed: tuple[Expression, ...] = document.expressions
    for shape, value in pose_from(binds, "a shape's value").items():
        if value:
            changed = edit.set_bind(changed, expression, ExpressionBind(shape, value), document.rig)
        else:
            changed = edit.drop_bind(changed, expression, shape)
    left = edit.expression_named(changed, expression).binds
    write(replace(document, expressions=changed), out, f"{expression} drives {len(left)} shapes")


def rename(
    rig: Face,
    names: Annotated[list[str], typer.Argument(metavar="OLD=NEW...", help="Such as Grin=Smirk.")],
    out: Output,
    force: Force = False,
) -> None:
    """Rename expressions."""
    document = opened(rig, out, force)
    changed: tuple[Expression, ...] = document.expressions
    given = values_from(names, "a new name", "Grin=Smirk")
    for old, new in given.items():
        changed = edit.rename_expression(changed, old, new)
    write(replace(document, expressions=changed), out, *(f"{old} is {new}" for old, new in given.items()))


def drop(
    rig: Face,
    names: Annotated[list[str], typer.Argument(metavar="EXPRESSION...", help="Those to delete.")],
    out: Output,
    force: Force = False,
) -> None:
    """Delete expressions; the shapes that they drive stay."""
    document = opened(rig, out, force)
    changed: tuple[Expression, ...] = document.expressions
    for name in names:
        changed = edit.drop_expression(changed, name)
    write(replace(document, expressions=changed), out, f"{', '.join(names)}: deleted")


def change(
    rig: Face,
    expression: Named,
    out: Output,
    preset: Annotated[str | None, typer.Option(help='Such as happy; "" makes it one of your own.')] = None,
    binary: Annotated[bool | None, typer.Option("--binary/--smooth", help="On or off, or all between.")] = None,
    blink: Annotated[str | None, typer.Option(help=f"What it does to blinks: {_OVERRIDE}")] = None,
    look: Annotated[str | None, typer.Option(help=f"What it does to looks: {_OVERRIDE}")] = None,
    mouth: Annotated[str | None, typer.Option(help=f"What it does to the mouth: {_OVERRIDE}")] = None,
    force: Force = False,
) -> None:
    """Change an expression's preset, whether it is on or off, and what it overrides."""
    document = opened(rig, out, force)
    changed = edit.set_options(
        document.expressions,
        expression,
        preset=preset,
        is_binary=binary,
        blink=_override(blink),
        look=_override(look),
        mouth=_override(mouth),
    )
    write(replace(document, expressions=changed), out, f"{expression} is changed")


def _override(text: str | None) -> Override | None:
    if text is not None and text not in get_args(Override):
        raise UnknownName("override of an expression", text, get_args(Override))
    return text  # type: ignore[return-value]  # checked above
