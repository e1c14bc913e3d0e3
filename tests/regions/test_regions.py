"""Regions as data, and as JSON."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import facewright as fw
from facewright.errors import BadFile, BadValue, FacewrightWarning, UnknownName
from facewright.formats.json_files import load_regions, save_regions
from facewright.formats.schema.regions import encode_regions
from facewright.regions.segment import segment
from facewright.rig.regions import Regions
from facewright.rig.tree import check_tree, tree_of
from facewright.samples import mask
from facewright.session.storage.blobs import Blobs
from tests.session.memory_store import Memory
from tests.session.test_journal import CODEC
from tests.some import some

LEVELS = [[0, 0, 1, 2], [0, 0, 0, 1]]


def small() -> Regions:
    """Four regions over six vertices, three levels above them."""
    weights = np.zeros((4, 6))
    weights[[0, 0, 1, 2, 3, 3], range(6)] = 1
    weights[[0, 1], 1] = 0.6, 0.4
    weights[[2, 3], 4] = 0.5
    names = {members: "+".join("abcd"[i] for i in members) for members in tree_of(4, LEVELS)[2]}
    return Regions.of(sp.csr_array(weights), LEVELS, names)


def test_any_level_can_be_asked_for() -> None:
    regions = small()
    assert [regions.names_at(level) for level in range(regions.levels)] == [
        ("a", "b", "c", "d"),
        ("c", "d", "a+b"),
        ("d", "a+b+c"),
        ("a+b+c+d",),
    ]
    np.testing.assert_array_equal(regions.labels(), [0, 0, 1, 2, 2, 3])
    np.testing.assert_array_equal(regions.labels(1), [2, 2, 2, 0, 0, 1])
    np.testing.assert_array_equal(regions.members("a+b+c"), [0, 1, 2])
    np.testing.assert_allclose(regions.field("a+b"), [1, 1, 1, 0, 0, 0])
    np.testing.assert_allclose(regions.weights_at(2).toarray()[1], [1, 1, 1, 1, 0.5, 0])
    with pytest.raises(BadValue, match="from 0, the finest, to 3"):
        regions.nodes(4)
    with pytest.raises(UnknownName, match="there are"):
        regions.node("nowhere")


def test_a_tree_of_one_is_the_whole() -> None:
    regions = Regions.of(sp.csr_array(np.ones((1, 3))), [], {(0,): "face"})
    assert regions.levels == 1
    assert regions.names_at(0) == ("face",)


def test_levels_that_change_nothing_are_left_out_and_others_must_be_unions() -> None:
    parents, first, _ = tree_of(3, [[0, 1, 2], [0, 0, 1], [0, 0, 1], [0, 0, 0]])
    np.testing.assert_array_equal(first, [0, 0, 0, 1, 2])
    check_tree(parents, first, 3)
    with pytest.raises(BadValue, match="union"):
        tree_of(3, [[0, 0, 1], [0, 1, 1]])


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"weights": sp.csr_array(np.full((4, 6), 0.3))}, "sum to 1.2"),
        ({"weights": sp.csr_array(np.eye(4, 6))}, "sum to 0"),
        ({"weights": sp.csr_array(np.array([[2.0] * 6, [-1.0] * 6, [0] * 6, [0] * 6]))}, "from 0 to 1"),
        ({"weights": sp.csr_array(np.array([[1.0] * 6, [0] * 6, [0] * 6, [0] * 6]))}, "no vertices"),
        ({"names": ("a", "a", "c", "d", "e", "f", "g")}, "two regions named 'a'"),
        ({"names": ("", "b", "c", "d", "e", "f", "g")}, "needs a name"),
        ({"names": ("a", "b")}, "shape"),
        ({"parents": [4, 4, 5, 6, 5, 6, 0]}, "without parent"),
        ({"parents": [4, 4, 1, 6, 5, 6, -1]}, "later"),
        ({"parents": [4, 4, 4, 6, 5, 6, -1]}, "at least two"),
        ({"parents": [4, 4, 5, 99, 5, 6, -1]}, "index 99"),
        ({"first": [0, 0, 0, 1, 1, 2, 3]}, "level 0"),
        ({"first": [0, 0, 0, 0, 2, 1, 3]}, "later level"),
        ({"first": [0, 0, 0, 0, 1, 3, 4]}, "without gaps"),
    ],
)
def test_what_is_no_tree_of_regions_is_refused_in_words(change: dict[str, Any], words: str) -> None:
    with pytest.raises(BadValue, match=words):
        replace(small(), **change)


def test_regions_cannot_be_changed_in_place() -> None:
    regions = small()
    for array in (regions.weights.data, regions.weights.indices, regions.parents, regions.first):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0


def test_names_may_be_changed_and_swapped() -> None:
    regions = small().renamed({"a": "b", "b": "a", "a+b+c+d": "all"})
    assert regions.names_at(0) == ("b", "a", "c", "d")
    assert regions.node("all") == 6
    with pytest.raises(UnknownName):
        small().renamed({"x": "y"})
    with pytest.raises(BadValue, match="two regions"):
        small().renamed({"a": "b"})


def same(a: Regions, b: Regions) -> bool:
    return (
        a.names == b.names
        and (a.weights - b.weights).count_nonzero() == 0
        and np.array_equal(a.parents, b.parents)
        and np.array_equal(a.first, b.first)
    )


def test_json_gives_the_same_regions_again(tmp_path: Path) -> None:
    for regions in (small(), segment(mask(900, 20, seed=4))):
        save_regions(regions, tmp_path / "regions.json")
        assert same(load_regions(tmp_path / "regions.json"), regions)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda data: data.pop("vertices"), "vertices"),
        (lambda data: data.update(format="else"), "facewright regions"),
        (lambda data: data.update(vertices=10**9), "cover"),
        (lambda data: data.update(vertices=-1), "cover|index"),
        (lambda data: data["regions"][0].update(own=[0, 0]), "twice"),
        (lambda data: data["regions"][0].update(own=[77]), "77"),
        (lambda data: data["regions"][0].update(weights=[]), "weights"),
        (lambda data: data["regions"][0].update(weights=[0.9]), "sum to"),
        (lambda data: data["regions"][0].update(parent=10**30), "regions"),
        (lambda data: data["regions"].insert(0, data["regions"].pop()), "first"),
        (lambda data: data.update(regions=[]), "cover|region"),
        (lambda data: data.update(regions=3), "array"),
    ],
)
def test_a_broken_file_is_refused_in_words(tmp_path: Path, change: Callable[..., Any], words: str) -> None:
    path = tmp_path / "regions.json"
    data = json.loads(encode_regions(small()))
    change(data)
    path.write_text(json.dumps(data))
    with pytest.raises(BadFile, match=words):
        load_regions(path)


def test_a_file_for_another_rig_is_refused(tmp_path: Path) -> None:
    save_regions(small(), tmp_path / "regions.json")
    with pytest.raises(BadFile, match="for 6 vertices"):
        load_regions(tmp_path / "regions.json", mask(400, 2))
    with pytest.raises(BadFile, match="no such file"):
        load_regions(tmp_path / "nothing.json")


def document() -> fw.Document:
    rig = mask(400, 6, seed=1)
    regions = segment(rig)
    local = np.zeros((len(regions.names), len(rig.sliders)))
    local[1, 2], local[0, 0] = 0.5, -0.25
    return fw.Document(rig, regions=regions, local=local)


@pytest.mark.parametrize("suffix", ["fwface", "glb"])
def test_a_document_keeps_its_regions_and_what_they_add(tmp_path: Path, suffix: str) -> None:
    before = document()
    path = tmp_path / f"face.{suffix}"
    if suffix == "fwface":
        fw.save(before, path)
    else:
        with pytest.warns(FacewrightWarning, match="bake_regions"):
            fw.save(before, path)
    after = fw.load_document(path)
    assert same(some(after.regions), some(before.regions))
    np.testing.assert_array_equal(after.local, before.local)


def test_an_opened_glb_keeps_regions_added_to_it(tmp_path: Path) -> None:
    before = document()
    fw.save(before.rig, tmp_path / "face.glb")
    opened = fw.load_document(tmp_path / "face.glb")
    fw.save(replace(opened, regions=before.regions), tmp_path / "again.glb")
    assert same(some(fw.load_document(tmp_path / "again.glb").regions), some(before.regions))


def test_regions_that_no_longer_fit_a_glb_are_left_out_with_a_word(tmp_path: Path) -> None:
    before = fw.Document(document().rig, regions=document().regions)
    fw.save(before, tmp_path / "face.gltf")
    data = json.loads((tmp_path / "face.gltf").read_text())
    data["extras"]["facewright"]["regions"]["regions"][0]["own"] = [0]
    (tmp_path / "face.gltf").write_text(json.dumps(data))
    with pytest.warns(FacewrightWarning, match="regions are left out"):
        assert fw.load_document(tmp_path / "face.gltf").regions is None


def test_a_journal_tells_what_regions_add() -> None:
    blobs = Blobs(Memory())

    def told(before: fw.Document, after: fw.Document) -> fw.Document:
        return CODEC.decode(before, CODEC.encode(before, after, blobs), blobs)

    before = document()
    after = replace(before, local=2 * some(before.local))
    np.testing.assert_array_equal(some(told(before, after).local), some(after.local))
    assert told(before, replace(before, local=None)).local is None
    other = replace(before, regions=segment(before.rig, threshold=0.2), local=None)
    there = told(before, other)
    assert same(some(there.regions), some(other.regions))
    assert there.local is None
    back = told(other, before)
    assert same(some(back.regions), some(before.regions))
    np.testing.assert_array_equal(back.local, before.local)
    assert told(before, replace(before, regions=None, local=None)).regions is None


def test_a_document_without_regions_stays_so(tmp_path: Path) -> None:
    fw.save(mask(400, 3), tmp_path / "face.fwface")
    after = fw.load_document(tmp_path / "face.fwface")
    assert after.regions is None
    assert after.local is None


def test_regions_of_another_face_or_values_without_regions_are_refused() -> None:
    rig = mask(400, 3)
    with pytest.raises(BadValue, match="for 6 vertices"):
        fw.Document(rig, regions=small())
    with pytest.raises(BadValue, match="need regions"):
        fw.Document(rig, local=np.zeros((1, 3)))
    with pytest.raises(BadValue, match="shape"):
        fw.Document(rig, regions=segment(rig), local=np.zeros((99, 3)))
