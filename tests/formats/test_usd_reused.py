"""Many USD files by one process that has usd-core: the same answers, and a damaged file ends only its own copy."""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

import numpy as np
import pytest
from tests.formats.usd_needed import HAS_USD

import facewright as fw
from facewright.errors import BadFile
from facewright.formats.usd.process import reused_process
from facewright.samples import mask

pytestmark = pytest.mark.skipif(not HAS_USD, reason="needs usd-core")


def test_files_are_read_alike_and_one_that_is_damaged_ends_nothing_else(tmp_path: Path) -> None:
    rig = mask(vertices=120, shapes=3, seed=1)
    fw.save(rig, tmp_path / "face.usda")
    (tmp_path / "broken.usda").write_text("#usda 1.0\ndef Mesh {{{")
    alone = fw.load_document(tmp_path / "face.usda")
    with reused_process():
        for _ in range(2):
            with pytest.raises(BadFile, match="usd-core cannot read it"):
                fw.load_document(tmp_path / "broken.usda")
            again = fw.load_document(tmp_path / "face.usda")
            np.testing.assert_array_equal(again.rig.neutral, alone.rig.neutral)
            np.testing.assert_array_equal(again.rig.deltas(), alone.rig.deltas())


@pytest.mark.parametrize("together", [nullcontext, reused_process])
def test_a_file_that_ends_usd_core_leaves_no_temporary_files(
    together: Callable[[], AbstractContextManager[None]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """usd-core writes a file about its own end where temporary files are."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with together(), pytest.raises(BadFile, match="usd-core cannot read it: it ended with"):
        fw.load_document(Path(__file__).parent / "damaged" / "fatal.usdz")
    assert not list(tmp_path.iterdir())
