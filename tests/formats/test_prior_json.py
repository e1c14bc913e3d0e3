"""Priors are kept with a document and carried along; what is no prior is refused in words."""

import json
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.formats.test_fwface import rewrite
from tests.some import some

import facewright as fw
from facewright.errors import BadFile, BadValue, FacewrightWarning, UnknownFormat
from facewright.formats.schema.prior import encode_prior
from facewright.samples import mask
from facewright.session.edits.face import change_face
from facewright.session.storage.blobs import Blobs
from facewright.session.storage.document import DocumentCodec
from facewright.workflow.rename import rename_sliders

RIG = mask(vertices=100, shapes=6)
RECORDED = np.random.default_rng(3).random((40, 2)) @ np.random.default_rng(4).random((2, 6))
PRIOR = replace(fw.Prior.learn(RIG, RECORDED, strength=0.75), sources=("talk", "laugh"))
DOCUMENT = fw.Document(RIG, prior=PRIOR)


def assert_same_prior(one: fw.Prior | None, other: fw.Prior | None) -> None:
    for name in ("sliders", "frames", "sources", "strength"):
        assert getattr(some(one), name) == getattr(some(other), name), name
    np.testing.assert_array_equal(some(one).mean, some(other).mean)
    np.testing.assert_array_equal(some(one).covariance, some(other).covariance)


@pytest.mark.parametrize("name", ["face.fwface", "face.glb", "face.gltf"])
def test_a_prior_comes_back_to_the_last_bit(name: str, tmp_path: Path) -> None:
    fw.save(DOCUMENT, tmp_path / name)
    assert_same_prior(fw.load_document(tmp_path / name).prior, PRIOR)
    fw.save(fw.Document(RIG), tmp_path / name)
    assert fw.load_document(tmp_path / name).prior is None


def test_a_prior_for_other_sliders_than_the_rig_has_is_kept_as_it_was_learned(tmp_path: Path) -> None:
    other = mask(vertices=100, shapes=4)
    fw.save(fw.Document(other, prior=PRIOR), tmp_path / "face.fwface")
    kept = some(fw.load_document(tmp_path / "face.fwface").prior)
    assert_same_prior(kept, PRIOR)
    assert kept.on(other).sliders == other.sliders


def test_a_prior_stays_when_the_face_changes() -> None:
    other = fw.Document(mask(vertices=200, shapes=8))
    assert change_face(DOCUMENT, other).prior is PRIOR
    assert change_face(other, DOCUMENT).prior is PRIOR


def test_renamed_sliders_are_renamed_in_the_prior() -> None:
    first, second = RIG.sliders[:2]
    renamed = rename_sliders(DOCUMENT, {first: "other"})
    assert some(renamed.prior).sliders == ("other", *RIG.sliders[1:])
    assert some(renamed.prior).on(renamed.rig) is renamed.prior
    foreign = replace(DOCUMENT, prior=replace(PRIOR, sliders=(first, "other", *RIG.sliders[2:])))
    taken = some(rename_sliders(foreign, {first: "other"}).prior)  # its own `other` was no slider of this rig
    assert taken.sliders == ("other", *RIG.sliders[2:])
    assert rename_sliders(fw.Document(RIG), {second: "other"}).prior is None


def test_the_journal_keeps_a_prior_and_its_removal() -> None:
    kept: dict[str, bytes] = {}

    class Memory:
        def put(self, name: str, data: bytes) -> None:
            kept[name] = data

        def get(self, name: str) -> bytes:
            return kept[name]

    codec, none = DocumentCodec(), replace(DOCUMENT, prior=None)
    steps = [codec.encode(a, b, Blobs(Memory())) for a, b in ((None, none), (none, DOCUMENT), (DOCUMENT, none))]
    reading = Blobs(Memory())
    first = codec.decode(None, steps[0], reading)
    assert first.prior is None
    second = codec.decode(first, steps[1], reading)
    assert_same_prior(second.prior, PRIOR)
    assert codec.decode(second, steps[2], reading).prior is None


def test_rounded_numbers_are_read_as_the_nearest_covariance(tmp_path: Path) -> None:
    def rounded(entry: dict[str, Any]) -> None:
        entry["covariance"] = [[round(value, 4) for value in row] for row in entry["covariance"]]

    prior = some(_reread(tmp_path, rounded).prior)
    np.testing.assert_allclose(prior.covariance, PRIOR.covariance, atol=1e-3)
    assert np.linalg.eigvalsh(prior.covariance)[0] > -1e-12


def test_a_file_of_its_own_and_a_document_give_the_same_prior(tmp_path: Path) -> None:
    fw.save_prior(PRIOR, tmp_path / "prior.json")
    fw.save(DOCUMENT, tmp_path / "face.fwface")
    assert json.loads((tmp_path / "prior.json").read_text())["format"] == "facewright prior"
    for name in ("prior.json", "face.fwface"):
        assert_same_prior(fw.load_prior(tmp_path / name), PRIOR)


def test_a_wrong_file_says_what_would_have_worked(tmp_path: Path) -> None:
    fw.save(fw.Document(RIG), tmp_path / "bare.fwface")
    (tmp_path / "pose.json").write_text('{"jawOpen": 0.5}')
    (tmp_path / "text.json").write_text("jawOpen")
    for name, words in {
        "bare.fwface": "no prior in this document",
        "pose.json": 'must say "format": "facewright prior"',
        "text.json": "the JSON cannot be read",
        "none.json": "no such file",
    }.items():
        with pytest.raises(BadFile, match=words) as raised:
            fw.load_prior(tmp_path / name)
        assert name in str(raised.value)
        assert name == "none.json" or "facewright prior learn" in str(raised.value)
    with pytest.raises(UnknownFormat, match=r"kept in a \.json file"):
        fw.save_prior(PRIOR, tmp_path / "prior.csv")


def _reread(folder: Path, change: Callable[[dict[str, Any]], Any]) -> fw.Document:
    path = folder / "face.fwface"
    fw.save(DOCUMENT, path)
    entry = json.loads(encode_prior(PRIOR))
    change(entry)
    rewrite(path, lambda data: data, {"prior.json": json.dumps(entry).encode()})
    return fw.load_document(path)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda e: e.update(format="facewright regions"), '"format": "facewright prior" and "version": 1'),
        (lambda e: e.update(version=2), '"format": "facewright prior" and "version": 1'),
        (lambda e: e.pop("mean"), "missing required field `mean`"),
        (lambda e: e["mean"].pop(), "mean has 5 numbers for 6 sliders"),
        (lambda e: e["covariance"].pop(), "lower triangle of 6 rows"),
        (lambda e: e["covariance"][2].append(1.0), "lower triangle of 6 rows"),
        (lambda e: e["covariance"][0].__setitem__(0, -1.0), "no negative eigenvalues"),
        (lambda e: e["covariance"][3].__setitem__(1, 9.0), "no negative eigenvalues"),
        (lambda e: e["covariance"][3].__setitem__(3, 1e200), "at most 1e[+]09"),
        (lambda e: e["mean"].__setitem__(3, -1e200), "at most 1e[+]09"),
        (lambda e: e.update(strength=2), "goes from 0 to 1"),
        (lambda e: e.update(frames=-1), "number of poses"),
        (lambda e: e.update(frames=10**30), "frames"),
        (lambda e: e["sliders"].__setitem__(1, e["sliders"][0]), "names each slider once"),
        (lambda e: e.update(sliders=[str(i) for i in range(3000)]), "3,000 sliders; at most 2,048"),
    ],
)
def test_what_is_no_prior_is_refused_in_words(
    change: Callable[[dict[str, Any]], Any], words: str, tmp_path: Path
) -> None:
    with pytest.raises(BadFile, match=words) as raised:
        _reread(tmp_path, change)
    assert "face.fwface" in str(raised.value)
    assert "prior.json" in str(raised.value)


def test_numbers_that_are_not_finite_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match=r"prior\.json.*JSON"):
        _reread(tmp_path, lambda entry: entry["mean"].__setitem__(0, float("nan")))


def test_a_broken_prior_of_a_gltf_file_is_left_out_with_a_warning(tmp_path: Path) -> None:
    fw.save(DOCUMENT, tmp_path / "face.gltf")
    text = (tmp_path / "face.gltf").read_text()
    (tmp_path / "face.gltf").write_text(text.replace('"strength": 0.75', '"strength": 7.5'))
    with pytest.warns(FacewrightWarning, match="the prior is left out"):
        assert fw.load_document(tmp_path / "face.gltf").prior is None


def test_a_prior_too_large_to_be_read_is_not_written(tmp_path: Path) -> None:
    n = 2049
    large = fw.Prior(tuple(map(str, range(n))), np.zeros(n), np.eye(n))
    with pytest.raises(BadValue, match="up to 2,048 sliders"):
        fw.save(fw.Document(RIG, prior=large), tmp_path / "face.fwface")
    assert not (tmp_path / "face.fwface").exists()


def test_a_file_of_the_version_before_has_no_prior(tmp_path: Path) -> None:
    fw.save(DOCUMENT, tmp_path / "face.fwface")
    with zipfile.ZipFile(tmp_path / "face.fwface") as archive:
        content = {name: archive.read(name) for name in archive.namelist() if name != "prior.json"}
    with zipfile.ZipFile(tmp_path / "old.fwface", "w") as archive:
        for name, data in content.items():
            archive.writestr(name, data)
    assert fw.load_document(tmp_path / "old.fwface").prior is None
