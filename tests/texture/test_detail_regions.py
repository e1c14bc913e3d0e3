"""Every region of a face has the detail of its own map (Joshi 2003, section 5: blend weights belong to vertices)."""

from dataclasses import replace

import numpy as np
import pytest

from facewright.document import Document
from facewright.errors import BadValue
from facewright.image.srgb import to_bytes, to_linear
from facewright.mesh.texels import Texels
from facewright.regions.segment import segment
from facewright.render.material_set import DocumentMaterials
from facewright.rig.evaluate import evaluate
from facewright.samples.skin import textured_sample
from facewright.texture.blend import TextureBlend
from facewright.texture.detail import Detail
from facewright.texture.detail_regions import DetailRegions, level_of
from facewright.texture.face_texture import FaceTexture, detail_regions
from tests.some import some
from tests.texture.maps import SIZE, misregistered, skin

BLUR = 1 / 64
FROWN, SMILE = ("browDownLeft", "browDownRight"), ("mouthSmileLeft", "mouthSmileRight")


@pytest.fixture(scope="module")
def head() -> Document:
    document = textured_sample(512)
    return replace(document, regions=segment(document.rig))


def halves(size: tuple[int, int]) -> np.ndarray:
    """The shares (2, h, w) of a left and a right half with a soft border."""
    left = 1 / (1 + np.exp((np.arange(size[1]) - size[1] / 2) / (size[1] / 20)))
    return np.stack([np.tile(left, (size[0], 1)), np.tile(1 - left, (size[0], 1))])


def three() -> tuple[np.ndarray, list[np.ndarray]]:
    neutral = skin()
    return neutral, [misregistered(neutral, seed) for seed in (1, 2, 3)]


def test_regions_show_what_the_whole_picture_would_with_the_detail_of_each_mixed_by_their_shares() -> None:
    neutral, maps = three()
    masks, weights = halves(SIZE), [0.5, 0.4, 0.3]
    details = (Detail(1), Detail(3, 2, 0.4))
    found = TextureBlend(neutral, maps, blur=BLUR, regions=DetailRegions.equal(masks, 3)).light(weights, details)
    whole = TextureBlend(neutral, maps, blur=BLUR)
    wanted = sum(mask[..., None] * whole.light(weights, one) for mask, one in zip(masks, details, strict=True))
    assert np.abs(found - wanted).max() < 2e-3
    assert np.abs(whole.light(weights, details[0]) - wanted).max() > 0.05


def test_regions_of_one_detail_change_nothing() -> None:
    neutral, maps = three()
    divided = TextureBlend(neutral, maps, blur=BLUR, regions=DetailRegions.equal(halves(SIZE), 3))
    whole = TextureBlend(neutral, maps, blur=BLUR)
    for weights in ([0.2, 0.5, 0.1], [0.9, 0.8, 0.7], [0.0, 0.0, 0.0]):
        for plain in (False, True):
            np.testing.assert_array_equal(divided.light(weights, plain=plain), whole.light(weights, plain=plain))


def test_one_map_alone_is_shown_exactly_in_all_regions_also_after_a_change(head: Document) -> None:
    texture = FaceTexture(head)
    map_alone = dict.fromkeys(SMILE, 1.0)
    smile = FaceTexture(replace(head, regions=None))(map_alone)
    np.testing.assert_array_equal(texture(map_alone), smile)
    blend, given = texture.blend, texture.weights(head.rig.weights(map_alone))
    details = blend.details(0 * given)
    for _ in range(2):
        details = blend.details_after(details, 1.0, given)
    np.testing.assert_array_equal(blend(given, details), smile)


def moved_most(texture: FaceTexture, shapes: tuple[str, ...]) -> np.ndarray:
    """The texels, in the flattened picture, that shapes move at least half as far as they can."""
    rig = texture.document.rig
    moved = np.linalg.norm(evaluate(rig, dict.fromkeys(shapes, 1.0)) - rig.neutral, axis=1)
    texels = Texels.of(rig.polygons, some(rig.uvs), texture.blend.bands.size)
    inside = texels.mix((moved > 0.5 * moved.max())[rig.triangles][..., None].astype(float))[:, 0]
    return np.asarray(texels.at[inside > 0.99])


def kept(texture: FaceTexture, pose: dict[str, float], shapes: tuple[str, ...]) -> float:
    """The share of the detail of a map that is there in a pose, where its shapes move at least half as far as they
    can.
    """
    bands, at = texture.blend.bands, moved_most(texture, shapes)
    own, found = (
        bands.split(one)[1].reshape(-1, 3)[at] for one in (texture(dict.fromkeys(shapes, 1.0)), texture(pose))
    )
    return float((own * found).sum() / (own * own).sum())


def test_a_frown_and_a_smile_keep_their_folds(head: Document) -> None:
    pose = dict.fromkeys(FROWN, 0.9) | dict.fromkeys(SMILE, 1.0)
    divided, whole = FaceTexture(head), FaceTexture(replace(head, regions=None))
    assert kept(divided, pose, FROWN) > 0.95
    assert kept(divided, pose, SMILE) > 0.95
    assert kept(whole, pose, FROWN) < 0.8, "the smile's detail is all over the face"


def test_a_pose_kept_to_a_region_brings_its_texture_there_and_nowhere_else(head: Document) -> None:
    texture, regions = FaceTexture(head), some(head.regions)
    sliders = [head.rig.slider_index(name) for name in SMILE]
    everywhere = np.zeros((regions.count, len(head.rig.sliders)))
    everywhere[:, sliders] = 1.0
    np.testing.assert_array_equal(texture(everywhere), texture(dict.fromkeys(SMILE, 1.0)))
    moved = np.linalg.norm(evaluate(head.rig, dict.fromkeys(SMILE, 1.0)) - head.rig.neutral, axis=1)
    chosen = int(np.argmax(regions.weights @ moved))
    local = np.zeros_like(everywhere)
    local[chosen, sliders] = 1.0
    masks = some(texture.blend.regions).on(texture.blend.bands.cells)
    group = int(regions.groups(level_of(regions))[chosen])
    members = np.flatnonzero(regions.groups(level_of(regions)) == group)
    local[members] = local[chosen]  # all of what has a detail of its own
    share = texture.blend.bands.raised(np.repeat(masks[group][..., None], 3, axis=2))[..., 0]
    found, rest, smile = (one.astype(int) for one in (texture(local), texture({}), texture(everywhere)))
    np.testing.assert_array_equal(found[share == 0], rest[share == 0])
    np.testing.assert_array_equal(found[share == 1], smile[share == 1])
    assert np.abs(smile - rest)[share == 1].max() > 30
    with pytest.raises(BadValue, match="slider values of regions have shape"):
        texture(local[:, :3])


def test_renders_show_the_textures_of_poses_kept_to_regions(head: Document) -> None:
    made, texture = DocumentMaterials(head, 512), FaceTexture(head)
    values = np.random.default_rng(5).uniform(0, 1, (some(head.regions).count, len(head.rig.sliders)))
    shown = some(made.at(values)[head.rig.parts.index(head.rig.part("head"))].texture).levels[0]
    labels = texture.blend.bands.labels
    apart = np.abs(to_bytes(shown).astype(int) - texture(values))[labels >= 0]
    assert apart.max() <= 1


def test_regions_of_a_texture_do_not_depend_on_the_unit(head: Document) -> None:
    from facewright.rig.edit.bake import scale

    small = replace(head, rig=scale(head.rig, 0.01))
    mine, other = (some(detail_regions(one, some(one.textures), (128, 128))) for one in (head, small))
    np.testing.assert_allclose(mine.relevance, other.relevance, atol=1e-9)
    np.testing.assert_allclose(mine.masks, other.masks, atol=1e-6)


def test_each_region_changes_its_detail_for_itself() -> None:
    neutral, maps = three()
    regions = DetailRegions(halves(SIZE), np.array([[1.0, 0.1, 0.1], [0.1, 1.0, 0.1]]))
    blend = TextureBlend(neutral, maps, blur=BLUR, regions=regions)
    before = blend.details([0.9, 0.0, 0.0])
    after = blend.details_after(before, 0.1, [0.9, 0.8, 0.0])
    assert [one.map for one in before] == [1, 0], "the rest of the weight is the neutral's"
    assert [(one.map, one.former) for one in after] == [(1, 0), (2, 0)]
    assert after[1].share == 0


def test_weights_of_each_region_are_mixed_there() -> None:
    neutral, maps = three()
    masks = halves(SIZE)
    blend = TextureBlend(neutral, maps, blur=BLUR, regions=DetailRegions.equal(masks, 3))
    found = blend.light([[1.0, 0, 0], [0, 0, 1.0]])
    far = SIZE[1] // 8
    assert np.abs(found - to_linear(maps[0]))[:, :far].max() < 5e-3
    assert np.abs(found - to_linear(maps[2]))[:, -far:].max() < 5e-3


def test_bad_regions_are_refused_in_words() -> None:
    neutral, maps = three()
    with pytest.raises(BadValue, match="uncovered"):
        DetailRegions.equal(np.zeros((2, 4, 4)), 3)
    with pytest.raises(BadValue, match="shares"):
        DetailRegions.equal(np.ones((4, 4)), 3)
    with pytest.raises(BadValue, match="relevance"):
        DetailRegions(np.ones((2, 4, 4), np.float32), np.zeros((2, 3)))
    with pytest.raises(BadValue, match="3 maps"):
        TextureBlend(neutral, maps[:2], regions=DetailRegions.equal(np.ones((2, 4, 4)), 3))
    blend = TextureBlend(neutral, maps, regions=DetailRegions.equal(np.ones((2, 4, 4)), 3))
    with pytest.raises(BadValue, match="3 details"):
        blend([0, 0, 0], [Detail()] * 3)
