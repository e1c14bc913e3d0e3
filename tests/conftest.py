"""Fixtures shared by all tests, and what every run needs."""

import asyncio
import signal
from collections.abc import Generator, Iterator
from pathlib import Path

import hypothesis
import pytest

# Files of tests that take many seconds each: begun at the end, one of them would leave the other worker idle.
FIRST = ("test_oldest_versions.py", "test_wheel.py", "test_site.py")
BROWSER = Path(__file__).resolve().parent / "browser"
SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--shots", action="store_true", help="keep pictures of the page in tests/browser/shots/")


def pytest_configure() -> None:
    # The same examples every time; `make test-long` tries new ones.
    hypothesis.settings.register_profile("same", derandomize=True, deadline=None)
    hypothesis.settings.load_profile("same")
    # A shell starts background jobs with Ctrl-C ignored, and their children inherit that: those of the tests need it.
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: item.path.name not in FIRST)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item: pytest.Item) -> Generator[None]:
    yield from _without_the_browsers_loop(item)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None]:
    yield from _without_the_browsers_loop(item)


def _without_the_browsers_loop(item: pytest.Item) -> Generator[None]:
    """Let a test outside tests/browser run a loop of its own.

    Playwright's loop stays marked as the running one of this thread as long as the browser is open, and
    `asyncio.run` refuses to start beside it.
    """
    running = None if BROWSER in item.path.parents else asyncio._get_running_loop()
    if running is not None:
        asyncio._set_running_loop(None)
    try:
        return (yield)
    finally:
        if running is not None:
            asyncio._set_running_loop(running)


@pytest.fixture
def hangups() -> Iterator[None]:
    """SIGHUP ends what a test starts, even if the tests were started with `nohup`, which children inherit."""
    if not hasattr(signal, "SIGHUP"):
        pytest.skip("this system has no SIGHUP")
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGHUP, before)


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Real rigs and takes, which may not be passed on and so are no part of the repository.

    They lie beside the checkout, in ../shared/data. Where they are not, the tests that ask for them are skipped; every
    behaviour is tested on rigs and takes made here, too. CONTRIBUTING.md lists what the folder holds.
    """
    if not SHARED.is_dir():
        pytest.skip("needs real files, which are not part of the repository: see CONTRIBUTING.md")
    return SHARED
