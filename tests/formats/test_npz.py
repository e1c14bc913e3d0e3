"""NPZ: what numpy writes we read, what we write numpy reads, and what is wrong is said in words."""

import io
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.formats.format_rigs import NAMES, SEEDS, assert_same_rig, document

from facewright.arrays import Floats
from facewright.document import Document
from facewright.errors import BadFile, BadValue, FacewrightError
from facewright.formats import limits
from facewright.formats.npz import FORMAT
from facewright.mesh.polygons import Polygons
from facewright.rig.rig import Rig
from facewright.rig.shape import Shape

SIX = ["jawOpen", "smile", "blink", "jawOpen_half", "jaw+blink", "idle"]


@settings(max_examples=40, deadline=None)
@given(names=st.lists(NAMES, min_size=6, max_size=6, unique=True), seed=SEEDS)
def test_a_rig_with_everything_comes_back_equal(
    names: list[str], seed: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("npz") / "face.npz"
    one = document(names, seed)
    FORMAT.write(one, path)
    other = FORMAT.read(path)
    assert_same_rig(one.rig, other.rig)
    np.testing.assert_array_equal(other.pose, one.pose)


def test_the_four_arrays_of_a_researcher_are_a_rig(tmp_path: Path) -> None:
    arrays = plain()
    np.savez(tmp_path / "a.npz", **arrays)
    rig = FORMAT.read(tmp_path / "a.npz").rig
    assert rig.sliders == ("a", "b")
    np.testing.assert_array_equal(rig.deltas(), arrays["deltas"])
    np.testing.assert_array_equal(rig.polygons.uniform(), arrays["faces"])


def test_a_plain_rig_is_written_as_the_four_arrays_and_nothing_else(tmp_path: Path) -> None:
    arrays = plain()
    np.savez(tmp_path / "a.npz", **arrays)
    FORMAT.write(FORMAT.read(tmp_path / "a.npz"), tmp_path / "b.npz")
    with np.load(tmp_path / "b.npz", allow_pickle=False) as again:
        assert set(again) == set(arrays)
        for key, array in arrays.items():
            np.testing.assert_array_equal(again[key], array)
        assert again["names"].dtype.kind == "U"


@pytest.mark.parametrize("change", ["fortran", "big-endian", "half", "bytes names", "unsigned faces", "packed"])
def test_arrays_of_other_layouts_and_types_mean_the_same(change: str, tmp_path: Path) -> None:
    arrays = plain()
    expected = arrays["deltas"]
    save = np.savez
    if change == "fortran":
        arrays["deltas"] = np.asfortranarray(expected)
        arrays["neutral"] = np.asfortranarray(arrays["neutral"])
    elif change == "big-endian":
        arrays["deltas"] = expected.astype(">f8")
    elif change == "half":
        arrays["deltas"] = expected.astype(np.float16)
    elif change == "bytes names":
        arrays["names"] = arrays["names"].astype("S")
    elif change == "unsigned faces":
        arrays["faces"] = arrays["faces"].astype(np.uint8)
    else:
        save = np.savez_compressed
    save(tmp_path / "a.npz", **arrays)
    rig = FORMAT.read(tmp_path / "a.npz").rig
    assert rig.shape_names == ("a", "b")
    np.testing.assert_array_equal(rig.deltas(), expected)
    np.testing.assert_array_equal(rig.neutral, arrays["neutral"])


def test_numbers_that_single_precision_holds_are_written_in_single_and_others_in_double(tmp_path: Path) -> None:
    arrays = plain()
    for factor, kind in ((1.0, np.float32), (1 / 3, np.float64)):
        rig = Rig(arrays["neutral"], Polygons.of(arrays["faces"]), shapes(arrays["deltas"].astype(float) * factor))
        FORMAT.write(Document(rig), tmp_path / "b.npz")
        with np.load(tmp_path / "b.npz") as file:
            assert file["deltas"].dtype == kind
            np.testing.assert_array_equal(file["deltas"], rig.deltas())


def test_mixed_polygons_are_triangles_for_others_and_polygons_for_us(tmp_path: Path) -> None:
    one = document(SIX, 5)
    FORMAT.write(one, tmp_path / "a.npz")
    with np.load(tmp_path / "a.npz") as file:
        np.testing.assert_array_equal(file["faces"], one.rig.triangles)
    assert FORMAT.read(tmp_path / "a.npz").rig.polygons.counts.tolist() == [3, 4, 4, 3]


def test_the_scanned_face_is_read_with_its_quads(shared_data: Path) -> None:
    rig = FORMAT.read(shared_data / "ict_face" / "ict_face.npz").rig
    with np.load(shared_data / "ict_face" / "ict_face.npz") as file:
        np.testing.assert_array_equal(rig.polygons.uniform(), file["quads"])
        np.testing.assert_array_equal(rig.deltas(), file["deltas"])
        assert rig.shape_names == tuple(file["names"].tolist())


def test_a_rig_of_almost_only_zeros_is_written_so_that_it_is_not_taken_for_a_bomb(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "FREELY_UNPACKED", 1 << 20)
    still = tuple(Shape(f"s{i}", [i], [[0.0, 1.0, 0.0]]) for i in range(30))
    one = Rig(np.ones((5000, 3)), Polygons.of(np.array([[0, 1, 2]])), still)
    FORMAT.write(Document(one), tmp_path / "a.npz")
    assert_same_rig(one, FORMAT.read(tmp_path / "a.npz").rig)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"neutral": None}, r"no array 'neutral'; a rig needs neutral \(v, 3\).*this file has deltas, faces, names"),
        ({"deltas": None}, "no array 'deltas'"),
        ({"faces": None}, "no array 'faces'"),
        ({"names": None}, "no array 'names'"),
        ({"deltas": np.zeros((3, 4, 3))}, r"deltas must have shape \(2, 4, 3\) for 2 names and 4 vertices, not \(3"),
        ({"deltas": np.zeros((2, 12))}, "deltas must have shape"),
        ({"deltas": np.full((2, 4, 3), np.nan)}, "delta of shape 'a' has a value that is not finite"),
        ({"names": np.array(["a", "a"])}, "two shapes named 'a'"),
        ({"names": np.array([1, 2])}, "names.npy must hold text, not <i8"),
        ({"names": np.array([b"\xff", b"b"])}, "not UTF-8"),
        ({"names": np.array([["a", "b"]])}, r"names must have shape \(s,\)"),
        ({"faces": np.zeros((2, 5), int)}, r"faces must have shape \(f, 3\) or \(f, 4\), not \(2, 5\)"),
        ({"faces": np.array([[0.0, 1.0, 2.0]])}, "whole numbers"),
        ({"faces": np.array([[0, 1, 9]])}, "vertex 9"),
        ({"faces": np.array([[0, 1, -1]])}, "index -1"),
        ({"neutral": np.zeros(12)}, r"neutral must have shape \(v, 3\)"),
        ({"neutral": np.zeros((4, 2))}, r"shape \(any, 3\)"),
        ({"neutral": np.zeros((4, 3), complex)}, "must hold numbers"),
        ({"facewright": np.array("{")}, "JSON cannot be read"),
        ({"facewright": np.array("[]")}, "must be an object"),
        ({"facewright": np.array('{"shapes": [{"name": "z"}]}')}, "not those in `names`"),
        ({"polygon_counts": np.array([3]), "polygon_corners": np.array([0, 1, 2])}, "not the polygons' triangles"),
    ],
)
def test_wrong_arrays_are_refused_in_words(change: dict[str, Any], words: str, tmp_path: Path) -> None:
    arrays = {key: array for key, array in (plain() | change).items() if array is not None}
    np.savez(tmp_path / "a.npz", **arrays)
    with pytest.raises(FacewrightError, match=words):
        FORMAT.read(tmp_path / "a.npz")


def test_a_pickle_is_not_opened(tmp_path: Path) -> None:
    np.savez(tmp_path / "a.npz", **plain() | {"names": np.array(["a", {"x": 1}], dtype=object)})
    with pytest.raises(BadFile, match=r"names\.npy must hold text, not .O"):
        FORMAT.read(tmp_path / "a.npz")


@pytest.mark.parametrize("shape", [(2, 10**14, 3), (10**14, 0, 3), (2, -4, 3), (-2, -4, 3)])
def test_a_claimed_size_is_compared_with_the_bytes_before_memory_is_taken(
    shape: tuple[int, int, int], tmp_path: Path
) -> None:
    header = io.BytesIO()
    np.lib.format.write_array_header_1_0(header, {"descr": "<f4", "fortran_order": False, "shape": shape})
    np.savez(tmp_path / "a.npz", **{key: array for key, array in plain().items() if key != "deltas"})
    with zipfile.ZipFile(tmp_path / "a.npz", "a") as archive:
        archive.writestr("deltas.npy", header.getvalue())
    with pytest.raises(BadFile, match="deltas"):
        FORMAT.read(tmp_path / "a.npz")


def test_more_shapes_than_any_rig_has_are_refused_at_once(tmp_path: Path) -> None:
    count = limits.SHAPES + 1
    names = np.array([f"s{i}" for i in range(count)])
    empty = {"neutral": np.zeros((0, 3)), "deltas": np.zeros((count, 0, 3)), "faces": np.zeros((0, 3), int)}
    np.savez(tmp_path / "a.npz", names=names, **empty)  # type: ignore[arg-type]
    with pytest.raises(BadFile, match="20001 names; at most 20000 shapes"):
        FORMAT.read(tmp_path / "a.npz")


def test_a_name_that_numpy_would_cut_is_not_written(tmp_path: Path) -> None:
    rig = Rig(np.eye(3), Polygons.of(np.array([[0, 1, 2]])), (Shape("a\0", [0], [[1.0, 0, 0]]),))
    with pytest.raises(BadValue, match="null character"):
        FORMAT.write(Document(rig), tmp_path / "a.npz")


def plain() -> dict[str, Any]:
    rng = np.random.default_rng(4)
    return {
        "neutral": rng.integers(-8, 8, (4, 3)).astype(np.float32),
        "deltas": rng.integers(-8, 8, (2, 4, 3)).astype(np.float32) / 4,
        "names": np.array(["a", "b"]),
        "faces": np.array([[0, 1, 2, 3], [0, 3, 2, 1]]),
    }


def shapes(deltas: Floats) -> tuple[Shape, ...]:
    return tuple(Shape.from_dense(name, delta) for name, delta in zip("ab", deltas, strict=True))
