"""What can be asked of every command: its result as JSON, silence, and that missing folders are made."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from json import dumps
from typing import Annotated, Any

import typer


@dataclass
class Asked:
    """What the line asks for, and what the command has to tell as JSON."""

    json: bool = False
    quiet: bool = False
    make_folders: bool = False
    facts: dict[str, Any] = field(default_factory=dict)
    words: list[str] = field(default_factory=list)  # of the line
    in_lines: bool = False  # the result is told in lines, one for each of many things

    def forget(self) -> None:
        """Begin another line."""
        self.__init__()  # type: ignore[misc]

    def tell(self, **facts: Any) -> None:
        """What the command found or did, by name. Given as JSON if that is asked for."""
        self.facts.update(facts)

    def list(self, name: str, entry: Any) -> None:
        """One more entry of a list."""
        self.facts.setdefault(name, []).append(entry)

    def print(self) -> None:
        """Print all that was told as one object, if JSON is asked for."""
        if not self.json:
            return
        import msgspec  # takes a while to load

        told = msgspec.json.encode(self.facts, enc_hook=_in_json)
        shown = told if self.in_lines else msgspec.json.format(told, indent=2)
        sys.stdout.write(_printable(shown.decode()) + "\n")

    def line(self, entry: dict[str, Any]) -> None:
        """Print an object on a line of its own now, if JSON is asked for; the last line is what else was told."""
        self.in_lines = True
        if not self.json:
            return
        import msgspec

        sys.stdout.write(_printable(msgspec.json.encode(entry, enc_hook=_in_json).decode()) + "\n")
        sys.stdout.flush()


asked = Asked()


def with_options(command: Any) -> Any:
    """A command, or every command of a group, with the options that all of them have."""
    for each in getattr(command, "commands", {}).values():
        with_options(each)
    if not hasattr(command, "commands"):
        own = {name for parameter in command.params for name in parameter.opts}
        command.params += [one for one in _options() if not own & set(one.opts)]
    return command


def _options() -> list[Any]:
    made = typer.Typer(add_completion=False)
    made.command()(_of_every_command)
    return [one for one in typer.main.get_command(made).params if one.name != "help"]


def _setting(name: str) -> Any:
    def keep(value: bool) -> None:
        if value:
            setattr(asked, name, True)

    return keep


_JSON = typer.Option("--json", help="Print what was done as one JSON object.", callback=_setting("json"))
_QUIET = typer.Option("--quiet", "-q", help="Print errors and warnings alone.", callback=_setting("quiet"))
_FOLDERS = typer.Option(
    "--make-folders", help="Make folders that are missing for what is written.", callback=_setting("make_folders")
)
for _option in (_JSON, _QUIET, _FOLDERS):
    _option.expose_value = False


def _of_every_command(
    json: Annotated[bool, _JSON] = False,
    quiet: Annotated[bool, _QUIET] = False,
    make_folders: Annotated[bool, _FOLDERS] = False,
) -> None:
    """Never run: other commands take its options."""


def _printable(told: str) -> str:
    """JSON in letters that standard output has: others, which are in strings alone, as their escapes."""
    try:
        told.encode(sys.stdout.encoding or "utf8")
    except UnicodeEncodeError:
        return "".join(letter if letter.isascii() else dumps(letter)[1:-1] for letter in told)
    return told


def _in_json(value: Any) -> Any:
    """Numbers and arrays of numpy, paths and sets as JSON has them."""
    if hasattr(value, "tolist"):
        return value.tolist()
    return list(value) if isinstance(value, set | frozenset) else str(value)
