"""The camera, its views, the light and the surface of the viewport."""

import math
from typing import Any

import pytest
from PIL import Image

from tests.browser.studio import Studio


def colors(studio: Studio) -> set[tuple[int, ...]]:
    """Colours of the face near its middle, as a coarse picture has them."""
    import io

    with Image.open(io.BytesIO(studio.face())) as picture:
        wide, high = picture.size
        middle = picture.convert("RGB").crop((int(0.42 * wide), int(0.3 * high), int(0.58 * wide), int(0.7 * high)))
        small = middle.resize((6, 8))
        return {small.getpixel((x, y)) for x in range(6) for y in range(8)}  # type: ignore[misc]


def camera(studio: Studio) -> Any:
    return studio.look("camera")


def test_the_camera_is_framed_flattened_given_another_lens_and_its_views_are_kept(studio: Studio) -> None:
    page = studio.page
    nose = studio.look("vertex(0)")
    page.locator(".viewport canvas").first.focus()
    page.keyboard.press("5")
    assert camera(studio)["flat"] is True
    page.keyboard.press("7")
    assert camera(studio)["pitch"] == pytest.approx(math.pi / 2, abs=0.01)
    studio.shot("90 from above, orthographic")
    page.keyboard.press("1")
    whole = camera(studio)
    # Parallel rays: a place and one behind it are seen at one place, and what is clicked is what is seen there.
    front, back = (studio.at([nose[0], nose[1], nose[2] + z]) for z in (0.0, -1.0))
    assert front == pytest.approx(back, abs=0.01)

    page.locator('[data-slider="mouthSmileLeft"] .bar .name').click()
    page.locator(".viewport canvas").first.focus()
    page.mouse.move(640, 300)
    page.keyboard.press("f")
    assert camera(studio)["distance"] < 0.6 * whole["distance"]
    assert camera(studio)["target"][0] > 0, "to the left side of the face"
    page.keyboard.press("Home")
    assert camera(studio)["distance"] == pytest.approx(whole["distance"])
    page.keyboard.press("Escape")

    page.get_by_role("button", name="Camera, light and surface").click()
    page.get_by_role("switch", name="Orthographic").click()
    assert not camera(studio)["flat"]
    field = page.get_by_label("Degrees of the field of view")
    field.fill("50")
    field.press("Enter")
    assert camera(studio)["fov"] == 50
    half = [camera(studio)["distance"] * math.tan(math.radians(25)), whole["distance"] * math.tan(math.radians(9))]
    assert half[0] == pytest.approx(half[1]), "as large as before"
    name = page.get_by_label("Name of this view")
    name.fill("wide")
    name.press("Enter")
    studio.committed(1)
    kept = camera(studio)
    page.keyboard.press("Escape")
    page.locator(".viewport canvas").first.focus()
    page.keyboard.press("3")
    assert camera(studio)["yaw"] == pytest.approx(math.pi / 2)
    page.keyboard.press("Shift+u")
    studio.committed(2)
    page.keyboard.press("u")
    studio.until(lambda: camera(studio) == kept, "the first view")
    page.get_by_role("button", name="Camera, light and surface").click()
    studio.shot("91 views of the camera")
    page.get_by_role("button", name="Forget wide").click()
    studio.committed(3)
    page.keyboard.press("Escape")
    page.keyboard.press("Control+z")
    studio.committed(2)
    assert not studio.complaints


def test_light_and_surface_are_presets_and_symmetry_is_shown_as_colours(studio: Studio) -> None:
    page = studio.page
    page.get_by_role("button", name="Camera, light and surface").click()
    seen = {"studio skin": colors(studio)}
    for label, tip, names in (
        ("light", "Where the light comes from", ("side", "flat")),
        ("surface", "The skin, or a surface", ("clay", "normals")),
    ):
        choice = page.get_by_label(tip)
        first = choice.input_value()
        for name in names:
            choice.select_option(name)
            seen[f"{label} {name}"] = colors(studio)
            studio.shot(f"92 {label} {name}")
        if label == "light":
            choice.select_option(first)
    assert len({frozenset(each) for each in seen.values()}) == len(seen), "each is another picture"
    page.get_by_label("The skin, or a surface").select_option("skin")
    assert colors(studio) == seen["studio skin"]

    page.locator(".viewport canvas").first.focus()
    page.keyboard.press("e")
    assert page.get_by_role("switch", name="Mesh").get_attribute("aria-checked") == "true"
    assert colors(studio) != seen["studio skin"], "the edges of the polygons are drawn"
    studio.shot("94 the mesh")
    page.keyboard.press("e")
    assert colors(studio) == seen["studio skin"]

    page.get_by_role("switch", name="Symmetry").click()
    studio.until(lambda: studio.look("asymmetry") is not None and page.locator(".ramp-legend.symmetry").count(), "seen")
    rest = studio.look("asymmetry")
    assert rest < 0.002
    page.locator('[data-slider="mouthSmileLeft"] button.value').click()
    page.keyboard.type("1")
    page.keyboard.press("Enter")
    studio.committed(1)
    studio.until(lambda: studio.look("asymmetry") > 0.01, "one side smiles")
    studio.shot("93 symmetry of a crooked smile")
    page.keyboard.press("Shift+s")
    assert studio.look("asymmetry") is None
    page.keyboard.press("Escape")
    assert not studio.complaints
