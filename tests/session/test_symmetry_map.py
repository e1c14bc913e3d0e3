"""The mirror images of vertices as pages get them."""

import numpy as np

from facewright.document import Document
from facewright.samples import mask
from facewright.session.context import Context
from facewright.session.edits.build import fresh_plan
from facewright.session.views.symmetry import AskSymmetry


def test_partners_are_mirror_images_across_the_plane() -> None:
    rig = mask(vertices=300, shapes=2)
    found = AskSymmetry().answer(Context(Document(rig), fresh_plan(), lambda run, newest=None: run()), 3)
    matched = found.matched.astype(bool)
    assert matched.mean() > 0.9
    normal = np.array(found.normal)
    away = rig.neutral @ normal - found.offset
    images = (rig.neutral - 2 * away[:, None] * normal)[matched]
    np.testing.assert_allclose(images, rig.neutral[found.partner[matched]], atol=1e-6 * rig.size)
    assert (found.partner[~matched] == np.flatnonzero(~matched)).all()
    assert len(found.pack()) > 8 * rig.vertex_count
