"""The library of poses: kept, found, blended, mirrored, copied as text, and put into the folder."""

import pytest

from tests.browser.studio import Studio
from tests.browser.test_layers import set_slider, value_of


def is_value(studio: Studio, name: str, value: float) -> None:
    studio.until(lambda: value_of(studio, name) == pytest.approx(value, abs=0.006), f"{name} is {value}")


def test_poses_are_kept_blended_mirrored_copied_and_shared(studio: Studio) -> None:
    page = studio.page
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    set_slider(studio, "jawOpen", 0.8)
    set_slider(studio, "mouthSmileLeft", 0.6)
    studio.committed(2)
    page.get_by_role("tab", name="Poses").click()
    page.get_by_role("button", name="Keep the present pose").click()
    studio.committed(3)
    page.get_by_label("Tags of the pose").fill("happy, open")
    page.keyboard.press("Enter")
    studio.committed(4)
    assert studio.look("poses") == [{"name": "pose 1", "tags": ["happy", "open"]}]
    set_slider(studio, "jawOpen", 0)
    set_slider(studio, "mouthSmileLeft", 0)
    studio.committed(6)
    page.keyboard.press("Shift+P")
    studio.committed(7)
    search = page.get_by_label("Find a pose")
    search.fill("happ")
    assert page.locator(".pose-tile").count() == 1
    page.locator(".pose-tile", has_text="pose 1").click()
    box = studio.box(page.get_by_role("slider", name="How much of pose 1"))
    studio.drag((box.x + 8, box.y + box.height / 2), (box.width / 2 - 8, 0), steps=6)
    studio.committed(8)
    studio.until(lambda: 0.3 < value_of(studio, "jawOpen") < 0.5, "half of the pose is shown")
    studio.until(
        lambda: value_of(studio, "mouthSmileLeft") == pytest.approx(0.75 * value_of(studio, "jawOpen"), abs=0.02),
        "the pose is blended in",
    )
    page.get_by_role("switch", name="Mirrored").click()
    page.get_by_role("button", name="Apply", exact=True).click()
    studio.committed(9)
    is_value(studio, "mouthSmileRight", 0.6)
    search.fill("")
    page.wait_for_function("[...document.querySelectorAll('.pose-tile img')].every(image => image.naturalWidth > 0)")
    studio.shot("120 poses")
    page.get_by_role("switch", name="Mirrored").click()
    page.get_by_role("button", name="L to R").click()
    studio.committed(10)
    is_value(studio, "mouthSmileRight", value_of(studio, "mouthSmileLeft"))
    page.get_by_role("button", name="Copy this pose as text").click()
    set_slider(studio, "jawOpen", 0.1)
    studio.committed(11)
    page.get_by_role("button", name="Paste", exact=True).first.click()
    studio.committed(12)
    is_value(studio, "jawOpen", 0.8)
    page.evaluate("navigator.clipboard.writeText('no pose at all')")
    page.get_by_role("button", name="Paste", exact=True).first.click()
    page.get_by_text("this is no pose").wait_for()
    page.get_by_role("button", name="Put this pose into the folder").click()
    studio.until(lambda: studio.look("folderPoses") == ["pose 1"], "the folder has the pose")
    page.get_by_role("button", name="Folder", exact=True).click()
    page.locator(".pose-tile", has_text="pose 1").click()
    page.get_by_role("button", name="Delete this pose").click()
    studio.until(lambda: studio.look("folderPoses") == [], "the folder is empty again")
    page.keyboard.press("k")
    studio.committed(13)
    page.get_by_role("button", name="Keys", exact=True).click()
    studio.until(lambda: studio.look("keyPoses") == [0], "the key is a pose")
    page.locator(".pose-tile").click()
    page.get_by_role("button", name="Keep this pose in the document").click()
    studio.committed(14)
    assert [each["name"] for each in studio.look("poses")] == ["pose 1", "pose 2", "clip 1, frame 0"]
    studio.shot("121 poses of keys")
    page.get_by_role("button", name="Document", exact=True).click()
