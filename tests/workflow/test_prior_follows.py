"""A prior follows the sliders that it was learned on, and says what poses of the edited rig would say."""

from dataclasses import replace

import numpy as np

from facewright.arrays import Floats
from facewright.document import Document
from facewright.rig import edit
from facewright.rig.prior import Prior
from facewright.workflow.edited_rig import with_edited_rig
from facewright.workflow.rename import rename_sliders
from facewright.workflow.shape_edits import merge_in_document, split_in_document
from facewright.workflow.two_ends import join_in_document, part_in_document
from tests.session.rigged import rigged
from tests.some import some


def poses() -> Floats:
    return np.random.default_rng(3).uniform(size=(200, len(rigged().rig.sliders))) ** 2


def learned() -> Document:
    return replace(rigged(), prior=Prior.learn(rigged().rig, poses()))


def assert_as_learned(document: Document, values: dict[str, Floats]) -> None:
    """The prior names the sliders of the rig, and says what poses (frames,) of some of them say, and of all others."""
    prior, rig = some(document.prior), document.rig
    assert set(prior.sliders) == set(rig.sliders)
    old = rigged().rig.sliders
    every = [values[name] if name in values else poses()[:, old.index(name)] for name in rig.sliders]
    again = Prior.learn(rig, np.stack(every, axis=1))
    np.testing.assert_allclose(prior.on(rig).moment, again.moment, atol=1e-12)
    assert prior.frames == again.frames


def of(name: str) -> Floats:
    return poses()[:, rigged().rig.slider_index(name)]


def test_a_renamed_slider_keeps_what_was_learned_of_it() -> None:
    assert_as_learned(rename_sliders(learned(), {"sneer": "grin"}), {"grin": of("sneer")})


def test_joined_sliders_are_one_that_goes_both_ways_also_when_it_is_renamed() -> None:
    joined = join_in_document(learned(), "blinkLeft", "sneer", name="both")
    assert_as_learned(rename_sliders(joined, {"both": "lid"}), {"lid": of("sneer") - of("blinkLeft")})


def test_merged_sliders_are_the_mean_of_both_and_split_ones_as_before() -> None:
    merged = merge_in_document(learned(), "smileLeft", "smileRight", name="smile")
    mean = (of("smileLeft") + of("smileRight")) / 2
    assert_as_learned(merged, {"smile": mean})
    split = split_in_document(merged, "smile")
    halves = {name: mean for name in split.rig.sliders if name.startswith("smile")}
    assert len(halves) == 2
    assert_as_learned(split, halves)


def test_the_ends_of_a_parted_slider_share_its_mean_square() -> None:
    wide = learned()
    wide = with_edited_rig(wide, edit.set_bounds(wide.rig, {"sneer": (-1.0, 1.0)}))
    parted = part_in_document(wide, "sneer", names=("down", "up"))
    prior = some(parted.prior).on(parted.rig)
    down, up = (parted.rig.slider_index(name) for name in ("down", "up"))
    assert "sneer" not in prior.sliders
    square = float((of("sneer") ** 2).mean())
    np.testing.assert_allclose([prior.moment[down, down], prior.moment[up, up]], square / 2)
    np.testing.assert_allclose(prior.moment[down, up], -square / 2)


def test_what_is_known_of_other_sliders_stays_and_a_dropped_one_is_forgotten() -> None:
    document = learned()
    other = some(document.prior).carried(("elsewhere", *document.rig.sliders[1:]), np.eye(len(document.rig.sliders)))
    dropped = with_edited_rig(replace(document, prior=other), edit.drop_shape(document.rig, "sneer"))
    assert set(some(dropped.prior).sliders) == {"elsewhere", *document.rig.sliders[1:]} - {"sneer"}
    untouched = with_edited_rig(document, edit.set_bounds(document.rig, {"sneer": (0.0, 2.0)}))
    assert untouched.prior is document.prior


def test_a_new_name_takes_the_place_of_what_was_known_under_it() -> None:
    document, name = learned(), "grin"
    known = tuple(name if one == "pucker" else one for one in document.rig.sliders)
    other = some(document.prior).carried(known, np.eye(len(known)))
    renamed = rename_sliders(replace(document, prior=other), {"sneer": name})
    prior = some(renamed.prior)
    assert prior.sliders.count(name) == 1
    np.testing.assert_allclose(prior.mean[prior.sliders.index(name)], of("sneer").mean())
