"""One browser, one page and few servers for all tests; each test begins with a fresh document on a fresh page.

Loading the page takes the processor two seconds, most of them to compile shaders. So a page stays open from test to
test, is tidied up, and is loaded anew only where it differs then from a page that was just loaded (`fresh.py`).
"""

from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

pytest.importorskip("playwright.sync_api", reason="playwright is not installed: pip install -e '.[dev]'")

from playwright.sync_api import Browser, Playwright, sync_playwright

from facewright.studio.page import static_folder
from tests.browser.chromium import FLAGS, find_chromium
from tests.browser.studio import Studio
from tests.browser.wire import LISTEN
from tests.studio.served import Served, serving

SIZE = (1280, 720)  # of the window, in pixels of the page
RATIO = 0.5  # pixels of the screen for one of the page: the processor draws them all, and so few suffice to compare


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


class Window:
    """A page that one test after the other uses, as long as none of them fails."""

    def __init__(self, browser: Browser, *, shots: bool) -> None:
        self._browser, self._shots = browser, shots
        self._studio: Studio | None = None
        self._at: Served | None = None  # whose page is open, and stays open

    def studio(self) -> Studio:
        if self._studio is None:
            ratio = 1 if self._shots else RATIO  # pictures that are looked at are whole
            context = self._browser.new_context(
                accept_downloads=True, reduced_motion="reduce", device_scale_factor=ratio
            )
            context.add_init_script(LISTEN)
            page = context.new_page()
            # Whatever moves by itself, such as a spinner, makes the processor compose the whole page anew all the time.
            motion = context.new_cdp_session(page)
            motion.send("Animation.enable")
            motion.send("Animation.setPlaybackRate", {"playbackRate": 0})
            self._studio = Studio(page, shots=self._shots)
        self._studio.page.set_viewport_size({"width": SIZE[0], "height": SIZE[1]})
        self._studio.complaints.clear()
        return self._studio

    def open(self, server: Served, *, stays: bool) -> Studio:
        """The fresh page of a server, which may stay open for the next test if the server goes on."""
        studio = self.studio()
        if self._at is not server or not studio.is_fresh():
            if self._at is server:
                self._blank()
                server.forget_view()  # what the page had remembered since the server was renewed, such as a lens
            studio.open(server.address)
            studio.keep_state()
        self._at = server if stays else None
        return studio

    def leave(self) -> None:
        """End what is under way, so that nothing more comes from it."""
        if self._studio is None:
            return
        page = self._studio.page
        page.mouse.up()
        if self._at is not None and self._studio.look("connected"):
            self._studio.tidy()
            return
        self._at = None
        self._blank()

    def _blank(self) -> None:
        # Not `goto`, which gives the blank page a process of its own, so that the next test starts another.
        assert self._studio is not None
        page = self._studio.page
        page.evaluate("location.href = 'about:blank'")
        page.wait_for_url("about:blank")

    def close(self) -> None:
        if self._studio is not None:
            self._studio.page.context.close()
            self._studio = self._at = None


@pytest.fixture(scope="session")
def window(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Window]:
    window = Window(browser, shots=request.config.getoption("--shots"))
    yield window
    window.close()


class Servers:
    """Gives the server that runs with these options, and starts it where there is none."""

    def __init__(self, folders: pytest.TempPathFactory, open_: ExitStack) -> None:
        self._folders, self._open = folders, open_
        self.running: dict[tuple[str, ...], Served] = {}

    def __call__(self, *options: str) -> Served:
        if options not in self.running:
            folder = self._folders.mktemp("studio")
            (folder / "work").mkdir()
            server = self._open.enter_context(serving(folder / "state", *options, folder=folder / "work"))
            self.running[options] = server
        return self.running[options]


@pytest.fixture(scope="session")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Servers]:
    with ExitStack() as open_:
        servers = Servers(tmp_path_factory, open_)
        yield servers
    for server in servers.running.values():
        assert not server.tracebacks()


@pytest.fixture
def server(servers: Servers) -> Served:
    """Without skin, which a test of something else does not have to wait for. It serves other tests, too."""
    server = servers("--no-skin")
    server.renew()
    return server


@pytest.fixture
def skinned_server(servers: Servers) -> Served:
    """As the studio opens by itself."""
    server = servers()
    server.renew()
    return server


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Served]:
    """For a test that kills it."""
    (tmp_path / "work").mkdir()
    with serving(tmp_path / "state", "--no-skin", folder=tmp_path / "work") as server:
        yield server


@pytest.fixture
def opened(window: Window, servers: Servers, request: pytest.FixtureRequest) -> Iterator[Callable[[Served], Studio]]:
    """Opens the page of a server; what the browser complains of fails the test."""
    studio = window.studio()
    yield lambda server: window.open(server, stays=server in servers.running.values())
    if request.node.stash.get(FAILED, False):
        studio.keep(f"failed {request.node.name}")
        window.close()
        return
    window.leave()
    assert not studio.complaints, studio.complaints


@pytest.fixture
def own_studio(own_server: Served, opened: Callable[[Served], Studio]) -> Studio:
    """The page of a server that may be killed."""
    return opened(own_server)


@pytest.fixture
def studio(opened: Callable[[Served], Studio], server: Served) -> Studio:
    return opened(server)


FAILED = pytest.StashKey[bool]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    item.stash[FAILED] = item.stash.get(FAILED, False) or report.failed
    return report
