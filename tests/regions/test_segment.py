"""Regions of faces."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import facewright as fw
from facewright.errors import BadValue
from facewright.mesh.topology import Topology
from facewright.regions.region_evaluator import RegionEvaluator, region_weights
from facewright.regions.segment import segment
from facewright.regions.sides import sides_of
from facewright.rig.edit import drop_shape
from facewright.samples import mask
from tests.laws.test_region_laws import most_alike
from tests.laws.things import head, ict_face
from tests.regions.surfaces import sheet

FACES = {"head": head, "ict": ict_face}


def liveliest(rig: fw.Rig, name: str) -> int:
    """The vertex that a shape moves most, under any spelling of its name."""
    shape = rig.shape(fw.match_names([name], rig.shape_names).pairs[name])
    return int(shape.vertices[np.linalg.norm(shape.offsets, axis=1).argmax()])


# Where features are, as the vertices that the shapes named after them move most.
FEATURES = {
    "left brow": "browOuterUpLeft",
    "right brow": "browOuterUpRight",
    "left eye": "eyeBlinkLeft",
    "right eye": "eyeBlinkRight",
    "mouth": "mouthShrugLower",
    "left cheek": "mouthSmileLeft",
    "right cheek": "mouthSmileRight",
}


@pytest.mark.parametrize("face", FACES)
def test_brows_eyes_nose_cheeks_and_mouth_are_regions_of_their_own(face: str) -> None:
    rig = FACES[face]()
    regions = segment(rig, threshold=0.75)
    labels = regions.labels()
    at = {feature: labels[liveliest(rig, shape)] for feature, shape in FEATURES.items()}
    at["nose"] = labels[tip_of_the_nose(rig)]
    assert len(set(at.values())) == len(at), {feature: regions.names[i] for feature, i in at.items()}
    background = labels[rig.neutral[:, 1].argmax()]
    assert background not in at.values()


def tip_of_the_nose(rig: fw.Rig) -> int:
    """The foremost vertex that is not lip, eye or brow."""
    return int(rig.neutral[:, 2].argmax())


@pytest.mark.parametrize("face", FACES)
def test_names_say_what_moves_a_region_and_on_which_side(face: str) -> None:
    rig = FACES[face]()
    regions = segment(rig)
    labels = regions.labels()
    for side, other in (("left", "right"), ("right", "left")):
        for group, shape in (("eye", f"eyeBlink{side.title()}"), ("brow", f"browOuterUp{side.title()}")):
            name = regions.names[labels[liveliest(rig, shape)]]
            assert side in name
            assert group in name
            assert other not in name


@pytest.mark.parametrize("face", ["head", pytest.param("ict", marks=pytest.mark.long)])
def test_a_lower_threshold_gives_fewer_regions_and_less_background(face: str) -> None:
    rig = FACES[face]()
    coarse, fine = segment(rig, threshold=0.25), segment(rig, threshold=0.75)
    assert coarse.count < fine.count


def test_a_symmetric_face_has_symmetric_regions() -> None:
    for rig in (head(), mask(2000, 24, seed=3)):
        regions, sides = segment(rig), sides_of(rig)
        weights = regions.weights.toarray()
        image = weights[:, sides.partner]
        order = most_alike(weights, image)
        np.testing.assert_allclose(weights, image[order], atol=1e-12)
        swapped = {"left": "right", "right": "left"}
        names = [" ".join(swapped.get(word, word) for word in name.split()) for name in regions.names_at()]
        assert [regions.names[i] for i in order] == names


def test_a_face_that_moves_on_one_side_has_regions_of_its_own_on_each() -> None:
    rig = mask(1500, 30, seed=2)
    for name in rig.shape_names:
        if name.endswith("Right"):
            rig = drop_shape(rig, name)
    weights = segment(rig).weights.toarray()
    image = weights[:, sides_of(rig).partner]
    assert np.abs(weights - image[most_alike(weights, image)]).max() > 0.5
    even = segment(rig, symmetric=True).weights.toarray()
    image = even[:, sides_of(rig).partner]
    assert np.abs(even - image[most_alike(even, image)]).max() < 1e-12


def test_an_eyeball_belongs_to_its_lids_and_teeth_to_the_mouth() -> None:
    rig = head()
    regions = segment(rig)
    labels = regions.labels()
    for part in rig.parts[1:]:
        inside = np.unique(labels[part.start : part.stop])
        assert len(inside) == 1
    for side in ("left", "right"):
        assert side in regions.names[labels[rig.part(f"{side} eye").start]]
        assert "eye" in regions.names[labels[rig.part(f"{side} eye").start]]


def test_a_piece_that_moves_in_front_of_a_plate_that_lies_still_is_a_region_of_its_own() -> None:
    plate, bar = sheet(20, 12), sheet(6, 2)
    points = np.concatenate([plate.neutral, bar.neutral * [1, 1, 0] + [7, 5, 3]])
    faces = [*plate.polygons.rows(), *(row + plate.vertex_count for row in bar.polygons.rows())]
    up = np.zeros_like(points)
    up[plate.vertex_count :, 1] = 1.0
    both = up.copy()
    both[: plate.vertex_count, 1] = 0.5
    alone, together = (fw.Rig(points, fw.Polygons.of(faces), (fw.Shape.from_dense("up", way),)) for way in (up, both))
    labels = segment(alone).labels()
    assert len(set(labels[plate.vertex_count :])) == 1
    assert labels[plate.vertex_count] not in labels[: plate.vertex_count]
    assert segment(together).count == 1


def test_levels_are_as_many_as_wanted() -> None:
    rig = head()
    for wanted in (2, 3, 5):
        assert segment(rig, levels=wanted).levels == wanted
    everything = segment(rig)
    assert segment(rig, levels=99).levels == everything.levels > 8


@pytest.mark.parametrize("face", ["head", pytest.param("ict", marks=pytest.mark.long)])
def test_at_the_borders_of_a_posed_region_the_face_is_no_steeper_than_the_shape_itself(face: str) -> None:
    rig = FACES[face]()
    regions = segment(rig)
    evaluate = RegionEvaluator(rig, regions)
    a, b = Topology(rig.polygons, rig.vertex_count).edges.T
    lengths = np.linalg.norm(rig.neutral[a] - rig.neutral[b], axis=1)
    border = regions.labels()[a] != regions.labels()[b]
    worst, typical = [], []
    for name in ("mouthSmileLeft", "jawOpen", "cheekPuff", "noseSneerLeft", "mouthLeft", "eyeBlinkLeft"):
        matches = fw.match_names([name], rig.sliders)
        for slider in (matches.pairs | matches.approximate).values():
            moved = fw.evaluate(rig, {slider: 1.0}) - rig.neutral
            inside = (np.linalg.norm(moved[a] - moved[b], axis=1) / lengths).max()
            for region in regions.names_at():
                local = evaluate(region_weights(rig, regions, None, {region: {slider: 1.0}})) - rig.neutral
                steep = (np.linalg.norm(local[a] - local[b], axis=1) / lengths)[border].max()
                worst.append(steep / inside)
                typical.append(steep / inside)
    assert max(worst) < 1.5
    assert np.median([one for one in typical if one > 0.01]) < 0.5


def test_rigs_without_shapes_edges_or_motion_are_one_region() -> None:
    still = sheet(6, 6)
    points = fw.Rig(np.random.default_rng(1).normal(size=(9, 3)), fw.Polygons.of(np.zeros((0, 3), int)))
    dead = replace(still, shapes=(fw.Shape.from_dense("dead", np.zeros((36, 3))),), sliders=(), bounds=None, groups=())  # type: ignore[arg-type]
    for rig in (still, points, dead):
        regions = segment(rig)
        assert regions.vertex_count == rig.vertex_count
        np.testing.assert_allclose(regions.weights.sum(axis=0), 1)
    assert segment(still).count == segment(dead).count == 1


def test_two_bumps_on_a_sheet_are_two_regions_and_the_rest_is_background() -> None:
    rig = sheet(40, 14, one=(8, 7, 5.0), two=(31, 7, 5.0))
    regions = segment(rig, threshold=0.6)
    labels = regions.labels()
    at = [labels[7 * 40 + x] for x in (8, 31, 20)]
    assert len(set(at)) == 3


@pytest.mark.parametrize("options", [{"threshold": 1.5}, {"threshold": -0.1}, {"threshold": np.nan}, {"levels": 1}])
def test_what_makes_no_sense_is_refused_in_words(options: dict[str, Any]) -> None:
    with pytest.raises(BadValue):
        segment(mask(400, 4), **options)


def test_no_vertices_no_regions() -> None:
    with pytest.raises(BadValue, match="without vertices"):
        segment(fw.Rig(np.zeros((0, 3)), fw.Polygons.of(np.zeros((0, 3), int))))
