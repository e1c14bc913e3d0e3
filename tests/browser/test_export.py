"""The export dialog: what is chosen there is what the file holds, and what was done is said."""

import re
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np

import facewright as fw
from facewright.formats.avatar_meta import avatar_meta
from facewright.image.codec import pixels
from facewright.image.encoded import Encoded
from facewright.motion.curve import Curve
from facewright.reference.media_file import MediaFile
from facewright.reference.plane import ReferencePlane
from facewright.samples import mask
from tests.browser.studio import Studio
from tests.formats.usd_needed import HAS_USD
from tests.session.rigged import rigged
from tests.studio.served import Served


def number(studio: Studio, tip: str, value: float) -> None:
    field = studio.page.get_by_label(tip)
    field.fill(str(value))
    field.press("Enter")


def ask_to_export(studio: Studio, server: Served, file: Path) -> None:
    """Open a document, and the dialog that exports it."""
    server.upload(file)
    studio.until(lambda: studio.look("file")["name"] == file.stem, "the document is open")
    studio.ready()
    studio.page.locator("#export").click()
    studio.page.get_by_role("menuitem", name="With options …").click()


def test_an_export_has_the_unit_clips_range_and_keys_that_were_chosen(
    opened: Callable[[Served], Studio], server: Served, tmp_path: Path
) -> None:
    studio = opened(server)
    document = replace(rigged(), local=None)
    sliders = document.rig.sliders
    bent = Curve([0.0, 1.0, 2.0], [0.0, 1.0, 0.2], "cubic", tangents=["auto"] * 3)
    clips = tuple(fw.Clip(name, {sliders[0]: bent}, 30.0) for name in ("talk", "laugh"))
    fw.save(replace(document, clips=clips, clip="talk"), tmp_path / "rigged.fwface")
    ask_to_export(studio, server, tmp_path / "rigged.fwface")
    page = studio.page
    studio.shot("export 1 dialog")
    page.get_by_label("Unit of this face").select_option("mm")
    number(studio, "A factor on all lengths; a file in metres is converted by the unit already", 2)
    page.get_by_role("switch", name="Clip “laugh”").click()
    page.get_by_role("switch", name="Only a range").click()
    number(studio, "First second", 0.5)
    number(studio, "Last second", 1.5)
    page.get_by_role("button", name="straight").click()
    page.get_by_role("switch", name="Correctives as plain targets").click()
    studio.shot("export 2 chosen")
    with page.expect_download() as download:
        page.get_by_role("button", name="Download").click()
    download.value.save_as(tmp_path / "face.glb")
    page.get_by_text("taken to be in millimetres; in the file it is 0.0399 m tall.").wait_for()
    studio.shot("export 3 said")
    found = fw.load_document(tmp_path / "face.glb")
    assert (found.unit, found.rig.is_linear, [clip.name for clip in found.clips]) == ("mm", True, ["talk"])
    np.testing.assert_allclose(found.rig.neutral, 2 * document.rig.neutral, rtol=1e-5, atol=1e-5)
    at = np.arange(31) / 30
    np.testing.assert_allclose(found.clips[0].sample([sliders[0]], at)[:, 0], bent(at + 0.5), atol=1e-4)

    page.locator("#export").click()
    page.get_by_role("menuitem", name="With options …").click()
    if HAS_USD:
        page.get_by_role("button", name="USDZ").click()
        studio.shot("export 4 usdz")
        with page.expect_download() as download:
            page.get_by_role("button", name="Download").click()
        download.value.save_as(tmp_path / "face.usdz")
        again = fw.load_document(tmp_path / "face.usdz")
        assert (again.rig.shape_names, len(again.clips)) == (document.rig.shape_names, 2)
        page.locator("#export").click()
        page.get_by_role("menuitem", name="With options …").click()
    page.get_by_role("switch", name="Only a range").click()
    number(studio, "First second", 5)
    number(studio, "Last second", 4)
    page.get_by_role("button", name="Download").click()
    page.get_by_text("the range ends at 4 s, before it starts at 5 s").wait_for()
    studio.complaints.clear()  # the browser tells of a refused request


def test_an_avatar_is_exported_with_its_author_and_what_others_may_do(
    opened: Callable[[Served], Studio], server: Served, tmp_path: Path
) -> None:
    studio = opened(server)
    fw.save(mask(200), tmp_path / "face.fwface")
    ask_to_export(studio, server, tmp_path / "face.fwface")
    page = studio.page
    page.get_by_role("button", name="VRM", exact=True).click()
    page.get_by_label(re.compile("^Who made the avatar")).fill("Jo Doe, Kim")
    page.get_by_label(re.compile("^What the avatar is called")).fill("Jo")
    page.get_by_label(re.compile("^May be used by")).select_option("everyone")
    studio.shot("export 7 avatar")
    with page.expect_download() as download:
        page.get_by_role("button", name="Download").click()
    download.value.save_as(tmp_path / "face.vrm")
    found = avatar_meta(fw.load_document(tmp_path / "face.vrm"))
    assert (found["name"], found["authors"], found["avatarPermission"]) == ("Jo", ["Jo Doe", "Kim"], "everyone")
    assert "creditNotation" not in found


def test_a_film_is_drawn_with_progress_stopped_and_downloaded(
    opened: Callable[[Served], Studio], server: Served, tmp_path: Path
) -> None:
    studio = opened(server)
    document = replace(rigged(), local=None)
    moved = Curve([0.0, 300.0], [0.0, 1.0])
    clips = (fw.Clip("long", {document.rig.sliders[0]: moved}, 30.0),)
    green = np.full((8, 8, 3), (20, 200, 40), np.uint8)
    photo = MediaFile("actor.png", "image/png", fw.render.png_bytes(green))
    plane = ReferencePlane(photo, placement="beside", scale=0.25, x=-0.4)
    fw.save(replace(document, clips=clips, clip="long", plane=plane), tmp_path / "rigged.fwface")
    ask_to_export(studio, server, tmp_path / "rigged.fwface")
    page = studio.page
    page.get_by_role("button", name="frames", exact=True).click()
    assert page.get_by_role("switch", name="With “actor.png”").get_attribute("aria-checked") == "true"
    number(studio, "Width in pixels", 96)
    number(studio, "Height in pixels", 64)
    studio.shot("export 5 film")
    with page.expect_download() as download:
        page.get_by_role("button", name="Download").click()
        page.get_by_text(re.compile(r"Drawing “long”: [1-9]\d* of 9001 frames")).wait_for()
        studio.shot("export 6 film is drawn")
        page.locator("#stop-film").click()
    download.value.save_as(tmp_path / "frames.zip")
    with zipfile.ZipFile(tmp_path / "frames.zip") as file:
        names = file.namelist()
        first = Encoded(file.read(names[0]))
    assert names[0] == "frame_0001.png"
    assert 1 <= len(names) < 9001
    assert (first.width, first.height) == (96, 64)
    np.testing.assert_allclose(pixels(first)[32, 48 - 26], green[0, 0], atol=2)  # where the studio shows it
    page.get_by_text(f"rigged-long.zip is in your downloads: {len(names)} of 9001 frames.").wait_for()
