"""Every value has one entry: made of it, written as JSON or msgpack, read again, it gives the same value."""

from typing import TypeVar

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.formats.format_rigs import SEEDS, assert_same_clip
from tests.formats.test_captured import assert_same_captured
from tests.formats.test_captured import document as captured_document

from facewright.document import Document, HeldPoints, PlacedPin
from facewright.errors import BadFile, BadValue
from facewright.formats.schema.binding import BindingEntry
from facewright.formats.schema.captured import CapturedEntry, TakeEntry
from facewright.formats.schema.clip import ClipEntry
from facewright.formats.schema.pins import HeldEntry, PinEntry
from facewright.formats.schema.regions import RegionsEntry, describe_local, local_from
from facewright.formats.schema.textures import TexturesEntry
from facewright.formats.schema.work import WorkEntry
from facewright.image.codec import encoded
from facewright.motion.clip import Clip
from facewright.motion.curve import Curve
from facewright.regions.segment import segment
from facewright.rig.textures import ShapeTexture, Textures
from facewright.samples import mask

T = TypeVar("T")


def again(entry: T) -> T:
    """The entry after a journey through JSON and msgpack."""
    through = msgspec.json.decode(msgspec.json.encode(entry), type=type(entry))
    return msgspec.msgpack.decode(msgspec.msgpack.encode(through), type=type(entry))


PINS = [
    PlacedPin(id=3, vertex=7),
    PlacedPin(id=4, triangle=2, barycentric=(0.1, 0.2, 0.7), axes="xz", strength=0.3, hold=True),
]


@pytest.mark.parametrize("pin", PINS)
def test_a_pin(pin: PlacedPin) -> None:
    assert again(PinEntry.of(pin)).value() == pin


def test_held_points() -> None:
    held = HeldPoints(np.array([2, 9]), np.array([7, 1]), True, 0.1 + 0.2)
    found = again(HeldEntry.of(held)).value()
    assert found.vertices.tolist() == [2, 9]
    assert (found.axes.tolist(), found.on, found.alpha) == ([7, 1], True, 0.1 + 0.2)
    with pytest.raises(BadFile, match="1 axes are given"):
        HeldEntry([1, 2], [7]).value()


@given(SEEDS)
def test_a_clip(seed: int) -> None:
    rng = np.random.default_rng(seed)
    keys = np.cumsum(rng.uniform(0.01, 1, 4))
    curves = {
        "smile": Curve(keys, rng.normal(size=4), "cubic", rng.normal(size=(4, 2))),
        "jaw": Curve(keys[:2], rng.normal(size=2), "step"),
        "brow": Curve([0.0], [0.5]),
    }
    clip = Clip("take", curves, 24000 / 1001)
    assert_same_clip(clip, again(ClipEntry.of(clip)).value())
    assert_same_clip(clip, again(ClipEntry.without_keys(clip)).value(clip.curves))


def test_a_clip_with_two_curves_for_one_slider_is_refused() -> None:
    entry = ClipEntry.of(Clip("a", {"jaw": Curve([0.0], [1.0])}))
    with pytest.raises(BadFile, match="two curves"):
        ClipEntry("a", 30.0, entry.curves * 2).value()
    with pytest.raises(BadValue, match="at least one key"):
        ClipEntry.without_keys(Clip("a", {"jaw": Curve([0.0], [1.0])})).value()


def test_regions_and_what_they_add() -> None:
    rig = mask(vertices=150, shapes=5, seed=3)
    regions = segment(rig)
    found = again(RegionsEntry.of(regions)).value()
    assert found.names == regions.names
    assert (found.weights - regions.weights).count_nonzero() == 0
    local = np.random.default_rng(1).normal(size=(len(regions.names), len(rig.sliders)))
    np.testing.assert_array_equal(local_from(found, rig, describe_local(regions, rig.sliders, local)), local)
    assert local_from(found, rig, describe_local(regions, rig.sliders, None)) is None


def test_a_take_with_its_binding() -> None:
    captured = captured_document().captured
    assert captured is not None
    take = again(TakeEntry.of(captured.take)).value(captured.take.positions)
    assert_same_captured(again(CapturedEntry.of(captured)).value(take), captured)
    assert captured.binding is not None
    binding = again(BindingEntry.of(captured.binding)).value()
    np.testing.assert_array_equal(binding.barycentric, captured.binding.barycentric)
    assert (binding.markers, binding.unit, binding.notes) == (
        captured.binding.markers, captured.binding.unit, captured.binding.notes,
    )  # fmt: skip


def test_textures_with_pictures_named_by_their_id() -> None:
    dark, light = (encoded(np.full((4, 4, 3), level, np.uint8)) for level in (9, 200))
    textures = Textures(dark, (ShapeTexture(("a", "b"), light),), light, ("head",))
    entry = again(TexturesEntry.of(textures, lambda picture, name: picture.id))
    pictures = {picture.id: picture for picture in (dark, light)}
    assert entry.value(lambda place: pictures[str(place)]) == textures
    assert entry.places == [dark.id, light.id, light.id]


@given(st.lists(st.sampled_from(["a", "b"]), unique=True), st.floats(0, 9))
def test_the_state_of_work(locked: list[str], time: float) -> None:
    rig = mask(vertices=120, shapes=3, seed=1)
    names = dict(zip("ab", rig.sliders, strict=False))
    document = Document(rig, (Clip("walk"),), pins=PINS, locked=[names[one] for one in locked], clip="walk", time=time)
    fields = again(WorkEntry.of(document)).fields()
    for name in ("pins", "locked", "clip", "time"):
        assert fields[name] == getattr(document, name)
    assert len(fields["held"]) == 0
