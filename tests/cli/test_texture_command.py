"""`facewright texture`, as a person runs it."""

import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from typer.testing import CliRunner, Result

import facewright as fw
from facewright.cli.main import app
from facewright.document import Document
from facewright.image.codec import pixels
from facewright.motion.clip import Clip
from facewright.samples import mask
from facewright.texture.face_texture import textures_of
from tests.cli.command import run_alone
from tests.image.ktx2_files import HERE

NEUTRAL, SMILE = (np.random.default_rng(seed).integers(0, 256, (32, 32, 3), dtype=np.uint8) for seed in range(2))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    rig = mask(400, 4)
    clip = Clip.from_table("talk", rig.sliders, np.arange(3) / 30, np.eye(3, 4))
    fw.save(Document(rig, (clip,)), tmp_path / "face.glb")
    for name, picture in (("skin.png", NEUTRAL), ("smile.png", SMILE), ("mask.png", np.full((32, 32), 255, np.uint8))):
        Image.fromarray(picture).save(tmp_path / name)
    return tmp_path


def run(*words: object) -> Result:
    return CliRunner().invoke(app, ["texture", *(str(word) for word in words)])


def dressed(folder: Path) -> Path:
    first = fw.load(folder / "face.glb").shape_names[0]
    words = ("--neutral", folder / "skin.png", "--map", f"{first}={folder / 'smile.png'}")
    done = run(folder / "face.glb", *words, "-o", folder / "dressed.glb")
    assert done.exit_code == 0, done.output
    return folder / "dressed.glb"


def textures_in(path: Path) -> fw.Textures:
    textures = fw.load_document(path).textures
    assert textures is not None
    return textures


def test_pictures_go_into_the_face_and_the_texture_of_a_pose_comes_out(folder: Path) -> None:
    face = dressed(folder)
    np.testing.assert_array_equal(pixels(textures_in(face).neutral), NEUTRAL)
    np.testing.assert_array_equal(pixels(textures_in(face).maps[0].picture), SMILE)
    (folder / "pose.json").write_text(json.dumps({fw.load(face).shape_names[0]: 1}))
    assert run(face, "--pose", folder / "pose.json", "-o", folder / "out.png").exit_code == 0
    np.testing.assert_array_equal(np.array(Image.open(folder / "out.png")), SMILE)
    assert run(face, "-o", folder / "rest.webp").exit_code == 0
    np.testing.assert_array_equal(np.array(Image.open(folder / "rest.webp")), NEUTRAL)


def test_ktx2_files_are_mixed_like_others_and_kept_as_they_came(folder: Path) -> None:
    first, file = fw.load(folder / "face.glb").shape_names[0], HERE / "etc1s.ktx2"
    words = ("--neutral", HERE / "uastc-zstd.ktx2", "--map", f"{first}={file}", "--mask", HERE / "etc1s-grey.ktx2")
    done = run(folder / "face.glb", *words, "-o", folder / "dressed.fwface")
    assert done.exit_code == 0, done.output
    textures = textures_in(folder / "dressed.fwface")
    assert textures.maps[0].picture.data == file.read_bytes()
    assert run(folder / "dressed.fwface", "-o", folder / "rest.png").exit_code == 0
    np.testing.assert_array_equal(np.array(Image.open(folder / "rest.png")), pixels(textures.neutral))


def test_the_texture_of_a_file_that_has_it_as_ktx2_comes_out(shared_data: Path, tmp_path: Path) -> None:
    face = shared_data / "facecap" / "facecap.glb"
    assert run(face, "-o", tmp_path / "skin.png").exit_code == 0
    textures = textures_of(fw.load_document(face))
    assert textures is not None
    np.testing.assert_array_equal(np.array(Image.open(tmp_path / "skin.png")), pixels(textures.neutral))


def test_a_mask_and_parts_are_kept_too(folder: Path) -> None:
    face = dressed(folder)
    done = run(face, "--mask", folder / "mask.png", "--part", "face", "-o", folder / "masked.fwface")
    assert done.exit_code == 0, done.output
    assert textures_in(folder / "masked.fwface").parts == ("face",)
    assert len(textures_in(folder / "masked.fwface").maps) == 1
    (folder / "pose.json").write_text(json.dumps({fw.load(folder / "masked.fwface").shape_names[0]: 1}))
    assert run(folder / "masked.fwface", "--pose", folder / "pose.json", "-o", folder / "out.png").exit_code == 0
    np.testing.assert_array_equal(np.array(Image.open(folder / "out.png")), NEUTRAL)


def test_a_clip_is_baked_into_a_folder(folder: Path) -> None:
    face = dressed(folder)
    done = run(face, "--clip", "talk", "--detail", "neutral", "-o", folder / "frames")
    assert done.exit_code == 0, done.output
    assert sorted(path.name for path in (folder / "frames").iterdir()) == [f"frame_000{i}.png" for i in (1, 2, 3)]
    assert np.array(Image.open(folder / "frames" / "frame_0001.png")).shape == (32, 32, 3)


def test_the_embedded_head_has_textures_of_its_own(tmp_path: Path) -> None:
    done = run_alone("texture", "--size", "64", "-o", tmp_path / "head.glb")
    assert done.returncode == 0, done.stderr
    assert textures_in(tmp_path / "head.glb").neutral.width == 64
    assert len(textures_in(tmp_path / "head.glb").maps) == 10


def test_renamed_shapes_keep_their_textures(folder: Path) -> None:
    rig = fw.sample()
    named = fw.Rig(rig.neutral, rig.polygons, [fw.Shape("mouthSmile_L", [0], [[0, 1, 0]])], uvs=rig.uvs)
    picture = textures_in(dressed(folder)).neutral
    textures = fw.Textures(picture, (fw.ShapeTexture(("mouthSmile_L",), picture),))
    fw.save(Document(named, textures=textures), folder / "named.fwface")
    done = CliRunner().invoke(
        app, ["convert", str(folder / "named.fwface"), str(folder / "arkit.fwface"), "--names", "arkit"]
    )
    assert done.exit_code == 0, done.output
    assert textures_in(folder / "arkit.fwface").maps[0].shapes == ("mouthSmileLeft",)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("-o", "face.obj"), "textures are written as"),
        (("-o", "frames"), "frames need --clip"),
        (("--clip", "talk", "-o", "out.png"), "a clip is baked into"),
        (("--clip", "sing", "-o", "frames"), "no clip named 'sing'"),
        (("--map", "smile.png", "-o", "out.glb"), "a map is shapes and a picture"),
        (("--map", "nothing=smile.png", "-o", "out.glb"), "no shape named 'nothing'"),
        (("--neutral", "face.glb", "-o", "out.glb"), "no PNG, JPEG, WebP or KTX2"),
        (("--neutral", "gone.png", "-o", "out.glb"), "there is no such file"),
        (("--part", "nose", "-o", "out.glb"), "no part named 'nose'"),
        (("--detail", "loudest", "-o", "out.png"), "dominant or the neutral"),
        (("--size", "huge", "-o", "out.png"), "a size is a number"),
    ],
)
def test_mistakes_are_told_in_words(
    folder: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], said: str
) -> None:
    dressed(folder)
    monkeypatch.chdir(folder)
    done = run("dressed.glb", *words)
    assert done.exit_code == 2
    assert said in done.output


def test_a_face_without_any_texture_asks_for_one(folder: Path) -> None:
    done = run(folder / "face.glb", "-o", folder / "out.png")
    assert done.exit_code == 2
    assert "--neutral skin.png" in done.output


def test_inspect_tells_of_textures(folder: Path) -> None:
    face = dressed(folder)
    shown = CliRunner().invoke(app, ["inspect", str(face)])
    assert "textures of 32 x 32: at rest and 1 for shapes" in shown.output
    said = json.loads(CliRunner().invoke(app, ["inspect", "--json", str(face)]).output)
    assert said["textures"]["maps"] == [[fw.load(face).shape_names[0]]]
