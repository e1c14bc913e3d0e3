"""`facewright texture bake`: pictures of a pose, and what an engine needs to mix them itself."""

import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import facewright as fw
from facewright.image.srgb import to_bytes, to_linear
from facewright.texture.face_texture import FaceTexture
from tests.cli.command import assert_one_paragraph, run
from tests.some import some
from tests.texture.test_surface_maps import FROWN, SMILE, wrinkled

POSE = dict.fromkeys(FROWN, 0.9) | dict.fromkeys(SMILE, 1.0)


@pytest.fixture(scope="module")
def face(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("bake") / "face.fwface"
    document = wrinkled(128)
    clip = fw.Clip.from_table("talk", (*FROWN, *SMILE), [0.0, 0.1, 0.2], np.eye(4)[:3])
    fw.save(fw.Document(document.rig, (clip,), textures=document.textures, regions=document.regions), path)
    (path.parent / "pose.json").write_text(json.dumps(POSE))
    return path


def picture(path: Path) -> np.ndarray:
    with Image.open(path) as image:
        return np.asarray(image)


@pytest.mark.parametrize("suffix", [".fwface", ".glb"])
def test_a_pose_is_baked_as_the_library_mixes_it_from_files_of_ours(face: Path, tmp_path: Path, suffix: str) -> None:
    given = tmp_path / f"face{suffix}"
    fw.save(fw.load_document(face), given)
    done = run("texture", "bake", given, "--pose", face.parent / "pose.json", "-o", tmp_path / "baked")
    assert done.returncode == 0, done.stderr
    document = fw.load_document(face)
    for kind in ("color", "normal", "roughness"):
        wanted = FaceTexture(document, kind=kind)(POSE)
        found = picture(tmp_path / "baked" / f"{kind}.png").astype(int)
        assert np.abs(found - wanted).max() <= (0 if suffix == ".fwface" else 2)


def test_maps_are_given_and_a_plain_texture_command_still_mixes(face: Path, tmp_path: Path) -> None:
    wrinkles = FaceTexture(fw.load_document(face), kind="normal")
    for name, pose in (("rest", {}), ("frown", dict.fromkeys(FROWN, 1.0))):
        Image.fromarray(wrinkles(pose)).save(tmp_path / f"{name}.png")
    plain = tmp_path / "plain.fwface"
    fw.save(fw.textured_sample(128), plain)
    maps = ("--normal", f"neutral={tmp_path / 'rest.png'}", "--normal", f"{'+'.join(FROWN)}={tmp_path / 'frown.png'}")
    done = run("texture", plain, *maps, "-o", tmp_path / "made.fwface")
    assert done.returncode == 0, done.stderr
    made = some(fw.load_document(tmp_path / "made.fwface").textures)
    assert [one.shapes for one in some(made.normal).maps] == [FROWN]
    assert run("texture", plain, "-o", tmp_path / "shown.png").returncode == 0
    assert_one_paragraph(run("texture", plain, *maps[2:], "-o", tmp_path / "made.fwface"), "begin with the one at rest")


def test_an_engine_mixes_the_atlas_to_the_same_picture(face: Path, tmp_path: Path) -> None:
    out = tmp_path / "atlas"
    done = run("texture", "bake", face, "--pose", face.parent / "pose.json", "--atlas", "-o", out)
    assert done.returncode == 0, done.stderr
    atlas = json.loads((out / "atlas.json").read_text())
    pages = {one["file"]: picture(out / one["file"]) / 255 for one in atlas["regions"]}
    masks = np.stack([pages[one["file"]][..., "rgba".index(one["channel"])] for one in atlas["regions"]])
    np.testing.assert_allclose(masks.sum(axis=0), 1, atol=0.02)
    texture = FaceTexture(fw.load_document(face))
    bands, own = texture.blend.bands, atlas["maps"]["color"]
    files = [own["neutral"], *(one["file"] for one in own["maps"])]
    lights = [to_linear(picture(out / name)[..., :3]) for name in files]
    (frame,) = atlas["frames"]["color"]
    shares, weights = (np.tensordot(np.array(frame[name]).T, masks, 1) for name in ("detail", "weights"))
    lows = [bands.raised(bands.low(light)) for light in lights]
    low = sum(one[..., None] * part for one, part in zip(weights, lows, strict=True))
    low = np.clip(low, np.min(lows, axis=0), np.max(lows, axis=0))
    sharp = sum(one[..., None] * (light - part) for one, light, part in zip(shares, lights, lows, strict=True))
    still = texture.blend.mask
    mixed = (low + sharp) * (1 - some(still)[..., None]) + lights[0] * some(still)[..., None]
    apart = np.abs(to_bytes(mixed).astype(int) - texture(POSE))[bands.labels >= 0]
    assert apart.mean() < 0.3
    assert np.quantile(apart, 0.999) <= 2


def test_a_clip_has_weights_for_every_frame(face: Path, tmp_path: Path) -> None:
    done = run("texture", "bake", face, "--clip", "talk", "--atlas", "-o", tmp_path / "atlas")
    assert done.returncode == 0, done.stderr
    frames = json.loads((tmp_path / "atlas" / "atlas.json").read_text())["frames"]["normal"]
    assert [one["time"] for one in frames] == pytest.approx([0.0, 0.1, 0.2])
    np.testing.assert_allclose([np.array(one["weights"]).sum(axis=1) for one in frames], 1, atol=1e-5)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("-o", "out.png"), "baked into a folder"),
        (("--clip", "talk", "-o", "baked"), "beside --atlas"),
        (("--clip", "talk", "--pose", "pose.json", "--atlas", "-o", "baked"), "give one of --clip and --pose"),
    ],
)
def test_what_cannot_be_baked_is_said(face: Path, tmp_path: Path, words: tuple[str, ...], said: str) -> None:
    placed = [str(tmp_path / word) if word in ("out.png", "baked") else word for word in words]
    assert_one_paragraph(run("texture", "bake", face, *placed), said)
