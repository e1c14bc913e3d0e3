"""Parsers of the tests' own, written from the layouts alone, and a socket on a free port that packets are sent to."""

import asyncio
import gzip
import socket
import struct
from collections.abc import Coroutine, Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from facewright import live

T = TypeVar("T")


def run_alone(doing: Coroutine[Any, Any, T]) -> T:
    """What a coroutine gives, in a thread of its own: a browser of other tests may have a loop in this one."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, doing).result()


def recorded(path: Path) -> list[bytes]:
    """The packets of a .gesichter file, as they went over the wire."""
    data = gzip.decompress(path.read_bytes())
    (count,) = struct.unpack_from(">i", data, 1)
    at, found = 5, []
    for _ in range(count):
        (size,) = struct.unpack_from(">i", data, at)
        found.append(data[at + 4 : at + 4 + size])
        at += 4 + size
    assert at == len(data)
    return found


def plain_livelink(packet: bytes) -> dict[str, Any]:
    """A Live Link packet by its layout, without the reader's tables: names, time, and 61 numbers."""
    device = int.from_bytes(packet[1:5], "big")
    rest = packet[5 + device :]
    subject = int.from_bytes(rest[:4], "big")
    after = rest[4 + subject :]
    return {
        "version": packet[0],
        "device": packet[5 : 5 + device].decode(),
        "subject": rest[4 : 4 + subject].decode(),
        "frame": int.from_bytes(after[:4], "big", signed=True),
        "part": float(np.frombuffer(after[4:8], ">f4")[0]),
        "rate": tuple(np.frombuffer(after[8:16], ">i4").tolist()),
        "values": np.frombuffer(after[17:], ">f4") if after[16] == (len(after) - 17) // 4 else None,
    }


def plain_osc(packet: bytes) -> list[tuple[str, list[Any]]]:
    """The messages of one bundle, read field by field."""
    assert packet[:8] == b"#bundle\0"
    found, rest = [], packet[16:]
    while rest:
        size = int.from_bytes(rest[:4], "big")
        found.append(_plain_message(rest[4 : 4 + size]))
        rest = rest[4 + size :]
    return found


def _plain_message(data: bytes) -> tuple[str, list[Any]]:
    def text(data: bytes) -> tuple[str, bytes]:
        length = data.index(0)
        return data[:length].decode(), data[(length // 4 + 1) * 4 :]

    address, data = text(data)
    kinds, data = text(data)
    arguments: list[Any] = []
    for kind in kinds[1:]:
        if kind == "s":
            value, data = text(data)
            arguments.append(value)
        else:
            arguments.append(np.frombuffer(data[:4], ">f4" if kind == "f" else ">i4")[0].item())
            data = data[4:]
    assert not data
    return address, arguments


async def heard(kind: str, packets: Iterable[bytes], count: int) -> tuple[list[live.LiveFrame], live.Listener]:
    """The frames that a listener on a free port makes of packets, until there are so many of them."""
    found: list[live.LiveFrame] = []
    async with live.listen(kind, port=0) as listener:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
            for packet in packets:
                sender.sendto(packet, (listener.host, listener.port))
                await asyncio.sleep(0)  # the listener reads one packet in a turn; the socket's buffer is small
        async with asyncio.timeout(10):
            async for frame in listener:
                found.append(frame)
                if len(found) == count:
                    break
    return found, listener
