"""A real face through one format after the other comes out as it went in."""

from importlib.util import find_spec

import numpy as np

from facewright.formats import fwface, npz, obj


def test_the_scanned_face_goes_through_all_formats_unharmed(shared_data, tmp_path):
    document = npz.FORMAT.read(shared_data / "ict_face" / "ict_face.npz")
    chain = [(obj.FORMAT, "folder"), (fwface.FORMAT, "face.fwface"), (npz.FORMAT, "face.npz")]
    if find_spec("facewright.formats.gltf.write"):
        from facewright.formats import gltf

        chain.insert(0, (gltf.FORMAT, "face.glb"))
    for format, name in chain:
        format.write(document, tmp_path / name)
        document = format.read(tmp_path / name)
    with np.load(shared_data / "ict_face" / "ict_face.npz") as given, np.load(tmp_path / "face.npz") as found:
        close = 1e-6 * np.ptp(given["neutral"], axis=0).max()
        assert found["names"].tolist() == given["names"].tolist()
        np.testing.assert_array_equal(found["faces"], given["quads"])
        np.testing.assert_allclose(found["neutral"], given["neutral"], rtol=0, atol=close)
        np.testing.assert_allclose(found["deltas"], given["deltas"], rtol=0, atol=close)
