"""In-betweens and combinations are made, driven, converted and checked as steps, and pages are told their curves."""

from dataclasses import replace

import numpy as np
import pytest

from facewright.document import Document
from facewright.errors import BadValue, OtherTopology, UnknownName
from facewright.rig.combine import Combine
from facewright.rig.evaluate import evaluate
from facewright.rig.rig import Rig
from facewright.samples import mask
from facewright.session.context import Context
from facewright.session.edits.correctives import (
    ConvertInBetweens,
    DriveCorrective,
    FactorField,
    MakeCorrective,
    PoseCorner,
    corrective_of_file,
)
from facewright.session.edits.edit import DocumentEdit
from facewright.session.edits.sculpts import AddCorrective
from facewright.session.edits.touch_up import TouchUpShape
from facewright.session.files import Arrival
from facewright.session.storage.blobs import Blobs
from facewright.session.storage.document import DocumentCodec
from facewright.session.views.correctives import correctives
from facewright.session.views.view import Seen, look
from tests.session.memory_store import Memory
from tests.session.rigged import rigged
from tests.session.test_rig_edits import bytes_of, context_of


def whole() -> Document:
    """The face without poses of single regions: the jaw open, and half a smile on the left."""
    return replace(rigged(), local=None)


def value_of(document: Document, shape: str) -> float:
    return float(Combine(document.rig)(document.pose)[document.rig.shape_names.index(shape)])


def sculpt() -> np.ndarray:
    """The posed face, pushed out where it moves most."""
    face = evaluate(whole().rig, whole().pose)
    moved = np.linalg.norm(face - whole().rig.neutral, axis=1, keepdims=True)
    return np.asarray(face + 0.2 * moved * [0, 0, 1.0])


EDITS: list[DocumentEdit] = [
    MakeCorrective(name="open smile", at={"jawOpen": 1.0, "smileLeft": 0.5}),
    MakeCorrective(name="wide", at={"jawOpen": 1.0, "blinkLeft": 1.0}, start="face"),
    MakeCorrective(name="jaw half", at={"jawOpen": 0.4}, additive=False),
    AddCorrective(name="sculpted", sculpt=sculpt(), sliders=("jawOpen", "smileLeft"), at={"smileLeft": 0.5}),
    DriveCorrective(
        shape="jawSmile", factors=[FactorField("jawOpen", 1.0), FactorField("smileLeft", 0.5, (0.1, None))]
    ),
    ConvertInBetweens(slider="pucker", additive=True),
    PoseCorner(shape="jawSmile", corner=1),
]


@pytest.mark.parametrize("edit", EDITS, ids=lambda edit: edit.label)
def test_an_edit_undone_redone_and_kept_gives_the_same_bytes(edit: DocumentEdit) -> None:
    context, before = context_of(whole()), bytes_of(whole())
    assert context.apply(edit)
    after = context.document.value
    assert bytes_of(after) != before
    context.go_to("document", 0)
    assert bytes_of(context.document.value) == before
    context.go_to("document", 1)
    assert bytes_of(context.document.value) == bytes_of(after)
    codec, memory = DocumentCodec(), Memory()
    first, step = codec.encode(None, whole(), Blobs(memory)), codec.encode(whole(), after, Blobs(memory))
    read = Blobs(memory)  # as another process reads it after a kill
    assert bytes_of(codec.decode(codec.decode(None, first, read), step, read)) == bytes_of(after)


def applied(edit: DocumentEdit, document: Document | None = None) -> Document:
    context = context_of(whole() if document is None else document)
    context.apply(edit)
    return context.document.value


@pytest.mark.parametrize("edit", EDITS[:1] + EDITS[2:3] + EDITS[5:6], ids=lambda edit: edit.label)
def test_an_empty_corrective_and_another_form_of_in_betweens_change_no_pose(edit: DocumentEdit) -> None:
    now, rng = applied(edit), np.random.default_rng(1)
    weights = rng.uniform(0, 1, (20, len(whole().rig.sliders)))
    close = 1e-6 * whole().rig.size
    np.testing.assert_allclose(evaluate(now.rig, weights), evaluate(whole().rig, weights), atol=close)


def test_a_corrective_of_the_face_takes_over_what_sliders_that_were_taken_away_do() -> None:
    document = whole()
    now = applied(MakeCorrective(name="both", at={"jawOpen": 1.0, "blinkLeft": 0.5}, start="face"))
    shown = evaluate(document.rig, document.pose)  # with half a smile, which is no factor
    found = evaluate(now.rig, {"jawOpen": 1.0, "blinkLeft": 0.5})
    np.testing.assert_allclose(found, shown, atol=2e-7 * document.rig.size)


def test_with_the_corrective_of_a_sculpt_the_pose_is_the_sculpt() -> None:
    edit = AddCorrective(name="sculpted", sculpt=sculpt(), sliders=("jawOpen", "smileLeft"), at={"smileLeft": 0.5})
    now = applied(edit)
    assert value_of(now, "sculpted") == pytest.approx(1.0)
    np.testing.assert_allclose(evaluate(now.rig, now.pose), sculpt(), atol=2e-7 * now.rig.size)


def file(rig: Rig, **options: tuple[str, ...]) -> Arrival:
    return Arrival("sculpt", Document(rig), options)


def test_a_file_becomes_the_corrective_that_the_page_describes() -> None:
    context = context_of(whole())
    sculpted = Rig(sculpt(), whole().rig.polygons)
    edit = corrective_of_file(context, file(sculpted, at=("jawOpen=1", "smileLeft=0.5"), called=("open smile",)))
    context.apply(edit)
    shape = context.document.value.rig.shape("open smile")
    assert [(factor.slider, factor.at) for factor in shape.factors] == [("jawOpen", 1.0), ("smileLeft", 0.5)]
    with pytest.raises(OtherTopology, match=r"300 vertices.*another one.*in the part Shapes can be registered"):
        corrective_of_file(context, file(mask(vertices=300, shapes=1, seed=1), at=("jawOpen=1",)))
    with pytest.raises(BadValue, match="name=value"):
        corrective_of_file(context, file(sculpted, at=("jawOpen",)))
    with pytest.raises(BadValue, match="needs a slider"):
        corrective_of_file(context, file(sculpted))


def test_corners_pose_the_face_and_put_all_else_to_rest() -> None:
    context = context_of(rigged())  # with poses of regions, which go, too
    shape = rigged().rig.shape("jawSmile")
    seen = set()
    for corner in range(3):
        context.apply(PoseCorner(shape="jawSmile", corner=corner))
        now = context.document.value
        on = {name: value for name, value in zip(now.rig.sliders, now.pose.tolist(), strict=True) if value}
        assert set(on) <= set(shape.sliders)
        assert now.local is None
        seen.add(tuple(sorted(on.items())))
    assert seen == {(("jawOpen", 1.0),), (("smileLeft", 1.0),), (("jawOpen", 1.0), ("smileLeft", 1.0))}
    with pytest.raises(BadValue, match="has 3 corners; there is no number 4"):
        context.apply(PoseCorner(shape="jawSmile", corner=3))


@pytest.mark.parametrize(
    ("edit", "words"),
    [
        (MakeCorrective(name="x", at={"jaw": 1.0}), "no slider named 'jaw'"),
        (MakeCorrective(name="x", at={"jawOpen": 1.0}), "at its end"),
        (MakeCorrective(name="x", at={"jawOpen": 0.0, "pucker": 1.0}), "is 0 in the pose"),
        (MakeCorrective(name="x", at={"jawOpen": 1.5, "pucker": 1.0}), "goes from 0 to 1; a corrective at 1.5"),
        (MakeCorrective(name="jawSmile", at={"jawOpen": 1.0, "pucker": 1.0}), "a shape named 'jawSmile' already"),
        (
            DriveCorrective(shape="jawSmile", factors=[FactorField("jawOpen", 1.0), FactorField("jawOpen", 0.5)]),
            "names each slider once",
        ),
        (DriveCorrective(shape="jawSmile", factors=[FactorField("jawOpen", 0.5, (0.5, 0.7))]), "out of order"),
        (DriveCorrective(shape="jawOpen", factors=[FactorField("pucker", 1.0)]), "the own shape of a slider"),
    ],
)
def test_what_cannot_be_is_refused_in_words(edit: DocumentEdit, words: str) -> None:
    context = context_of(whole())
    with pytest.raises((BadValue, UnknownName), match=words):
        context.apply(edit)
    assert context.document.value is not None
    assert not context.document.history.labels


def test_a_corrective_is_not_made_while_regions_have_poses_of_their_own() -> None:
    with pytest.raises(BadValue, match="regions have poses of their own"):
        context_of(rigged()).apply(MakeCorrective(name="x", at={"jawOpen": 1.0, "pucker": 0.5}))


def test_pages_are_told_kinds_curves_and_corners() -> None:
    listed = {each.name: each for each in correctives(context_of(whole()))}
    assert {name: each.kind for name, each in listed.items()} == {
        "pucker": "end", "puckerHalf": "in-between", "jawSmile": "combination"
    }  # fmt: skip
    half = listed["puckerHalf"].factors[0]
    assert (half.at, half.low, half.high, half.straight) == (0.5, 0.0, 1.0, False)
    assert half.curve == [(0.0, 0.0), (0.5, 1.0), (1.0, 0.0)]
    both = listed["jawSmile"]
    assert [factor.straight for factor in both.factors] == [True, True]
    assert both.corners == [[1.0, 1.0], [1.0, 0.0], [0.0, 1.0]]


def test_a_brush_does_not_make_the_list_anew() -> None:
    context: Context = context_of(whole())
    before = look(context, Seen())
    context.apply(TouchUpShape(shape="jawOpen", kind="erase", path=[(0, 0.4, 0.3, 0.3)], radius=0.5, strength=1.0))
    after = look(context, before)
    assert after.made["correctives"] is before.made["correctives"]
    assert after.made["shapes"] is not before.made["shapes"]
