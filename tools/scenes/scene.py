"""One part of the page."""

from dataclasses import dataclass, field

from facewright.render.tone import Bytes


@dataclass(frozen=True, eq=False)
class Scene:
    """What was done in words, what it looks like, and what was measured while it was done."""

    title: str
    words: str
    pictures: dict[str, Bytes] = field(default_factory=dict)  # caption -> picture
    films: dict[str, str] = field(default_factory=dict)  # caption -> file on the page's folder
    figures: dict[str, str] = field(default_factory=dict)  # what -> how much
    code: str = ""  # how to do the same
