"""The face of the person who is seen, from frames at rest."""

from pathlib import Path

import numpy as np
import pytest

import facewright as fw
from facewright.formats.scans import load_scan
from facewright.samples.head import people
from facewright.tracking.identity import fit_identity, people_modes
from facewright.tracking.observed import observed
from facewright.tracking.placement import HeadPlacement
from facewright.tracking.surface_fit import BentSurface, FrameView, MeanResidual
from facewright.tracking.surface_samples import SurfaceSamples
from tests.tracking.depth_of import before_camera, depth_of

LENS = fw.Pinhole(300.0, 300.0, 159.5, 119.5, 320, 240)


def test_a_surface_bends_to_what_is_asked_of_it_and_not_where_nothing_is() -> None:
    rig = fw.sample()
    samples = SurfaceSamples(rig, 1500)
    surface = BentSurface(rig, samples)
    left = samples.posed(rig.pose()).points[:, 0] > 2
    wanted = MeanResidual(np.where(left, 0.3, 0.0), np.ones(len(samples)), 0.0)
    moved = surface.bent(rig.neutral, wanted, 0.01)
    along = (surface.posed(moved).points - surface.posed(rig.neutral).points) * surface.posed(rig.neutral).normals
    np.testing.assert_allclose(np.median(along.sum(axis=1)[left]), 0.3, atol=0.03)
    assert abs(np.median(along.sum(axis=1)[~left])) < 0.01


def test_the_mean_residual_is_that_of_all_frames() -> None:
    rig = fw.sample()
    samples = SurfaceSamples(rig, 1500)
    surface = BentSurface(rig, samples)
    place = before_camera(rig)
    seen = observed(depth_of(rig, rig.pose(), place, lens=LENS))
    from facewright.tracking.comparison import Tolerance

    shifts = (np.array([0.0, 0.0, z]) for z in (-0.001, 0.001))
    places = [HeadPlacement(place.rotation, place.offset + shift, place.scale) for shift in shifts]
    found = surface.residual(rig.neutral, [FrameView(seen, each) for each in places], Tolerance(0.01, 1.0))
    assert abs(np.median(found.along[found.sure > 0.9])) < 0.01
    assert 0.0005 < found.spread < 0.0015


@pytest.mark.long
def test_another_person_s_face_is_fitted() -> None:
    rig, other = fw.sample(), fw.sample("amara")
    frames = [
        depth_of(other, other.pose(), before_camera(other, yaw=yaw), noise=0.001, seed=i, lens=LENS)
        for i, yaw in enumerate((-20.0, -10.0, 0.0, 10.0, 20.0))
    ]
    modes = people_modes([rig.neutral, *(fw.sample(name).neutral for name in people() if name == "kenji")])
    found = fit_identity(rig, frames, modes=modes)
    assert found.rig.sliders == rig.sliders
    assert found.mean_residual < 0.0006
    still = fw.track(found.rig, frames, scale=found.scale)
    assert still.weights.max() < 0.05


@pytest.mark.long
def test_a_real_mannequin_is_followed_rigidly_and_no_slider_is_invented(shared_data: Path) -> None:
    sequence = load_scan(shared_data / "depth" / "sven_truedepth.npz")
    rig = fw.sample()
    found = fit_identity(rig, sequence, modes=people_modes([fw.sample(name).neutral for name in people()]))
    assert found.residual < 0.0006
    followed = fw.track(found.rig, sequence, scale=found.scale)
    assert all(each.seen for each in followed.status)
    assert followed.residual.max() < 0.0006
    assert followed.weights.max() < 0.05
