"""Depth sequences and scans: read as they were written, and refused in words."""

import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import facewright as fw
from facewright.formats.scans import load_scan
from facewright.motion.depth import DepthImage, PointCloud

LENS = {"fx": 30.0, "fy": 30.0, "cx": 7.5, "cy": 5.5, "width": 16, "height": 12, "rate": 15}
POINTS = np.array([[0.1, 0, 0.5], [0, 0.1, 0.5], [-0.1, 0, 0.45], [0, -0.1, 0.52]])
FACES = np.array([[0, 2, 1], [0, 3, 2]])


def folder(tmp_path: Path, count: int = 3) -> Path:
    made = tmp_path / "depth"
    made.mkdir()
    for i in range(count):
        Image.fromarray(np.full((12, 16), 400 + i, np.uint16)).save(made / f"frame{i + 8}.png")
    (made / "intrinsics.json").write_text(json.dumps(LENS))
    return made


def ply(order: str) -> bytes:
    """Points with normals and a quad's two triangles, with a property and an element that are not ours."""
    lines = [
        "ply", f"format {order} 1.0", "comment x", "element vertex 4", "property float x", "property float y",
        "property float z", "property uchar red", "element face 2", "property list uchar int vertex_indices",
        "end_header",
    ]  # fmt: skip
    head = ("\n".join(lines) + "\n").encode()
    if order == "ascii":
        rows = [f"{x} {y} {z} 7" for x, y, z in POINTS.tolist()] + [f"3 {a} {b} {c}" for a, b, c in FACES.tolist()]
        return head + "\n".join(rows).encode()
    end = "<" if "little" in order else ">"
    vertices = np.zeros(4, [("p", f"{end}f4", 3), ("c", "u1")])
    vertices["p"] = POINTS
    faces = np.zeros(2, [("n", "u1"), ("i", f"{end}i4", 3)])
    faces["n"], faces["i"] = 3, FACES
    return head + vertices.tobytes() + faces.tobytes()


def test_a_folder_of_depth_images_is_read_in_the_order_of_its_numbers(tmp_path: Path) -> None:
    found = load_scan(folder(tmp_path))
    assert len(found) == 3
    assert found.rate == pytest.approx(15)
    frames = [frame for frame in found.frames if isinstance(frame, DepthImage)]
    np.testing.assert_allclose([frame.depth[3, 4] for frame in frames], [0.400, 0.401, 0.402], rtol=1e-6)
    assert frames[0].lens == fw.Pinhole(30.0, 30.0, 7.5, 5.5, 16, 12)


def test_another_unit_of_depth_is_taken(tmp_path: Path) -> None:
    frame = load_scan(folder(tmp_path), unit="cm").frames[0]
    assert isinstance(frame, DepthImage)
    assert frame.depth[0, 0] == pytest.approx(4.0)


def test_arrays_of_depth_are_read_with_their_times(tmp_path: Path) -> None:
    depth = np.full((2, 12, 16), 0.5, np.float32)
    depth[0, 0] = 9999
    matrix = np.array([[30, 0, 7.5], [0, 30, 5.5], [0, 0, 1.0]])
    np.savez(tmp_path / "a.npz", depth=depth, intrinsics=matrix, time=np.array([0, 0.2]))
    found = load_scan(tmp_path / "a.npz")
    frame = found.frames[0]
    assert isinstance(frame, DepthImage)
    assert not frame.depth[0].any()
    assert (frame.depth[1:] == 0.5).all()
    np.testing.assert_allclose(found.times, [0, 0.2])


@pytest.mark.parametrize("order", ["ascii", "binary_little_endian", "binary_big_endian"])
def test_ply_files_of_all_kinds_hold_the_same(order: str, tmp_path: Path) -> None:
    (tmp_path / "a.ply").write_bytes(ply(order))
    cloud = load_scan(tmp_path / "a.ply").frames[0]
    assert isinstance(cloud, PointCloud)
    np.testing.assert_allclose(cloud.points, POINTS, atol=1e-6)
    flat = np.cross(POINTS[2] - POINTS[0], POINTS[1] - POINTS[0])
    assert cloud.normals[1] @ flat > 0


def test_a_folder_of_objs_is_a_sequence_and_its_unit_is_found(tmp_path: Path) -> None:
    made = tmp_path / "scans"
    made.mkdir()
    for i in range(2):
        rows = [f"v {x} {y} {z}" for x, y, z in (1000 * POINTS).tolist()] + ["f 1 3 2", "f 1 4 3"]
        (made / f"{i}.obj").write_text("\n".join(rows))
    found = load_scan(made)
    cloud = found.frames[1]
    assert isinstance(cloud, PointCloud)
    np.testing.assert_allclose(cloud.points, POINTS, atol=1e-9)
    assert "mm" in found.notes[0]


def test_wrong_files_are_refused_in_words(tmp_path: Path) -> None:
    made = folder(tmp_path)
    (made / "intrinsics.json").write_text(json.dumps(LENS | {"width": 640, "height": 480}))
    with pytest.raises(fw.BadFile, match="640 x 480 pixels, but the pictures have 16 x 12"):
        load_scan(made)
    (made / "intrinsics.json").unlink()
    with pytest.raises(fw.BadFile, match=r"intrinsics beside them: intrinsics\.json"):
        load_scan(made)
    (made / "intrinsics.json").write_text(json.dumps(LENS))
    Image.fromarray(np.zeros((12, 16), np.uint8)).save(made / "frame8.png")
    with pytest.raises(fw.BadFile, match="16-bit grey"):
        load_scan(made)
    np.savez(tmp_path / "b.npz", other=np.zeros(3))
    with pytest.raises(fw.BadFile, match="no array 'depth'"):
        load_scan(tmp_path / "b.npz")
    with pytest.raises(fw.UnknownFormat, match=r"\.npz, \.ply, \.obj"):
        load_scan(tmp_path / "c.txt")


@pytest.mark.parametrize("cut", [0, 10, 60, 140, 200, 230])
def test_broken_ply_files_are_refused(cut: int, tmp_path: Path) -> None:
    for order in ("ascii", "binary_little_endian"):
        (tmp_path / "a.ply").write_bytes(ply(order)[:cut])
        with pytest.raises(fw.BadFile):
            len(load_scan(tmp_path / "a.ply", unit="m").frames[0].points)  # type: ignore[union-attr]


@pytest.mark.parametrize(
    "line", ["property list x", "property list list uchar x", "property list uchar x", "property x"]
)
def test_a_ply_file_with_a_property_without_its_types_is_refused(line: str, tmp_path: Path) -> None:
    (tmp_path / "a.ply").write_bytes(ply("ascii").replace(b"property float x", line.encode()))
    with pytest.raises(fw.BadFile, match="a property that is not understood: property"):
        load_scan(tmp_path / "a.ply")


def test_a_ply_file_that_claims_too_much_is_refused_before_memory_is_taken(tmp_path: Path) -> None:
    text = ply("binary_little_endian").replace(b"vertex 4", b"vertex 4000000000")
    (tmp_path / "a.ply").write_bytes(text)
    with pytest.raises(fw.BadFile, match="ends before"):
        load_scan(tmp_path / "a.ply")


def test_a_ply_file_that_ends_within_its_faces_is_refused(tmp_path: Path) -> None:
    whole = (
        "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n"
        "element face 2\nproperty list uchar int vertex_indices\nend_header\n"
        "0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n"
    )
    (tmp_path / "scan.ply").write_text(whole)
    with pytest.raises(fw.BadFile, match="ends before all of its 2 face rows"):
        load_scan(tmp_path / "scan.ply")
