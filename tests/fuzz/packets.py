"""`python -m tests.fuzz.packets --count 1000000`: random and mutated packets change nothing and stop nothing.

Every packet is dropped, or read as a face whose values are finite and within a face's range. Any other error than
BadPacket, and any packet that takes longer than a moment, is a failure. A good sender sends a face after every tenth
packet: all of them arrive, number for number, and none counts as lost.
"""

import argparse
import sys
import time
from collections.abc import Iterator
from random import Random

from facewright import live
from facewright.live.frame import LARGEST, MOST_VALUES
from facewright.live.livelink import write_livelink
from facewright.live.osc import write_osc
from facewright.live.vmc import write_vmc
from facewright.rig.name_tables import ARKIT

_SLOW = 0.5  # seconds that no packet may take, also on a busy machine
_FACE = {**{name: i / 64 for i, name in enumerate(ARKIT)}, "HeadYaw": 0.2, "EyePitchLeft": 0.1}
_TEXT = "|".join(f"{name}-{i}" for i, name in enumerate(ARKIT)) + "|=head#1,2,3,0,0,0|rightEye#1,2,3|leftEye#1,2,3|"
_ODD = [b"\xff" * 4, b"\x7f\xff\xff\xff", b"\x80\0\0\0", b"\0" * 4, b"\x7f\x80\0\0", b"\x7f\xc0\0\0", b"NaN", b"-1"]
ORIGINALS = {
    "livelink": [write_livelink(_FACE, frame=1234), write_livelink({}, frame=0, subject="", device="")],
    "ifacialmocap": [_TEXT.encode(), _TEXT.replace("-", "&").encode()],
    "facemotion3d": [_TEXT.encode()],
    "vmc": [write_vmc(_FACE), write_osc([("/VMC/Ext/Blend/Val", ("A", 0.5)), ("/VMC/Ext/Blend/Apply", ())])],
    "json": [
        b'{"time": 1.5, "frame": 3, "source": "cam", "blendShapes": {"jawOpen": 0.5, "mouthSmileLeft": 0.25}}',
        b'{"faceBlendshapes": [{"categories": [{"categoryName": "jawOpen", "score": 0.5}]}]}\n{"jawOpen": 1}',
    ],
}


_GOOD = "10.1.0.1:5000"  # the address of the sender whose faces must arrive
_EVERY = 10


def good(kind: str, number: int) -> tuple[bytes, float]:
    """A face of the good sender, and what its jaw is."""
    jaw = number % 64 / 64
    match kind:
        case "livelink":
            return write_livelink({"jawOpen": jaw}, frame=number, subject="good"), jaw
        case "vmc":
            return write_vmc({"jawOpen": jaw}, time=number / 60), jaw
        case "json":
            return f'{{"source": "good", "frame": {number}, "jawOpen": {jaw}}}'.encode(), jaw
    return f"jawOpen-{100 * jaw}|=head#1,2,3,0,0,0|".encode(), jaw


class GoodSender:
    """Sends faces in between, and looks at what becomes of them."""

    def __init__(self, kind: str, receiver: live.Receiver) -> None:
        self._kind, self._receiver, self.sent = kind, receiver, 0

    def send(self, now: float) -> str:
        """Send one more face; what is wrong with what arrives, or nothing."""
        packet, jaw = good(self._kind, self.sent)
        self.sent += 1
        frames = self._receiver.feed(packet, _GOOD, now)
        jaws = [value for frame in frames for name, value in frame.values.items() if name.lower() == "jawopen"]
        if len(frames) != 1 or len(jaws) != 1 or abs(jaws[0] - jaw) > 1e-6 or frames[0].lost:
            return f"face {self.sent} of the good sender arrived as {frames} with the jaw at {jaws}"
        return ""


def cases(kind: str, count: int, *, seed: int) -> Iterator[bytes]:
    """Packets of a kind, most of them broken: a quarter is random bytes, the others are mutated."""
    random = Random(f"{kind} {seed}")
    for _ in range(count):
        if random.random() < 0.25:
            yield random.randbytes(random.choice((0, 1, 4, 17, 64, 320, 1500)))
            continue
        packet = bytearray(random.choice(ORIGINALS[kind]))
        for _ in range(random.randint(1, 4)):
            _mutate(packet, random)
        yield bytes(packet)


def _mutate(packet: bytearray, random: Random) -> None:
    at = random.randrange(len(packet) + 1)
    match random.randrange(6):
        case 0:
            del packet[at:]
        case 1:
            del packet[at : at + random.randint(1, 8)]
        case 2:
            packet[at:at] = random.randbytes(random.randint(1, 8))
        case 3:
            odd = random.choice(_ODD)
            packet[at : at + len(odd)] = odd
        case 4:
            packet[at:at] = packet[: random.randint(0, 400)]
        case _:
            packet[at : at + 1] = random.randbytes(1)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.packets")
    parser.add_argument("--count", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    start, slowest, each = time.perf_counter(), 0.0, -(-options.count // len(ORIGINALS))
    for kind in ORIGINALS:
        receiver, faces = live.Receiver(kind), 0
        sender = GoodSender(kind, receiver)
        for number, packet in enumerate(cases(kind, each, seed=options.seed)):
            if number % _EVERY == 0 and (problem := sender.send(number / 1000)):
                sys.exit(f"{kind}, packet {number}: {problem}")
            begun = time.perf_counter()
            frames = receiver.feed(packet, f"10.0.0.{number % 200}:{number % 1000}", number / 1000)
            took = time.perf_counter() - begun
            slowest = max(slowest, took)
            if took > _SLOW:
                sys.exit(f"{kind}, packet {number} took {took:.2f} s")
            for frame in frames:
                faces += 1
                if len(frame.values) > 2 * MOST_VALUES or not all(abs(v) <= LARGEST for v in frame.values.values()):
                    sys.exit(f"{kind}, packet {number} was read as no face: {frame.values}")
        print(
            f"{kind}: {receiver.packets - sender.sent:,} packets, {receiver.bad:,} dropped, {faces:,} read as faces; "
            f"{sender.sent:,} of {sender.sent:,} good faces between them arrived"
        )
    print(
        f"{each * len(ORIGINALS):,} packets in {time.perf_counter() - start:.0f} s, the slowest {slowest * 1e3:.1f} ms"
    )


if __name__ == "__main__":
    main()
