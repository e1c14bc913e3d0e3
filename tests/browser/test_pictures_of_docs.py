"""The walk through docs/animating.md, from an empty studio to an exported clip, can still be made by its command."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.browser.chromium import find_chromium

ROOT = Path(__file__).parents[2]


@pytest.mark.long  # a minute of drawing; every step of it is in a test of its own
def test_the_pictures_of_the_page_on_animating_are_made_and_the_exported_clip_is_what_was_keyed(tmp_path: Path) -> None:
    find_chromium()
    command = [sys.executable, "-m", "tools.animating_pictures", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    page = (ROOT / "docs" / "animating.md").read_text()
    made = sorted(path.name for path in tmp_path.iterdir())
    assert len(made) == 6
    assert [name for name in made if f"(pictures/{name})" not in page] == []
