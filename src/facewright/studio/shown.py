"""Pictures as a browser can show them. Unpacking KTX2 takes its time, so what came of it is kept."""

from __future__ import annotations

import threading
from collections import OrderedDict

from facewright.image.codec import for_browsers
from facewright.image.encoded import KTX2, Encoded

_MOST_BYTES = 64 << 20


class ShownPictures:
    """`shown(picture)` is the same picture in a kind that every browser knows; for any thread, one at a time."""

    def __init__(self) -> None:
        self._busy = threading.Lock()
        self._kept: OrderedDict[str, Encoded] = OrderedDict()

    def __call__(self, picture: Encoded) -> Encoded:
        if picture.media != KTX2:
            return picture
        with self._busy:
            if picture.id not in self._kept:
                self._kept[picture.id] = for_browsers(picture)
            self._kept.move_to_end(picture.id)
            self._let_go()
            return self._kept[picture.id]

    def _let_go(self) -> None:
        """The longest unused, but never the last one."""
        while len(self._kept) > 1 and sum(len(one.data) for one in self._kept.values()) > _MOST_BYTES:
            self._kept.popitem(last=False)
