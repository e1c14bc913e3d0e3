"""Real FBX files against the meshes that belong to them, and files made here against what `ufbx` makes of them."""

from pathlib import Path

import numpy as np
import pytest
from tests.formats.fbx_files import SQUARE, add_channel, add_geometry, add_model, fbx_bytes, joined, ufbx_scene

import facewright as fw
from facewright.errors import FacewrightWarning
from facewright.formats.fbx.write.encode import element
from facewright.formats.fbx.write.objects import WrittenObjects
from facewright.formats.fbx.write.properties import Property

FILES = (
    "blender_279_shape_weights_6100_ascii",
    "blender_279_shape_weights_7400_binary",
    "blender_331_static_blend_shape_7400_binary",
    "maya_blend_inbetween_7500_ascii",
    "maya_blend_inbetween_7500_binary",
    "maya_blend_shape_cube_6100_ascii",
    "maya_blend_shape_cube_7700_binary",
)
DIGITS = 1e-6  # of the OBJ files
LENGTHS = 1e-5  # tangents of a third are 0.3333 of the time in files, which `ufbx` goes by


@pytest.mark.parametrize("kind", ["ascii", "binary"])
def test_in_betweens_and_negative_targets_are_the_true_meshes_at_their_frames(kind: str, shared_data: Path) -> None:
    folder = shared_data / "fbx"
    document = fw.load_document(folder / f"maya_blend_inbetween_7500_{kind}.fbx")
    rig, clip = document.rig, document.clips[0]
    assert rig.sliders == ("LiftTop", "MoveToSide")
    assert [shape.at[0] for shape in rig.shapes] == pytest.approx([0.5, 1, -0.499, -0.249, 1])
    assert document.pose == pytest.approx([-1, 2])
    assert clip.rate == 24
    for frame in (1, 30, 60, 120):
        weights = clip.sample(rig.sliders, [frame / 24])[0]
        true = fw.load(folder / f"maya_blend_inbetween_{frame}.obj")
        np.testing.assert_allclose(fw.evaluate(rig, weights), true.neutral, atol=DIGITS)
        assert rig.polygons.same_as(true.polygons)


def test_static_weights_are_the_pose(shared_data: Path) -> None:
    folder = shared_data / "fbx"
    document = fw.load_document(folder / "blender_331_static_blend_shape_7400_binary.fbx")
    true = fw.load(folder / "blender_331_static_blend_shape.obj")
    assert dict(zip(document.rig.sliders, document.pose, strict=True)) == pytest.approx(
        {"Squash": 0.35, "Stretch": -0.4}, abs=1e-7
    )
    np.testing.assert_allclose(fw.evaluate(document.rig, document.pose), true.neutral, atol=DIGITS)
    assert document.unit == "m"
    assert true.uvs is not None
    assert document.rig.uvs is not None
    ours, theirs = (uvs.coordinates[uvs.corners] for uvs in (document.rig.uvs, true.uvs))
    assert sorted(map(tuple, ours.round(6).tolist())) == sorted(map(tuple, theirs.round(6).tolist()))


@pytest.mark.parametrize("name", FILES)
def test_real_files_are_read_as_ufbx_reads_them(name: str, shared_data: Path) -> None:
    path = shared_data / "fbx" / f"{name}.fbx"
    document = fw.load_document(path)
    rig = document.rig
    times = [0.0, 0.7, 1.0, 2.0, 3.3] if document.clips else []
    theirs = ufbx_scene(path, times)
    close = LENGTHS * rig.size
    np.testing.assert_allclose(rig.neutral, joined({n: m["neutral"] for n, m in theirs["meshes"].items()}), atol=close)
    np.testing.assert_allclose(fw.evaluate(rig, document.pose), joined(theirs["posed"]), atol=close)
    assert [row.tolist() for row in rig.polygons.rows()] == [f for m in theirs["meshes"].values() for f in m["faces"]]
    for time, posed in zip(times, theirs["at"], strict=True):
        weights = document.clips[0].sample(rig.sliders, [time])[0]
        np.testing.assert_allclose(fw.evaluate(rig, weights), joined(posed), atol=close)
    assert all(clip.rate == theirs["rate"] for clip in document.clips)


def test_the_bits_of_each_version_give_the_same_rig(shared_data: Path) -> None:
    one, other = (fw.load(shared_data / "fbx" / f"{name}.fbx") for name in FILES[3:5])
    np.testing.assert_array_equal(one.neutral, other.neutral)
    np.testing.assert_allclose(one.deltas(), other.deltas(), atol=1e-15)
    old, new = (fw.load(shared_data / "fbx" / f"{name}.fbx") for name in FILES[5:])
    np.testing.assert_allclose(old.neutral, new.neutral, atol=1e-7)
    np.testing.assert_allclose(old.deltas(), new.deltas(), atol=1e-7)


def placed(rng: np.random.Generator, inherit: int) -> list[Property]:
    """Everything that moves a model, at random."""

    def three(size: float) -> tuple[float, ...]:
        return tuple((size * rng.normal(size=3)).tolist())

    vectors = ("RotationPivot", "ScalingPivot", "RotationOffset", "ScalingOffset", "GeometricTranslation")
    return [
        ("RotationActive", "bool", 1),
        ("RotationOrder", "enum", int(rng.integers(6))),
        ("InheritType", "enum", inherit),
        ("Lcl Translation", "Lcl Translation", *three(1)),
        ("Lcl Rotation", "Lcl Rotation", *three(60)),
        ("Lcl Scaling", "Lcl Scaling", *rng.uniform(0.5, 2, 3).tolist()),
        *((name, "Vector3D", *three(1)) for name in vectors),
        *((name, "Vector3D", *three(40)) for name in ("PreRotation", "PostRotation", "GeometricRotation")),
        ("GeometricScaling", "Vector3D", *rng.uniform(0.5, 2, 3).tolist()),
    ]


@pytest.mark.parametrize("inherit", [0, 1, 2])
def test_models_are_where_ufbx_has_them(inherit: int, tmp_path: Path) -> None:
    rng = np.random.default_rng(inherit)
    objects, above = WrittenObjects(), 0
    for depth, sort in enumerate(("Null", "LimbNode", "Mesh")):
        above = add_model(objects, f"m{depth}", *placed(rng, inherit), above=above, sort=sort)
    geometry = add_geometry(objects, above)
    add_channel(objects, geometry, "lift", [(100.0, np.array([1, 3]), rng.normal(size=(2, 3)))], percent=70.0)
    path = tmp_path / "placed.fbx"
    path.write_bytes(fbx_bytes(objects))
    document, theirs = fw.load_document(path), ufbx_scene(path)
    np.testing.assert_allclose(document.rig.neutral, theirs["meshes"]["m2"]["neutral"], atol=1e-12)
    np.testing.assert_allclose(fw.evaluate(document.rig, document.pose), theirs["posed"]["m2"], atol=1e-12)


def test_rotations_that_are_not_active_have_no_order_and_no_pre_rotation() -> None:
    """As the documentation of the FBX SDK says of `SetRotationActive`, and as Blender reads it."""
    objects = WrittenObjects()
    listed: list[Property] = [
        ("Lcl Rotation", "Lcl Rotation", 0.0, 0.0, 90.0),
        ("PreRotation", "Vector3D", 90.0, 0.0, 0.0),
    ]
    add_geometry(objects, add_model(objects, "face", *listed))
    x, y, z = SQUARE.T
    np.testing.assert_allclose(fw.load(fbx_bytes(objects)).neutral, np.stack([-y, x, z], axis=1), atol=1e-15)


def test_other_axes_are_turned_to_ours_and_mirrored_ones_keep_their_outside() -> None:
    objects = WrittenObjects()
    add_geometry(objects, add_model(objects, "face"))
    z_up = fw.load(fbx_bytes(objects, ("UpAxis", "int", 2), ("FrontAxis", "int", 1), ("FrontAxisSign", "int", -1)))
    x, y, z = SQUARE.T
    np.testing.assert_array_equal(z_up.neutral, np.stack([x, z, -y], axis=1))
    assert z_up.polygons.rows()[0].tolist() == [0, 1, 2, 3]
    mirrored = fw.load(fbx_bytes(objects, ("CoordAxisSign", "int", -1)))
    np.testing.assert_array_equal(mirrored.neutral, np.stack([-x, y, z], axis=1))
    assert [row.tolist() for row in mirrored.polygons.rows()] == [[0, 3, 2, 1], [0, 4, 1]]


def test_a_skin_places_the_mesh_and_its_shapes_where_ufbx_does(tmp_path: Path) -> None:
    rng = np.random.default_rng(4)
    objects = WrittenObjects()
    model = add_model(objects, "face", ("Lcl Translation", "Lcl Translation", 5.0, 0.0, 0.0))
    geometry = add_geometry(objects, model)
    add_channel(objects, geometry, "lift", [(100.0, np.array([1, 3, 4]), rng.normal(size=(3, 3)))], percent=60.0)
    skin = objects.add("Deformer", "skin", "Skin", lambda: [element("Version", 101)])
    objects.connect(skin, geometry)
    for number, weights in enumerate((np.array([1.0, 0.5, 0.25, 1.0, 0.5]), np.array([0.0, 0.5, 0.75, 0.0, 0.5]))):
        turned: Property = ("Lcl Rotation", "Lcl Rotation", *(40 * rng.normal(size=3)).tolist())
        moved: Property = ("Lcl Translation", "Lcl Translation", *rng.normal(size=3).tolist())
        joint = add_model(objects, f"joint{number}", turned, moved, sort="LimbNode")
        bind = np.eye(4)
        bind[3, :3] = rng.normal(size=3)  # written column by column
        inside = [
            element("Indexes", np.arange(5, dtype=np.int32)), element("Weights", weights),
            element("Transform", bind.ravel()), element("TransformLink", np.eye(4).ravel()),
        ]  # fmt: skip
        cluster = objects.add("Deformer", f"c{number}", "Cluster", lambda inside=inside: inside, label="SubDeformer")  # type: ignore[misc]
        objects.connect(cluster, skin)
        objects.connect(joint, cluster)
    path = tmp_path / "skinned.fbx"
    path.write_bytes(fbx_bytes(objects))
    document = fw.load_document(path)
    np.testing.assert_allclose(fw.evaluate(document.rig, document.pose), ufbx_scene(path)["posed"]["face"], atol=1e-12)


def test_channels_of_one_name_in_several_meshes_are_one_slider_also_with_other_in_betweens() -> None:
    objects = WrittenObjects()
    up = np.array([[0.0, 1.0, 0.0]])
    head = add_geometry(objects, add_model(objects, "head"))
    add_channel(objects, head, "open", [(50.0, np.array([2]), 3 * up), (100.0, np.array([2]), 4 * up)])
    teeth = add_geometry(objects, add_model(objects, "teeth"))
    add_channel(objects, teeth, "open", [(100.0, np.array([1]), 8 * up)])
    rig = fw.load(fbx_bytes(objects))
    assert rig.sliders == ("open",)
    assert [part.name for part in rig.parts] == ["head", "teeth"]
    for value, (high, low) in {0.25: (1.5, 2.0), 0.5: (3.0, 4.0), 0.75: (3.5, 6.0), 1.0: (4.0, 8.0)}.items():
        moved = fw.evaluate(rig, {"open": value}) - rig.neutral
        assert moved[2, 1] == pytest.approx(high)
        assert moved[6, 1] == pytest.approx(low)


def test_hidden_meshes_without_shapes_are_left_out_and_said() -> None:
    objects = WrittenObjects()
    head = add_geometry(objects, add_model(objects, "head"))
    add_channel(objects, head, "open", [(100.0, np.array([2]), np.ones((1, 3)))])
    add_geometry(objects, add_model(objects, "smile target", ("Visibility", "Visibility", 0.0)))
    add_geometry(objects, add_model(objects, "eye"))
    with pytest.warns(FacewrightWarning, match="left out: smile target"):
        rig = fw.load(fbx_bytes(objects))
    assert [part.name for part in rig.parts] == ["head", "eye"]


def test_lines_and_points_among_the_polygons_are_left_out_with_their_coordinates() -> None:
    objects = WrittenObjects()
    corners = np.array([0, ~1, 0, 1, 2, ~3, ~2, 0, 1, ~4], np.int32)
    uv = element("LayerElementUV", 0, inside=[
        element("MappingInformationType", "ByPolygonVertex"), element("ReferenceInformationType", "IndexToDirect"),
        element("UV", np.arange(20.0)), element("UVIndex", np.arange(10, dtype=np.int32)),
    ])  # fmt: skip
    inside = [element("Vertices", SQUARE), element("PolygonVertexIndex", corners), uv]
    geometry = objects.add("Geometry", "", "Mesh", lambda: inside)
    objects.connect(geometry, add_model(objects, "face"))
    rig = fw.load(fbx_bytes(objects))
    assert [row.tolist() for row in rig.polygons.rows()] == [[0, 1, 2, 3], [0, 1, 4]]
    assert rig.uvs is not None
    assert rig.uvs.corners.tolist() == [2, 3, 4, 5, 7, 8, 9]
