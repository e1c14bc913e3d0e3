"""Strokes over a socket: pages are sent one shape, and a kill in the middle of a stroke loses nothing that was kept."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from facewright.session.frames import unpack
from tests.studio.served import Page, Served, serving

SHAPE = "jawOpen"
SETTINGS: dict[str, Any] = {"shape": SHAPE, "kind": "erase", "radius": 0.08, "strength": 0.7}


def geometry(served: Served, page: Page) -> dict[str, np.ndarray]:
    status, _, data = served.ask("GET", f"/api/geometry/{page.state['rig']['id']}")
    assert status == 200, data
    return unpack(data)[1]


def offsets(served: Served, page: Page) -> np.ndarray:
    """Offsets of the shape, vertex by vertex, of the whole rig as it is now."""
    arrays = geometry(served, page)
    at = [shape["name"] for shape in page.state["rig"]["shapes"]].index(SHAPE)
    start, stop = arrays["starts"][at : at + 2]
    return np.column_stack([arrays["vertices"][start:stop], arrays["offsets"][start:stop]])


def lively_triangles(served: Served, page: Page) -> list[int]:
    """Triangles about the vertex that the shape moves most."""
    found = offsets(served, page)
    vertex = found[np.linalg.norm(found[:, 1:], axis=1).argmax(), 0]
    arrays = geometry(served, page)
    about = (arrays["vertex"][arrays["triangles"]] == vertex).any(axis=1)
    return [int(triangle) for triangle in arrays["triangle"][about]]


def path(triangles: list[int], dabs: int) -> list[list[float]]:
    return [[triangles[i % len(triangles)], 0.2, 0.3, 0.5] for i in range(dabs)]


@pytest.mark.long
def test_a_kill_in_a_stroke_loses_nothing_that_was_committed(tmp_path: Path) -> None:
    with serving(tmp_path / "state", "--no-skin") as served:
        page = served.page()
        page.do("OpenSample")
        at_rest = offsets(served, page)
        triangles = lively_triangles(served, page)
        page.do("ShowShape", shape=SHAPE)
        page.do("Begin", gesture=1, label="Erase")
        for dabs in (1, 2, 3):
            page.do("TouchUpShape", gesture=1, path=path(triangles, dabs), **SETTINGS)
        page.do("Commit", gesture=1)
        kept, id = offsets(served, page), page.state["rig"]["id"]
        assert not np.array_equal(kept, at_rest)
        page.do("Begin", gesture=2, label="Erase")
        for dabs in (1, 2, 3, 4):
            page.do("TouchUpShape", gesture=2, path=path(triangles, dabs), **SETTINGS)
        assert not np.array_equal(offsets(served, page), kept)
        served.kill()
        page = served.start().page()
        assert page.state["rig"]["id"] == id
        np.testing.assert_array_equal(offsets(served, page), kept)
        assert page.state["history"]["labels"] == [f"Show {SHAPE}", "Erase"]
        page.do("Undo")
        np.testing.assert_array_equal(offsets(served, page), at_rest)
        page.do("Redo")
        np.testing.assert_array_equal(offsets(served, page), kept)
        assert page.state["rig"]["id"] == id


def test_each_sample_of_a_stroke_sends_the_shape_that_it_changed(page: Page, served: Served) -> None:
    triangles = lively_triangles(served, page)
    page.do("ShowShape", shape=SHAPE)
    known = page.state["rig"]["id"]
    page.do("Begin", gesture=1, label="Erase")
    for dabs in (1, 2):
        page.send("TouchUpShape", gesture=1, path=path(triangles, dabs), **SETTINGS)
        change = page.take("ShapeChange")
        while not change["base"]:  # of opening the face
            change = page.take("ShapeChange")
        assert (change["base"], change["rig"]) == (known, page.state["rig"]["id"])
        assert page.state["rig"]["base"] == known
        known = change["rig"]
        found = np.column_stack([change["data"]["vertices"], change["data"]["offsets"]])
        np.testing.assert_array_equal(found, offsets(served, page))
    refused = page.ask("TouchUpShape", gesture=1, path=path(triangles, 1), **(SETTINGS | {"shape": "cheekPuff"}))
    assert refused["type"] == "Refused"
    assert "'cheekPuff' is at 0" in refused["message"]
    page.do("Discard", gesture=1)
