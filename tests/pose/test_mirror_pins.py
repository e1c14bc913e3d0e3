"""Pins on the other side of the face."""

from dataclasses import replace

import numpy as np
import pytest

import facewright as fw
from facewright.errors import BadValue
from facewright.mesh.plane import Plane
from facewright.pose.mirror import mirror_pins
from facewright.rig.symmetry import symmetry
from facewright.samples import mask
from facewright.terms.pin import points_of
from tests.laws.things import head, strip
from tests.some import some


def asked(rig: fw.Rig, seed: int) -> list[fw.Pin]:
    """Vertex and surface pins on a mask, asked to go somewhere."""
    rng = np.random.default_rng(seed)
    targets = fw.evaluate(rig, rng.uniform(0, 0.5, len(rig.sliders)))
    vertices, triangles = rng.choice(rig.vertex_count, 3), rng.choice(len(rig.triangles), 3)
    mixes = rng.dirichlet([1, 1, 1], 3)
    return [
        *(fw.Pin(vertex=int(v), target=targets[v], strength=2.0, axes="xy") for v in vertices),
        *(
            fw.Pin(
                triangle=int(t),
                barycentric=mix,
                target=mix @ targets[rig.triangles[t]],
                plane=np.array([0.3, 0.1, 1.0]),
            )
            for t, mix in zip(triangles, mixes, strict=True)
        ),
        fw.Pin(vertex=int(vertices[0]), hold=True),
    ]


def swapped(rig: fw.Rig, weights: np.ndarray) -> np.ndarray:
    """The weights with left and right exchanged."""
    other = {"Left": "Right", "Right": "Left"}
    names = [next((name[: -len(s)] + o for s, o in other.items() if name.endswith(s)), name) for name in rig.sliders]
    return weights[[rig.slider_index(name) for name in names]]


@pytest.mark.parametrize("seed", range(5))
def test_mirrored_pins_sit_and_aim_where_a_mirror_shows_them(seed: int) -> None:
    rig = mask(vertices=600, shapes=10, seed=seed)
    known = symmetry(rig)
    pins = asked(rig, seed)
    there = mirror_pins(rig, pins, known)
    here, found = (points_of(rig, each).of(rig.neutral) for each in (pins, there))
    np.testing.assert_allclose(found, known.plane.mirror(here), atol=2e-3 * rig.size)
    for pin, image in zip(pins[:-1], there[:-1], strict=True):
        np.testing.assert_allclose(some(image.target), known.plane.mirror(some(pin.target)), atol=2e-3 * rig.size)
    assert [pin.strength for pin in there] == [pin.strength for pin in pins]
    np.testing.assert_allclose(some(there[3].plane), [-0.3, 0.1, 1.0], atol=1e-9)
    assert there[-1].hold


@pytest.mark.parametrize("seed", range(5))
def test_mirrored_pins_on_vertices_ask_for_the_mirrored_pose(seed: int) -> None:
    rig = mask(vertices=600, shapes=10, seed=seed)
    pins = [pin for pin in asked(rig, seed) if pin.vertex is not None]
    weights = fw.solve_pose(rig, pins).weights
    assert weights.any()
    np.testing.assert_allclose(fw.solve_pose(rig, mirror_pins(rig, pins)).weights, swapped(rig, weights), atol=1e-6)


def test_mirroring_twice_gives_the_pins_back() -> None:
    rig = head()
    known = symmetry(rig)
    side = np.flatnonzero((known.partner >= 0) & (known.partner != np.arange(rig.vertex_count)))[::97]
    pins = [fw.Pin(vertex=int(v), target=rig.neutral[v] + np.array([0.1, 0.2, 0.3])) for v in side]
    twice = mirror_pins(rig, mirror_pins(rig, pins, known), known)
    assert [pin.vertex for pin in twice] == [pin.vertex for pin in pins]
    np.testing.assert_allclose([some(pin.target) for pin in twice], [some(pin.target) for pin in pins], atol=1e-9)


def test_a_pin_at_rest_on_an_uneven_face_has_a_mirrored_pin_at_rest() -> None:
    rig = mask(vertices=400, shapes=6)
    uneven = replace(rig, neutral=rig.neutral + 0.002 * rig.size * np.random.default_rng(0).normal(size=(400, 3)))
    known = symmetry(rig)
    pins = [fw.Pin(vertex=v, target=uneven.neutral[v]) for v in (3, 50, 200)]
    for image in mirror_pins(uneven, pins, known):
        np.testing.assert_allclose(some(image.target), uneven.neutral[image.vertex], atol=1e-12)


def test_a_point_without_a_partner_names_the_pin() -> None:
    rig = mask(vertices=400, shapes=6)
    known = symmetry(rig)
    partner = known.partner.copy()
    partner[7] = -1
    with pytest.raises(BadValue, match="pin 1: vertex 7 has no partner on the other side of the face"):
        mirror_pins(rig, [fw.Pin(vertex=9, hold=True), fw.Pin(vertex=7, hold=True)], replace(known, partner=partner))


def test_a_leaning_middle_plane_turns_two_axes_into_a_plane_and_refuses_one() -> None:
    neutral = np.array([[1.0, 0, 0], [0, 1.0, 0], [0, 0, 1.0]])  # 0 and 1 mirror each other about x = y
    rig = fw.Rig(neutral, strip(3), (fw.Shape("one", [0], [[1.0, 0, 0]]),))
    known = replace(symmetry(rig, plane=Plane(np.array([1.0, -1.0, 0]))), partner=np.array([1, 0, 2]))
    image = mirror_pins(rig, [fw.Pin(vertex=0, target=np.array([3.0, 0, 0]), axes="xz")], known)[0]
    np.testing.assert_allclose(some(image.target), [0, 3.0, 0], atol=1e-12)
    np.testing.assert_allclose(np.abs(some(image.plane)), [1, 0, 0], atol=1e-12)  # y and z count, x does not
    with pytest.raises(BadValue, match="pin 0: its axis x is no axis once it is mirrored"):
        mirror_pins(rig, [fw.Pin(vertex=0, target=np.array([3.0, 0, 0]), axes="x")], known)
