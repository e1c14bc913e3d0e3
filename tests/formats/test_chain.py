"""A real face through one format after the other comes out as it went in."""

from pathlib import Path

import numpy as np
from tests.formats.usd_needed import NEEDS_USD

from facewright.formats import fbx, fwface, gltf, npz, obj, usd


@NEEDS_USD
def test_the_scanned_face_goes_through_all_formats_unharmed(shared_data: Path, tmp_path: Path) -> None:
    document = npz.FORMAT.read(shared_data / "ict_face" / "ict_face.npz")
    chain = {"face.fbx": fbx, "face.usdc": usd, "face.glb": gltf, "folder": obj, "face.fwface": fwface, "face.npz": npz}
    for name, module in chain.items():
        module.FORMAT.write(document, tmp_path / name)
        document = module.FORMAT.read(tmp_path / name)
    with np.load(shared_data / "ict_face" / "ict_face.npz") as given, np.load(tmp_path / "face.npz") as found:
        close = 1e-6 * np.ptp(given["neutral"], axis=0).max()
        assert found["names"].tolist() == given["names"].tolist()
        np.testing.assert_array_equal(found["faces"], given["quads"])
        np.testing.assert_allclose(found["neutral"], given["neutral"], rtol=0, atol=close)
        np.testing.assert_allclose(found["deltas"], given["deltas"], rtol=0, atol=close)
