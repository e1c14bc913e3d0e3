"""Fixtures shared by all tests: the real data beside the checkout, and small rigs."""

from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real rigs and takes beside the checkout."""
    if not SHARED.is_dir():
        pytest.skip("the real rigs and takes are not here: no folder shared/data beside the checkout")
    return SHARED
