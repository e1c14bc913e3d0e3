"""What tests of several commands share."""

import pytest

SIZES = ("inspect.pictures.CARD", "take.album.TILE", "build.album.TILE", "register._TILE", "regions._TILE")


@pytest.fixture
def small_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reports with small pictures, for tests of what else is on the page."""
    for name in SIZES:
        monkeypatch.setattr(f"facewright.workflow.report.{name}", (29, 33))
