"""Write web/src/core/protocol.gen.ts from facewright.studio.protocol; `--check` only says whether it is current."""

import re
import sys
from pathlib import Path
from typing import Any, get_args

import msgspec
from msgspec import inspect

from facewright.studio import protocol

TARGET = Path(__file__).resolve().parents[1] / "web" / "src" / "core" / "protocol.gen.ts"
UNIONS = ("PageMessage", "ServerMessage", "FrameHeader", "HttpAnswer")
PLAIN: dict[Any, str] = {
    inspect.StrType: "string",
    inspect.IntType: "number",
    inspect.FloatType: "number",
    inspect.BoolType: "boolean",
    inspect.NoneType: "null",
    inspect.AnyType: "unknown",
}


def generated() -> str:
    unions = {name: members_of(getattr(protocol, name)) for name in UNIONS}
    structs: dict[str, inspect.StructType] = {}
    for members in unions.values():
        for member in members:
            collect(member, structs)
    head = "// Made by tools/generate_protocol.py from src/facewright/studio/protocol.py; do not edit.\n"
    head += f"\nexport const PROTOCOL = {protocol.PROTOCOL}\n"
    interfaces = [interface(struct) for struct in structs.values()]
    ends = [
        f"export type {name} =\n" + "\n".join(f"  | {member.cls.__name__}" for member in members) + "\n"
        for name, members in unions.items()
    ]
    return "\n".join([head, *interfaces, *ends])


def members_of(union: Any) -> list[inspect.StructType]:
    infos = [inspect.type_info(member) for member in get_args(union)]
    return [info for info in infos if isinstance(info, inspect.StructType)]


def collect(kind: Any, structs: dict[str, inspect.StructType]) -> None:
    """Every struct that a type is made of, in the order of first use."""
    if isinstance(kind, inspect.StructType) and kind.cls.__name__ not in structs:
        structs[kind.cls.__name__] = kind
        for field in kind.fields:
            collect(field.type, structs)
    for inner in inner_types(kind):
        collect(inner, structs)


def inner_types(kind: Any) -> list[Any]:
    match kind:
        case inspect.UnionType():
            return list(kind.types)
        case inspect.ListType():
            return [kind.item_type]
        case inspect.TupleType():
            return list(kind.item_types)
        case inspect.DictType():
            return [kind.value_type]
        case inspect.Metadata():
            return [kind.type]
    return []


def interface(struct: inspect.StructType) -> str:
    sent_by_page = issubclass(struct.cls, protocol.FromPage)
    lines = [f"  type: '{struct.tag}'"] if struct.tag is not None else []
    lines += [line(field, sent_by_page) for field in struct.fields]
    return comment(struct.cls.__doc__) + f"export interface {struct.cls.__name__} {{\n" + "\n".join(lines) + "\n}\n"


def line(field: inspect.Field, sent_by_page: bool) -> str:
    unset = not field.required and field.default is field.default_factory is msgspec.NODEFAULT
    optional = unset or (sent_by_page and not field.required)
    return f"  {field.encode_name}{'?' if optional else ''}: {written(field.type)}"


def written(kind: Any) -> str:
    match kind:
        case inspect.Metadata():
            return written(kind.type)
        case inspect.StructType():
            return kind.cls.__name__
        case inspect.LiteralType():
            return " | ".join(f"'{value}'" for value in kind.values)
        case inspect.UnionType():
            return " | ".join(written(one) for one in kind.types)
        case inspect.ListType():
            inner = written(kind.item_type)
            return f"({inner})[]" if " | " in inner else f"{inner}[]"
        case inspect.TupleType():
            return f"[{', '.join(written(one) for one in kind.item_types)}]"
        case inspect.DictType():
            return f"Record<string, {written(kind.value_type)}>"
    return PLAIN[type(kind)]


def comment(text: str | None) -> str:
    lines = [re.sub(r"^ {4}", "", each) for each in (text or "").strip().splitlines()]
    return "/** " + "\n * ".join(lines).replace(" * \n", " *\n") + " */\n"


def main() -> None:
    if "--check" in sys.argv:
        current = TARGET.is_file() and TARGET.read_text("utf8") == generated()
        sys.exit(None if current else f"{TARGET.name} is stale: run python tools/generate_protocol.py")
    TARGET.parent.mkdir(parents=True, exist_ok=True)
    TARGET.write_text(generated(), "utf8")


if __name__ == "__main__":
    main()
