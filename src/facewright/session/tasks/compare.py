"""A second rig that the document's is compared with. It is kept beside the document, not in it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from facewright.document import Document
from facewright.report.rig_difference import RigComparison
from facewright.rig.rig import Rig
from facewright.session.context import Context
from facewright.session.files import Arrival, role
from facewright.session.tasks.action import Action


@dataclass(frozen=True, eq=False)
class ComparedRig:
    """The second rig."""

    name: str
    comparison: RigComparison

    @property
    def rig(self) -> Rig:
        return self.comparison.other


class OpenComparison(Action, frozen=True, kw_only=True):
    """Compare the document's rig with this one from now on."""

    from_page: ClassVar[bool] = False

    second: ComparedRig

    def run(self, context: Context) -> None:
        context.task(Comparing).second = self.second


class CloseComparison(Action, frozen=True, kw_only=True):
    """Compare no more; the second rig is dropped."""

    def run(self, context: Context) -> None:
        context.task(Comparing).close()


@role("compare", "face")
def rig_of_file(context: Context, file: Arrival) -> OpenComparison:
    """A rig to compare with; one of another topology is refused."""
    assert isinstance(file.content, Document)
    second = ComparedRig(file.name, RigComparison(file.content.rig))
    second.comparison(context.document.value.rig)  # here, beside the session, since it takes a while
    return OpenComparison(second=second)


class Comparing:
    """The comparison that there is, if any."""

    def __init__(self, context: Context) -> None:
        self.second: ComparedRig | None = None

    def close(self) -> None:
        self.second = None
