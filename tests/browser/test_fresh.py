"""Pages stay open from test to test: one that is not as it was when it was loaded is found out."""

from tests.browser.studio import Studio


def test_a_page_is_fresh_until_something_is_left_on_it(studio: Studio) -> None:
    assert studio.is_fresh()
    studio.page.locator("#tab-regions").click()
    studio.page.keyboard.press("g")  # the ghost of the pose before a drag
    studio.tidy()
    assert not studio.is_fresh()
    studio.page.keyboard.press("g")
    studio.until(studio.is_fresh, "the page is as it was")
    studio.page.locator("#search").fill("jaw")
    assert not studio.is_fresh()
