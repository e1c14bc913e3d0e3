"""A running studio, shared by the tests of a file that leave it fit for the next."""

from collections.abc import Iterator

import pytest

from tests.studio.served import Page, Served, serving


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("named") / "rigs"
    folder.mkdir()
    with serving(tmp_path_factory.mktemp("state"), "--upload-limit", 4, folder=folder) as found:
        yield found
    assert not found.tracebacks()


@pytest.fixture
def page(served: Served) -> Iterator[Page]:
    found = served.page()
    found.do("OpenSample")
    yield found
    found.close()
