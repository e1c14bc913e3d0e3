"""A depth sequence in the page: its cloud over the face, solved, stopped, scrubbed, undone; a bad one is told."""

import shutil
from pathlib import Path

import numpy as np
import pytest

from tests.browser.studio import Studio
from tests.browser.test_takes import scrub
from tests.tracking.small_sequence import FRAMES, JAW, RATE, small_sequence, write_depth


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("scans")
    sequence = small_sequence()
    write_depth(made / "talk", sequence)
    shutil.make_archive(str(made / "talk"), "zip", made, "talk")
    write_depth(made / "metres", sequence, scale=0.1)
    shutil.make_archive(str(made / "metres"), "zip", made, "metres")
    return made


def load(studio: Studio, path: Path) -> None:
    studio.page.get_by_role("tab", name="Take").click()
    studio.page.locator("#scan-file").set_input_files(path)


def test_a_sequence_is_shown_over_the_face_solved_scrubbed_and_undone(studio: Studio, files: Path) -> None:
    load(studio, files / "talk.zip")
    studio.until(lambda: (studio.look("scan") or {}).get("name") == "talk", "the sequence is there")
    info = studio.look("scan")
    assert (info["frames"], info["dropped"], info["found"], info["tracked"]) == (FRAMES, 1, True, None)
    assert info["rate"] == pytest.approx(RATE)
    studio.until(lambda: (studio.look("cloud") or {}).get("off") is not None, "its cloud is drawn")
    assert studio.look("cloud")["points"] > 500
    studio.shot("60 depth over the face")

    studio.page.locator("#track").click()
    studio.until(lambda: (studio.look("scan") or {})["tracked"], "it is solved")
    studio.until(lambda: studio.look("scanFrame")["residuals"], "the lane has its residuals")
    left = np.array([np.nan if each is None else each for each in studio.look("scanFrame")["residuals"]], float)
    assert np.flatnonzero(np.isnan(left)).tolist() == [6]
    assert np.nanmedian(left) < 0.6
    assert studio.page.get_by_label("Residual of the depth over time").is_visible()

    for frame in (5, 0):
        scrub(studio, frame, RATE)
        studio.until(lambda: studio.look("cloud")["frame"] == frame, "the cloud is that of the frame")  # noqa: B023
        studio.until(lambda: studio.look("cloud")["off"] < 1.0, "the face lies on it")
        assert studio.look("weights")["jawOpen"] == pytest.approx(JAW[frame], abs=0.15)
        assert studio.look("scanFrame")["status"] == "followed"
    scrub(studio, 5, RATE)
    studio.shot("61 tracked face and residual lane")
    scrub(studio, 6, RATE)
    words = studio.page.get_by_label("Frame of the sequence")
    studio.until(lambda: "the frame is missing" in words.inner_text(), "a dropped frame is told")

    steps = studio.look("history")["at"]
    studio.page.keyboard.press("Control+z")
    studio.until(lambda: studio.look("history")["at"] == steps - 1, "it is undone")
    studio.until(lambda: (studio.look("scan") or {})["tracked"] is None, "nothing is tracked")
    assert studio.look("clip") is None


def test_a_sequence_of_another_unit_is_refused_in_words(studio: Studio, files: Path) -> None:
    load(studio, files / "metres.zip")
    toast = studio.page.locator(".toast", has_text="the depths seem to be in")
    studio.until(toast.is_visible, "the unit is told")
    assert studio.look("scan") is None
    studio.complaints = [line for line in studio.complaints if "400" not in line]  # the refused file


@pytest.mark.long  # stopping is tried in tests/session/test_scans.py, too
def test_a_folder_is_loaded_and_solving_is_stopped(studio: Studio, files: Path) -> None:
    studio.page.get_by_role("tab", name="Take").click()
    studio.page.locator("#scan-folder").set_input_files(files / "talk")
    studio.until(lambda: (studio.look("scan") or {}).get("name") == "talk", "the sequence is there")
    studio.page.locator("#track").click()
    studio.page.locator("#stop-tracking").click()
    studio.until(lambda: studio.look("tracking") is None, "it has stopped")
    studio.until(lambda: (studio.look("scan") or {})["tracked"], "what there is became a clip")
    assert studio.look("scan")["tracked"]["frames"] < FRAMES
