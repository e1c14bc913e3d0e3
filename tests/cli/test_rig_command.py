"""`facewright rig`: the edits of the workbench for scripts; the document follows, and mistakes are told in words."""

from dataclasses import replace
from pathlib import Path

import msgspec
import numpy as np
import pytest

from facewright.document import Document
from facewright.formats.registry import load_document, save
from facewright.motion.clip import Clip
from facewright.motion.curve import Curve
from facewright.rig import edit
from facewright.rig.evaluate import evaluate
from facewright.rig.rig import Rig
from facewright.rig.rules import OnlyMovedBy, StaysWithin
from facewright.samples.mask import mask
from tests.cli.command import Done, assert_one_paragraph, run, run_alone
from tests.session.rigged import rigged


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The face as face.fwface in the current folder, and a sculpt of it as sculpt.obj."""
    monkeypatch.chdir(tmp_path)
    save(rigged(), "face.fwface")
    rig = rigged().rig
    push = np.zeros_like(rig.neutral)
    push[[10, 11, 12]] = [0.0, 0.05, 0.1]
    save(Rig(evaluate(rig, {"jawOpen": 0.5, "pucker": 1.0}) + push, rig.polygons), "sculpt.obj")
    return tmp_path


def done(*words: object) -> Document:
    """The document that a verb writes."""
    shown = run("rig", *words, "-o", "out.fwface")
    assert shown.returncode == 0, shown.stderr
    assert "out.fwface: " in shown.stderr
    return load_document("out.fwface")


def refused(*words: object, out: str = "out.fwface") -> Done:
    shown = run("rig", *words, "-o", out)
    assert not Path("out.fwface").exists()
    assert_one_paragraph(shown)
    return shown


def test_a_sculpt_of_a_pose_becomes_a_combination(folder: Path) -> None:
    now = done("combine", "face.fwface", "jawOpen=0.5", "pucker", "--sculpt", "sculpt.obj", "--name", "fix")
    shape = now.rig.shape("fix")
    assert (shape.sliders, shape.at) == (("jawOpen", "pucker"), (0.5, 1.0))
    sculpt = load_document("sculpt.obj").rig.neutral
    pose = {"jawOpen": 0.5, "pucker": 1.0}
    np.testing.assert_allclose(evaluate(now.rig, pose), sculpt, atol=1e-5 * now.rig.size)
    assert set(now.clips[0].curves) == set(rigged().clips[0].curves)
    same = done("add", "face.fwface", "--from", "sculpt.obj", "--as", "jawOpen=0.5,pucker=1", "--name", "fix")
    np.testing.assert_array_equal(same.rig.shape("fix").offsets, shape.offsets)
    empty = done("combine", "face.fwface", "sneer", "browUp")
    assert empty.rig.shape("sneer_browUp").vertices.size == 0
    between = done("combine", "face.fwface", "sneer=0.5").rig.shapes[-1]
    assert (between.name, between.sliders, between.at) == ("sneer0.5", ("sneer",), (0.5,))


def test_a_combination_may_be_sculpted_in_a_pose_with_other_sliders_on(folder: Path) -> None:
    Path("pose.json").write_text('{"sneer": 0.5, "jawOpen": 1}')
    now = done("combine", "face.fwface", "jawOpen=0.5", "pucker=1", "--sculpt", "sculpt.obj", "--pose", "pose.json")
    assert now.rig.shapes[-1].sliders == ("jawOpen", "pucker")
    pose = {"jawOpen": 0.5, "pucker": 1.0, "sneer": 0.5}
    np.testing.assert_allclose(
        evaluate(now.rig, pose), load_document("sculpt.obj").rig.neutral, atol=1e-5 * now.rig.size
    )


@pytest.mark.parametrize("target", [False, True])
def test_a_sculpt_becomes_an_in_between_or_a_slider_of_its_own(folder: Path, target: bool) -> None:
    option = ["--target"] if target else []
    now = done("add", "face.fwface", "--from", "sculpt.obj", "--as", "sneer=0.25", "--name", "half", *option)
    sculpt = load_document("sculpt.obj").rig.neutral
    assert now.rig.shape("half").additive is not target
    np.testing.assert_allclose(evaluate(now.rig, {"sneer": 0.25}), sculpt, atol=1e-5 * now.rig.size)
    own = done("add", "face.fwface", "--from", "sculpt.obj", "--bounds", "0:2", "--group", "mouth")
    assert (own.rig.sliders[-1], own.rig.groups[-1], own.rig.bounds[-1].tolist()) == ("sculpt", "mouth", [0, 2])
    np.testing.assert_allclose(evaluate(own.rig, {"sculpt": 1.0}), sculpt, atol=1e-5 * now.rig.size)


def test_a_shape_of_another_rig_is_taken_as_it_is(folder: Path) -> None:
    save(edit.scale_shape(rigged().rig, "sneer", 0.5), "other.npz")
    own = done("add", "face.fwface", "--from", "other.npz", "--shape", "sneer", "--name", "soft")
    np.testing.assert_allclose(own.rig.shape("soft").offsets, 0.5 * rigged().rig.shape("sneer").offsets, atol=1e-6)
    both = done(
        "add", "face.fwface", "--from", "other.npz", "--shape", "sneer", "--name", "soft", "--as", "browUp,sneer=0.5"
    )
    assert (both.rig.shape("soft").sliders, both.rig.shape("soft").at) == (("browUp", "sneer"), (1.0, 0.5))


def test_a_shape_is_replaced_by_a_sculpt_of_a_pose_or_by_one_of_another_rig(folder: Path) -> None:
    sculpt, rig = load_document("sculpt.obj").rig.neutral, rigged().rig
    alone = done("replace", "face.fwface", "sneer", "--from", "sculpt.obj").rig
    np.testing.assert_allclose(evaluate(alone, {"sneer": 1.0}), sculpt, atol=1e-5 * rig.size)
    pose = {"sneer": 0.5, "browUp": 1.0}
    posed = done("replace", "face.fwface", "sneer", "--from", "sculpt.obj", "--pose", "sneer=0.5,browUp").rig
    np.testing.assert_allclose(evaluate(posed, pose), sculpt, atol=1e-5 * rig.size)
    save(edit.scale_shape(rig, "sneer", 0.5), "other.npz")
    taken = done("replace", "face.fwface", "browUp", "--from", "other.npz", "--shape", "sneer").rig
    np.testing.assert_allclose(taken.shape("browUp").offsets, 0.5 * rig.shape("sneer").offsets, atol=1e-6)
    assert taken.shape("browUp").sliders == ("browUp",)


def test_shapes_are_copied_made_stronger_and_pruned(folder: Path) -> None:
    rig = rigged().rig
    now = done("copy", "face.fwface", "sneer=sneerWide", "browUp=brows").rig
    np.testing.assert_array_equal(evaluate(now, {"sneerWide": 0.3}), evaluate(rig, {"sneer": 0.3}))
    now = done("strength", "face.fwface", "sneer=1.5", "browUp=-1").rig
    np.testing.assert_allclose(now.shape("sneer").offsets, 1.5 * rig.shape("sneer").offsets)
    np.testing.assert_allclose(now.shape("browUp").offsets, -rig.shape("browUp").offsets)
    pruned = edit.prune(rig, tolerance=0.01, shapes=["sneer"])
    assert pruned.dropped
    now = done("prune", "face.fwface", "sneer", "--tolerance", "0.01").rig
    assert [len(each.vertices) for each in now.shapes] == [len(each.vertices) for each in pruned.rig.shapes]


def test_in_betweens_are_given_in_the_other_way_and_pairs_softened(folder: Path) -> None:
    half = done("combine", "face.fwface", "sneer=0.5", "--sculpt", "sculpt.obj").rig
    save(half, "half.fwface")
    now = done("inbetweens", "half.fwface", "--as", "targets").rig
    assert [each.additive for each in now.shapes if each.name == "sneer0.5"] == [False]
    for value in (0.2, 0.5, 0.8, 1.0):
        np.testing.assert_allclose(evaluate(now, {"sneer": value}), evaluate(half, {"sneer": value}), atol=1e-12)
    save(now, "targets.fwface")
    back = done("inbetweens", "targets.fwface", "sneer", "--as", "additions").rig
    np.testing.assert_allclose(evaluate(back, {"sneer": 0.4}), evaluate(half, {"sneer": 0.4}), atol=1e-12)
    copied = done("copy", "face.fwface", "sneer=sneerWide").rig
    save(copied, "wide.fwface")
    soft = done("soften", "wide.fwface", "sneer", "sneerWide", "--name", "both").rig
    one = evaluate(copied, {"sneer": 1.0})
    np.testing.assert_allclose(evaluate(soft, {"sneer": 1.0, "sneerWide": 1.0}), one, atol=1e-9 * copied.size)


def test_names_are_changed_everywhere_and_shapes_dropped_with_what_needs_them(folder: Path) -> None:
    now = done("rename", "face.fwface", "jawOpen=pucker", "pucker=jawOpen")
    assert now.rig.sliders[0] == "pucker"
    assert "pucker" in now.clips[0].curves
    Path("out.fwface").unlink()
    told = refused("drop", "face.fwface", "jawOpen").stderr
    assert "1 combination, 1 clip, 1 texture and 1 tie use it (jawSmile, talk)" in told
    now = done("drop", "face.fwface", "jawOpen", "jawSmile", "--with-uses")
    assert not {"jawOpen", "jawSmile"} & {*now.rig.shape_names, *now.rig.sliders, *now.clips[0].curves}


def test_sides_are_mirrored_split_and_merged(folder: Path) -> None:
    plain = mask(vertices=900, shapes=2, seed=1)
    first = "smile"
    save(edit.rename(plain, {plain.sliders[0]: first}), "mask.npz")
    now = done("split", "mask.npz", first, "--endings", "_L,_R", "--falloff", "0.2")
    assert now.rig.sliders[:2] == (f"{first}_L", f"{first}_R")
    save(now, "halves.fwface")
    again = done("combine", "halves.fwface", f"{first}_L", f"{first}_R", "--merge")
    assert again.rig.sliders[0] == first
    np.testing.assert_allclose(
        evaluate(again.rig, {first: 0.7}), evaluate(load_document("mask.npz").rig, {first: 0.7}), atol=1e-12
    )
    told = run("rig", "mirror", "halves.fwface", f"{first}_L", "-o", "out.fwface")
    assert f"replaced {first}_R" in told.stderr
    for option in ("--flip", "--symmetrise=left"):
        done("mirror", "halves.fwface", f"{first}_L", option)


def test_a_name_that_is_given_twice_is_refused(folder: Path) -> None:
    for verb, *twice in (
        ("bounds", "jawOpen=0:0.5", "jawOpen=0:2"),
        ("group", "jawOpen=chin", "jawOpen=lips"),
        ("sets", "lips=sneer", "lips=browUp"),
        ("rename", "jawOpen=a", "jawOpen=b"),
    ):
        assert "named twice" in refused(verb, "face.fwface", *twice).stderr


def test_sliders_get_bounds_groups_an_order_and_negative_ends(folder: Path) -> None:
    now = done("bounds", "face.fwface", "jawOpen=0:0.5", "sneer=-1:1")
    assert now.rig.bounds[now.rig.slider_index("sneer")].tolist() == [-1, 1]
    assert now.pose[now.rig.slider_index("jawOpen")] == 0.5
    assert done("group", "face.fwface", "jawOpen=chin").rig.groups[0] == "chin"
    assert done("order", "face.fwface", "sneer", "browUp").rig.sliders[:3] == ("sneer", "browUp", "jawOpen")
    joined = done("join", "face.fwface", "blinkLeft", "sneer", "--name", "both")
    times = np.linspace(0, 1, 5)
    np.testing.assert_allclose(
        joined.clips[0].curves["both"](times), -rigged().clips[0].curves["blinkLeft"](times), atol=1e-6
    )
    save(joined, "joined.fwface")
    again = done("part", "joined.fwface", "both", "--names", "shut", "wrinkle")
    assert {"shut", "wrinkle"} <= set(again.clips[0].curves) | set(again.rig.sliders)
    assert ("shut", "wrinkle") in again.rig.exclusive


def test_pairs_and_ties_are_added_removed_and_proposed(folder: Path) -> None:
    assert done("exclude", "face.fwface", "pucker", "smileLeft", "--remove").rig.exclusive == ()
    now = done("exclude", "face.fwface", "sneer", "browUp")
    assert now.rig.exclusive == (("pucker", "smileLeft"), ("sneer", "browUp"))
    plain = replace(rigged().rig, ties=(), exclusive=(), rules=())
    renamed = edit.rename(plain, {"pucker": "mouthClose", "sneer": "browDown"})
    save(renamed, "named.fwface")
    assert ("mouthClose", "jawOpen") in (done("tie", "named.fwface", "--proposed").rig.ties or ())
    found = msgspec.json.decode(run("rig", "check", "named.fwface", "--json").stdout)
    told = [tuple(each["names"]) for each in found["proposals"] if each["kind"] == "proposed exclusive pair"]
    assert ("browUp", "browDown") in told
    assert list(done("exclude", "named.fwface", "--proposed").rig.exclusive) == told
    assert done("tie", "face.fwface", "pucker", "jawOpen", "--remove").rig.ties == ()


def test_sets_are_kept_listed_used_and_dropped(folder: Path) -> None:
    assert run("rig", "sets", "face.fwface").stdout == "no sets\n"
    now = done("sets", "face.fwface", "lips=pucker,smileLeft", "lids=eye")
    assert now.slider_sets == {"lips": ("pucker", "smileLeft"), "lids": ("blinkLeft", "blinkRight")}
    save(now, "sets.fwface")
    assert "lips: pucker, smileLeft" in run("rig", "sets", "sets.fwface").stdout
    Path("pins.json").write_text('{"pins": [{"vertex": 20, "offset": [0, 0.05, 0]}]}')
    shown = run("pose", "sets.fwface", "--pins", "pins.json", "--sliders", "lips", "-o", "pose.json")
    assert shown.returncode == 0, shown.stderr
    moved = {name for name, value in msgspec.json.decode(Path("pose.json").read_bytes())["weights"].items() if value}
    assert moved <= {"pucker", "smileLeft", "jawOpen"}  # the last one was on before
    assert set(done("sets", "sets.fwface", "--remove", "lips").slider_sets) == {"lids"}


def test_rules_are_listed_added_and_removed(folder: Path) -> None:
    listed = run("rig", "rules", "face.fwface").stdout
    assert "lid: 5 points, only moved by blinkLeft, sneer" in listed
    now = done("rules", "face.fwface", "--only", "nose", "--sliders", "sneer", "--vertices", "7,20-22")
    rule = now.rig.rules[-1]
    assert isinstance(rule, OnlyMovedBy)
    assert (rule.vertices.tolist(), rule.sliders) == ([7, 20, 21, 22], ("sneer",))
    regions = rigged().regions
    assert regions is not None
    now = done(
        "rules", "face.fwface", "--within", "still", "--share", "0.02", "--region", regions.names[0], "--remove", "lid"
    )
    assert [each.name for each in now.rig.rules] == ["chin", "still"]
    still = now.rig.rules[-1]
    assert isinstance(still, StaysWithin)
    assert still.distance == pytest.approx(0.02 * now.rig.size)


def test_a_check_names_what_is_wrong_and_ends_as_it_is_asked_to(folder: Path) -> None:
    rig = rigged().rig
    dead = replace(rig.shape("sneer"), name="dead", sliders=("pucker", "smileLeft"))
    far = replace(rig.shape("sneer"), name="far", sliders=("sneer",), at=(0.5,), spans=((0.4, 0.6),), additive=True)
    still = StaysWithin("still", rig.shape("jawOpen").vertices, 0.0)
    bad = replace(rig, shapes=(*rig.shapes, dead, far), rules=(still,))
    low = edit.set_bounds(bad, {"sneer": (0.0, 0.45)})
    save(low, "bad.fwface")
    told = run("rig", "check", "bad.fwface")
    assert told.returncode == 0
    assert "excluded combination: dead combines pucker with smileLeft" in told.stdout
    assert "within the bounds far (0.5) cannot be fully on" in told.stdout
    assert "broken rule: " in told.stdout
    assert run("rig", "check", "bad.fwface", "--strict").returncode == 1


@pytest.mark.parametrize("suffix", [".glb", ".gltf", ".npz", ".fwface", ""])
def test_any_format_is_read_and_written_and_the_input_is_kept(folder: Path, suffix: str) -> None:
    name, out = f"in{suffix}", f"out{suffix}"
    rig = mask(vertices=100, shapes=3)
    clip = Clip("talk", {rig.sliders[0]: Curve([0.0, 1.0], [0.0, 1.0])})
    save(Document(rig, (clip,)), name)
    refused("rename", name, f"{rig.sliders[0]}=grin", out=name)
    assert run("rig", "rename", name, f"{rig.sliders[0]}=grin", "-o", out).returncode == 0
    assert load_document(out).rig.sliders == ("grin", *rig.sliders[1:])
    assert run("rig", "rename", name, f"{rig.sliders[0]}=grin", "-o", name, "--force").returncode == 0
    assert load_document(name).rig.sliders[0] == "grin"


def test_bad_input_is_told_in_words(folder: Path) -> None:
    save(mask(vertices=100, shapes=1), "other.obj")
    save(rigged().rig, "rest.fwface")
    cases = [
        (["combine", "face.fwface", "sneer", "sneer=0.5"], "names each slider once"),
        (["add", "face.fwface", "--from", "other.obj", "--as", "sneer=0.5"], "facewright register"),
        (["combine", "face.fwface", "sneer=0.5", "--sculpt", "other.obj"], "facewright register"),
        (["combine", "face.fwface", "sneer=1", "--sculpt", "sculpt.obj"], "two or more sliders"),
        (["combine", "face.fwface", "sneer=2", "browUp"], "goes from 0 to 1; a corrective at 2 is never full"),
        (["add", "face.fwface", "--from", "rest.fwface"], "is named by --shape"),
        (["replace", "face.fwface", "snear", "--from", "sculpt.obj"], "did you mean sneer?"),
        (["replace", "face.fwface", "sneer", "--from", "sculpt.obj", "--pose", "browUp"], "set sneer so that it is on"),
        (["replace", "face.fwface", "sneer", "--from", "other.obj"], "facewright register"),
        (["copy", "face.fwface", "sneer=browUp"], "choose another name"),
        (["copy", "face.fwface", "sneer"], "smile=smileWide"),
        (["strength", "face.fwface", "sneer=0"], "other than 0"),
        (["strength", "face.fwface", "sneer=much"], "'much' is no number"),
        (["prune", "face.fwface", "--tolerance", "-1"], "0 or more"),
        (["inbetweens", "face.fwface", "snear", "--as", "targets"], "did you mean sneer?"),
        (["soften", "face.fwface", "sneer"], "two sliders are softened together"),
        (["drop", "face.fwface", "jawOpen"], "--with-uses"),
        (["mirror", "face.fwface", "jawOpen"], "--to"),
        (["add", "face.fwface", "--from", "sculpt.obj", "--as", "sneer=x"], "'x' is no number"),
        (["rules", "face.fwface", "--only", "r", "--sliders", "sneer"], "a rule is about points"),
        (["rules", "face.fwface", "--only", "r", "--vertices", "9-3"], "3,7,20-31"),
        (["rules", "face.fwface", "--within", "r", "--vertices", "99999"], "they go from 0 to"),
        (["rules", "face.fwface", "--within", "r", "--only", "s"], "one at a time"),
        (["rules", "face.fwface", "--within", "r", "--region", "ear"], "no region named 'ear'"),
        (["rules", "face.fwface", "--share", "0.1"], "name it by --only or --within"),
        (["rules", "face.fwface", "--remove", "lidd"], "did you mean lid?"),
        (["rules", "face.fwface"], "nothing changes"),
        (["bounds", "face.fwface", "sneer=1"], "0:1 or -1:1"),
        (["bounds", "face.fwface", "sneer=1:0"], "above the highest"),
        (["bounds", "face.fwface", "snear=0:1"], "did you mean sneer?"),
        (["bounds", "face.fwface", "sneer=0:0"], "it could not move"),
        (["bounds", "face.fwface", "sneer=0:1e9"], "no slider goes further than 1000"),
        (["tie", "face.fwface", "jawOpen", "pucker"], "pucker is tied to jawOpen"),
        (["rename", "face.fwface", "sneer"], "mouthOpen=jawOpen"),
        (["rename", "face.fwface", "sneer=browUp"], "two sliders named 'browUp'"),
        (["split", "face.fwface", "sneer", "--endings", "_L"], "two texts"),
        (["mirror", "face.fwface", "sneer", "--flip", "--to", "x"], "choose one"),
        (["exclude", "face.fwface", "sneer"], "in pairs"),
        (["exclude", "face.fwface"], "--proposed"),
        (["exclude", "face.fwface", "sneer", "sneer"], "cannot exclude itself"),
        (["tie", "face.fwface", "sneer", "jawOpen", "--remove"], "the ties of this face are pucker to jawOpen"),
        (["sets", "face.fwface"], "name neither to list them"),
        (["sets", "face.fwface", "--remove", "lips"], "no set of sliders named 'lips'"),
        (["sets", "face.fwface", "lips=puker"], "no set of sliders named 'puker'"),
        (["combine", "face.fwface", "sneer", "--merge"], "two sliders are merged"),
        (["combine", "face.fwface", "sneer=0.5", "browUp", "--knots", "sneer=0.6:0.8"], "out of order"),
    ]
    for words, said in cases:
        assert said in refused(*words).stderr, words
    assert_one_paragraph(run("rig", "rules", "face.fwface", "--remove", "lid"), "name it by -o")


def test_it_runs_as_a_process(folder: Path) -> None:
    shown = run_alone("rig", "check", "face.fwface")
    assert shown.returncode == 0
    assert shown.stdout
