"""Keys of every kind give the values that `ufbx` has for them."""

from pathlib import Path

import numpy as np
import pytest
from tests.formats.fbx_files import add_channel, add_geometry, add_model, fbx_bytes, ufbx_scene

import facewright as fw
from facewright.formats.fbx.scene import keys
from facewright.formats.fbx.write.encode import element
from facewright.formats.fbx.write.objects import WrittenObjects

TIMES = np.array([0.0, 0.4, 1.0, 1.3, 2.2, 3.0])
INDEPENDENT = 0x2000  # automatic slopes by time alone, as all programs write them
KINDS = {
    "straight": keys.LINEAR,
    "constant": keys.CONSTANT,
    "the next value": keys.CONSTANT | keys.NEXT,
    "user": keys.CUBIC | keys.USER,
    "broken": keys.CUBIC | keys.USER | keys.BREAK,
    "automatic": keys.CUBIC | keys.AUTO | INDEPENDENT,
    "clamped": keys.CUBIC | keys.AUTO | INDEPENDENT | keys.CLAMPED,
    "progressive": keys.CUBIC | keys.AUTO | INDEPENDENT | keys.PROGRESSIVE,
    "tension": keys.CUBIC | keys.TCB,
    "weighted": keys.CUBIC | keys.USER | keys.BREAK | keys.RIGHT_WEIGHTED | keys.NEXT_LEFT_WEIGHTED,
}


def data_of(flags: int, rng: np.random.Generator) -> np.ndarray:
    """Slopes and lengths of tangents, or tension, continuity and bias, for each key."""
    data = np.zeros((len(TIMES), 4), np.float32)
    data[:, :2] = 60 * rng.normal(size=(len(TIMES), 2))
    bits = keys.USUAL_WEIGHTS
    if flags & keys.RIGHT_WEIGHTED:
        bits = 2000 | 6000 << 16
    data[:, 2] = np.array([bits], np.uint32).view(np.float32)
    if flags & keys.TCB:
        data[:, :3] = rng.uniform(-0.6, 0.6, (len(TIMES), 3))
    return data


def keyed(path: Path) -> None:
    """A file with a channel for each kind of key, and one in which every key is of another kind."""
    rng = np.random.default_rng(8)
    objects = WrittenObjects()
    geometry = add_geometry(objects, add_model(objects, "face"))
    stack = objects.add("AnimationStack", "take", "", list, label="AnimStack", block=True)
    layer = objects.add("AnimationLayer", "base", "", list, label="AnimLayer", block=True)
    objects.connect(layer, stack)
    mixed = [KINDS[name] for name in ("user", "straight", "constant", "broken", "straight", "user")]
    for name, flags in {**{name: [kind] * len(TIMES) for name, kind in KINDS.items()}, "mixed": mixed}.items():
        channel = add_channel(objects, geometry, name, [(100.0, np.array([1]), np.ones((1, 3)))])
        inside = [
            element("KeyTime", np.round(TIMES * keys.TICKS).astype(np.int64)),
            element("KeyValueFloat", (100 * rng.normal(size=len(TIMES))).astype(np.float32)),
            element("KeyAttrFlags", np.array(flags, np.int32)),
            element("KeyAttrDataFloat", data_of(flags[0], rng)),
            element("KeyAttrRefCount", np.ones(len(TIMES), np.int32)),
        ]
        node = objects.add("AnimationCurveNode", "DeformPercent", "", list, label="AnimCurveNode", block=True)
        curve = objects.add("AnimationCurve", "", "", lambda inside=inside: inside, label="AnimCurve")  # type: ignore[misc]
        objects.connect(node, layer)
        objects.connect(node, channel, "DeformPercent")
        objects.connect(curve, node, "d|DeformPercent")
    path.write_bytes(fbx_bytes(objects))


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> tuple[np.ndarray, fw.Document, dict[str, np.ndarray]]:
    """Times, our document, and the values of each channel by `ufbx`."""
    path = tmp_path_factory.mktemp("fbx") / "keys.fbx"
    keyed(path)
    times = np.arange(0.03, 3.0, 0.07)
    theirs = ufbx_scene(path, times.tolist())
    names = [one["name"] for one in theirs["channels"]]
    return times, fw.load_document(path), dict(zip(names, np.array(theirs["weights"]).T, strict=True))


@pytest.mark.parametrize("name", [*KINDS, "mixed"])
def test_keys_are_read_as_ufbx_reads_them(
    name: str, pair: tuple[np.ndarray, fw.Document, dict[str, np.ndarray]]
) -> None:
    times, document, theirs = pair
    # A weighted cubic becomes eight pieces; lengths of a third are 0.3333 of the time in files.
    close = 5e-3 if name == "weighted" else 2e-4
    np.testing.assert_allclose(document.clips[0].curves[name](times), theirs[name], atol=close)
