"""Messages of OSC 1.0: an address, the types of its arguments, the arguments; bundles hold several.

Only what is well formed to the byte is read, and no more than a few levels and messages of it.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator, Sequence

from facewright.live.frame import BadPacket

Argument = float | int | str
OscMessage = tuple[str, tuple[Argument, ...]]
_BUNDLE = b"#bundle\0"
_DEEPEST, _MOST_MESSAGES, _MOST_ARGUMENTS = 4, 2048, 64
_HEAD = len(_BUNDLE) + 8  # a bundle's name and its time
_AT_ONCE = struct.pack(">Q", 1)  # the time of a bundle that counts as soon as it arrives


def read_osc(packet: bytes) -> list[OscMessage]:
    """The messages of a packet in their order; a damaged packet raises BadPacket."""
    found: list[OscMessage] = []
    for content in _contents(packet, 0):
        if len(found) == _MOST_MESSAGES:
            raise BadPacket(f"the packet has more than {_MOST_MESSAGES} messages")
        found.append(_message(content))
    return found


def write_osc(messages: Sequence[tuple[str, Sequence[Argument]]]) -> bytes:
    """A bundle of messages. Texts, floats and whole numbers of 32 bits can be sent."""
    parts = [_written(address, arguments) for address, arguments in messages]
    return _BUNDLE + _AT_ONCE + b"".join(struct.pack(">i", len(part)) + part for part in parts)


def _contents(packet: bytes, depth: int) -> Iterator[bytes]:
    if len(packet) % 4 or not packet:
        raise BadPacket(f"OSC has whole groups of 4 bytes, not {len(packet)}")
    if not packet.startswith(_BUNDLE):
        yield packet
        return
    if depth == _DEEPEST or len(packet) < _HEAD:
        raise BadPacket("a bundle is cut off, or too deep in others")
    at = _HEAD
    while at < len(packet):
        (length,) = struct.unpack_from(">i", packet, at)
        if not 4 <= length <= len(packet) - at - 4:
            raise BadPacket(f"a message has {length} bytes in a bundle of {len(packet)}")
        yield from _contents(packet[at + 4 : at + 4 + length], depth + 1)
        at += 4 + length


def _message(content: bytes) -> OscMessage:
    address, at = _text(content, 0)
    if not address.startswith("/"):
        raise BadPacket("the address of a message begins with /")
    types, at = _text(content, at) if at < len(content) else (",", at)
    if not types.startswith(",") or len(types) > 1 + _MOST_ARGUMENTS:
        raise BadPacket("the types of a message begin with a comma, and are few")
    arguments: list[Argument] = []
    for kind in types[1:]:
        value, at = _argument(content, at, kind)
        arguments.append(value)
    if at != len(content):
        raise BadPacket(f"{len(content) - at} bytes follow the arguments of {address[:40]}")
    return address, tuple(arguments)


def _argument(content: bytes, at: int, kind: str) -> tuple[Argument, int]:
    if kind == "s":
        return _text(content, at)
    if kind in "TF":
        return int(kind == "T"), at
    size = {"f": 4, "i": 4, "d": 8, "h": 8}.get(kind)
    if size is None or len(content) < at + size:
        raise BadPacket(f"an argument of type {kind!r} is missing, or cannot be read")
    (value,) = struct.unpack_from(f">{'q' if kind == 'h' else kind}", content, at)
    if not math.isfinite(value):
        raise BadPacket("a number is not finite")
    return value, at + size


def _text(content: bytes, at: int) -> tuple[str, int]:
    """A text that ends with a zero and is filled with zeros up to a multiple of 4 bytes."""
    end = content.find(b"\0", at)
    stop = end + 4 - end % 4
    if end < 0 or stop > len(content) or any(content[end:stop]):
        raise BadPacket("a text of a message has no end")
    try:
        return content[at:end].decode("utf8"), stop
    except UnicodeDecodeError:
        raise BadPacket("a text of a message is no UTF-8") from None


def _written(address: str, arguments: Sequence[Argument]) -> bytes:
    kinds, parts = ",", []
    for value in arguments:
        kinds += "s" if isinstance(value, str) else "f" if isinstance(value, float) else "i"
        parts.append(_padded(value) if isinstance(value, str) else struct.pack(f">{kinds[-1]}", value))
    return b"".join([_padded(address), _padded(kinds), *parts])


def _padded(text: str) -> bytes:
    data = text.encode()
    return data + bytes(4 - len(data) % 4)
