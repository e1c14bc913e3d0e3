"""A page may ask for the geometry of a rig that a step has just replaced."""

import numpy as np
import pytest

from facewright.document import Document
from facewright.samples import mask
from facewright.session.context import Context
from facewright.session.edits.build import fresh_plan
from facewright.session.edits.rig import ScaleShape
from facewright.session.frames import unpack
from facewright.session.views.rig import geometry_of, known_rig_id
from facewright.session.views.view import Gone


def test_the_geometry_of_a_replaced_rig_is_still_served() -> None:
    context = Context(Document(mask(120, 4)), fresh_plan(), lambda run, newest=None: None)
    before = context.document.value.rig
    old = known_rig_id(context, before)
    wanted = unpack(geometry_of(context, old).data)[1]
    context.apply(ScaleShape(shape=before.shape_names[0], factor=0.5))
    new = known_rig_id(context, context.document.value.rig)
    assert new != old
    found = unpack(geometry_of(context, old).data)[1]
    assert found.keys() == wanted.keys()
    for name, array in wanted.items():
        np.testing.assert_array_equal(found[name], array)
    assert not np.array_equal(unpack(geometry_of(context, new).data)[1]["offsets"], wanted["offsets"])
    with pytest.raises(Gone):
        geometry_of(context, "0000")
