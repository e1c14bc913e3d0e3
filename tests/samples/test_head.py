"""The embedded head: who and what is in it."""

import subprocess
import sys
from importlib.resources import files

import numpy as np
import pytest
from scipy.spatial import cKDTree

import facewright as fw
from facewright.errors import UnknownName
from facewright.rig.name_tables import ARKIT, MAKEHUMAN
from facewright.rig.names import mirror_name
from facewright.samples.head import people, sample

DATA = files("facewright.samples") / "data"
PARTS = ["head", "left eye", "right eye", "upper teeth", "lower teeth", "upper gums", "lower gums", "tongue"]
PEOPLE = ("default", "amara", "kenji", "edith")
EVERYONE = ["default", "amara", *(pytest.param(person, marks=pytest.mark.long) for person in PEOPLE[2:])]
STEP = 1e-3  # centimetres, the file's rounding


def points(rig: fw.Rig, part: str) -> np.ndarray:
    return rig.neutral[rig.part(part).start : rig.part(part).stop]


def partners(rig: fw.Rig) -> np.ndarray:
    """For each vertex the one nearest to its mirror image, part by part: eyeballs swap."""
    swapped = {"left eye": "right eye", "right eye": "left eye"}
    found = []
    for part in rig.parts:
        other = rig.part(swapped.get(part.name, part.name))
        tree = cKDTree(points(rig, other.name))
        found.append(other.start + tree.query(points(rig, part.name) * [-1, 1, 1])[1])
    return np.concatenate(found)


def test_the_default_sample_has_exactly_apples_52_shapes() -> None:
    rig = fw.sample()
    assert len(set(rig.sliders)) == 52
    assert set(rig.sliders) == set(ARKIT) == set(rig.shape_names)
    assert {"browDownLeft", "eyeLookInRight", "jawOpen", "mouthShrugUpper", "tongueOut"} <= set(rig.sliders)
    assert set(rig.groups) == {"brow", "cheek", "eye", "jaw", "mouth", "nose", "tongue"}


@pytest.mark.parametrize("person", EVERYONE)
def test_everyone_has_her_own_34_expression_units(person: str) -> None:
    rig = sample(person, shapes="units")
    assert set(rig.shape_names) == set(MAKEHUMAN)
    assert len(rig.shapes) == 34
    assert "other" not in {group for name, group in zip(rig.sliders, rig.groups, strict=True) if "neck" not in name}


def test_no_two_people_share_a_face_or_expression_units() -> None:
    assert people() == PEOPLE
    rigs = [sample(person, shapes="units") for person in PEOPLE]
    for i, a in enumerate(rigs):
        for b in rigs[:i]:
            assert np.linalg.norm(a.neutral - b.neutral, axis=1).mean() > 0.2
            changed = [not np.array_equal(x.offsets, y.offsets) for x, y in zip(a.shapes, b.shapes, strict=True)]
            assert sum(changed) > 20


def test_everyone_has_the_same_polygons_parts_and_texture_coordinates() -> None:
    first, *others = [sample(person) for person in PEOPLE]
    assert [part.name for part in first.parts] == PARTS
    assert first.uvs is not None
    assert (first.uvs.coordinates >= 0).all()
    assert (first.uvs.coordinates <= 1).all()
    for rig in others:
        assert rig.parts == first.parts
        assert np.array_equal(rig.polygons.corners, first.polygons.corners)
        assert rig.uvs is not None
        assert np.array_equal(rig.uvs.corners, first.uvs.corners)
        assert np.array_equal(rig.uvs.coordinates, first.uvs.coordinates)


@pytest.mark.parametrize("person", EVERYONE)
@pytest.mark.parametrize("shapes", ["arkit", "units"])
def test_the_face_and_every_pair_of_shapes_are_mirror_images(person: str, shapes: str) -> None:
    rig = sample(person, shapes=shapes)
    partner = partners(rig)
    image = rig.neutral[partner] * [-1, 1, 1]
    assert abs(image - rig.neutral).max() < STEP / 2
    assert np.array_equal(np.sort(partner), np.arange(rig.vertex_count))
    for shape in rig.shapes:
        other = rig.shape(mirror_name(shape.name) or shape.name)
        image = other.dense(rig.vertex_count)[partner] * [-1, 1, 1]
        assert abs(image - shape.dense(rig.vertex_count)).max() < STEP / 2, shape.name


@pytest.mark.parametrize("person", EVERYONE)
def test_a_head_has_a_heads_size_in_centimetres(person: str) -> None:
    rig = sample(person)
    eyes = [points(rig, "left eye"), points(rig, "right eye")]
    middles = [(eye.min(axis=0) + eye.max(axis=0)) / 2 for eye in eyes]
    assert middles[0][0] > 0
    np.testing.assert_allclose((middles[0] + middles[1]) / 2, 0, atol=0.01)
    assert 5.0 < middles[0][0] - middles[1][0] < 7.5
    assert 2.3 < np.ptp(eyes[0][:, 1]) < 3.4
    width, height, depth = np.ptp(points(rig, "head"), axis=0)
    assert 14 < width < 26
    assert 24 < height < 34
    assert 17 < depth < 25
    assert np.ptp(points(rig, "upper teeth")[:, 0]) < 7


def test_opposite_sliders_exclude_each_other() -> None:
    pairs = {frozenset(pair) for pair in fw.sample().exclusive}
    assert {"jawLeft", "jawRight"} in pairs
    assert {"eyeLookUpLeft", "eyeLookDownLeft"} in pairs
    assert len(pairs) == 6


def test_an_unknown_person_or_set_of_shapes_is_told_who_is_there() -> None:
    with pytest.raises(UnknownName, match="amara"):
        sample("amaro")
    with pytest.raises(UnknownName, match="arkit, units"):
        sample(shapes="visemes")


def test_the_file_is_small_and_holds_plain_numbers_only() -> None:
    assert len((DATA / "head.npz").read_bytes()) < 3_000_000
    with (DATA / "head.npz").open("rb") as file, np.load(file, allow_pickle=False) as arrays:
        assert {arrays[name].dtype.kind for name in arrays.files} <= set("ufiU")


def test_licence_and_provenance_lie_beside_the_data() -> None:
    note = (DATA / "PROVENANCE.md").read_text("utf8")
    assert "bad70bdc2be0dfa9880d60129c3a1339678f08f493184f637dc2825c3e27b8d2" in note
    assert "Mika Suominen" in note
    assert (DATA / "LICENSE.md").read_text("utf8").startswith("# Creative Commons CC0 1.0 Universal")


def test_the_sample_needs_no_network_and_no_optional_package() -> None:
    script = """
import socket, sys
for name in ("PIL", "DracoPy", "typer", "rich", "starlette", "uvicorn", "ezc3d", "moderngl"):
    sys.modules[name] = None
socket.socket.connect = None
import facewright as fw
print(len(fw.sample().shapes))
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "52"
