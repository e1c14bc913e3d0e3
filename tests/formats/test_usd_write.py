"""What is written comes back, and usd-core's own evaluation moves the same vertices."""

import io
import sys
import zipfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation
from tests.formats.format_rigs import NAMES, SEEDS, document
from tests.formats.test_fbx_write import bent, corner_uvs
from tests.formats.usd_evaluation import opened, posed

import facewright as fw
from facewright.errors import BadValue, FacewrightWarning, MissingExtra
from facewright.formats.registry import save_with
from facewright.formats.usd.write.text import array, quoted
from facewright.formats.write_options import WriteOptions
from facewright.image.file import ImageFile
from facewright.render.png import png_bytes
from facewright.rig.combine import Combine
from facewright.rig.head_motion import ANGLES, OFFSETS
from facewright.rig.materials import Material, Materials
from facewright.samples import mask, sample

SINGLE = 2**-23  # precision of all numbers of a file


def through(given: fw.Document, format: str = "usda") -> fw.Document:
    file = io.BytesIO()
    fw.save(given, file, format=format)
    return fw.load_document(file.getvalue())


def channel_weights(rig: fw.Rig, sliders: np.ndarray) -> dict[str, float]:
    """The weights of channels: those of sliders, and of shapes that follow from several."""
    shapes = dict(zip(rig.shape_names, Combine(rig)(sliders).tolist(), strict=True))
    return shapes | dict(zip(rig.sliders, sliders.tolist(), strict=True))


def same_motion(rig: fw.Rig, path: Path, poses: int = 4) -> None:
    """Whether usd-core moves the vertices of a written rig as we do, to 1e-5 of its size, at random poses."""
    evaluator, rng = fw.Evaluator(rig), np.random.default_rng(7)
    for sliders in rng.uniform(rig.bounds[:, 0], rig.bounds[:, 1], size=(poses, len(rig.sliders))):
        theirs = posed(path, channel_weights(rig, sliders))
        assert np.abs(theirs - evaluator(sliders)).max() <= 1e-5 * rig.size


def odd_targets() -> fw.Rig:
    """Sliders without a shape at 1, for which USD wants one: at a half, on both sides of 1, and below 0."""
    base = mask(vertices=200, shapes=5, seed=4)
    a, b, c, d, e = base.shapes
    shapes = (
        replace(a, name="half", sliders=("one",), at=(0.5,)),
        replace(b, name="three quarters", sliders=("two",), at=(0.75,)),
        replace(c, name="twice", sliders=("two",), at=(2.0,)),
        replace(d, name="down", sliders=("three",), at=(-1.0,)),
        replace(e, name="third", sliders=("four",), at=(1 / 3,)),
    )
    bounds = [(0.0, 1.0), (0.0, 2.0), (-1.0, 0.0), (0.0, 1.0)]
    return fw.Rig(base.neutral, base.polygons, shapes, bounds=bounds, uvs=base.uvs)


@pytest.mark.parametrize("make", [lambda: bent().rig, odd_targets, sample], ids=["bent", "odd targets", "head"])
def test_usd_core_moves_the_same_vertices_at_random_poses(make: object, tmp_path: Path) -> None:
    assert callable(make)
    rig = make()
    fw.save(rig, tmp_path / "face.usda")
    same_motion(rig, tmp_path / "face.usda")


def test_usd_core_plays_a_clip_and_the_motion_of_the_head_as_we_do(tmp_path: Path) -> None:
    given = bent()
    rig, clip = given.rig, given.clips[0]
    fw.save(given, tmp_path / "face.usda")
    evaluator = fw.Evaluator(rig)
    for time in clip.times()[::7]:  # combinations have keys at frames
        pose = clip.sample(rig.sliders, [time])[0]
        turn = Rotation.from_euler("YXZ", clip.sample(ANGLES, [time])[0])
        ours = turn.apply(evaluator(pose)) + clip.sample(OFFSETS, [time])[0]
        theirs = posed(tmp_path / "face.usda", time=time * clip.rate)
        assert np.abs(theirs - ours).max() <= 5e-5 * rig.size  # curves that bend become lines, to 2e-5 of a weight
    np.testing.assert_allclose(posed(tmp_path / "face.usda"), evaluator(given.pose), atol=1e-5 * rig.size)
    stage = opened(tmp_path / "face.usda")
    assert (stage.GetStartTimeCode(), stage.GetEndTimeCode()) == (6.25, 50.0)
    assert stage.GetTimeCodesPerSecond() == 25.0


@pytest.mark.parametrize("format", ["usda", "usdc", "usdz"])
def test_a_document_with_everything_in_it_comes_back(format: str) -> None:
    names = ["jaw open", "Ünï/code\n\"'\\", "9", "a b", "a_b", "@x@"]
    same_document(document(names, 3), through(document(names, 3), format))


@settings(max_examples=4)
@given(names=st.lists(NAMES, min_size=6, max_size=6, unique=True), seed=SEEDS)
def test_a_document_comes_back(names: list[str], seed: int) -> None:
    same_document(document(names, seed), through(document(names, seed)))


def same_document(given: fw.Document, back: fw.Document) -> None:
    rig, found = given.rig, back.rig
    assert (found.sliders, found.shape_names, found.parts) == (rig.sliders, rig.shape_names, rig.parts)
    assert (found.groups, found.exclusive, len(found.rules)) == (rig.groups, rig.exclusive, len(rig.rules))
    assert found.bounds.tolist() == rig.bounds.tolist()
    assert [(one.factors, one.additive) for one in found.shapes] == [(one.factors, one.additive) for one in rig.shapes]
    assert found.polygons.same_as(rig.polygons)
    close = 2 * SINGLE * max(rig.size, np.abs(rig.neutral).max())
    np.testing.assert_allclose(found.neutral, rig.neutral, atol=close)
    np.testing.assert_allclose(found.deltas(), rig.deltas(), rtol=SINGLE, atol=close)
    np.testing.assert_allclose(corner_uvs(found), corner_uvs(rig), atol=SINGLE)
    np.testing.assert_allclose(back.pose, given.pose, rtol=SINGLE)
    assert back.extra == given.extra
    for one, other in zip(given.clips, back.clips, strict=True):
        assert (other.name, other.rate, tuple(other.curves)) == (one.name, one.rate, tuple(one.curves))
        for name, curve in one.curves.items():
            assert (other.curves[name].interpolation, other.curves[name].outside) == (
                curve.interpolation,
                curve.outside,
            )
            np.testing.assert_allclose(other.curves[name].times, curve.times, atol=1e-10)
            np.testing.assert_allclose(other.curves[name].values, curve.values, rtol=SINGLE, atol=SINGLE)


def test_clips_come_back_in_their_order_with_the_motion_of_the_head() -> None:
    first = bent().clips[0]
    second = fw.Clip("nod", {name: curve for name, curve in first.curves.items() if name in (*ANGLES, *OFFSETS)}, 30.0)
    given = replace(bent(), clips=(second, first), clip="talk", unit="cm")
    back = through(given)
    assert [clip.name for clip in back.clips] == ["nod", "talk"]
    assert (back.clip, back.unit) == ("talk", "cm")
    times = np.linspace(0, 2, 40)
    for one, other in zip(given.clips, back.clips, strict=True):
        np.testing.assert_allclose(
            other.sample(list(one.curves), times), one.sample(list(one.curves), times), atol=1e-6
        )


def test_a_scaled_rig_has_the_same_text_but_for_its_lengths(tmp_path: Path) -> None:
    rig = bent().rig
    small = fw.edit.scale(rig, 0.01)
    fw.save(small, tmp_path / "small.usda")
    same_motion(small, tmp_path / "small.usda", poses=1)
    back = fw.load(tmp_path / "small.usda")
    np.testing.assert_allclose(back.deltas(), 0.01 * rig.deltas(), atol=2 * SINGLE * small.size)


def with_materials() -> fw.Document:
    base = mask(vertices=120, shapes=2, seed=2)
    count = len(base.polygons)
    images = ImageFile("image/png", png_bytes(np.full((4, 4, 3), 90, np.uint8))), ImageFile("image/webp", b"RIFF")
    entries = (
        Material("skin of a face", (1.0, 0.5, 0.25, 1.0), 0.4, 0),
        Material("lens", (0.1, 0.2, 0.3, 0.5), 0.25, None, "BLEND"),
        Material("lash", (1.0, 1.0, 1.0, 1.0), 1.0, 0, "MASK", 0.75),
        Material("other", image=1),
    )
    return fw.Document(base, materials=Materials(entries, np.arange(count) % 4, images))


def test_materials_and_their_images_come_back_from_a_package_and_from_files_beside_a_layer(tmp_path: Path) -> None:
    given = with_materials()
    assert given.materials is not None
    for name in ("face.usdz", "face.usda"):
        with pytest.warns(FacewrightWarning, match="image/webp"):
            fw.save(given, tmp_path / name)
        back = fw.load_document(tmp_path / name)
        assert back.materials is not None
        assert back.materials.entries[:3] == given.materials.entries[:3]
        assert back.materials[3] == replace(given.materials[3], image=None)
        assert back.materials.of_polygon.tolist() == given.materials.of_polygon.tolist()
        assert [one.data for one in back.materials.images] == [given.materials.images[0].data]
    beside = list((tmp_path / "textures").iterdir())
    assert [one.read_bytes() for one in beside] == [given.materials.images[0].data]
    with pytest.warns(FacewrightWarning, match="image"):
        assert through(given).materials is not None  # the images are left out


def test_a_package_is_stored_and_aligned_and_passes_the_validators_of_usd(tmp_path: Path) -> None:
    from pxr import UsdValidation

    with pytest.warns(FacewrightWarning, match="image/webp"):
        fw.save(replace(with_materials(), unit="cm"), tmp_path / "face.usdz")
    data = (tmp_path / "face.usdz").read_bytes()
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = archive.infolist()
        assert members[0].filename == "face.usdc"
        for one in members:
            start = one.header_offset + 30 + int.from_bytes(data[one.header_offset + 26 :][:2], "little")
            start += int.from_bytes(data[one.header_offset + 28 :][:2], "little")
            assert (one.compress_type, start % 64) == (zipfile.ZIP_STORED, 0)
    validators = UsdValidation.ValidationRegistry().GetOrLoadAllValidators()
    assert len(validators) > 20
    found = UsdValidation.ValidationContext(validators).Validate(opened(tmp_path / "face.usdz"))
    assert [one.GetMessage() for one in found] == []


def test_without_usd_core_text_is_written_and_what_needs_it_says_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pxr", None)
    fw.save(sample(), tmp_path / "face.usda")
    for suffix in ("usdc", "usdz"):
        with pytest.raises(MissingExtra, match=r"pip install 'facewright\[usd\]'"):
            fw.save(sample(), tmp_path / f"face.{suffix}")
    with pytest.raises(MissingExtra, match=r"Reading USD files needs the package usd-core: pip install"):
        fw.load(tmp_path / "face.usda")


def test_keys_are_on_every_frame_where_that_is_asked_for(tmp_path: Path) -> None:
    save_with(bent(), tmp_path / "face.usda", WriteOptions(keys="frames"))
    save_with(bent(), tmp_path / "few.usda", WriteOptions(keys="straight"))
    stages = [opened(tmp_path / name) for name in ("face.usda", "few.usda")]
    counts = [one.GetAttributeAtPath("/rig/talk.blendShapeWeights").GetNumTimeSamples() for one in stages]
    assert counts[0] >= len(bent().clips[0].times())
    assert counts[1] <= counts[0]


def test_a_rig_without_shapes_keeps_its_clips_and_one_without_vertices_is_refused() -> None:
    base = mask(vertices=100, shapes=2)
    still = fw.Rig(base.neutral, base.polygons)
    with pytest.warns(FacewrightWarning, match="there are none"):
        back = through(fw.Document(still, bent().clips))
    times = np.linspace(0, 2, 20)
    np.testing.assert_allclose(back.clips[0].sample(OFFSETS, times), bent().clips[0].sample(OFFSETS, times), atol=1e-6)
    with pytest.raises(BadValue, match="at least one vertex"):
        through(fw.Document(fw.Rig(np.zeros((0, 3)), [])))


def test_texts_and_numbers_are_those_that_usd_reads() -> None:
    rng = np.random.default_rng(3)
    values = (rng.normal(size=4000) * 10.0 ** rng.integers(-40, 30, 4000)).astype(np.float32)
    texts = array(values).strip("[]").split(",")
    assert np.array_equal(np.array(texts, np.float64).astype(np.float32), values)
    assert np.mean([len(text) for text in texts]) < 16
    assert array(np.array([[0.1, 0.25, -3.0]], np.float32)) == "[(0.1,0.25,-3.0)]"
    assert quoted('a"\\\n\0\x07') == '"a\\"\\\\\\n\ufffd\\x07"'
