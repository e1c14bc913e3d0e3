"""The heavy parts of a document become bytes and come back exactly; equal parts give equal bytes."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.capture.acting import acted
from tests.formats.format_rigs import NAMES, SEEDS, assert_same_rig, document

from facewright.errors import BadFile, BadValue
from facewright.formats import parts
from facewright.image.codec import encoded
from facewright.motion.take import Take
from facewright.rig.textures import ShapeTexture, Textures

SIX = st.lists(NAMES, min_size=6, max_size=6, unique=True)


@given(SIX, SEEDS)
def test_a_rig_comes_back_to_the_last_bit(names: list[str], seed: int) -> None:
    rig = document(names, seed).rig
    data = parts.rig_to_bytes(rig)
    again = parts.rig_from_bytes(data)
    assert_same_rig(rig, again)
    assert again.neutral.tobytes() == rig.neutral.tobytes()
    for one, other in zip(rig.shapes, again.shapes, strict=True):
        assert (one.vertices.tobytes(), one.offsets.tobytes()) == (other.vertices.tobytes(), other.offsets.tobytes())
    assert parts.rig_to_bytes(again) == data


def test_zeros_keep_their_sign_and_single_precision_is_not_forced_on_anything() -> None:
    rig = document(list("abcdef"), 5).rig
    tiny = rig.neutral.copy()
    tiny[0] = [-0.0, 5e-324, 0.1]
    again = parts.rig_from_bytes(parts.rig_to_bytes(replace(rig, neutral=tiny)))
    assert again.neutral.tobytes() == tiny.tobytes()


@pytest.mark.parametrize("single", [True, False])
def test_a_take_comes_back_to_the_last_bit_with_its_gaps(single: bool) -> None:
    take = acted(frames=12, gaps=0.2).take
    if single:
        take = replace(take, positions=take.positions.astype(np.float32).astype(float))
    take = replace(take, notes=("a word",), name="laugh")
    data = parts.take_to_bytes(take)
    again = parts.take_from_bytes(data)
    assert again.positions.tobytes() == take.positions.tobytes()
    for name in ("names", "rate", "unit", "name", "notes"):
        assert getattr(again, name) == getattr(take, name)
    assert parts.take_to_bytes(again) == data


def test_a_take_without_frames_comes_back() -> None:
    again = parts.take_from_bytes(parts.take_to_bytes(Take(("a", "b"), np.zeros((0, 2, 3)), 60.0, "mm")))
    assert again.positions.shape == (0, 2, 3)


def test_textures_come_back_with_each_picture_once() -> None:
    dark, light = (encoded(np.full((4, 4, 3), level, np.uint8)) for level in (9, 200))
    textures = Textures(dark, (ShapeTexture(("a", "b"), light), ShapeTexture(("c",), light)), light, ("head",))
    data = parts.textures_to_bytes(textures)
    again = parts.textures_from_bytes(data)
    assert again == textures
    assert again.maps[0].picture is again.maps[1].picture
    assert data.count(light.data) == 1
    assert parts.textures_to_bytes(again) == data


def test_attachments_come_back_whatever_their_order() -> None:
    one = {"gltf/source.glb": bytes(range(256)), "notes/read me.txt": b"", "a": b"\0"}
    data = parts.attachments_to_bytes(one)
    assert parts.attachments_from_bytes(data) == one
    assert parts.attachments_to_bytes(dict(reversed(one.items()))) == data
    with pytest.raises(BadValue, match="no safe name"):
        parts.attachments_to_bytes({"../out": b""})


@pytest.mark.parametrize("read", [parts.rig_from_bytes, parts.take_from_bytes, parts.textures_from_bytes])
def test_bytes_of_something_else_are_refused(read: Callable[..., Any]) -> None:
    with pytest.raises(BadFile):
        read(b"PK no zip")
    with pytest.raises(BadFile):
        read(parts.attachments_to_bytes({"other": b"x"}))
