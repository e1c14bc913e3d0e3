"""What an experiment hands to the page it belongs to."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from facewright.render.tone import Bytes


@dataclass(frozen=True, eq=False)
class Results:
    """Tables in Markdown by the name of their place on the page, pictures by file name."""

    page: str  # in docs/
    tables: dict[str, str] = field(default_factory=dict)
    pictures: dict[str, Bytes] = field(default_factory=dict)  # in docs/pictures/


def markdown(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table whose first column is text and whose others are numbers."""
    lines = ["| " + " | ".join(head) + " |", "|---|" + "---:|" * (len(head) - 1)]
    lines += ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows]
    return "\n".join(lines)
