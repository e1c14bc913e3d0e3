"""Builds in Blender give the library's rig, on the active mesh, with what it had kept."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.blender.extension.scene import add, choose, plain, pose, random_pose, shown

import facewright as fw
from facewright.build.registration.face_mesh import FaceMesh
from facewright.build.schedule import Schedule
from facewright.rig.edit.bake import scale
from facewright.samples import people

CLOSE = 1e-5  # of the face's size


def read(thing: Any) -> fw.Rig:
    from blender.face import read_face

    return read_face(thing).rig


def same(found: fw.Rig, wanted: fw.Rig, close: float = CLOSE) -> None:
    assert set(wanted.sliders) <= set(found.sliders)
    for shape in wanted.shapes:
        np.testing.assert_allclose(
            found.shape(shape.name).dense(found.vertex_count),
            shape.dense(wanted.vertex_count),
            atol=close * wanted.size,
            err_msg=shape.name,
        )


def neutral(thing: Any) -> fw.Rig:
    from blender.face import neutral_face

    return neutral_face(thing)[0]


def in_order(thing: Any, landmarks: dict[str, int]) -> dict[str, int]:
    """Landmarks in the order in which Blender has them: what is summed in another order differs in the last digit,
    and a fit can fall on the other side of a choice by that.
    """
    return {empty.name: landmarks[empty.name] for empty in thing.children}


@pytest.fixture(scope="session")
def other() -> fw.Rig:
    """Another person's face at rest, of the embedded head's polygons."""
    rig = fw.sample(people()[-1])
    return fw.Rig(rig.neutral, rig.polygons, parts=rig.parts, uvs=rig.uvs)


@pytest.fixture(scope="session")
def triangulated(other: fw.Rig) -> fw.Rig:
    """The same face with other polygons, and its vertices in another order."""
    order = np.random.default_rng(5).permutation(other.vertex_count)
    new = np.empty_like(order)
    new[order] = np.arange(len(order))
    return fw.Rig(other.neutral[order], new[other.triangles])


def test_shapes_of_the_same_polygons_are_the_librarys(bpy: Any, other: fw.Rig) -> None:
    thing = plain(bpy, other)
    group = thing.vertex_groups.new(name="mine")
    bpy.ops.facewright.transfer()
    same(read(thing), fw.transfer(fw.sample(), neutral(thing)))
    assert group.name in thing.vertex_groups
    assert thing.data.uv_layers.active is not None
    at = random_pose(fw.sample(), np.random.default_rng(3))
    pose(thing, at)
    np.testing.assert_allclose(shown(bpy, thing), fw.evaluate(read(thing), at), atol=CLOSE * other.size)


def test_a_mesh_of_any_polygons_lying_and_scaled_gets_the_librarys_shapes(bpy: Any, triangulated: fw.Rig) -> None:
    """The object is turned so that its mesh has y up, as imported files have, and is a hundredth of the size."""
    thing = plain(bpy, scale(triangulated, 0.01))
    upright = thing.data.copy()
    for vertex, old in zip(thing.data.vertices, upright.vertices, strict=True):
        vertex.co = (10 * old.co.x, 10 * old.co.z, -10 * old.co.y)
    thing.rotation_euler, thing.scale, thing.location = (np.pi / 2, 0, 0), (0.1, 0.1, 0.1), (1, 2, 3)
    bpy.context.view_layer.update()
    with pytest.raises(RuntimeError, match="press Add Landmarks"):
        bpy.ops.facewright.transfer()
    bpy.ops.facewright.add_landmarks()
    bpy.context.view_layer.update()
    rest, known = neutral(thing), FaceMesh(fw.sample(), "the head").landmarks
    order = np.random.default_rng(5).permutation(rest.vertex_count)
    new = np.argsort(order)
    from blender.space import Space

    empties = {empty.name: empty for empty in thing.children}
    assert set(empties) == set(known)
    empties["chin"].location.x += 1
    bpy.context.view_layer.update()
    with pytest.raises(RuntimeError, match=r"put the landmarks onto the face, or delete them: .*chin"):
        bpy.ops.facewright.transfer()
    for name, vertex in known.items():
        empties[name].location = Space.of(thing).to_world(rest.neutral[new[vertex]]).tolist()
    bpy.context.view_layer.update()
    bpy.ops.facewright.transfer()
    pairs = {name: int(new[vertex]) for name, vertex in known.items()}
    wanted = fw.transfer(fw.sample(), rest, in_order(thing, pairs), topology="target")
    found = read(thing)
    same(found, wanted)
    face = fw.evaluate(found, {"eyeBlinkLeft": 1.0})
    assert np.linalg.norm(face - found.neutral, axis=1).max() > 0.01 * found.size


@pytest.mark.parametrize("name", ["ict"])
def test_icts_face_gets_the_embedded_heads_shapes(bpy: Any, rig: fw.Rig, name: str) -> None:
    if rig.vertex_count == fw.sample().vertex_count:
        pytest.skip("of the same polygons")
    known = json.loads((Path(__file__).parents[2] / "build" / "landmarks.json").read_text())["ict_face"]
    thing = plain(bpy, fw.Rig(rig.neutral, rig.polygons))
    bpy.ops.facewright.add_landmarks()
    bpy.context.view_layer.update()
    from blender.space import Space

    for empty in list(thing.children):
        if empty.name in known:
            empty.location = Space.of(thing).to_world(rig.neutral[known[empty.name]]).tolist()
        else:
            bpy.data.objects.remove(empty)
    bpy.context.view_layer.update()
    bpy.ops.facewright.transfer()
    same(read(thing), fw.transfer(fw.sample(), neutral(thing), in_order(thing, known), topology="target"))


def test_lids_stay_open_where_closing_is_switched_off(bpy: Any, other: fw.Rig) -> None:
    thing = plain(bpy, other)
    bpy.context.scene.facewright.closed = False
    bpy.ops.facewright.transfer()
    found, rest = read(thing), neutral(thing)
    same(found, fw.transfer(fw.sample(), rest, closing={}))
    closed = fw.transfer(fw.sample(), rest).shape("eyeBlinkLeft").dense(found.vertex_count)
    assert np.abs(found.shape("eyeBlinkLeft").dense(found.vertex_count) - closed).max() > 1e-4 * found.size


def test_a_template_can_be_an_object_or_a_file(bpy: Any, other: fw.Rig, tmp_path: Any) -> None:
    template = fw.Rig(fw.sample().neutral, fw.sample().polygons, fw.sample().shapes[:3])
    settings = bpy.context.scene.facewright
    settings.template_object = add(bpy, template, "template")
    settings.template = "OBJECT"
    thing = plain(bpy, other, "one")
    bpy.ops.facewright.transfer()
    same(read(thing), fw.transfer(template, neutral(thing)))
    fw.save(template, tmp_path / "template.glb")
    settings.template, settings.template_file = "FILE", str(tmp_path / "template.glb")
    thing = plain(bpy, other, "two")
    bpy.ops.facewright.transfer()
    assert [block.name for block in thing.data.shape_keys.key_blocks] == ["Basis", *template.sliders]
    settings.template_file = str(tmp_path / "missing.glb")
    with pytest.raises(RuntimeError, match="choose the file of a template"):
        bpy.ops.facewright.transfer()
    (tmp_path / "broken.glb").write_bytes(b"glTF and nothing else")
    settings.template_file = str(tmp_path / "broken.glb")
    with pytest.raises(RuntimeError, match=r"broken\.glb"):
        bpy.ops.facewright.transfer()


def test_a_mesh_that_is_no_face_is_refused_in_words(bpy: Any) -> None:
    bpy.ops.mesh.primitive_cube_add()
    with pytest.raises(RuntimeError) as raised:
        bpy.ops.facewright.transfer()
    assert "Traceback" not in str(raised.value)
    assert bpy.context.active_object.data.shape_keys is None


@pytest.mark.parametrize("by", ["OBJECTS", "KEYS"])
def test_a_build_from_sculpts_is_the_librarys(bpy: Any, other: fw.Rig, by: str) -> None:
    own = fw.transfer(fw.sample(), other)
    louder = replace(own, shapes=tuple(replace(one, offsets=1.3 * one.offsets) for one in own.shapes))
    sculpts = {name: fw.evaluate(louder, {name: 1.0}) for name in ("jawOpen", "mouthSmileLeft")}
    thing = plain(bpy, other)
    settings = bpy.context.scene.facewright
    settings.examples, settings.trust = by, 0.7
    if by == "OBJECTS":
        others = [plain(bpy, replace(other, neutral=face), name) for name, face in sculpts.items()]
        choose(bpy, *others, thing)
    else:
        from blender.keys import write_keys
        from blender.space import Space

        shapes = [fw.Shape.from_dense(name, face - other.neutral) for name, face in sculpts.items()]
        write_keys(thing, fw.Rig(other.neutral, other.polygons, shapes), Space.of(thing))
        settings.example_keys = "*"
    bpy.ops.facewright.build()
    found = read(thing)
    builder = fw.RigBuilder(fw.sample(), other)
    for name, face in sculpts.items():
        builder.add_pose(face, {name: 1.0}, name=name)
    builder.schedule = Schedule.trusting(0.7)
    same(found, builder.solve().rig, 1e-4)
    if by == "KEYS":
        kept = thing.data.shape_keys.key_blocks["jawOpen example"]
        assert kept.mute
        np.testing.assert_allclose(
            [tuple(point.co) for point in kept.data], sculpts["jawOpen"] @ [[1, 0, 0], [0, 0, 1], [0, -1, 0]], atol=1e-3
        )
        settings.example_keys = "nothing*"
        with pytest.raises(RuntimeError, match=r"no shape key of face is called 'nothing\*'"):
            bpy.ops.facewright.build()
    else:
        choose(bpy, thing)
        with pytest.raises(RuntimeError, match="select the meshes of the poses as well"):
            bpy.ops.facewright.build()


@pytest.mark.long
def test_a_build_on_icts_face_is_the_librarys(bpy: Any, shared_data: Path) -> None:
    """A narrower face with the template's polygons, and three sculpts that are louder than the template's shapes."""
    ict = fw.load(shared_data / "ict_face" / "ict_face.npz")
    settings = bpy.context.scene.facewright
    settings.template, settings.template_object = "OBJECT", add(bpy, ict, "template")
    template = read(settings.template_object)
    narrow = fw.Rig(template.neutral * [0.93, 1.0, 1.02], template.polygons)
    own = fw.transfer(template, narrow)
    louder = replace(own, shapes=tuple(replace(one, offsets=1.3 * one.offsets) for one in own.shapes))
    sculpts = {name: fw.evaluate(louder, {name: 1.0}) for name in ("jawOpen", "mouthSmile_L", "browDown_R")}
    thing = plain(bpy, narrow)
    others = [plain(bpy, replace(narrow, neutral=face), name) for name, face in sculpts.items()]
    choose(bpy, *others, thing)
    bpy.ops.facewright.build()
    builder = fw.RigBuilder(template, neutral(thing))
    for name, other in zip(sculpts, others, strict=True):
        builder.add_pose(neutral(other).neutral, {name: 1.0}, name=name)
    builder.schedule = Schedule.trusting(0.5)
    same(read(thing), builder.solve().rig, 1e-4)


def test_a_pose_of_other_polygons_is_refused_in_words(bpy: Any, other: fw.Rig) -> None:
    bpy.ops.mesh.primitive_cube_add()
    cube = bpy.context.active_object
    choose(bpy, cube, plain(bpy, other))
    with pytest.raises(RuntimeError, match="a pose has the same vertices in the same order"):
        bpy.ops.facewright.build()


class Window:
    """What an operator that works beside the window needs of Blender's context."""

    def __init__(self, bpy: Any) -> None:
        self.scene, self.window = bpy.context.scene, bpy.context.window
        self.said: list[Any] = []
        self.window_manager = self.workspace = self
        self.active_object, self.selected_objects = bpy.context.active_object, bpy.context.selected_objects

    def __getattr__(self, name: str) -> Any:
        return lambda *given, **more: self.said.append((name, given))


class Event:
    def __init__(self, kind: str, value: str = "NOTHING") -> None:
        self.type, self.value = kind, value


def beside(bpy: Any, operator: type) -> tuple[Any, Window, list[tuple[set[str], str]]]:
    """An operator as Blender would run it beside the window."""
    reports: list[tuple[set[str], str]] = []
    fields = {"report": lambda self, kind, words: reports.append((kind, words))}
    bases = tuple(base for base in operator.__mro__ if base.__module__.startswith("blender") and base is not operator)
    made = type("Beside", bases, {**{k: v for k, v in vars(operator).items() if callable(v)}, **fields})()
    return made, Window(bpy), reports


def test_a_transfer_beside_the_window_shows_progress_and_ends_with_the_keys(bpy: Any, other: fw.Rig) -> None:
    from blender.operators.build import Transfer

    thing = plain(bpy, other)
    operator, window, reports = beside(bpy, Transfer)
    assert operator.invoke(window, Event("MOUSE")) == {"RUNNING_MODAL"}
    operator.modal(window, Event("TIMER"))
    operator._work.wait(60)
    assert operator.modal(window, Event("TIMER")) == {"FINISHED"}
    assert len(thing.data.shape_keys.key_blocks) == 53
    assert [kind for kind, _ in reports] == [{"INFO"}]
    names = [name for name, _ in window.said]
    assert names.index("progress_begin") < names.index("progress_end")
    assert "event_timer_remove" in names


def test_esc_stops_a_transfer_and_changes_nothing(bpy: Any, other: fw.Rig) -> None:
    from blender.operators.build import Transfer

    thing = plain(bpy, other)
    operator, window, reports = beside(bpy, Transfer)
    operator.invoke(window, Event("MOUSE"))
    outcome = operator.modal(window, Event("ESC", "PRESS"))
    operator._work.wait(60)
    assert outcome == {"RUNNING_MODAL"}
    assert operator.modal(window, Event("TIMER")) == {"CANCELLED"}
    assert reports == [({"WARNING"}, "stopped; nothing was changed")]
    assert thing.data.shape_keys is None


def test_a_mistake_beside_the_window_is_told_in_words(bpy: Any) -> None:
    from blender.operators.build import Transfer

    bpy.ops.mesh.primitive_cube_add()
    operator, window, reports = beside(bpy, Transfer)
    if operator.invoke(window, Event("MOUSE")) != {"CANCELLED"}:
        operator._work.wait(60)
        assert operator.modal(window, Event("TIMER")) == {"CANCELLED"}
    ((kind, words),) = reports
    assert kind == {"ERROR"}
    assert words


def test_a_build_is_one_step_to_undo(bpy: Any, other: fw.Rig) -> None:
    plain(bpy, other)
    bpy.ops.ed.undo_push(message="before")
    bpy.ops.facewright.transfer("EXEC_DEFAULT", True)
    assert len(bpy.context.active_object.data.shape_keys.key_blocks) == 53
    bpy.ops.ed.undo()
    assert bpy.context.active_object.data.shape_keys is None
