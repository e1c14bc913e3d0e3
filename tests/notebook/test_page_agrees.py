"""Shape values that a notebook's page works out are those of the library: both are held to the same vectors."""

import json
from pathlib import Path

import numpy as np

import facewright as fw
from facewright.notebook.face import shape_drivers
from facewright.rig.combine import Combine
from facewright.session.frames import declaration

VECTORS = Path(__file__).parents[2] / "web" / "src" / "notebook" / "driver_vectors.json"


def bent_rig() -> fw.Rig:
    """Every way in which sliders drive shapes."""

    def shape(name: str, *, sliders: tuple[str, ...] = (), at: tuple[float, ...] = (), **options: object) -> fw.Shape:
        return fw.Shape(name, [0], [[1.0, 0.0, 0.0]], sliders, at, **options)  # type: ignore[arg-type]

    shapes = [
        shape("jaw"),
        shape("wide", at=(2.0,)),
        shape("low", sliders=("brow",), at=(0.3,)),
        shape("mid", sliders=("brow",), at=(0.7,)),
        shape("top", sliders=("brow",), at=(1.0,)),
        shape("frown", sliders=("brow",), at=(-0.5,)),
        shape("bulge", sliders=("jaw",), at=(0.5,), additive=True),
        shape("lump", sliders=("jaw",), at=(0.4,), spans=((0.1, np.inf),), additive=True),
        shape("both", sliders=("jaw", "brow")),
        shape("three", sliders=("jaw", "brow", "wide"), at=(0.6, 1.0, 1.5)),
    ]
    bounds = [[0, 1], [0, 2], [-1, 1]]
    return fw.Rig(np.zeros((3, 3)), [[0, 1, 2]], shapes, ("jaw", "wide", "brow"), bounds)


def vectors() -> dict[str, object]:
    rig = bent_rig()
    frame = shape_drivers(rig)
    rng = np.random.default_rng(3)
    corners = np.array([[0.0, 0, 0], [1, 2, 1], [0.5, 1.5, 0.3], [0.4, 1, -0.5], [0.1, 0, 0.7], [-0.2, 2.5, 1.4]])
    weights = np.round(np.concatenate([corners, rng.uniform(-0.5, 1.5, (60, 3))]), 6)
    drivers = {name: getattr(frame, name).tolist() for name in declaration(type(frame)).arrays}
    infinite = {np.inf: 1e300, -np.inf: -1e300}  # JSON has no other
    drivers |= {name: [infinite.get(value, value) for value in drivers[name]] for name in ("low", "high")}
    return {"drivers": drivers, "weights": weights.tolist(), "values": Combine(rig)(weights).tolist()}


def test_the_pages_vectors_are_those_of_the_library() -> None:
    """After a change that is meant: python -m tests.notebook.test_page_agrees; vitest says whether the page agrees."""
    kept, now = json.loads(VECTORS.read_text()), json.loads(json.dumps(vectors()))
    assert kept["weights"] == now["weights"]
    np.testing.assert_allclose(kept["values"], now["values"], atol=1e-12)
    assert kept["drivers"].keys() == now["drivers"].keys()
    for name, values in now["drivers"].items():
        np.testing.assert_allclose(kept["drivers"][name], values, rtol=1e-12)


if __name__ == "__main__":
    VECTORS.write_text(json.dumps(vectors()) + "\n")
