"""The report's pictures: the neutral, each slider at its full value, and where two of them meet."""

from __future__ import annotations

import base64
from dataclasses import dataclass

import numpy as np

from facewright.arrays import Floats
from facewright.render.camera import Camera, frame
from facewright.render.heat import heat_colors
from facewright.render.picture import mesh_picture
from facewright.render.png import png_bytes
from facewright.render.tone import Bytes, to_srgb
from facewright.report.products import activity, slider_motion
from facewright.rig.rig import Rig

PORTRAIT = (300, 336)
CARD = (232, 252)
_MOVES = 0.1  # of a slider's reach: vertices that move less may be outside the picture
_CONTEXT = 0.17  # of the rig's size, from the middle of the picture to its edge at least: a lid needs its eye


@dataclass(frozen=True)
class Meeting:
    """Two sliders at full value and where they meet, as data addresses, all from the same place."""

    first: str
    second: str
    both: str


class Album:
    """Pictures of one rig."""

    def __init__(self, rig: Rig) -> None:
        self._rig = rig
        self._portrait = frame(rig.neutral, aspect=PORTRAIT[0] / PORTRAIT[1])

    def neutral(self) -> str:
        return self._taken(self._rig.neutral, self._portrait)

    def lively(self) -> str:
        """The neutral, coloured by how much all sliders together move each vertex."""
        return self._taken(self._rig.neutral, self._portrait, _glow(activity(self._rig)))

    def meeting(self, first: str, second: str) -> Meeting:
        """A picture of each slider, coloured by how far it takes each vertex, and one of the neutral, coloured by where
        the two push the same way (warm) and where against each other (cold).
        """
        rest = self._rig.neutral
        one, other = slider_motion(self._rig, first), slider_motion(self._rig, second)
        lengths = [np.linalg.norm(motion, axis=1) for motion in (one, other)]
        camera = self._close_up(lengths)
        return Meeting(
            self._taken(rest + one, camera, _glow(lengths[0]), CARD),
            self._taken(rest + other, camera, _glow(lengths[1]), CARD),
            self._taken(rest, camera, meeting_colors(one, other), CARD),
        )

    def _close_up(self, lengths: list[Floats]) -> Camera:
        """A camera on what moves and some of the face about it."""
        neutral = self._rig.neutral
        seen = neutral[np.any([far > _MOVES * far.max(initial=0.0) for far in lengths], axis=0)]
        seen = seen if len(seen) else neutral
        low, high = seen.min(axis=0), seen.max(axis=0)
        middle, half = (low + high) / 2, np.maximum((high - low) / 2, _CONTEXT * self._rig.size)
        half[2] = (high - low)[2] / 2
        return frame(np.array([middle - half, middle + half]), aspect=CARD[0] / CARD[1], margin=0.03)

    def _taken(
        self, positions: Floats, camera: Camera, colors: Floats | None = None, size: tuple[int, int] = PORTRAIT
    ) -> str:
        rig = self._rig
        shot = mesh_picture(
            positions, rig.triangles, size=size, camera=camera, parts=rig.parts, rest=rig.neutral, colors=colors
        )
        return data_address(shot)


def data_address(shot: Bytes) -> str:
    """A picture inside the page itself."""
    return "data:image/png;base64," + base64.b64encode(png_bytes(shot)).decode()


def map_colors(shares: Floats, map: str) -> Floats:
    """SRGB (n, 3) in [0, 1] along a colour map."""
    return to_srgb(heat_colors(shares, map))


def meeting_colors(one: Floats, other: Floats) -> Floats:
    """SRGB and cover (v, 4): warm where two motions (v, 3) go the same way, cold where they go against each other."""
    return _signed_glow((one * other).sum(axis=1))


def _glow(amounts: Floats) -> Floats:
    """Colour and cover (v, 4): bare skin where nothing moves."""
    shares = amounts / (amounts.max(initial=0.0) or 1.0)
    return np.column_stack([map_colors(0.25 + 0.75 * shares, "sequential"), _cover(shares)])


def _signed_glow(amounts: Floats) -> Floats:
    shares = amounts / (np.abs(amounts).max(initial=0.0) or 1.0)
    rooted = np.sign(shares) * np.sqrt(np.abs(shares))  # a product of two lengths, shown as a length
    return np.column_stack([map_colors((1 + rooted) / 2, "diverging"), _cover(np.abs(rooted))])


def _cover(shares: Floats) -> Floats:
    rise = np.clip((shares - 0.02) / 0.38, 0, 1)
    return np.asarray(0.92 * rise * rise * (3 - 2 * rise))
