"""The textures that a picture of one size is drawn into."""

from __future__ import annotations

from typing import Any

_NOTHING = 1e30


class Targets:
    """Textures and their framebuffers."""

    def __init__(self, context: Any, size: tuple[int, int], cell: int, across: int, samples: int) -> None:
        self.kind, self.across, self.samples = (size, cell, across, samples), across, samples

        def texture(channels: int, shape: tuple[int, int] = size, kind: str = "f4") -> Any:
            """A new texture."""
            made = context.texture(shape, channels, dtype=kind)
            made.repeat_x = made.repeat_y = False
            return made

        buffer = context.framebuffer
        depth = context.depth_renderbuffer(size)
        self.maps = [texture(1, (across, across)) for _ in range(3)]
        lamp_depth = context.depth_renderbuffer((across, across))
        self.lamps = [buffer([map], lamp_depth) for map in self.maps]
        self.place, self.normal = texture(4), texture(4, kind="f2")
        self.lit, self.depths = texture(4, kind="f2"), texture(2)
        self.first = buffer([self.place, self.normal, self.lit, self.depths], depth)
        self.cleared = [(buffer([self.normal]), 0.0, 0.0), (buffer([self.lit]), 0.0, 0.0)]
        self.cleared += [(buffer([self.depths]), -_NOTHING, _NOTHING)]
        self.across_sums, self.across_depths = texture(4, kind="f2"), texture(2)
        self.smoothed = texture(4, kind="f2")
        self.sideways = buffer([self.across_sums, self.across_depths])
        self.calm = buffer([self.smoothed, texture(2)])
        width, height = size
        cells = (-(-width // cell), -(-height // cell))
        self.room, self._blurred = texture(2, cells), texture(2, cells)
        self.room_drawn, self.room_blurred = buffer([self.room]), buffer([self._blurred])
        self.one, self.all, self.pixels = texture(4, kind="f2"), texture(4), texture(4, kind="f1")
        many = context.renderbuffer(size, 4, samples=samples, dtype="f2")
        self.many = buffer([many], context.depth_renderbuffer(size, samples=samples))
        self.resolved = buffer([self.one])
        self.sum = buffer([self.all])
        self.out = buffer([self.pixels])

    @property
    def blurred(self) -> Any:
        """The blurred occlusion texture."""
        return self._blurred

    def clear_first(self) -> None:
        """Clear the first targets."""
        for one, red, green in self.cleared:
            one.clear(red, green, 0.0, 0.0)
