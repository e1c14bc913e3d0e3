"""A group of commands one of which is meant where none is named."""

from __future__ import annotations

from typing import Any

from typer.core import TyperGroup


class DefaultGroup(TyperGroup):
    """`facewright texture face.glb` is `facewright texture mix face.glb`."""

    default = "mix"

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if args and args[0] not in {*self.commands, "--help"}:
            args = [self.default, *args]
        return super().parse_args(ctx, args)
