"""A running studio, shared by the tests of all files. Tests of one file leave it fit for the next."""

from collections.abc import Iterator

import pytest

from tests.studio.served import Page, Served, serving


@pytest.fixture(scope="session")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("named") / "rigs"
    folder.mkdir()
    with serving(tmp_path_factory.mktemp("state"), "--upload-limit", 4, folder=folder) as found:
        yield found


@pytest.fixture(scope="module")
def served(running: Served) -> Iterator[Served]:
    for file in running.folder.iterdir():
        file.unlink()
    running.renew()
    yield running
    assert not running.tracebacks()


@pytest.fixture
def page(served: Served) -> Iterator[Page]:
    found = served.page()
    found.do("OpenSample")
    yield found
    found.close()
