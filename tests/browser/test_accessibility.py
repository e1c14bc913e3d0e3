"""What a person who cannot use a mouse, or sees less, or has another screen, needs of the page."""

from pathlib import Path

import pytest

from tests.browser.studio import Studio
from tests.studio.served import Served

AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"

REACHABLE = ("Save", "Find a slider", "browInnerUp", "tongueOut", "Pose", "Front", "Damping", "Symmetric", "Key")

LIST_REACHED = """
() => {
  window.reached = []
  const name = element => element.getAttribute('aria-label') ?? element.textContent
  document.addEventListener('focusin', event => window.reached.push(name(event.target)))
}
"""

VIOLATED = """
async () => (await axe.run(document, OPTIONS)).violations
  .map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map(node => node.html.slice(0, 160)).join(' | ')}`)
""".replace(
    "OPTIONS",
    "{ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'], resultTypes: ['violations'],"
    " rules: { 'label-content-name-mismatch': { enabled: true } } }",
)

BARE = """
() => [...document.querySelectorAll('button, input, select, [role=slider]')]
  .filter(e => e.offsetParent && !e.matches('.hidden, .hidden *'))
  .filter(e => !(e.getAttribute('aria-label') || e.textContent.trim()) || !e.closest('[data-tip]'))
  .map(e => e.outerHTML.slice(0, 120))
"""

FAINT = """
() => {
  const parts = color => color.match(/[\\d.]+/g).map(Number)
  const over = (top, under) => { const a = top[3] ?? 1; return [0, 1, 2].map(i => a * top[i] + (1 - a) * under[i]) }
  const linear = c => (c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4
  const light = ([r, g, b]) => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b)
  const behind = element => {
    const layers = []
    for (let e = element; e; e = e.parentElement) layers.unshift(parts(getComputedStyle(e).backgroundColor))
    return layers.reduce((under, top) => over(top, under), [13, 15, 18])
  }
  const weak = []
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement
    const passive = ':disabled, option' // which the rule leaves out
    if (!walker.currentNode.textContent.trim() || !element.offsetParent || element.closest(passive)) continue
    const ground = behind(element)
    const [a, b] = [light(over(parts(getComputedStyle(element).color), ground)), light(ground)].sort((p, q) => q - p)
    const ratio = (a + 0.05) / (b + 0.05)
    if (ratio < 4.5) weak.push(`${element.textContent.slice(0, 40)}: ${ratio.toFixed(2)}`)
  }
  return weak
}
"""

CUT = """
() => ['.topbar', '.tabs', '.toolbar', '.section header', '.field', '.float', '.filters']
  .flatMap(part => [...document.querySelectorAll(part + ' *')])
  .filter(e => e.offsetParent && e.getClientRects().length)
  .filter(e => {
    const b = e.getBoundingClientRect()
    const below = b.bottom > innerHeight + 1 && !e.closest('.inspector .scroll')
    const squeezed = e.matches('button, select') && e.scrollWidth > e.clientWidth + 2
    return b.right > innerWidth + 1 || b.left < -1 || below || squeezed
  })
  .map(e => e.outerHTML.slice(0, 100))
"""


@pytest.fixture
def server(skinned_server: Served) -> Served:
    return skinned_server


def test_the_head_has_its_skin(studio: Studio) -> None:
    assert len(studio.look("textures")["maps"]) > 6
    assert studio.look("mix")["complete"]


def test_every_control_has_a_name_and_a_tooltip_and_can_be_reached_by_keyboard(studio: Studio) -> None:
    studio.page.keyboard.press("k")
    studio.committed(1)
    assert studio.page.evaluate(BARE) == []
    studio.page.evaluate(LIST_REACHED)
    studio.page.locator("#open").focus()
    for _ in range(160):
        studio.page.keyboard.press("Tab")
    assert set(REACHABLE) <= set(studio.page.evaluate("window.reached"))


def test_axe_finds_no_fault_and_the_page_has_one_heading_of_the_first_rank(studio: Studio) -> None:
    studio.page.keyboard.press("k")
    studio.committed(1)
    page = studio.page
    page.get_by_role("tab", name="Clip").click()
    page.get_by_role("button", name="Additive", exact=True).click()
    page.keyboard.press("Shift+P")
    studio.committed(3)
    page.evaluate(AXE.read_text())
    for tab in page.locator("[role=tab]").all():
        tab.click()
        studio.settle()
        name = tab.inner_text()
        assert page.evaluate(VIOLATED) == [], name
        assert page.evaluate(BARE) == [], name
        assert page.evaluate(FAINT) == [], name
        assert page.evaluate(CUT) == [], name
        studio.shot(f"17 tab {name}")
    assert page.locator("h1").all_inner_texts() == ["Facewright studio: default"]


@pytest.mark.long
def test_axe_finds_no_fault_in_dialogs(studio: Studio) -> None:
    page = studio.page
    page.keyboard.press("k")
    studio.committed(1)
    page.evaluate(AXE.read_text())
    page.get_by_role("button", name="Camera, light and surface").click()
    assert page.evaluate(VIOLATED) == []
    page.keyboard.press("Escape")
    for keys in ("Control+o", "Control+s", "?", "e"):
        if keys == "e":  # the dialog of an export has no keys
            page.locator("#export").click()
            page.get_by_role("menuitem", name="With options …").click()
        else:
            page.keyboard.press(keys)
        page.get_by_role("dialog").wait_for()
        assert page.evaluate(VIOLATED) == [], keys
        assert page.evaluate(FAINT) == [], keys
        page.keyboard.press("Escape")
        page.get_by_role("dialog").wait_for(state="detached")


def test_text_has_the_contrast_that_wcag_aa_asks_for(studio: Studio) -> None:
    studio.page.keyboard.press("k")
    studio.drag_slider("browInnerUp", 0.5)
    studio.committed(2)
    studio.page.keyboard.press("Control+z")
    studio.committed(1)
    assert studio.page.evaluate(FAINT) == []


def test_nothing_is_cut_off_from_720_lines_to_4k(studio: Studio) -> None:
    studio.page.keyboard.press("k")
    studio.committed(1)
    for width, height in ((1280, 720), (1920, 1080), (3840, 2160)):
        studio.page.set_viewport_size({"width": width, "height": height})
        studio.settle()
        studio.shot(f"19 at {width} x {height}")
        assert studio.page.evaluate(CUT) == [], f"at {width} x {height}"


def test_panels_fold_away_in_narrow_windows_and_the_face_stays(studio: Studio) -> None:
    page = studio.page
    page.keyboard.press("k")
    studio.committed(1)
    for width, height, panels in ((1000, 700, (1, 1)), (860, 700, (1, 0)), (600, 800, (0, 0))):
        page.set_viewport_size({"width": width, "height": height})
        left, right = page.locator(".panel.sliders"), page.locator(".panel.inspector")
        studio.until(lambda left=left, right=right, panels=panels: (left.count(), right.count()) == panels, "they fit")
        studio.settle()
        studio.shot(f"20 at {width} x {height}")
        assert page.evaluate(CUT) == [], f"at {width} x {height}"
        face = studio.box(page.locator(".viewport canvas").first)
        assert face.width >= 280, f"at {width} x {height}"
        assert face.height >= 200, f"at {width} x {height}"
        lanes = studio.box(page.locator(".lanes .scroll"))
        assert lanes.height >= 100, f"at {width} x {height}"
        assert lanes.y + lanes.height <= height + 1, f"at {width} x {height}"
    page.keyboard.press("F4")
    for tab in page.locator("[role=tab]").all():
        tab.click()
        studio.settle()
        studio.shot(f"20 tab {tab.inner_text()} at {width}")
        assert page.evaluate(CUT) == [], f"{tab.inner_text()} at {width}"
    page.get_by_role("tab", name="Pose", exact=True).click()
    page.keyboard.press("F2")
    studio.until(lambda: page.locator(".panel.sliders").count() == 1, "the sliders lie over the face")
    page.keyboard.press("F4")
    studio.until(lambda: page.locator(".panel.inspector").count() == 1, "the other panel takes their place")
    assert page.locator(".panel.sliders").count() == 0
    studio.shot("21 a panel over the face")
    page.keyboard.press("F4")
