"""A face without shapes can be shown: what pages are told of it can be made."""

from facewright.document import Document
from facewright.rig.rig import Rig
from facewright.session.views.view import Seen, look
from tests.session.rigged import rigged
from tests.session.test_prior import Session


def test_pages_are_told_of_a_face_without_shapes() -> None:
    rig = rigged().rig
    context = Session(Document(Rig(rig.neutral, rig.polygons, []))).context
    made = look(context, Seen()).made
    assert made["shapes"] == {}
    assert made["rig"].sliders == []
