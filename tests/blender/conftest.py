"""Blender, where it is installed."""

from pathlib import Path

import pytest

BLENDER = Path(__file__).resolve().parents[2] / ".venv-blender" / "bin" / "python"


@pytest.fixture(scope="session")
def blender() -> Path:
    """A Python that has Blender inside."""
    if not BLENDER.exists():
        pytest.skip("Blender is not here: make test-blender installs bpy into .venv-blender")
    return BLENDER
