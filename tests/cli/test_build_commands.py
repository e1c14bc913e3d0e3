"""`facewright transfer` and `facewright build`."""

import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import msgspec
import numpy as np
import pytest

import facewright as fw
from facewright.build.schedule import Schedule
from facewright.formats.registry import load, load_document
from facewright.image.codec import encoded
from tests.build.faces import bent, template
from tests.cli.command import PATIENCE, Done, assert_one_paragraph, command, run, run_alone


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    rig = template()
    face = fw.transfer(rig, bent(rig))
    fw.save(rig, tmp_path / "template.npz")
    fw.save(fw.Rig(face.neutral, face.polygons), tmp_path / "neutral.obj")
    one, other = rig.sliders[:2]
    for name, pose in {"smile": {one: 0.9, other: 0.5}, "frown": {other: 1.0}}.items():
        fw.save(fw.Rig(fw.evaluate(face, pose), face.polygons), tmp_path / f"{name}.obj")
    return tmp_path


def test_transfer_writes_the_rig_that_the_library_makes(folder: Path) -> None:
    done = run_alone("transfer", folder / "template.npz", folder / "neutral.obj", "-o", folder / "rig.fwface")
    assert done.returncode == 0, done.stderr
    assert "160 vertices, 6 shapes" in done.stderr
    made = fw.transfer(template(), load(folder / "neutral.obj"))
    np.testing.assert_allclose(load(folder / "rig.fwface").deltas(), made.deltas(), atol=1e-9)


def test_the_embedded_head_is_a_template(tmp_path: Path) -> None:
    kenji = fw.sample("kenji")
    fw.save(fw.Rig(kenji.neutral, kenji.polygons), tmp_path / "neutral.obj")
    done = run("transfer", "sample", tmp_path / "neutral.obj", "-o", tmp_path / "rig.glb")
    assert done.returncode == 0, done.stderr
    assert "closed: eyeBlinkLeft, eyeBlinkRight, mouthClose" in done.stderr
    assert load(tmp_path / "rig.glb").sliders == fw.sample().sliders


def few_shapes() -> fw.Rig:
    """The embedded head with fewer shapes, some of which close lids and lips."""
    head, names = fw.sample(), ("eyeBlinkLeft", "eyeBlinkRight", "jawOpen", "mouthClose")
    shapes = tuple(shape for shape in head.shapes if shape.name in names)
    return fw.Rig(head.neutral, head.polygons, shapes, parts=head.parts, uvs=head.uvs)


def test_lids_and_lips_need_not_be_kept_closed(tmp_path: Path) -> None:
    kenji, source = fw.sample("kenji"), few_shapes()
    fw.save(fw.Rig(kenji.neutral, kenji.polygons), tmp_path / "neutral.obj")
    fw.save(source, tmp_path / "few.fwface")
    words = ("transfer", tmp_path / "few.fwface", tmp_path / "neutral.obj", "-o", tmp_path / "rig.fwface")
    done = run(*words, "--not-closed")
    assert done.returncode == 0, done.stderr
    assert "closed" not in done.stderr
    neutral = load(tmp_path / "neutral.obj")
    open_, closed = fw.transfer(source, neutral, closing={}), fw.transfer(source, neutral)
    found = load(tmp_path / "rig.fwface").deltas()
    np.testing.assert_allclose(found, open_.deltas(), atol=1e-9 * kenji.size)
    assert np.abs(found - closed.deltas()).max() > 1e-6 * kenji.size


def test_the_rig_looks_as_the_file_of_its_neutral(tmp_path: Path) -> None:
    kenji = fw.sample("kenji")
    bare = fw.Rig(kenji.neutral, kenji.polygons, parts=kenji.parts, uvs=kenji.uvs)
    skin = fw.Textures(encoded(np.full((8, 8, 3), 90, np.uint8), "image/png"), parts=(kenji.parts[0].name,))
    fw.save(fw.Document(bare, textures=skin), tmp_path / "neutral.glb")
    material = msgspec.json.decode(_json_of(tmp_path / "neutral.glb"))["materials"][0]
    fw.save(few_shapes(), tmp_path / "few.fwface")
    for words in (("transfer",), ("build", "--pose", f"{tmp_path / 'open.obj'}:jawOpen=1", "--iterations", 1)):
        fw.save(fw.Rig(fw.evaluate(kenji, {"jawOpen": 0.9}), kenji.polygons), tmp_path / "open.obj")
        name, *options = words
        done = run(name, tmp_path / "few.fwface", tmp_path / "neutral.glb", "-o", tmp_path / "rig.glb", *options)
        assert done.returncode == 0, done.stderr
        made = load_document(tmp_path / "rig.glb")
        assert len(made.rig.shapes) == 4
        assert made.textures is not None
        assert made.textures.neutral == skin.neutral
        assert material in msgspec.json.decode(_json_of(tmp_path / "rig.glb"))["materials"]


def _json_of(glb: Path) -> bytes:
    data = glb.read_bytes()
    return data[20 : 20 + int.from_bytes(data[12:16], "little")]


@pytest.mark.usefixtures("small_pictures")
def test_build_tells_every_iteration_and_every_pose_and_writes_rig_and_report(folder: Path) -> None:
    one, other = template().sliders[:2]
    poses = [
        ("--pose", f"{folder / 'smile.obj'}:{one}=1,{other}=.5"),
        ("--pose", f"{folder / 'frown.obj'}:{other}=0.9"),
    ]
    done = _build(folder, *poses[0], *poses[1], "--report", folder / "out.html", "--iterations", 4)
    assert done.returncode == 0, done.stderr
    lines = done.stderr.splitlines()
    assert [line.split(":")[0] for line in lines[:6]] == [f"iteration {i} of 4" for i in range(1, 5)] + [
        "smile",
        "frown",
    ]
    assert load(folder / "rig.glb").sliders == template().sliders
    page = (folder / "out.html").read_text("utf8")
    assert page.count("<article") == 2
    assert "smile" in page
    assert "http" not in page.replace("http-equiv", "")


def test_poses_can_come_from_a_file_beside_them(folder: Path) -> None:
    one, other = template().sliders[:2]
    entries = [{"file": "smile.obj", "weights": {one: 1, other: 0.5}}, {"file": "smile.obj", "weights": {one: 1}}]
    (folder / "poses.json").write_bytes(msgspec.json.encode({"poses": entries}))
    done = _build(folder, "--poses", folder / "poses.json", "--iterations", 2)
    assert done.returncode == 0, done.stderr
    assert [line.split(":")[0] for line in done.stderr.splitlines()[2:4]] == ["smile", "smile 2"]


def test_the_schedule_in_print_builds_what_the_library_builds_and_takes_no_trust(folder: Path) -> None:
    one = template().sliders[0]
    given = f"{folder / 'smile.obj'}:{one}=0.9"
    done = _build(folder, "--pose", given, "--iterations", 2, "--schedule", "paper", "--json")
    assert done.returncode == 0, done.stderr
    told = msgspec.json.decode(done.stdout)["iterations"]
    assert [(step["beta"], step["gamma"]) for step in told] == [(0.5, 0.1), (0.1, 0.01)]
    schedule = replace(Schedule.paper(), iterations=2)
    made = fw.build_rig(
        template(), load(folder / "neutral.obj"), [load(folder / "smile.obj")], [{one: 0.9}], schedule=schedule
    )
    np.testing.assert_allclose(load(folder / "rig.glb").deltas(), made.rig.deltas(), atol=1e-5)
    refused = _build(folder, "--pose", given, "--schedule", "paper", "--trust", 0.9)
    assert_one_paragraph(refused, "--schedule paper")


def test_a_built_rig_is_the_template_of_a_further_pose(folder: Path) -> None:
    one, other = template().sliders[:2]
    assert _build(folder, "--pose", f"{folder / 'smile.obj'}:{one}=0.9,{other}=0.5", "--iterations", 2).returncode == 0
    last, more = folder / "last.npz", folder / "more.npz"
    fw.save(load(folder / "rig.glb"), last)
    further = ("--pose", f"{folder / 'frown.obj'}", "--iterations", 2)
    done = run("build", last, last, *further, "-o", more)
    assert done.returncode == 0, done.stderr
    assert load(more).sliders == load(last).sliders
    again = run("build", "--from", last, *further, "-o", folder / "again.npz")
    assert again.returncode == 0, again.stderr
    np.testing.assert_array_equal(load(folder / "again.npz").neutral, load(more).neutral)
    for one_shape, other_shape in zip(load(folder / "again.npz").shapes, load(more).shapes, strict=True):
        np.testing.assert_allclose(one_shape.offsets, other_shape.offsets, atol=1e-9)
    for words in (("--from", last, "sample"), ("sample",), ("--from", last, "--resume")):
        refused = run("build", *words, *further, "-o", folder / "none.npz")
        assert refused.returncode == 2
        assert "--from" in refused.stderr


def test_weights_of_poses_that_have_none_are_found_by_a_prior(folder: Path) -> None:
    rig, prior = template(), folder / "prior.json"
    one, other = rig.sliders[:2]
    smiles = np.linspace(0, 1, 20)[:, None] * rig.weights({one: 0.9, other: 0.5})
    fw.save_prior(fw.Prior.learn(rig, smiles), prior)
    (folder / "poses.json").write_bytes(msgspec.json.encode({"poses": [{"file": "smile.obj"}]}))
    words = ("--poses", folder / "poses.json", "--pose", folder / "frown.obj", "--iterations", 2)
    done = _build(folder, *words, "--prior", prior)
    assert done.returncode == 0, done.stderr
    assert [line.split(":")[0] for line in done.stderr.splitlines()[2:4]] == ["frown", "smile"]
    faces = [load(folder / f"{name}.obj") for name in ("frown", "smile")]
    schedule = replace(Schedule.trusting(0.5), iterations=2)
    made = fw.build_rig(
        rig, load(folder / "neutral.obj"), faces, [None, None], prior=fw.load_prior(prior), schedule=schedule
    )
    np.testing.assert_allclose(load(folder / "rig.glb").deltas(), made.rig.deltas(), atol=1e-5)
    given = f"{folder / 'smile.obj'}:{one}=1"
    assert_one_paragraph(_build(folder, "--pose", given, "--prior", prior), "every pose has some")
    fw.save_prior(fw.Prior.from_names(rig), prior)
    assert_one_paragraph(_build(folder, *words, "--prior", prior), "prior.json", "not learned from poses")


def test_poses_need_no_weights_and_what_the_template_lacks_is_told_proposed_and_added(folder: Path) -> None:
    rig = template()
    other = rig.sliders[1]
    fewer = fw.Rig(rig.neutral, rig.polygons, rig.shapes[1:])
    fw.save(fewer, folder / "template.npz")  # without what `smile` needs
    words = ("--pose", f"{folder / 'smile.obj'}:{other}=.5", "--pose", folder / "frown.obj", "--iterations", 2)
    told = _build(folder, *words)
    assert told.returncode == 0, told.stderr
    assert "smile: the template cannot express it" in told.stderr
    assert "proposed: a shape smile makes" in told.stderr
    assert "frown: the template" not in told.stderr
    assert load(folder / "rig.glb").sliders == fewer.sliders
    added = _build(folder, *words, "--add-missing")
    assert "added: a shape smile makes" in added.stderr
    made = load(folder / "rig.glb")
    assert made.sliders == (*fewer.sliders, "smile")
    smile = load(folder / "smile.obj").neutral
    left, before = (np.linalg.norm(fw.evaluate(made, {other: 0.5, "smile": on}) - smile) for on in (1.0, 0.0))
    assert left < 0.6 * before


def test_further_templates_are_mixed_with_the_first_as_they_fit(folder: Path) -> None:
    rig = template()
    turned = [replace(one, offsets=one.offsets[:, [1, 2, 0]]) for one in rig.shapes]
    fw.save(replace(rig, shapes=tuple(turned)), folder / "other.npz")
    one, other = rig.sliders[:2]
    words = ("--pose", f"{folder / 'smile.obj'}:{one}=.9,{other}=.5", "--iterations", 1)
    done = _build(folder, *words, "--template", folder / "other.npz")
    assert done.returncode == 0, done.stderr
    assert "template.npz: 99%" in done.stderr  # the poses were made with its shapes
    made = fw.transfer(rig, load(folder / "neutral.obj"))
    np.testing.assert_allclose(load(folder / "rig.glb").deltas(), made.deltas(), atol=0.02 * rig.size)
    (folder / "pairs.json").write_text('{"pairs": [[0, 0], [1, 1], [2, 2]]}')
    refused = _build(folder, *words, "--template", folder / "other.npz", "--landmarks", folder / "pairs.json")
    assert_one_paragraph(refused, "leave it out")


def test_mistakes_are_one_paragraph(folder: Path) -> None:
    assert_one_paragraph(_build(folder), "at least one --pose", "facewright transfer")
    assert_one_paragraph(_build(folder, "--pose", "smirk.obj"), "smirk.obj")
    assert_one_paragraph(_build(folder, "--pose", f"{folder / 'smile.obj'}:smirk=x"), "a weight is a name and a number")
    assert_one_paragraph(_build(folder, "--pose", f"{folder / 'smile.obj'}:smirk=1"), "no slider named 'smirk'")
    (folder / "poses.json").write_text('{"poses": 3}')
    assert_one_paragraph(_build(folder, "--poses", folder / "poses.json"), "A poses file looks like")
    done = run("transfer", folder / "template.npz", folder / "neutral.obj", "-o", folder / "rig.txt")
    assert_one_paragraph(done, "no format ends in '.txt'")
    assert not (folder / "rig.glb").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="there, Ctrl-C goes to the whole group of processes")
def test_an_interruption_keeps_the_last_whole_iteration(folder: Path) -> None:
    one = template().sliders[0]
    words = ["build", folder / "template.npz", folder / "neutral.obj", "-o", folder / "rig.glb"]
    words += ["--pose", f"{folder / 'smile.obj'}:{one}=1", "--iterations", 100_000]
    unbuffered = os.environ | {"PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(command(*words), stderr=subprocess.PIPE, text=True, env=unbuffered) as running:
        try:
            assert running.stderr is not None
            assert running.stderr.readline().startswith("iteration 1 of")
            running.send_signal(signal.SIGINT)
            rest = running.communicate(timeout=PATIENCE)[1]
            assert running.returncode == 0, rest
        finally:
            running.kill()
    assert "stopped after iteration" in rest
    assert load(folder / "rig.glb").sliders == template().sliders


def _build(folder: Path, *more: object) -> Done:
    return run("build", folder / "template.npz", folder / "neutral.obj", "-o", folder / "rig.glb", *more)


def test_a_neutral_with_z_up_and_its_poses_are_laid_upright_or_as_up_says(tmp_path: Path) -> None:
    kenji, z_up = fw.sample("kenji"), np.array([[1.0, 0, 0], [0, 0, 1], [0, -1, 0]])
    fw.save(few_shapes(), tmp_path / "few.fwface")
    for name, pose in {"neutral": {}, "shout": {"jawOpen": 0.8}}.items():
        fw.save(fw.Rig(fw.evaluate(kenji, pose) @ z_up, kenji.polygons), tmp_path / f"{name}.obj")
    words = ("build", tmp_path / "few.fwface", tmp_path / "neutral.obj", "-o", tmp_path / "rig.fwface")
    poses = ("--pose", f"{tmp_path / 'shout.obj'}:jawOpen=0.8", "--iterations", 1)
    done = run(*words, *poses)
    assert done.returncode == 0, done.stderr
    assert "turned by 90 degrees to stand upright, as its landmarks say; --up y leaves it as it is" in done.stderr
    made = load(tmp_path / "rig.fwface")
    np.testing.assert_allclose(made.neutral, kenji.neutral, atol=1e-9 * kenji.size)
    done = run("transfer", *words[1:], "--up", "y")
    assert done.returncode == 0, done.stderr
    assert "upright" not in done.stderr
    np.testing.assert_allclose(load(tmp_path / "rig.fwface").neutral, kenji.neutral @ z_up, atol=1e-9 * kenji.size)
