"""Packets of many senders to frames: each is checked, a bad one is counted and dropped."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from facewright.errors import UnknownName
from facewright.live import facial_text, livelink, vmc
from facewright.live.frame import PACKET_BYTES, BadPacket, LiveFrame, Reader, Reading
from facewright.live.source import LiveSource, SourceStatus

_JSON_PORT = 11125
_SOURCES = 64  # senders that are told apart; then the one that was silent longest is forgotten


@dataclass(frozen=True)
class LiveKind:
    """A kind of packets."""

    label: str
    port: int  # where senders send it if nobody says otherwise
    reader: Callable[[], Reader]  # makes what reads the packets of one sender
    call: bytes = b""  # sent to a phone, at the same port, it makes the phone send; empty: there is no such call
    farewell: bytes = b""  # makes it end


def _json_reader() -> Reader:
    from facewright.live.json_lines import read_json_lines  # loads msgspec, which the other kinds do not need

    return read_json_lines


KINDS: Final[Mapping[str, LiveKind]] = MappingProxyType(
    {
        "livelink": LiveKind("Live Link Face", livelink.PORT, lambda: livelink.read_livelink),
        "ifacialmocap": LiveKind(
            "iFacialMocap",
            facial_text.IFACIALMOCAP_PORT,
            lambda: facial_text.read_facial_text,
            facial_text.IFACIALMOCAP_CALL,
        ),
        "facemotion3d": LiveKind(
            "Facemotion3D",
            facial_text.FACEMOTION3D_PORT,
            lambda: facial_text.read_facial_text,
            facial_text.FACEMOTION3D_CALL,
            facial_text.FACEMOTION3D_FAREWELL,
        ),
        "vmc": LiveKind("VMC", vmc.PORT, vmc.VmcReader),
        "json": LiveKind("JSON lines", _JSON_PORT, _json_reader),
    }
)


def kind_named(name: str) -> LiveKind:
    """A kind by its name; an unknown one raises."""
    if name not in KINDS:
        raise UnknownName("kind of live packets", name, KINDS)
    return KINDS[name]


class Receiver:
    """Makes frames of packets of one kind. For one thread."""

    def __init__(self, kind: str) -> None:
        self._kind = kind_named(kind)
        self._readers: dict[str, Reader] = {}  # by address
        self._sources: dict[tuple[str, str], LiveSource] = {}  # by address and own name
        self.packets = 0
        self.bad = 0
        self.last_problem = ""

    def feed(self, packet: bytes, address: str, arrived: float) -> list[LiveFrame]:
        """The frames of a packet from an address (host:port) at a time of the steady clock."""
        self.packets += 1
        try:
            if len(packet) > PACKET_BYTES:
                raise BadPacket(f"the packet has {len(packet)} bytes; at most {PACKET_BYTES} are read")
            readings = self._reader(address)(packet)
        except BadPacket as problem:
            self.bad += 1
            self.last_problem = str(problem)
            return []
        found = (self._source(reading, address).frame(reading, arrived) for reading in readings)
        return [frame for frame in found if frame is not None]

    def statuses(self, now: float) -> tuple[SourceStatus, ...]:
        """All senders that were heard, by name."""
        return tuple(sorted((source.status(now) for source in self._sources.values()), key=lambda one: one.name))

    def _reader(self, address: str) -> Reader:
        if address not in self._readers:
            if len(self._readers) == _SOURCES:
                del self._readers[next(iter(self._readers))]
            self._readers[address] = self._kind.reader()
        return self._readers[address]

    def _source(self, reading: Reading, address: str) -> LiveSource:
        host = address.rpartition(":")[0]
        key = (host, reading.name) if reading.name else (address, "")  # a sender with a name may change its port
        if key not in self._sources:
            if len(self._sources) == _SOURCES:
                del self._sources[min(self._sources, key=lambda one: self._sources[one].heard)]
            taken = {source.name for source in self._sources.values()}
            name = reading.name or f"{self._kind.label} {address}"
            self._sources[key] = LiveSource(name if name not in taken else f"{name} at {host}", address)
        return self._sources[key]
