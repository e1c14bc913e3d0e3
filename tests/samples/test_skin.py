"""The embedded head's own textures: the same for the same seed, without seams, lively and misregistered."""

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.spatial import cKDTree

import facewright as fw
from facewright.arrays import Ints
from facewright.errors import BadValue, UnknownName
from facewright.image.codec import pixels
from facewright.image.srgb import Bytes, to_linear
from facewright.mesh.texels import Texels, islands
from facewright.samples.skin import EXPRESSIONS, Painter, textured_sample
from facewright.texture.bands import Bands
from facewright.texture.blend import TextureBlend
from facewright.texture.layout import island_labels
from tests.some import some

SIZE = 512
RIG = fw.sample()


@pytest.fixture(scope="module")
def painter() -> Painter:
    return Painter(SIZE)


@pytest.fixture(scope="module")
def skins(painter: Painter) -> dict[str, Bytes]:
    return {name: painter(name) for name in ("neutral", *EXPRESSIONS)}


def places() -> tuple[Ints, NDArray[np.float32]]:
    """Texels of the outer skin (n,) and where they are (n, 3)."""
    island = islands(RIG.polygons, some(RIG.uvs))
    outer = np.isin(island, np.argsort(np.bincount(island))[-1:]) | (RIG.neutral[RIG.triangles, 1].max(axis=1) < -12)
    texels = Texels.of(RIG.polygons, some(RIG.uvs), (SIZE, SIZE), chosen=outer & (RIG.triangles[:, 0] < 4410))
    return texels.at, texels.mix(RIG.neutral[RIG.triangles])


def round_about(picture: Bytes, middle: tuple[float, float], reach: float) -> NDArray[np.float32]:
    """Linear light of the texels round a point (x, y) of the face, seen from the front, and its mirror image."""
    at, where = places()
    near = np.hypot(np.abs(where[:, 0]) - middle[0], where[:, 1] - middle[1]) < reach
    return np.asarray(to_linear(picture).reshape(-1, 3)[at[near & (where[:, 2] > -1)]])


def test_the_same_seed_gives_the_same_picture_and_another_seed_another(skins: dict[str, Bytes]) -> None:
    np.testing.assert_array_equal(Painter(SIZE)("smile"), skins["smile"])
    assert (Painter(SIZE, seed=1)("smile") != skins["smile"]).mean() > 0.3


@pytest.mark.parametrize("size", [16, 100, 257])
def test_a_picture_may_be_of_any_size(size: int) -> None:
    picture = Painter(size)("pucker")
    assert picture.shape == (size, size, 3)
    assert picture.std() > 5


def test_a_larger_picture_shows_the_same_skin(skins: dict[str, Bytes]) -> None:
    half = Painter(SIZE // 2)("neutral")
    shrunk = to_linear(skins["neutral"]).reshape(SIZE // 2, 2, SIZE // 2, 2, 3).mean(axis=(1, 3))
    labels = island_labels(RIG, (SIZE // 2, SIZE // 2), ("head",))
    off = Bands(labels.shape, labels, blur=1 / 64).split(to_linear(half) - shrunk)[0][labels >= 0]
    assert np.abs(off).mean() < 0.02


def test_there_is_no_seam_where_the_layout_is_cut(skins: dict[str, Bytes]) -> None:
    """Texels that are neighbours on the head but not in the picture differ no more than those that are both."""
    at, where = places()
    pairs = cKDTree(where).query_pairs(0.1, output_type="ndarray")
    rows, columns = np.divmod(at, SIZE)
    apart = np.hypot(*(np.diff(one[pairs], axis=1)[:, 0] for one in (rows, columns)))
    light = to_linear(skins["neutral"]).reshape(-1, 3)[at].sum(axis=1)
    step = np.abs(np.diff(light[pairs], axis=1))[:, 0]
    back = (where[pairs[:, 0], 2] < -8) & (where[pairs[:, 0], 1] > 0)  # where the cut is; all is hair there
    across, within = step[back & (apart > 20)], step[back & (apart < 20)]
    assert len(across) > 30
    assert across.mean() < 1.3 * within.mean()


@pytest.mark.parametrize(
    ("expression", "place"),
    [("smile", (4.0, -2.0)), ("frown", (0, 2.6)), ("sneer", (0, -1.6)), ("pucker", (0, -9.0))],
)
def test_expressions_bring_blood_where_they_press(
    skins: dict[str, Bytes], expression: str, place: tuple[float, float]
) -> None:
    red, calm = (round_about(skins[name], place, 1.0).mean(axis=0) for name in (expression, "neutral"))
    assert red[1] / red[0] < 0.97 * calm[1] / calm[0]


@pytest.mark.parametrize(
    ("expression", "place"),
    [("raise", (1.6, 4.7)), ("frown", (0.5, 2.4)), ("squint", (5.6, 0.2)), ("smile", (2.9, -4.4))],
)
def test_expressions_fold_the_skin_where_it_folds(
    skins: dict[str, Bytes], expression: str, place: tuple[float, float]
) -> None:
    folded, calm = (round_about(skins[name], place, 1.0).sum(axis=1).std() for name in (expression, "neutral"))
    assert folded > 1.25 * calm


def test_seven_expressions_mixed_plainly_lose_what_two_bands_keep(skins: dict[str, Bytes]) -> None:
    labels = island_labels(RIG, (SIZE, SIZE), ("head",))
    bands = Bands((SIZE, SIZE), labels)
    maps = [skins[name] for name in EXPRESSIONS]
    assert len(maps) == 7
    blend = TextureBlend(skins["neutral"], maps, islands=labels)
    one, equal = np.mean([bands.energy(each) for each in maps]), np.full(7, 1 / 7)
    assert bands.energy(blend.light(equal)) > 0.95 * one
    assert bands.energy(blend.light(equal, plain=True)) < 0.5 * one


def test_the_mask_keeps_scalp_and_neck_and_leaves_the_face(painter: Painter) -> None:
    mask = painter.mask()
    assert mask.shape == (SIZE, SIZE)
    at, (x, y, z) = places()[0], places()[1].T
    values = mask.ravel()[at]
    assert (values[(y > 9) | (y < -12.5)] == 255).all()
    assert (values[(np.abs(x) < 4) & (y > -9) & (y < 6) & (z > 0)] == 0).all()


def test_a_textured_sample_is_a_document_like_any_other(tmp_path: Path) -> None:
    document = textured_sample(64, "amara")
    assert len({one.picture for one in some(document.textures).maps}) == 7
    assert all(document.rig.shape(name) for one in some(document.textures).maps for name in one.shapes)
    assert pixels(some(document.textures).neutral).shape == (64, 64, 3)
    fw.save(document, tmp_path / "amara.glb")
    assert fw.load_document(tmp_path / "amara.glb").textures == document.textures


def test_people_have_skins_of_their_own() -> None:
    means = {who: Painter(64, who)().reshape(-1, 3).mean(axis=0) for who in ("default", "amara", "edith")}
    assert means["amara"].sum() < 0.8 * means["default"].sum()
    assert np.abs(means["edith"] - means["default"]).max() > 3


def test_unknown_names_and_sizes_are_told_in_words() -> None:
    with pytest.raises(UnknownName, match="nobody"):
        Painter(64, "nobody")
    with pytest.raises(UnknownName, match="did you mean smile"):
        Painter(64)("smil")
    with pytest.raises(BadValue, match="16 texels"):
        Painter(8)
