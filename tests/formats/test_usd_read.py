"""Files as other programs write them: what is read is where a viewer draws it, and what is not safe is refused."""

from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from tests.formats.usd_evaluation import baked

import facewright as fw
from facewright.errors import BadFile, FacewrightWarning
from facewright.formats.usd_stage.output import check_finite
from facewright.rig.head_motion import ANGLES, OFFSETS

POINTS = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.5]])
MESH = """
    def Mesh "Head" (prepend apiSchemas = ["SkelBindingAPI"])
    {
        int[] faceVertexCounts = [3, 3]
        int[] faceVertexIndices = [0, 1, 2, 0, 2, 3]
        point3f[] points = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0.5)]
        uniform token[] skel:blendShapes = ["jawOpen", "smile"]
        rel skel:blendShapeTargets = [</Root/Head/jaw>, </Root/Head/smile>]
        rel skel:skeleton = </Root/Skel>
        %s
        def BlendShape "jaw"
        {
            uniform vector3f[] offsets = [(0, 0, 1), (0, 1, 0)]
            uniform int[] pointIndices = [2, 0]
            uniform vector3f[] inbetweens:half = [(0, 0, 0.25), (0.5, 0.5, 0)] (weight = 0.5)
            uniform vector3f[] inbetweens:back = [(0, 0, -1), (0, 0, 0)] (weight = -0.5)
        }
        def BlendShape "smile"
        {
            uniform vector3f[] offsets = [(1, 0, 0), (0, 0, 0), (0, 0, 0), (0, 0, 2)]
        }
    }
"""
SKELETON = """
    def Skeleton "Skel" (prepend apiSchemas = ["SkelBindingAPI"])
    {
        uniform token[] joints = ["neck", "neck/head"]
        uniform matrix4d[] bindTransforms = [
            ((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 2, 1)),
            ((0, 1, 0, 0), (-1, 0, 0, 0), (0, 0, 1, 0), (0, 1, 2, 1))]
        uniform matrix4d[] restTransforms = [
            ((1, 0, 0, 0), (0, 0, 1, 0), (0, -1, 0, 0), (1, 0, 2, 1)),
            ((0, 1, 0, 0), (-1, 0, 0, 0), (0, 0, 1, 0), (0, 3, 0, 1))]
        rel skel:animationSource = </Root/Anim>
        double3 xformOp:translate = (0, 0, 5)
        uniform token[] xformOpOrder = ["xformOp:translate"]
    }
"""
ANIMATION = """
    def SkelAnimation "Anim"
    {
        uniform token[] blendShapes = ["smile", "unused", "jawOpen"]
        float[] blendShapeWeights = [0.25, 0, 0]
        float[] blendShapeWeights.timeSamples = { 1: [0, 0, 0], 2.5: [1, 0, 0.5], 7: [0.5, 0, -0.25] }
        %s
    }
"""
SKIN = """
        matrix4d primvars:skel:geomBindTransform = ((2, 0, 0, 0), (0, 2, 0, 0), (0, 0, 2, 0), (0, 0, 1, 1))
        int[] primvars:skel:jointIndices = [0, 1, 0, 1, 1, 0, 0, 0] (elementSize = 2; interpolation = "vertex")
        float[] primvars:skel:jointWeights = [.5, .5, 1, 0, .25, .75, 1, 0] (elementSize = 2; interpolation = "vertex")
"""


def stage(inside: str, about: str = 'upAxis = "Y"', root: str = "") -> str:
    return f'#usda 1.0\n(\n{about}\n)\ndef SkelRoot "Root"\n{{\n{root}\n{inside}\n}}\n'


def written(folder: Path, text: str, name: str = "face.usda") -> Path:
    (folder / name).write_text(text, "utf8")
    return folder / name


def test_shapes_in_betweens_weights_and_time_codes_are_read(tmp_path: Path) -> None:
    about = 'metersPerUnit = 0.001\n timeCodesPerSecond = 48\n framesPerSecond = 24\n upAxis = "Y"'
    skeleton = SKELETON.replace('["neck", "neck/head"]', "[]").replace("(0, 0, 5)", "(0, 0, 0)")
    document = fw.load_document(written(tmp_path, stage(skeleton + MESH % "" + ANIMATION % "", about)))
    rig = document.rig
    assert (rig.sliders, rig.parts[0].name, document.unit) == (("jawOpen", "smile"), "Head", "mm")
    assert [(shape.name, shape.sliders, shape.at) for shape in rig.shapes] == [
        ("back", ("jawOpen",), (-0.5,)), ("half", ("jawOpen",), (0.5,)), ("jawOpen", ("jawOpen",), (1.0,)),
        ("smile", ("smile",), (1.0,)),
    ]  # fmt: skip
    assert rig.bounds.tolist() == [[-0.5, 1.0], [0.0, 1.0]]
    np.testing.assert_array_equal(rig.neutral, POINTS)
    np.testing.assert_allclose(fw.evaluate(rig, {"jawOpen": 0.75})[[0, 2]], [[0.25, 0.75, 0], [1, 1, 0.625]])
    both = fw.evaluate(rig, {"jawOpen": -0.5, "smile": 1.0})
    np.testing.assert_allclose(both, np.array([[1, 0, 0], [1, 0, 0], [1, 1, -1], [0, 1, 2.5]]))
    assert document.pose.tolist() == [0.0, 0.25]
    clip = document.clips[0]
    assert (clip.name, clip.rate) == ("Anim", 24.0)
    np.testing.assert_allclose(clip.curves["jawOpen"].times, np.array([1, 2.5, 7]) / 48)
    assert clip.curves["jawOpen"].values.tolist() == [0.0, 0.5, -0.25]
    assert set(clip.curves) == {"jawOpen", "smile"}


@pytest.mark.parametrize("axis", ["Y", "Z"])
def test_a_skinned_mesh_and_its_shapes_are_where_usd_core_skins_them(axis: str, tmp_path: Path) -> None:
    """At rest joints are not where they were bound: turned, moved, and under a root that is placed and scaled."""
    root = """
        double3 xformOp:translate = (1, 2, 3)
        float3 xformOp:rotateXYZ = (10, 20, 30)
        float3 xformOp:scale = (2, 2, 2)
        uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:rotateXYZ", "xformOp:scale"]
    """
    text = stage(SKELETON + MESH % SKIN + ANIMATION % "", f'upAxis = "{axis}"', root)
    path = written(tmp_path, text)
    document = fw.load_document(path)
    turn = np.eye(3) if axis == "Y" else np.array([[1.0, 0, 0], [0, 0, -1], [0, 1, 0]])
    for time in (1.0, 2.5, 7.0):  # between samples, what was baked is joined by straight lines
        ours = fw.evaluate(document.rig, document.clips[0].sample(document.rig.sliders, [time / 24])[0])
        np.testing.assert_allclose(ours, baked(path, time) @ turn, atol=1e-5)


def test_references_variants_instances_and_layer_offsets_are_composed(tmp_path: Path) -> None:
    skeleton = SKELETON.replace('["neck", "neck/head"]', "[]")
    written(tmp_path, stage(skeleton + MESH % "" + ANIMATION % ""), "asset.usda")
    eye = """#usda 1.0
def Xform "Eye" (variants = {string size = "large"}; prepend variantSets = "size")
{
    variantSet "size" = {
        "small" {
            def Mesh "Ball"
            {
                point3f[] points = [(9, 9, 9)]
            }
        }
        "large" {
            def Mesh "Ball"
            {
                uniform token orientation = "leftHanded"
                int[] faceVertexCounts = [4, 4]
                int[] faceVertexIndices = [0, 1, 2, 3, 3, 2, 1, 0]
                int[] holeIndices = [1]
                point3f[] points.timeSamples = { 3: [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)] }
                float2[] primvars:uvs = [(0, 0), (1, 0), (1, 1), (0, 1)] (interpolation = "vertex")
            }
        }
    }
}
"""
    written(tmp_path, eye, "eye.usda")
    scene = """#usda 1.0
def "World" { def "Face" (references = @asset.usda@</Root> (offset = 24)) {}
    def "EyeLeft" (instanceable = true; references = @./eye.usda@</Eye>) {
        double3 xformOp:translate = (2, 0, 0)
        uniform token[] xformOpOrder = ["xformOp:translate"]
    }
    def "EyeRight" (instanceable = true; references = @./eye.usda@</Eye>) {
        float3 xformOp:scale = (-1, 1, 1)
        uniform token[] xformOpOrder = ["xformOp:scale"]
    }
}
"""
    document = fw.load_document(written(tmp_path, scene, "scene.usda"))
    rig = document.rig
    assert [part.name for part in rig.parts] == ["Head", "Ball", "Ball 2"]
    np.testing.assert_allclose(rig.neutral[4:8], [[2, 0, 0], [3, 0, 0], [3, 1, 0], [2, 1, 0]])
    np.testing.assert_allclose(rig.neutral[8:], [[0, 0, 0], [-1, 0, 0], [-1, 1, 0], [0, 1, 0]])
    assert [row.tolist() for row in rig.polygons.rows()[2:]] == [[4, 7, 6, 5], [8, 9, 10, 11]]  # mirrored twice
    assert rig.uvs is not None
    np.testing.assert_allclose(rig.uvs.coordinates[rig.uvs.corners[6:10]], [[0, 0], [0, 1], [1, 1], [1, 0]])
    np.testing.assert_allclose(document.clips[0].curves["smile"].times, np.array([25, 26.5, 31]) / 24)
    assert document.unit == ""


def test_the_motion_of_the_whole_face_is_that_of_the_head(tmp_path: Path) -> None:
    """A parent turns about a pivot of its own, with quaternions; the face is placed under it."""
    turned = Rotation.from_euler("YXZ", [0.4, 0.2, -0.1]).as_quat()
    x, y, z, w = turned.tolist()
    root = f"""
        double3 xformOp:translate.timeSamples = {{ 0: (0, 0, 0), 24: (0, 2, 0) }}
        quatf xformOp:orient.timeSamples = {{ 0: (1, 0, 0, 0), 24: ({w}, {x}, {y}, {z}) }}
        uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:orient"]
    """
    mesh = (MESH % "").replace("rel skel:skeleton = </Root/Skel>", "") + ANIMATION % ""
    place = 'float3 xformOp:rotateXYZ = (0, 90, 0)\nuniform token[] xformOpOrder = ["xformOp:rotateXYZ"]\n%s'
    document = fw.load_document(written(tmp_path, stage(mesh.replace("%s", place), root=root)))
    clip = document.clips[0]
    turn = Rotation.from_euler("YXZ", clip.sample(ANGLES, [1.0])[0])
    np.testing.assert_allclose(turn.as_matrix(), Rotation.from_quat(turned).as_matrix(), atol=1e-6)
    np.testing.assert_allclose(clip.sample(OFFSETS, [0.5, 1.0]), [[0, 1, 0], [0, 2, 0]], atol=1e-6)


def test_a_body_is_left_out_and_what_is_rigid_stays(tmp_path: Path) -> None:
    rigid = SKIN.split("int[]")[0] + """
        int[] primvars:skel:jointIndices = [1] (elementSize = 1; interpolation = "constant")
        float[] primvars:skel:jointWeights = [1] (elementSize = 1; interpolation = "constant")
    """  # fmt: skip
    plain = """
    def Mesh "%s" (prepend apiSchemas = ["SkelBindingAPI"])
    {
        int[] faceVertexCounts = [3]
        int[] faceVertexIndices = [0, 1, 2]
        point3f[] points = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0.5)]
        rel skel:skeleton = </Root/Skel>
        %s
    }
    """
    text = stage(SKELETON + MESH % SKIN + plain % ("Body", SKIN) + plain % ("Teeth", rigid) + ANIMATION % "")
    path = written(tmp_path, text)
    with pytest.warns(FacewrightWarning, match="without shapes are left out: Body"):
        document = fw.load_document(path)
    assert [part.name for part in document.rig.parts] == ["Head", "Teeth"]
    np.testing.assert_allclose(document.rig.neutral[4:], baked(path, 1.0)[8:], atol=1e-5)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (stage("", 'subLayers = [@/etc/hosts@]\nupAxis = "Y"'), "which is not in its folder; `usdcat --flatten`"),
        (stage('def "A" (references = @../outside.usda@) {}'), "'../outside.usda', which is not in its folder"),
        (stage('def "A" (payload = @pipe.usda@) {}'), "no ordinary file"),
        (stage('def "A" (clips = { dictionary default = { asset[] assetPaths = [@/etc/hosts@] } }) {}'), "value clips"),
        (stage('def Sphere "A" {}'), "there is no mesh"),
        (stage(MESH % "").replace("[0, 1, 2, 0, 2, 3]", "[0, 1, 2, 0, 2, 9]"), "names vertex 9, but there are 4"),
        (stage(MESH % "").replace("pointIndices = [2, 0]", "pointIndices = [2, 7]"), "moves vertex 7; its mesh has 4"),
        (stage(MESH % "").replace("[3, 3]", "[3, 4]"), "counts add up to 7; there are 6 corners"),
        (stage(MESH % SKIN + SKELETON).replace("[0, 1, 0, 1, 1, 0, 0, 0]", "[0, 1, 0, 8, 1, 0, 0, 0]"), "joint 8"),
        (stage(MESH % "")[:-40], "usd-core cannot read it: line 27"),
        ("", "the file is empty"),
        ("hello", "a USD file begins with '#usda'"),
    ],
    ids=range(12),
)  # fmt: skip
def test_what_is_not_safe_or_not_whole_is_refused_in_words(text: str, words: str, tmp_path: Path) -> None:
    import os

    (tmp_path / "inside").mkdir()
    written(tmp_path, stage(MESH % ""), "outside.usda")
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "inside" / "pipe.usda")
    with pytest.raises(BadFile, match=words):
        fw.load(written(tmp_path / "inside", text))


def test_times_that_are_not_finite_are_refused() -> None:
    check_finite({"times": [0.0, 2.5]})
    with pytest.raises(BadFile, match="not finite"):
        check_finite({"times": [0.0, np.inf]})
