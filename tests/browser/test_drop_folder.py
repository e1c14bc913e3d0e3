"""Folders of OBJ shapes, dropped on the page as from a file manager."""

from pathlib import Path
from typing import Any

import facewright as fw
from tests.browser.studio import Studio


def drop(studio: Studio, *paths: Path) -> None:
    """Drop files and folders of this machine on the face."""
    protocol = studio.page.context.new_cdp_session(studio.page)
    box = studio.box(studio.page.locator(".viewport canvas").first)
    data = {"items": [], "files": [str(path) for path in paths], "dragOperationsMask": 1}
    for type in ("dragEnter", "dragOver", "drop"):
        at: dict[str, Any] = {"x": box.x + box.width / 2, "y": box.y + box.height / 2}
        protocol.send("Input.dispatchDragEvent", {"type": type, **at, "data": data})
    protocol.detach()


def names(studio: Studio) -> list[str]:
    return [slider["name"] for slider in studio.look("rig")["sliders"]]


def test_a_dropped_folder_of_shapes_is_one_rig_and_files_that_are_none_are_refused_in_words(
    studio: Studio, tmp_path: Path
) -> None:
    whole = fw.sample()
    few = fw.Rig(whole.neutral, whole.polygons, whole.shapes[:4], parts=whole.parts)
    fw.save(few, tmp_path / "anna")
    folder = (tmp_path / "anna").rename(tmp_path / "anna.v2")
    drop(studio, folder)
    studio.until(lambda: studio.look("file")["name"] == "anna.v2", "the folder is open, called by its name")
    assert names(studio) == list(few.sliders)
    studio.page.get_by_text("Opened anna.v2: 5 OBJ files as one rig.").wait_for()
    studio.shot("drop-folder")

    shapes = sorted(file for file in folder.glob("*.obj") if file.stem != "neutral")[:2]
    drop(studio, folder / "neutral.obj", *shapes)
    studio.until(lambda: studio.look("file")["name"] == "face", "loose files are one rig as well")
    assert names(studio) == [file.stem for file in shapes]

    (tmp_path / "smile.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    drop(studio, folder / "neutral.obj", tmp_path / "smile.obj")
    refused = studio.page.get_by_text("smile.obj: the file has 3 vertices, but the neutral neutral.obj has")
    refused.wait_for()
    studio.shot("drop-refused")
    assert studio.look("file")["name"] == "face"
    studio.complaints.clear()  # the browser tells of a refused request
