"""Regions that were painted in the layout of the textures: on vertices, in files, for the details of textures."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import facewright as fw
from facewright.errors import BadValue
from facewright.image.codec import encoded
from facewright.texture.face_texture import FaceTexture
from facewright.texture.painted_regions import painted_regions
from tests.cli.command import assert_one_paragraph, run
from tests.some import some


def top(size: int = 128) -> np.ndarray:
    """White in the upper half of the picture, with a soft border."""
    rows = np.clip((size / 2 - np.arange(size)) / 8 + 0.5, 0, 1)
    return np.repeat(np.repeat(np.rint(255 * rows)[:, None, None], size, axis=1), 3, axis=2).astype(np.uint8)


def test_a_vertex_has_the_shares_that_the_masks_have_around_it() -> None:
    rig = fw.sample()
    regions = painted_regions(rig, {"upper": top(512), "lower": 255 - top(512)})
    assert regions.names == ("upper", "lower", "face")
    uvs = some(rig.uvs)
    low, high = np.full(rig.vertex_count, 2.0), np.full(rig.vertex_count, -1.0)  # vertices of seams have several
    np.minimum.at(low, rig.polygons.corners, uvs.coordinates[uvs.corners, 1])
    np.maximum.at(high, rig.polygons.corners, uvs.coordinates[uvs.corners, 1])
    shares, alone = regions.weights.toarray(), low == high
    painted = np.clip(((high[alone] - 0.5) * 512 + 0.5) / 8 + 0.5, 0, 1)  # the mask right at the vertex
    np.testing.assert_allclose(shares[0][alone], painted, atol=0.02)  # bytes, and corners of a ramp between texels
    assert 0.1 < painted.mean() < 0.9
    np.testing.assert_allclose(shares.sum(axis=0), 1)


def test_what_no_mask_covers_is_the_rest_and_masks_that_overlap_share() -> None:
    rig = fw.sample()
    regions = painted_regions(rig, {"a": top(), "b": top()})
    assert regions.names == ("a", "b", "rest", "face")
    shares = regions.weights.toarray()
    np.testing.assert_allclose(shares[0], shares[1])
    assert shares[2].max() > 0.99


@pytest.mark.parametrize("masks", [{}, {"rest": top()}, {"none": np.zeros((8, 8, 3), np.uint8)}])
def test_masks_that_say_nothing_are_refused_in_words(masks: dict[str, np.ndarray]) -> None:
    with pytest.raises(BadValue):
        painted_regions(fw.sample(), masks)


def test_a_face_with_painted_masks_is_written_and_its_textures_go_by_them(tmp_path: Path) -> None:
    face, out, mask = tmp_path / "face.fwface", tmp_path / "painted.fwface", tmp_path / "upper.png"
    fw.save(fw.textured_sample(128), face)
    mask.write_bytes(encoded(top()).data)
    done = run("segment", face, "--mask", f"upper={mask}", "-o", out)
    assert done.returncode == 0, done.stderr
    document = fw.load_document(out)
    assert some(document.regions).names == ("upper", "rest", "face")
    blend = FaceTexture(document).blend
    assert blend.region_count == 2
    smile = {"browDownLeft": 1.0, "browDownRight": 1.0, "mouthSmileLeft": 0.9, "mouthSmileRight": 0.9}
    one = FaceTexture(replace(document, regions=None))
    assert np.abs(FaceTexture(document)(smile).astype(int) - one(smile)).max() > 5  # another detail where it is painted
    assert_one_paragraph(run("segment", face, "--mask", "upper", "-o", out), "brows=brows.png")
