"""Real files, broken: each loads or is refused in words, and what loads can be saved."""

from pathlib import Path
from random import Random

import numpy as np
import pytest
from tests.formats.gltf_files import Tiny
from tests.fuzz import mutate
from tests.some import some

from facewright.document import Document
from facewright.errors import FacewrightError
from facewright.formats import gltf

WAYS = [*mutate.BYTES, mutate.glb_json, mutate.glb_json, mutate.glb_json, mutate.glb_cycle]


def attempt(path: Path) -> tuple[Document | None, str]:
    """The document in a file, or the words with which it is refused."""
    try:
        return gltf.FORMAT.read(path), ""
    except FacewrightError as problem:
        return None, str(problem)


@pytest.mark.parametrize("name", ["facecap/facecap.glb", "gltf_samples/RobotExpressive.glb"])
def test_a_broken_file_loads_or_is_refused(shared_data: Path, tmp_path: Path, name: str) -> None:
    data = (shared_data / name).read_bytes()
    loaded = 0
    for case in range(20):
        rng = Random(case)
        (tmp_path / "a.glb").write_bytes(rng.choice(WAYS)(data, rng))
        document, words = attempt(tmp_path / "a.glb")
        assert document is not None or len(words) > 10
        if document is not None:
            gltf.FORMAT.write(document, tmp_path / "b.glb")
            loaded += 1
    assert 0 < loaded < 20


@pytest.mark.parametrize("node", [{"scale": [1e300] * 3}, {"translation": [1e308] * 3}, {"rotation": [1e308] * 4}])
def test_numbers_too_large_to_reckon_with_are_refused_or_harmless(tmp_path: Path, node: dict[str, list[float]]) -> None:
    tiny = Tiny()
    tiny.mesh(1e38 * np.eye(3), [0, 1, 2], [1e38 * np.eye(3)], ["far"])
    tiny.nodes({"children": [1], **node}, {"mesh": 0, **node})
    document, words = attempt(tiny.save(tmp_path / "a.glb"))
    assert "finite" in words or np.isfinite(some(document).rig.neutral).all()


def test_a_chain_of_very_many_nodes_is_walked(tmp_path: Path) -> None:
    tiny = Tiny()
    tiny.mesh(np.eye(3), [0, 1, 2])
    chain = [{"children": [i + 1], "translation": [0.5, 0, 0]} for i in range(20000)]
    rig = gltf.FORMAT.read(tiny.nodes(*chain, {"mesh": 0}).save(tmp_path / "a.glb")).rig
    np.testing.assert_allclose(rig.neutral[:, 0], [10001, 10000, 10000])
