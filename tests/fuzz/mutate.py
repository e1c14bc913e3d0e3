"""Ways to break a file: its bytes, the JSON inside it, archive members, array headers, words of text."""

import io
import json
import re
import struct
import warnings
import zipfile
import zlib
from collections.abc import Callable
from random import Random
from typing import Any

import msgspec
import numpy as np

from facewright.formats.fwface import scan
from facewright.session.journal import MAGIC, framed, records
from tests.formats.fbx_nodes import all_nodes, binary_of, nodes_of, text_of, unpacked

ODD_NUMBERS = [
    *(-1, 0, 1, 2, 3, 255, 65535, 2**31 - 1, 2**31, 2**32, 2**53, 2**63, 2**64, 10**18, 10**30, 10**400),
    *(-(2**31), -(2**63), 0.5, 1e308, -1e308, 1e200, 1e150, 1e60, 1e39, 1e-46, 1e-170, 5e-324),
]
ODD_VALUES: list[Any] = [
    *ODD_NUMBERS,
    None,
    True,
    "",
    "../../escape",
    "/etc/passwd",
    "\0",
    "NaN",
    [],
    {},
    [[]],
    [0] * 50,
]
ODD_TOKENS = [
    *("nan", "inf", "-inf", "1e999", "1e200", "1e39", "1e-300", "0", "-1", "999999999999", "1/2/3/4", "//", ""),
    *("x" * 300, "_" * 3000, "\x00", "\u00e9"),
]
ODD_MEMBERS = [
    "../escape.npy",
    "/tmp/escape",
    "..\\escape",
    "a/../../escape",
    "document.json",
    "neutral.npy",
    "x" * 300,
]

Mutation = Callable[[bytes, Random], bytes]


def truncated(data: bytes, rng: Random) -> bytes:
    return data[: rng.randrange(len(data) + 1)]


def flipped(data: bytes, rng: Random) -> bytes:
    out = bytearray(data)
    for _ in range(rng.choice([1, 1, 2, 8, 64])):
        if out:
            out[rng.randrange(len(out))] ^= 1 << rng.randrange(8)
    return bytes(out)


def overwritten(data: bytes, rng: Random) -> bytes:
    start = rng.randrange(len(data) + 1)
    run = rng.choice([1, 2, 4, 8, 100])
    return data[:start] + rng.choice([b"\0", b"\xff", b"\x7f", bytes([rng.randrange(256)])]) * run + data[start + run :]


def spliced(data: bytes, rng: Random) -> bytes:
    a, b, c = sorted(rng.randrange(len(data) + 1) for _ in range(3))
    return rng.choice([data[:a] + data[b:], data[:b] + data[a:], data[:a] + data[b:c] + data[a:b] + data[c:]])


def header_words(data: bytes, rng: Random) -> bytes:
    """A few numbers of 16 bits in the first blocks replaced by others."""
    out = bytearray(data)
    for _ in range(rng.choice([1, 1, 2, 4])):
        at = rng.randrange(min(len(data), 2048) - 1)
        out[at : at + 2] = struct.pack("<H", rng.choice([0, 1, 2, 255, 256, 32767, 32768, 65535, rng.randrange(65536)]))
    return bytes(out)


def glb_json(data: bytes, rng: Random) -> bytes:
    """The JSON chunk changed in a few places."""
    return _with_glb_json(data, lambda tree: _changed(tree, rng))


def gltf_json(data: bytes, rng: Random) -> bytes:
    return _dumped(_changed(json.loads(data), rng))


def glb_cycle(data: bytes, rng: Random) -> bytes:
    """Nodes that are their own descendants, or that have two parents."""

    def tie(tree: Any) -> Any:
        for node in rng.sample(tree["nodes"], rng.randint(1, len(tree["nodes"]))):
            node["children"] = [rng.randrange(len(tree["nodes"])) for _ in range(rng.randint(1, 3))]
        return tree

    return _with_glb_json(data, tie)


def zip_member(data: bytes, rng: Random) -> bytes:
    """One archive member renamed, doubled, dropped, emptied, broken or blown up."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = [(info.filename, archive.read(info)) for info in archive.infolist()]
    at = rng.randrange(len(members))
    name, content = members[at]
    change = rng.randrange(7)
    if change == 0:
        members[at] = (rng.choice(ODD_MEMBERS), content)
    elif change == 1:
        members.append((name, content))
    elif change == 2:
        del members[at]
    elif change == 3:
        members[at] = (name, b"")
    elif change == 4:
        members[at] = (name, flipped(content, rng))
    elif change == 5:
        members[at] = (name, b"\0" * 300_000_000 if rng.random() < 0.02 else b"\0" * 1_000_000)
    else:
        members[at] = (name, _odd_header(content, rng) if content[:6] == b"\x93NUMPY" else _odd_json(content, rng))
    return zipped(members)


def zip_claims(data: bytes, rng: Random) -> bytes:
    """The central directory claims other sizes than the members have."""
    out = bytearray(data)
    at = data.rfind(b"PK\x01\x02")
    offset = rng.choice([20, 24, 42])  # compressed size, size, place of the member
    if at >= 0 and at + offset + 4 <= len(out):
        struct.pack_into("<I", out, at + offset, rng.choice([0, 1, 2**31 - 1, 2**32 - 1, rng.randrange(2**32)]))
    return bytes(out)


def text_token(data: bytes, rng: Random) -> bytes:
    """A few words or cells of a text file replaced."""
    lines = data.decode("utf8", "replace").split("\n")
    for _ in range(rng.choice([1, 1, 3, 20])):
        at = rng.randrange(len(lines))
        mark = "," if "," in lines[at] else " "
        words = lines[at].split(mark)
        words[rng.randrange(len(words))] = rng.choice(ODD_TOKENS)
        lines[at] = mark.join(words)
    return "\n".join(lines).encode()


def text_line(data: bytes, rng: Random) -> bytes:
    """Lines dropped, doubled or swapped."""
    lines = data.split(b"\n")
    for _ in range(rng.choice([1, 3])):
        a, b = rng.randrange(len(lines)), rng.randrange(len(lines))
        lines[a : a + 1] = rng.choice([[], [lines[a]] * 2, [lines[b]]])
        lines = lines or [b""]
    return b"\n".join(lines)


def json_numbers(data: bytes, rng: Random) -> bytes:
    """Valid JSON of the same structure, some of whose numbers are hostile."""
    return _dumped(_with_numbers(json.loads(data), rng))


def glb_numbers(data: bytes, rng: Random) -> bytes:
    return _with_glb_json(data, lambda tree: _with_numbers(tree, rng))


def json_many(data: bytes, rng: Random) -> bytes:
    """Valid JSON with a list of very many, a long text, or deep nesting in one place."""
    return _dumped(_with_many(json.loads(data), rng))


def glb_many(data: bytes, rng: Random) -> bytes:
    return _with_glb_json(data, lambda tree: _with_many(tree, rng))


def table_many(data: bytes, rng: Random) -> bytes:
    """A table with very many columns, empty rows, or times that leap."""
    lines = data.split(b"\n")
    change = rng.randrange(4)
    if change == 0:
        mark = b"\t" if b"\t" in data else b","
        lines[rng.randrange(len(lines))] += mark.join(b"m%d%s_x" % (i, b"_" * rng.randrange(9)) for i in range(3000))
    elif change == 1:
        lines += [b"%d" % (rng.randrange(10) * i) for i in range(5000)]
    elif change == 2:
        lines += [lines[-2 if len(lines) > 1 else -1]] * 3000
    else:
        lines[rng.randrange(len(lines))] = rng.choice([b"_", b" ", b",", b"\t", b'"', b"x"]) * 60_000
    return b"\n".join(lines)


def zip_bomb(data: bytes, rng: Random) -> bytes:
    """An array replaced by zeros of another type and shape, far more than the file has bytes for."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = [(info.filename, archive.read(info)) for info in archive.infolist()]
    arrays = [at for at, (name, _) in enumerate(members) if name.endswith(".npy")]
    at = rng.choice(arrays)
    kind, size = rng.choice([("|u1", 1), ("<u2", 2), ("<f4", 4), ("<f8", 8), ("<U2", 8), ("<U900", 3600)])
    numbers = rng.choice([3000, 30_000, 30_000, 3_000_000 // size])
    shape = rng.choice(
        [(numbers,), (numbers // 3, 3), (numbers // 4, 4), (20_000, numbers // 60_000, 3), (0, numbers, 3)]
    )
    count = 1
    for length in shape:
        count *= length
    header = repr({"descr": kind, "fortran_order": False, "shape": shape})
    header += " " * (-(len(header) + 11) % 64) + "\n"
    head = b"\x93NUMPY\1\0" + struct.pack("<H", len(header)) + header.encode()
    members[at] = (members[at][0], head + bytes(count * size))
    return zipped(members)


def fbx_nodes(data: bytes, rng: Random) -> bytes:
    """Values, numbers of arrays and whole nodes of an FBX file changed; it is written anew, so that it is whole."""
    root = nodes_of(data)
    for _ in range(rng.choice([1, 1, 2, 5])):
        listed = list(all_nodes(root))
        node, other = rng.choice(listed), rng.choice(listed)
        change = rng.randrange(6)
        if change <= 2 and node.values:
            at = rng.randrange(len(node.values))
            node.values[at] = _odd_item(unpacked(node.values[at]), rng)
        elif change == 3 and node.children:
            del node.children[rng.randrange(len(node.children))]
        elif change == 4:
            node.values, node.children = list(other.values), list(other.children) if rng.random() < 0.3 else []
        elif node.children:
            node.children.insert(0, rng.choice(node.children))
    return text_of(root) if rng.random() < 0.2 else binary_of(root)


def fbx_connections(data: bytes, rng: Random) -> bytes:
    """Objects connected to others, to themselves, and in circles."""
    root = nodes_of(data)
    connections = root.child("Connections")
    assert connections is not None
    ids = [node.values[at] for node in connections.children for at in (1, 2)]
    for node in rng.sample(connections.children, min(len(connections.children), rng.choice([1, 3, 20]))):
        node.values[rng.choice([1, 2])] = rng.choice(ids)
    return binary_of(root)


def _odd_item(value: Any, rng: Random) -> Any:
    """Another value of the same kind, or of another kind."""
    if isinstance(value, np.ndarray) and rng.random() < 0.8:
        array = value.copy()
        if rng.random() < 0.3 or not array.size:
            return np.resize(array if array.size else np.zeros(1), rng.choice([0, 1, 2, 7, 50, 5000])).astype(
                array.dtype
            )
        for _ in range(rng.choice([1, 3, 30])):
            number = rng.choice([one for one in ODD_NUMBERS if abs(one) < 2**31] or [0])
            with np.errstate(all="ignore"):
                array[rng.randrange(array.size)] = np.array(number, np.float64).astype(array.dtype)
        return array
    if isinstance(value, int | float):
        return rng.choice([one for one in ODD_NUMBERS if abs(one) < 1e300])
    return rng.choice(["", "x" * 300, "a\0\1b", "::", "Model::Scene", 0, 1, -1, 1e200, b"", np.zeros(3), 2**62])


def scan_frame(data: bytes, rng: Random) -> bytes:
    """What is told about the first frame of a document's scan sequence changed, or the numbers that it has packed."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = {info.filename: archive.read(info) for info in archive.infolist()}
    about = json.loads(members[scan.MEMBER])
    first = about["sizes"][0]
    frames = members[scan.FRAMES]
    tree = msgspec.msgpack.decode(frames[:first])
    if rng.random() < 0.3:
        tree["data"] = zlib.compress(overwritten(zlib.decompress(tree["data"]), rng))
    else:
        tree = rng.choice([_changed, _with_numbers])(tree, rng)
    changed = msgspec.msgpack.encode(tree)
    about["sizes"][0] = len(changed)
    members |= {scan.MEMBER: _dumped(about), scan.FRAMES: changed + frames[first:]}
    return zipped(list(members.items()))


def usdz_layer(data: bytes, rng: Random) -> bytes:
    """The layer of a package broken, or another member before it; members are stored, so that a reader opens them."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = [(info.filename, archive.read(info)) for info in archive.infolist()]
    name, content = members[0]
    change = rng.randrange(4)
    if change <= 1:
        members[0] = (name, rng.choice(BYTES)(content, rng))
    elif change == 2:
        members[0] = (
            rng.choice(["../face.usdc", "/tmp/face.usdc", "face.usda", "a/../face.usdc", "face.usdz"]),
            content,
        )
    else:
        members.insert(rng.randrange(2), (name, flipped(content, rng)))
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive, warnings.catch_warnings(action="ignore"):  # two members of one name
        for name, content in members:
            archive.writestr(zipfile.ZipInfo(name), content)
    return out.getvalue()


def usda_numbers(data: bytes, rng: Random) -> bytes:
    """Some numbers of a layer of text replaced, so that it is still parsed."""
    places = [match.span() for match in re.finditer(rb"(?<=[\[(, ])-?\d+(\.\d+)?(?=[\]), ])", data)]
    for start, stop in sorted(rng.sample(places, min(len(places), rng.choice([1, 2, 8, 50]))), reverse=True):
        whole = b"." not in data[start:stop]
        known = [one for one in ODD_NUMBERS if isinstance(one, int) and abs(one) < 2**31] if whole else ODD_NUMBERS[:-7]
        data = data[:start] + str(rng.choice(known)).encode() + data[stop:]
    return data


def usda_references(data: bytes, rng: Random) -> bytes:
    """Prims that refer to files, to other prims and to themselves, and layers below the layer."""
    lines = data.split(b"\n")
    where = [at for at, line in enumerate(lines) if line.lstrip().startswith(b"def ")]
    odd = rng.choice(
        [
            "@/etc/passwd@",
            "@../../escape.usda@",
            "@rig.usda@",
            "@/dev/zero@",
            "@`x`@",
            "@@",
            "</rig>",
            "</rig/skeleton>",
        ]
    )
    arc = rng.choice(["references", "payload", "inherits", "specializes", "variantSets", "instanceable"])
    value = {"variantSets": '"v"', "instanceable": "true"}.get(arc, odd)
    if rng.random() < 0.2 or not where:
        return data.replace(b"(\n", f"(\n    subLayers = [{odd}]\n".encode(), 1)
    at = rng.choice(where)
    lines[at] = (
        lines[at].rstrip(b" (") + f" (\n{arc} = {value}".encode() + (b"" if lines[at].endswith(b"(") else b"\n)")
    )
    return b"\n".join(lines)


def journal_record(data: bytes, rng: Random) -> bytes:
    """The changes that a record tells replaced by others; its checksum is right."""
    listed = [record for record, _ in records(data)]
    at = rng.randrange(len(listed))
    if rng.random() < 0.3:
        listed.insert(rng.randrange(len(listed) + 1), listed.pop(at))
    else:
        change = rng.choice([_changed, _with_numbers, _with_many])
        tree = change(msgspec.msgpack.decode(listed[at].changes), rng)
        listed[at] = msgspec.structs.replace(listed[at], changes=msgspec.msgpack.encode(tree))
    return MAGIC + b"".join(map(framed, listed))


BYTES: list[Mutation] = [truncated, flipped, overwritten, spliced]


def zipped(members: list[tuple[str, bytes]]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members:
            info = zipfile.ZipInfo(name)
            info.compress_type = zipfile.ZIP_DEFLATED
            with warnings.catch_warnings(action="ignore"):  # two members of one name are the point
                archive.writestr(info, content, compresslevel=1)  # the quickest
    return out.getvalue()


def _with_glb_json(data: bytes, change: Callable[[Any], Any]) -> bytes:
    """Another JSON chunk, its length put right so that the reader gets to it."""
    length = struct.unpack_from("<I", data, 12)[0]
    text = _dumped(change(json.loads(data[20 : 20 + length])))
    text += b" " * (-len(text) % 4)
    rest = data[20 + length :]
    return struct.pack("<4sIII4s", b"glTF", 2, 20 + len(text) + len(rest), len(text), b"JSON") + text + rest


def _changed(tree: Any, rng: Random) -> Any:
    """A JSON tree with a few values replaced, keys dropped, or parts copied to other places."""
    for _ in range(rng.choice([1, 1, 1, 2, 5])):
        places = _places(tree)
        if not places:
            return rng.choice(ODD_VALUES)
        holder, key = rng.choice(places)
        other, other_key = rng.choice(places)
        change = rng.randrange(5)
        if change <= 2:
            holder[key] = rng.choice(ODD_NUMBERS if isinstance(holder[key], int | float) else ODD_VALUES)
        elif change == 3:
            del holder[key]
        else:
            holder[key] = json.loads(json.dumps(other[other_key]))
    return tree


def _dumped(tree: Any) -> bytes:
    try:
        return msgspec.json.encode(tree)  # many times quicker
    except (OverflowError, RecursionError):  # numbers beyond 64 bits
        return json.dumps(tree).encode()


def _with_numbers(tree: Any, rng: Random) -> Any:
    places = [(holder, key) for holder, key in _places(tree) if isinstance(holder[key], int | float)]
    for holder, key in rng.sample(places, min(len(places), rng.choice([1, 1, 2, 4, len(places)]))):
        holder[key] = rng.choice(ODD_NUMBERS)
    return tree


def _with_many(tree: Any, rng: Random) -> Any:
    places = _places(tree)
    holder, key = rng.choice(places)
    lists = [(of, at) for of, at in places if isinstance(of[at], list)]
    change = rng.randrange(4)
    if change == 0 and lists:
        of, at = rng.choice(lists)
        of[at] = (of[at] or [{}])[:3] * rng.choice([100, 2000, 7000])
    elif change == 1 and lists:
        of, at = rng.choice(lists)
        of[at] = [rng.choice([{}, [], 0, None, "", [0, 0]])] * rng.choice([2000, 20_000])
    elif change == 2:
        holder[key] = rng.choice(["x", "a_", "\u00e9", "../"]) * 20_000
    else:
        deep: Any = 0
        for _ in range(rng.choice([100, 900])):
            deep = [deep] if rng.random() < 0.5 else {"a": deep}
        holder[key] = deep
    return tree


def _places(tree: Any) -> list[tuple[Any, Any]]:
    """Every holder with a key of it, in no order of its own but always the same."""
    places: list[tuple[Any, Any]] = []
    waiting = [tree] if isinstance(tree, list | dict) else []
    while waiting:
        holder = waiting.pop()
        keys = holder if isinstance(holder, dict) else range(len(holder))
        for key in keys:
            places.append((holder, key))
            value = holder[key]
            if type(value) is list or type(value) is dict:
                waiting.append(value)
    return places


def _odd_json(content: bytes, rng: Random) -> bytes:
    try:
        change = rng.choice([_changed, _with_numbers, _with_many])
        return _dumped(change(json.loads(content), rng))
    except (ValueError, IndexError):
        return flipped(content, rng)


def _odd_header(content: bytes, rng: Random) -> bytes:
    """An .npy member whose header claims another shape or type."""
    length = struct.unpack_from("<H", content, 8)[0]
    header = content[10 : 10 + length].decode("latin1")
    shape = rng.choice(["(1000000000, 3)", "(-1, 3)", "()", "(3,)", "(99999999999999999999,)", "(2, 2, 2, 2)"])
    type_ = rng.choice(["'<f8'", "'|O'", "'<U9'", "'<f4'", "'|V8'", "'<c16'", "'>i8'"])
    before, _, after = header.partition("'shape': ")
    new = before + "'shape': " + shape + ", }" if rng.random() < 0.6 and after else header.replace("'<f8'", type_)
    text = (new.rstrip() + " " * (-(11 + len(new.rstrip())) % 64) + "\n").encode("latin1")
    return content[:8] + struct.pack("<H", len(text)) + text + content[10 + length :]
