"""A phone for tests and pictures: sends a face again and again to an address on this machine."""

import json
import math
import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from facewright.live.livelink import write_livelink

Face = Callable[[float], Mapping[str, float]]  # of the seconds since the beginning


def talking(at: float) -> dict[str, float]:
    """A face that talks, smiles now and then, and turns its head."""
    return {
        "jawOpen": 0.3 + 0.25 * math.sin(9 * at),
        "mouthFunnel": 0.3 + 0.3 * math.sin(6 * at + 1),
        "mouthSmileLeft": 0.5 + 0.3 * math.sin(1.3 * at),
        "mouthSmileRight": 0.4 + 0.3 * math.sin(1.3 * at),
        "browInnerUp": 0.5 + 0.5 * math.sin(2 * at),
        "HeadYaw": 0.25 * math.sin(1.1 * at),
        "HeadPitch": 0.1 * math.sin(1.7 * at),
    }


@contextmanager
def sending(port: int, face: Face = talking, *, rate: float = 60.0, subject: str = "phone") -> Iterator[None]:
    """Sends while the block runs, at a steady rate, numbering frames from 0."""

    def packet(number: int) -> bytes:
        return write_livelink(face(number / rate), frame=number, rate=round(rate), subject=subject)

    with _sending(port, rate, packet):
        yield


@contextmanager
def sending_lines(port: int, values: Mapping[str, float], *, rate: float = 60.0) -> Iterator[None]:
    """Sends the same face as JSON lines while the block runs."""

    def packet(number: int) -> bytes:
        line = {"source": "script", "frame": number, "time": number / rate, "blendShapes": dict(values)}
        return json.dumps(line).encode()

    with _sending(port, rate, packet):
        yield


@contextmanager
def _sending(port: int, rate: float, packet: Callable[[int], bytes]) -> Iterator[None]:
    over = threading.Event()

    def send() -> None:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
            start = time.monotonic()
            number = 0
            while not over.wait(max(0.0, start + number / rate - time.monotonic())):
                sender.sendto(packet(number), ("127.0.0.1", port))
                number += 1

    thread = threading.Thread(target=send, daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
