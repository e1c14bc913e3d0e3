"""Lids and lips close on another person."""

from functools import cache

import numpy as np
import pytest

import facewright as fw
from facewright.build.contact import closing_shapes, contacts
from facewright.errors import UnknownName
from facewright.render import frame, rasterise


@cache
def transferred(person: str) -> fw.Rig:
    """The embedded head's shapes on another person, made once for all tests."""
    return fw.transfer(fw.sample(), fw.sample(person))


def gaps(rig: fw.Rig, template: fw.Rig) -> dict[str, np.ndarray]:
    """How far apart the points are that touch in the template, by the shape that closes them."""
    found = {}
    for one in contacts(template):
        shapes = [rig.shapes[i].dense(rig.vertex_count) for i in (one.shape, one.opener) if i is not None]
        closed = rig.neutral + np.sum(shapes, axis=0)
        found[rig.shapes[one.shape].name] = np.linalg.norm(one.difference @ closed, axis=1)
    return found


def test_what_closes_is_found_by_name_and_by_touch() -> None:
    assert closing_shapes(fw.sample()) == {"eyeBlinkLeft": None, "eyeBlinkRight": None, "mouthClose": "jawOpen"}
    units = fw.sample(shapes="units")
    assert set(closing_shapes(units)) == {"eye-left-closure", "eye-right-closure"}
    assert [len(one.gaps) > 20 for one in contacts(fw.sample())] == [True] * 3


@pytest.mark.parametrize("person", ["amara", "kenji", "edith"])
def test_lids_and_lips_that_touch_in_the_template_touch_on_another_person(person: str) -> None:
    template, face = fw.sample(), fw.sample(person)
    wanted = gaps(template, template)
    plain = gaps(fw.transfer(template, face, closing={}), template)
    made = gaps(transferred(person), template)
    for name in wanted:
        assert made[name].mean() < 1.15 * wanted[name].mean()  # 0.4 mm
        assert made[name].max() < 0.15
        assert made[name].mean() < 0.7 * plain[name].mean()


@pytest.mark.parametrize("person", ["amara", "kenji", "edith"])
def test_a_transferred_blink_hides_the_eyeballs_and_a_closed_mouth_the_teeth(person: str) -> None:
    made = transferred(person)
    eyes, teeth = ("left eye", "right eye"), ("upper teeth", "lower teeth", "tongue")
    assert shown(made, {"eyeBlinkLeft": 1, "eyeBlinkRight": 1}, eyes) == 0
    assert shown(made, {"jawOpen": 1}, teeth) > 0.005
    assert shown(made, {"jawOpen": 1, "mouthClose": 1}, teeth) < 5e-4


def test_other_closings_can_be_named() -> None:
    template = fw.sample(shapes="units")
    assert contacts(template, {}) == ()
    assert [one.shape for one in contacts(template, {"eye-left-closure": None})] == [
        template.shape_names.index("eye-left-closure")
    ]
    with pytest.raises(UnknownName, match="eye-left-closure"):
        contacts(template, {"eye-left-closur": None})


def shown(rig: fw.Rig, pose: dict[str, float], parts: tuple[str, ...]) -> float:
    """The share of the covered samples, from the front, where some of these parts are seen."""
    samples = rasterise(frame(rig.neutral), fw.evaluate(rig, pose), rig.triangles, (700, 700))
    first = rig.triangles[samples.triangle, 0]
    ranges = [rig.part(name) for name in parts]
    return float(np.mean(np.any([(first >= part.start) & (first < part.stop) for part in ranges], axis=0)))
