"""The extension in a Blender of this process. Runs in `.venv-blender`; elsewhere these tests are skipped."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.blender.extension.scene import add

import facewright as fw


@pytest.fixture(scope="session")
def switched_on() -> Iterator[Any]:
    bpy = pytest.importorskip("bpy", reason="Blender is not here: make test-blender installs bpy into .venv-blender")
    import blender

    blender.register()
    yield bpy
    blender.unregister()


@pytest.fixture
def bpy(switched_on: Any) -> Any:
    """Blender with an empty scene."""
    switched_on.ops.wm.read_factory_settings(use_empty=True)
    switched_on.context.scene.facewright.studio = ""  # the only setting that is not the scene's
    return switched_on


@pytest.fixture(scope="session")
def rigs() -> dict[str, fw.Rig]:
    return {"sample": fw.sample()}


@pytest.fixture(params=["sample", "ict"])
def rig(request: pytest.FixtureRequest, rigs: dict[str, fw.Rig]) -> fw.Rig:
    """The embedded head, and ICT's face where it is at hand."""
    if request.param not in rigs:
        folder: Path = request.getfixturevalue("shared_data")
        rigs["ict"] = fw.load(folder / "ict_face" / "ict_face.npz")
    return rigs[request.param]


@pytest.fixture
def thing(bpy: Any, rig: fw.Rig) -> Any:
    """An object with the rig's shape keys."""
    return add(bpy, rig)


@pytest.fixture
def head(bpy: Any, rigs: dict[str, fw.Rig]) -> Any:
    """The embedded head as an object."""
    return add(bpy, rigs["sample"])


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(18)
