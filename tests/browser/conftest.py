"""A browser for all tests, a server and a page for each."""

from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("playwright.sync_api", reason="playwright is not installed: pip install -e '.[dev]'")

from playwright.sync_api import Browser, Playwright, sync_playwright

from facewright.studio.page import static_folder
from tests.browser.chromium import FLAGS, find_chromium
from tests.browser.studio import Server, Studio, serving


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as started:
        yield started


@pytest.fixture(scope="session")
def browser(playwright: Playwright) -> Iterator[Browser]:
    assert (static_folder() / "index.html").is_file(), "build the page first: npm ci && npm run build in web/"
    browser = playwright.chromium.launch(executable_path=find_chromium(), args=FLAGS)
    yield browser
    browser.close()


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """Without skin, which a test of something else does not have to wait for."""
    with serving(tmp_path, "--no-skin") as server:
        yield server


@pytest.fixture
def studio(browser: Browser, server: Server) -> Iterator[Studio]:
    context = browser.new_context(viewport={"width": 1280, "height": 720}, accept_downloads=True)
    studio = Studio(context.new_page())
    studio.open(server.address)
    yield studio
    context.close()
    assert not studio.complaints, studio.complaints
