"""Files that were written before combinations had values of their own open as before, and give the same faces."""

from pathlib import Path

import numpy as np
import pytest

import facewright as fw

EARLIER = Path(__file__).parent / "earlier"  # written by the version before; `faces.npz` are its own evaluations


@pytest.mark.parametrize("name", ["face.fwface", "face.glb", "face.npz", "face"])
def test_earlier_files_give_the_faces_that_they_gave(name: str, tmp_path: Path) -> None:
    document = fw.load_document(EARLIER / name)
    rig = document.rig
    with np.load(EARLIER / "faces.npz") as known:
        weights, positions = known["weights"], known["positions"]
    np.testing.assert_allclose(fw.evaluate(rig, weights), positions, atol=1e-6 * rig.size)
    assert rig.shape("jawSmile").factors == (fw.Factor("jawOpen", 1.0, None), fw.Factor("smile", 1.0, None))
    assert [(shape.name, shape.at) for shape in rig.shapes if not shape.additive] == [
        ("jawOpen", (1.0,)), ("jawHalf", (0.5,)), ("jawQuarter", (0.25,)), ("smile", (1.0,)), ("frown", (-1.0,)),
        ("pucker", (1.0,)),
    ]  # fmt: skip
    assert dict(zip(rig.sliders, document.pose.tolist(), strict=True)) == {"jawOpen": 0.75, "smile": -0.5, "pucker": 1}
    again = tmp_path / name
    fw.save(document, again)
    np.testing.assert_allclose(fw.evaluate(fw.load(again), weights), positions, atol=1e-6 * rig.size)
