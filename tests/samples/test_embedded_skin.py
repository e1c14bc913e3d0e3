"""The skin that is kept with the embedded people is the one that is painted, and no other face gets it."""

import numpy as np
import pytest

from facewright.image.codec import pixels
from facewright.samples.head import people, sample
from facewright.samples.mask import mask
from facewright.samples.skin.embedded import SIZE, embedded_skin, person_of
from facewright.samples.skin.paint import Painter

pytest.importorskip("PIL", reason="pillow is not installed: pip install -e '.[texture]'")


def test_what_is_kept_is_what_is_painted_but_for_the_loss_of_its_format() -> None:
    """After a change of the painter: python tools/keep_skin.py."""
    kept, paint = embedded_skin("default", sample()), Painter(SIZE)
    pairs = [(kept.neutral, paint()), (kept.maps[3].picture, paint("smile"))]
    assert kept.maps[3].shapes == ("mouthSmileLeft", "mouthSmileRight")
    for picture, painted in pairs:
        away = np.abs(pixels(picture).astype(np.int16) - painted)
        assert away.mean() < 2.5
        assert np.percentile(away, 99) < 16


@pytest.mark.parametrize("person", people())
def test_every_person_has_skin_for_the_shapes_of_each_set(person: str) -> None:
    for shapes in ("arkit", "units"):
        rig = sample(person, shapes=shapes)
        skin = embedded_skin(person, rig)
        assert person_of(rig) == person
        assert (skin.neutral.width, skin.neutral.height) == (SIZE, SIZE)
        assert bool(skin.maps) == (shapes == "arkit")
        assert all(set(one.shapes) <= set(rig.shape_names) for one in skin.maps)


def test_another_layout_is_nobodys() -> None:
    assert person_of(mask(vertices=500, shapes=5, seed=1)) is None
