from pathlib import Path

import numpy as np
import pytest

from facewright.errors import BadFile
from facewright.formats.json_files import load_binding, save_binding
from facewright.rig.binding import Binding, bind_vertices
from facewright.samples import mask


def a_binding() -> Binding:
    return bind_vertices(mask(vertices=200, shapes=4), {"Chin": 7, 'Alex:Nose "tip"': 31, "brow": 100})


def test_a_binding_comes_back_bit_for_bit(tmp_path: Path) -> None:
    binding = a_binding()
    save_binding(binding, tmp_path / "b.json")
    back = load_binding(tmp_path / "b.json")
    assert (back.markers, back.unit, back.mirrored) == (binding.markers, binding.unit, binding.mirrored)
    for name in ("vertices", "barycentric", "rest"):
        np.testing.assert_array_equal(getattr(back, name), getattr(binding, name))
    np.testing.assert_array_equal(back.to_rig.rotation, binding.to_rig.rotation)


@pytest.mark.parametrize(
    ("old", "new", "word"),
    [
        ('"facewright_binding": 1', '"facewright_binding": 9', "version 9"),
        ('"scale": 1.0', '"scale": -1.0', "positive scale"),
        ("{", "[", "save-bind"),
        ('"unit"', '"unity"', "save-bind"),
        ("1.0, 0.0, 0.0", "2.0, 0.0, 0.0", "sum to 1|orthonormal"),
    ],
)
def test_a_binding_that_is_wrong_is_refused_in_words(tmp_path: Path, old: str, new: str, word: str) -> None:
    save_binding(a_binding(), tmp_path / "b.json")
    text = " ".join((tmp_path / "b.json").read_text().split()).replace("[ ", "[").replace(" ]", "]")
    assert old in text
    (tmp_path / "b.json").write_text(text.replace(old, new))
    with pytest.raises(BadFile, match=word):
        load_binding(tmp_path / "b.json")
