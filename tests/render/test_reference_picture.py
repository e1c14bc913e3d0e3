"""The picture or video of reference is in pictures and films where the studio shows it, and at the moment it shows."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import facewright as fw
from facewright.document import Document
from facewright.errors import BadValue, FacewrightWarning
from facewright.reference.media_file import MediaFile
from facewright.reference.plane import ReferencePlane
from facewright.render.camera import frame
from facewright.render.face_renderer import FaceRenderer
from facewright.render.film import film
from facewright.render.png import png_bytes
from facewright.render.reference_picture import PlaneRectangle
from facewright.render.video import writing_video
from facewright.samples import mask
from tests.cli.command import assert_one_paragraph, run
from tests.render.films import frames_of_png

GREEN = (20, 200, 40)
SIZE = (160, 120)


def photo(**place: object) -> ReferencePlane:
    data = png_bytes(np.full((30, 60, 3), GREEN, np.uint8))
    return ReferencePlane(MediaFile("photo.png", "image/png", data), **place)  # type: ignore[arg-type]


def document(plane: ReferencePlane | None) -> Document:
    rig = mask(300)
    clip = fw.Clip("talk", {rig.sliders[0]: fw.Curve([0.0, 0.9], [0.0, 1.0])}, 10.0)
    return Document(rig, (clip,), plane=plane, clip="talk")


def is_green(picture: np.ndarray) -> np.ndarray:
    return np.asarray(np.abs(picture.astype(int) - GREEN).max(axis=2) <= 3)


def test_a_picture_behind_covers_the_backdrop_and_never_the_face() -> None:
    face = document(photo(scale=0.5, x=0.3))
    plain = FaceRenderer(face, size=SIZE, background=None)(None)
    drawn = FaceRenderer(face, size=SIZE, plane=True)(None)
    cover = plain[..., 3]
    np.testing.assert_array_equal(is_green(drawn) & (cover == 255), False)
    np.testing.assert_array_equal(drawn[cover == 255], plain[..., :3][cover == 255])
    camera = frame(face.rig.neutral, "front", aspect=SIZE[0] / SIZE[1])
    # In sizes of the face from its middle, at whose distance a length has so many pixels:
    middle = (face.rig.neutral.min(axis=0) + face.rig.neutral.max(axis=0)) / 2
    pixel = SIZE[1] / 2 / (camera.half_height * ((middle - camera.eye) @ camera.forward) / camera.distance)
    wanted = 0.5 * face.rig.size * pixel
    rows, columns = np.nonzero(is_green(drawn))
    assert rows.max() - rows.min() + 1 == pytest.approx(wanted, abs=2)
    assert columns.max() + 1 == pytest.approx(min(SIZE[0] / 2 + pixel * 0.3 * face.rig.size + wanted, SIZE[0]), abs=2)
    np.testing.assert_array_equal(FaceRenderer(face, size=SIZE)(None), FaceRenderer(document(None), size=SIZE)(None))


def test_a_picture_beside_is_over_the_face_at_its_place_of_the_window() -> None:
    drawn = FaceRenderer(document(photo(placement="beside", scale=0.25, x=-0.2, y=0.1)), size=SIZE, plane=True)(None)
    rows, columns = np.nonzero(is_green(drawn))
    assert (rows.min(), rows.max() + 1) == (60 - 12 - 15, 60 - 12 + 15)
    assert (columns.min(), columns.max() + 1) == (80 - 24 - 30, 80 - 24 + 30)
    half = FaceRenderer(document(photo(placement="beside", scale=0.25, opacity=0.5)), size=SIZE, plane=True)(None)
    none = FaceRenderer(document(None), size=SIZE)(None)
    np.testing.assert_allclose(half[60, 80], (np.array(GREEN) + none[60, 80].astype(int)) / 2, atol=2)


def test_a_picture_that_is_made_small_keeps_its_mean() -> None:
    rng = np.random.default_rng(3)
    fine = rng.integers(0, 256, (128, 128, 3)).astype(np.uint8)
    drawn = PlaneRectangle(32, 32, 16).drawn(np.zeros((64, 64, 3), np.uint8), fine, 1.0)
    assert drawn[24:40, 24:40].mean() == pytest.approx(fine.mean(), abs=4)
    assert drawn[24:40, 24:40].std() < fine.std() / 3
    assert not drawn[:24].any()
    np.testing.assert_array_equal(PlaneRectangle(900, 32, 16).drawn(drawn, fine, 1.0), drawn)


@pytest.fixture(scope="module")
def video(tmp_path_factory: pytest.TempPathFactory) -> MediaFile:
    """Ten frames a second, each of them twenty levels brighter."""
    path = tmp_path_factory.mktemp("video") / "take.mp4"
    with writing_video(path, 10.0) as write:
        for number in range(10):
            write.add(write.pack(np.full((24, 32, 3), 20 + 20 * number, np.uint8)))
    return MediaFile("take.mp4", "video/mp4", path.read_bytes())


@pytest.mark.parametrize(
    ("offset", "shown"), [(0.0, range(10)), (0.25, [0, 0, 0, *range(7)]), (-0.5, [*range(5, 10), *[9] * 5])]
)
def test_every_frame_of_a_film_shows_the_moment_of_the_video(
    video: MediaFile, offset: float, shown: list[int], tmp_path: Path
) -> None:
    plane = ReferencePlane(video, placement="beside", scale=0.5, x=-0.3, offset=offset)
    film(document(plane), "talk", tmp_path / "frames", size=(48, 36), plane=True)
    frames = [frames_of_png(path) for path in sorted((tmp_path / "frames").iterdir())]
    levels = [frame[18, 24 - 11].mean() for frame in frames]
    np.testing.assert_allclose(levels, [20 + 20 * number for number in shown], atol=6)


def test_a_file_that_is_missing_is_said_and_heat_leaves_it_out() -> None:
    gone = replace(photo(), file=MediaFile("photo.png", "image/png", b"", "0" * 40))
    with pytest.warns(FacewrightWarning, match="photo.png is missing"):
        FaceRenderer(document(gone), size=SIZE, plane=True)(None)
    with pytest.raises(BadValue, match="without a background"):
        FaceRenderer(document(photo()), size=SIZE, plane=True, background=None)
    heat = np.linspace(0, 1, 300)
    one, other = (FaceRenderer(document(photo()), size=SIZE, heat=heat, plane=each)(None) for each in (True, False))
    np.testing.assert_array_equal(one, other)


def test_the_command_draws_it_and_says_where_there_is_none(tmp_path: Path) -> None:
    fw.save(document(photo(placement="beside", scale=1.0)), tmp_path / "face.fwface")
    fw.save(document(None), tmp_path / "bare.fwface")
    done = run("render", tmp_path / "face.fwface", "--reference", "--size", "64", "-o", tmp_path / "a.png")
    assert done.returncode == 0
    assert is_green(frames_of_png(tmp_path / "a.png")).mean() > 0.9
    done = run("render", tmp_path / "bare.fwface", "--reference", "-o", tmp_path / "b.png")
    assert_one_paragraph(done, "no picture or video of reference")
