"""The page moves vertices as the library does, with in-betweens and combinations: by its shaders and for picking."""

import runpy
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import facewright as fw
from facewright.samples import mask
from tests.browser.studio import Studio
from tests.studio.served import Served

ROOT = Path(__file__).resolve().parents[2]
PRODUCTION = ROOT.parent / "shared" / "data" / "production_rig"


def bent_rig() -> fw.Rig:
    """In-betweens as targets and as additions, two ends of a slider, and products of two and three at values."""
    plain, rng = mask(vertices=900, shapes=4, seed=4), np.random.default_rng(4)
    a, b, c, d = plain.shape_names

    def near(name: str) -> np.ndarray:
        return np.asarray(plain.shape(name).dense(plain.vertex_count) * rng.uniform(-0.7, 0.7, (plain.vertex_count, 3)))

    more = (
        fw.Shape.from_dense("target", near(a), sliders=(a,), at=0.4),
        fw.Shape.from_dense("low end", near(b), sliders=(b,), at=-1.0),
        fw.Shape.from_dense("added", near(c), sliders=(c,), at=0.3, spans=[(0.1, 0.8)], additive=True),
        fw.Shape.from_dense("both", near(c), sliders=(a, c), at=(1.0, 0.5)),
        fw.Shape.from_dense("three", near(d), sliders=(a, b, d), at=(0.5, -1.0, 0.25), spans=[(0.2, 0.9), None, None]),
    )
    bounds = np.array([[0.0, 1], [-1, 1], [0, 1], [0, 1]])
    return fw.Rig(plain.neutral, plain.polygons, (*plain.shapes, *more), plain.sliders, bounds)


def compared(studio: Studio, server: Served, rig: fw.Rig, poses: np.ndarray, folder: Path) -> None:
    """Open a rig, pose it, and compare where the page has its vertices with where the library has them."""
    fw.save(rig, folder / "bent.fwface")
    server.upload(folder / "bent.fwface")
    studio.until(lambda: studio.look("file")["name"] == "bent", "the document is open")
    studio.ready()
    other = server.page()
    moved = []
    for pose in poses:
        other.do("SetWeights", weights=dict(zip(rig.sliders, pose.tolist(), strict=True)))
        values = fw.Evaluator(rig).combine(pose)
        studio.until(lambda v=values: np.allclose(studio.look("values"), v, atol=1e-6), "the pose has come")
        wanted = fw.evaluate(rig, pose)
        for where in ("drawnPositions", "positions"):
            found = np.array(studio.look(where)).reshape(-1, 3)
            assert np.abs(found - wanted).max() <= 2e-6 * rig.size, where  # single precision
        own = rig.neutral + np.tensordot(values * [s.name in rig.sliders for s in rig.shapes], rig.deltas(), axes=1)
        moved.append(np.abs(own - wanted).max() / rig.size)
    assert max(moved) > 1e-3  # correctives were to be seen


def test_a_bent_rig_is_drawn_where_the_library_has_it(
    opened: Callable[[Served], Studio], server: Served, tmp_path: Path
) -> None:
    rig, rng = bent_rig(), np.random.default_rng(5)
    poses = rng.uniform(rig.bounds[:, 0], rig.bounds[:, 1], (6, len(rig.sliders)))
    studio = opened(server)
    compared(studio, server, rig, poses, tmp_path)
    studio.shot("correctives drawn 1 bent rig")


@pytest.mark.long  # a quicker test holds the same
@pytest.mark.skipif(
    not PRODUCTION.is_dir(), reason="the production rig is not here: no folder shared/data beside the checkout"
)
def test_the_production_rig_is_drawn_where_the_library_has_it_and_its_correctives_are_listed(
    opened: Callable[[Served], Studio], server: Served, tmp_path: Path
) -> None:
    example = runpy.run_path(str(ROOT / "examples" / "14_a_production_rig.py"))
    document = example["production_rig"](PRODUCTION)
    rig = document.rig
    poses = document.clips[0].sample(rig.sliders)
    active = np.count_nonzero(fw.Evaluator(rig).combine(poses), axis=1)
    studio = opened(server)
    compared(studio, server, rig, poses[[int(active.argmax()), 100, 1010]], tmp_path)
    page = studio.page
    page.locator("#tab-rig").click()
    page.get_by_role("button", name="Correctives", exact=True).click()
    assert page.locator(".list.correctives li").count() == 195
    page.get_by_label("List only those that are on in this pose").click()
    on = np.count_nonzero(
        np.abs(fw.Evaluator(rig).combine(poses[1010])[[s.name not in rig.sliders for s in rig.shapes]]) >= 0.005
    )
    assert page.locator(".list.correctives li").count() == on > 0
    page.get_by_label("List only those that are on in this pose").click()
    listed = [each for each in studio.look("correctives") if len(each["factors"]) == 3]
    page.locator(f'[data-corrective="{listed[0]["name"]}"] .item').click()
    studio.shot("correctives drawn 2 production rig")
