"""Weight animations of other programs as clips."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import ArrayLike
from tests.formats.gltf_files import Tiny

from facewright.errors import BadFile
from facewright.formats import gltf
from facewright.motion.clip import Clip

SQUARE = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], float)


def faces(count: int = 1) -> Tiny:
    tiny = Tiny(animations=[])
    for number in range(count):
        tiny.mesh(SQUARE, [0, 1, 2], [SQUARE, -SQUARE], ["a", f"b{number}"])
    return tiny.nodes(*({"mesh": number} for number in range(count)))


def animate(
    tiny: Tiny,
    outputs: Sequence[ArrayLike],
    times: ArrayLike = (0.0, 0.5, 2.0),
    interpolation: str | None = None,
    kind: str = "f4",
    **more: Any,
) -> Tiny:
    """An animation with a table of weights for each node."""
    at = tiny.accessor(times)
    samplers = [
        {"input": at, "output": tiny.accessor(np.ravel(values), kind, **more)}
        | ({"interpolation": interpolation} if interpolation else {})
        for values in outputs
    ]
    channels = [{"sampler": i, "target": {"node": i, "path": "weights"}} for i in range(len(outputs))]
    tiny.json["animations"].append({"samplers": samplers, "channels": channels})
    return tiny


def clips(tiny: Tiny, tmp_path: Path) -> tuple[Clip, ...]:
    return gltf.FORMAT.read(tiny.save(tmp_path / "a.glb")).clips


@pytest.mark.parametrize(("stated", "how"), [(None, "linear"), ("LINEAR", "linear"), ("STEP", "step")])
def test_keys_are_kept_as_they_are_stored(tmp_path: Path, stated: str | None, how: str) -> None:
    table = np.array([[0.0, 0.25], [1.0, 0.5], [0.5, -1.5]])
    (clip,) = clips(animate(faces(), [table], interpolation=stated), tmp_path)
    assert clip.name == "clip 0"
    for column, name in enumerate(("a", "b0")):
        assert clip.curves[name].interpolation == how
        np.testing.assert_array_equal(clip.curves[name].times, [0.0, 0.5, 2.0])
        np.testing.assert_array_equal(clip.curves[name].values, table[:, column])


def test_a_cubic_spline_has_its_slopes_before_and_after_each_key(tmp_path: Path) -> None:
    table = np.arange(18.0).reshape(3, 3, 2)  # keys, (arriving, value, leaving), targets
    (clip,) = clips(animate(faces(), [table], interpolation="CUBICSPLINE"), tmp_path)
    curve = clip.curves["b0"]
    np.testing.assert_array_equal(curve.values, table[:, 1, 1])
    np.testing.assert_array_equal(curve.slopes, table[:, [0, 2], 1])


def test_normalised_weights_are_fractions(tmp_path: Path) -> None:
    (clip,) = clips(animate(faces(), [[0, 51, 102, 153, 204, 255]], kind="u1", normalized=True), tmp_path)
    np.testing.assert_allclose(clip.curves["b0"].values, [0.2, 0.6, 1.0], atol=1e-15)


def test_meshes_that_share_a_target_share_its_curve(tmp_path: Path) -> None:
    one, other = np.array([[0.1, 1], [0.2, 2], [0.3, 3]]), np.array([[0.1, 7], [0.2, 8], [0.3, 9]])
    (clip,) = clips(animate(faces(2), [one, other]), tmp_path)
    assert list(clip.curves) == ["a", "b0", "b1"]
    np.testing.assert_array_equal(clip.curves["b1"].values, [7, 8, 9])


def test_names_are_made_different_and_frames_give_the_rate(tmp_path: Path) -> None:
    tiny = faces()
    for _ in range(3):
        animate(tiny, [np.zeros((50, 2))], times=np.arange(50) / 24)
    tiny.json["animations"][0]["name"] = tiny.json["animations"][2]["name"] = "talk"
    found = clips(tiny, tmp_path)
    assert [clip.name for clip in found] == ["talk", "clip 1", "talk 2"]
    assert [clip.rate for clip in found] == [24.0] * 3


def test_a_key_at_a_time_that_has_passed_is_not_played(tmp_path: Path) -> None:
    table = np.arange(10.0).reshape(5, 2)
    (clip,) = clips(animate(faces(), [table], times=[0.0, 1.0, 1.0, 0.5, 2.0]), tmp_path)
    np.testing.assert_array_equal(clip.curves["a"].times, [0, 1, 2])
    np.testing.assert_array_equal(clip.curves["a"].values, [0, 2, 8])


def test_animations_of_nodes_are_no_clips(tmp_path: Path) -> None:
    tiny = faces()
    sampler = {"input": tiny.accessor([0.0, 1.0]), "output": tiny.accessor(np.zeros((2, 3)))}
    tiny.json["animations"] = [
        {"samplers": [sampler], "channels": [{"sampler": 0, "target": {"node": 0, "path": "translation"}}]}
    ]
    assert clips(tiny, tmp_path) == ()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda animation: animation["samplers"][0].update(interpolation="WAVY"), "WAVY"),
        (lambda animation: animation["samplers"][0].update(output=0), "SCALAR"),
        (lambda animation: animation["samplers"][0].update(input=99), "accessors"),
        (lambda animation: animation["samplers"][0].pop("output"), "output"),
        (lambda animation: animation["channels"][0].update(sampler=5), "sampler 5"),
        (lambda animation: animation["channels"][0].update(target=[]), "target"),
        (lambda animation: animation["samplers"][0].update(output=animation["samplers"][0]["input"]), "weights"),
    ],
)
def test_an_animation_that_does_not_fit_is_refused(tmp_path: Path, change: Callable[..., Any], words: str) -> None:
    tiny = animate(faces(), [np.zeros((3, 2))])
    change(tiny.json["animations"][0])
    with pytest.raises(BadFile, match=words):
        clips(tiny, tmp_path)
