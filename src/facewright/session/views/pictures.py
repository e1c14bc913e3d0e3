"""Pictures as a browser can show them. Unpacking KTX2 is slow, so the results are kept."""

from __future__ import annotations

import threading
from collections import OrderedDict

from facewright.image.codec import for_browsers
from facewright.image.encoded import KTX2, Encoded

_MOST_BYTES = 64 << 20
_busy = threading.Lock()
_kept: OrderedDict[str, Encoded] = OrderedDict()  # by the picture's id, which is that of its content


def for_pages(picture: Encoded) -> Encoded:
    """The same picture in a kind that every browser knows. For any thread."""
    if picture.media != KTX2:
        return picture
    with _busy:
        if picture.id not in _kept:
            _kept[picture.id] = for_browsers(picture)
        _kept.move_to_end(picture.id)
        while len(_kept) > 1 and sum(len(one.data) for one in _kept.values()) > _MOST_BYTES:
            _kept.popitem(last=False)
        return _kept[picture.id]
