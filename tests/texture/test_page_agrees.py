"""What the studio's page counts by itself is what the library counts: both are held to the same vectors."""

import json
from dataclasses import asdict
from pathlib import Path

import numpy as np

from facewright.texture.bands import Bands
from facewright.texture.detail import Detail, DetailChoice, over_time
from facewright.texture.detail_fade import DetailFade
from facewright.texture.low_bands import LowBands
from facewright.texture.sources import Sources

VECTORS = Path(__file__).parents[2] / "web" / "src" / "scene" / "textures" / "detail_vectors.json"
CHOICES = (
    (DetailChoice(), 1 / 60),
    (DetailChoice(margin=0.0, fade=0.0), 1 / 30),
    (DetailChoice("neutral"), 1 / 24),
    (DetailChoice(margin=0.3, fade=1.0), 0.3),
)
RELEVANCE = [1.0, 0.3, 0.05, 0.6]  # of the four textures in a region


def vectors() -> dict[str, object]:
    """Weights that wander and cross over, with the detail of each frame; fades with the shares of both details."""
    rng = np.random.default_rng(11)
    runs = []
    for choice, step in CHOICES:
        steps = rng.normal(0, 0.12, (120, 4)).cumsum(axis=0)
        weights = np.round(np.abs(np.sin(steps)) * rng.uniform(0.4, 1, 4), 6)
        details = over_time(list(weights), step, choice)
        told = [[one.map, one.former, one.share] for one in details]
        runs.append({**asdict(choice), "step": step, "weights": weights.tolist(), "details": told})
    fades = _fades(rng)
    choice, step = CHOICES[0]
    regional = over_time(runs[0]["weights"], step, choice, RELEVANCE)
    told = [[one.map, one.former, one.share] for one in regional]
    runs.append({**runs[0], "relevance": RELEVANCE, "details": told})
    return {"runs": runs, "fades": fades}


def _fades(rng: np.random.Generator) -> list[dict[str, object]]:
    base = rng.integers(0, 256, (64, 64, 3), dtype=np.uint8)
    maps = [base, np.roll(base, 1, axis=1), rng.integers(60, 200, (64, 64, 3), dtype=np.uint8)]
    bands, sources = Bands((64, 64)), Sources(maps)
    fades = DetailFade(bands, LowBands(bands, sources).detail)
    gram = [[float(np.vdot(fades.detail(a), fades.detail(b))) for b in range(3)] for a in range(3)]
    details = [Detail(1, 0, 0.3), Detail(2, 1, 0.5), Detail(0, 2, 0.9), Detail(2, 2, 0.2), Detail(1, 2, 0.0)]
    return [
        {"detail": [one.map, one.former, one.share], "gram": gram, "wanted": list(map(list, fades.shown(one).items()))}
        for one in details
    ]


def test_the_pages_vectors_are_those_of_the_library() -> None:
    """After a change that is meant: python -m tests.texture.test_page_agrees; vitest says whether the page agrees."""
    kept, now = json.loads(VECTORS.read_text()), json.loads(json.dumps(vectors()))
    assert [run["weights"] for run in kept["runs"]] == [run["weights"] for run in now["runs"]]
    for before, after in zip(kept["runs"], now["runs"], strict=True):
        np.testing.assert_allclose(before["details"], after["details"], atol=1e-9)
    for before, after in zip(kept["fades"], now["fades"], strict=True):
        np.testing.assert_allclose(before["wanted"], after["wanted"], atol=1e-6)


def test_the_runs_show_changes_that_begin_end_and_are_taken_back() -> None:
    """Vectors without them would hold nothing."""
    runs = vectors()["runs"]
    assert isinstance(runs, list)
    details = np.array(runs[0]["details"])
    assert len(set(details[:, 0])) >= 3
    changes = np.diff(details[:, 0]) != 0
    taken_back = changes & (details[1:, 0] == details[:-1, 1]) & (details[:-1, 2] < 1)
    assert taken_back.any()


if __name__ == "__main__":
    VECTORS.write_text(json.dumps(vectors()))
