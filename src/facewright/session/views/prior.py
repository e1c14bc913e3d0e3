"""What natural faces go by, as pages see it."""

from __future__ import annotations

from msgspec import Struct

from facewright.document import Document
from facewright.session.context import Context
from facewright.session.tasks.prior import PriorLearning
from facewright.session.views.view import view

_BY_NAMES = "by the names of the sliders"


class PriorInfo(Struct):
    """What natural faces go by."""

    text: str  # such as "learned from 3 clips (4,030 poses)"
    own: bool  # the document has a prior, which `ForgetPrior` takes away
    learning: bool  # one is being learned


@view("prior", lambda context: (*_source(context), context.task(PriorLearning).is_running))
def prior_info(context: Context) -> PriorInfo:
    """What natural faces go by."""
    document = context.document.value
    return PriorInfo(_text(document), document.prior is not None, context.task(PriorLearning).is_running)


def _source(context: Context) -> tuple[object, ...]:
    return context.document.value.prior, context.document.value.rig


def _text(document: Document) -> str:
    prior = document.prior
    if prior is None:
        return _BY_NAMES
    return str(prior) if prior.knows(document.rig) else f"{_BY_NAMES}: what was learned is for other sliders"
