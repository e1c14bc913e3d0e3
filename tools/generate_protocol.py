"""Write the page's types from the server's: messages to core/protocol.gen.ts, binary frames to core/frames.gen.ts.

`--check` only says whether both are current.
"""

import re
import sys
from pathlib import Path
from typing import Any, get_args

import msgspec
from msgspec import inspect

from facewright.notebook import face as _face  # declares the frame of notebooks  # noqa: F401
from facewright.session import views as _views  # declares every frame  # noqa: F401
from facewright.session.frames import Frame, declaration
from facewright.studio import protocol

FOLDER = Path(__file__).resolve().parents[1] / "web" / "src" / "core"
UNIONS = ("PageMessage", "ServerMessage", "HttpAnswer", "AnyEdit", "AnyAction", "AnyQuery")
PLAIN: dict[Any, str] = {
    inspect.StrType: "string",
    inspect.IntType: "number",
    inspect.FloatType: "number",
    inspect.BoolType: "boolean",
    inspect.NoneType: "null",
    inspect.AnyType: "unknown",
}
MADE = "// Made by tools/generate_protocol.py from {}; do not edit.\n"
Structs = dict[str, inspect.StructType]


def generated() -> dict[str, str]:
    """The content of each file, by its name."""
    structs: Structs = {}
    unions = {name: members_of(getattr(protocol, name)) for name in UNIONS}
    for members in unions.values():
        for member in members:
            collect(member, structs)
    head = MADE.format("src/facewright/studio/protocol.py and what it names")
    head += f"\nexport const PROTOCOL = {protocol.PROTOCOL}\n"
    interfaces = [interface(name, struct) for name, struct in structs.items()]
    ends = [
        f"export type {name} =\n" + "\n".join(f"  | {member.cls.__name__}" for member in members) + "\n"
        for name, members in unions.items()
    ]
    return {"protocol.gen.ts": "\n".join([head, *interfaces, *ends]), "frames.gen.ts": frames(structs)}


def members_of(union: Any) -> list[inspect.StructType]:
    infos = [inspect.type_info(member) for member in get_args(union) or (union,)]
    return [info for info in infos if isinstance(info, inspect.StructType)]


def collect(kind: Any, structs: Structs) -> None:
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


def interface(name: str, struct: inspect.StructType) -> str:
    sent_by_page = struct.cls.__struct_config__.forbid_unknown_fields
    lines = [f"  type: '{struct.tag}'"] if struct.tag is not None else []
    lines += [line(field, sent_by_page) for field in struct.fields]
    return comment(struct.cls.__doc__) + f"export interface {name} {{\n" + "\n".join(lines) + "\n}\n"


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
        case inspect.EnumType():
            return " | ".join(f"'{member.value}'" for member in kind.cls)
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


def frames(messages: Structs) -> str:
    """Binary frames: an interface for each, and what arrays each must have."""
    own: Structs = {}
    kinds = sorted(Frame.kinds.values(), key=lambda kind: kind.__name__)
    for kind in kinds:
        for field in header_fields(kind):
            collect(field.type, own)
    used = sorted(set(own) & set(messages))
    head = MADE.format("the frames in src/facewright/session/views")
    head += f"import type {{ {', '.join(used)} }} from './protocol.gen'\n" if used else ""
    inner = [interface(name, struct) for name, struct in own.items() if name not in messages]
    ends = "export type Frame = " + " | ".join(kind.__name__ for kind in kinds) + "\n"
    table = ["/** The arrays of each frame: their kind, with `?` where a frame may come without it. */"]
    table += ["export const ARRAYS: { readonly [T in Frame['type']]: Readonly<Record<string, string>> } = {"]
    for kind in kinds:
        declared = declaration(kind)
        names = (f"{name}: '{a.kind}{'?' * (name in declared.optional)}'" for name, a in declared.arrays.items())
        table.append(f"  {kind.__name__}: {{ {', '.join(names)} }},")
    return "\n".join([head, *inner, *(frame_interface(kind) for kind in kinds), ends, "\n".join([*table, "}"]), ""])


def header_fields(kind: type[Frame]) -> list[inspect.Field]:
    info = inspect.type_info(declaration(kind).header)
    assert isinstance(info, inspect.StructType)
    return [field for field in info.fields if field.name != "arrays"]


def frame_interface(kind: type[Frame]) -> str:
    declared = declaration(kind)
    lines = [f"  type: '{kind.__name__}'", *(line(field, False) for field in header_fields(kind)), "  arrays: {"]
    for name, array in declared.arrays.items():
        numbers = {"f4": "Float32Array", "f8": "Float64Array", "u4": "Uint32Array"}[array.kind]
        shape = ", ".join(map(str, array.shape)) + ("," if len(array.shape) == 1 else "")
        lines.append(f"    {name}: {numbers}{' | null' * (name in declared.optional)} // ({shape})")
    lines += ["  }", "  shapes: Readonly<Record<string, readonly number[]>>"]
    return comment(kind.__doc__) + f"export interface {kind.__name__} {{\n" + "\n".join(lines) + "\n}\n"


def comment(text: str | None) -> str:
    lines = [re.sub(r"^ {4}", "", each) for each in (text or "").strip().splitlines()]
    return "/** " + "\n * ".join(lines).replace(" * \n", " *\n") + " */\n"


def main() -> None:
    files = {FOLDER / name: text for name, text in generated().items()}
    if "--check" in sys.argv:
        stale = [path.name for path, text in files.items() if not path.is_file() or path.read_text("utf8") != text]
        sys.exit(f"{' and '.join(stale)} must be made anew: run python tools/generate_protocol.py" if stale else None)
    for path, text in files.items():
        path.write_text(text, "utf8")


if __name__ == "__main__":
    main()
