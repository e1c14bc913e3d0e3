"""Depth images of a posed face, for tests."""

import numpy as np
from scipy.spatial.transform import Rotation

import facewright as fw
from facewright.arrays import Floats
from facewright.render.depth import render_depth
from facewright.tracking.placement import TO_CAMERA, HeadPlacement

LENS = fw.Pinhole(150.0, 150.0, 79.5, 59.5, 160, 120)


def before_camera(
    rig: fw.Rig, *, yaw: float = 0.0, roll: float = 0.0, away: float = 0.4, scale: float = 0.01
) -> HeadPlacement:
    """A head turned by degrees, its face in the middle of the picture."""
    turn = TO_CAMERA @ Rotation.from_euler("ZY", [roll, yaw], degrees=True).as_matrix()
    middle = rig.neutral[rig.neutral[:, 2] > np.quantile(rig.neutral[:, 2], 0.7)].mean(axis=0)
    return HeadPlacement(turn, np.array([0, 0, away]) - scale * turn @ middle, scale)


def depth_of(
    rig: fw.Rig, weights: Floats, place: HeadPlacement, *, noise: float = 0.0, seed: int = 0, lens: fw.Pinhole = LENS
) -> fw.DepthImage:
    depth = render_depth(place(fw.evaluate(rig, weights)), rig.triangles, lens).depth
    depth = depth + (depth > 0) * noise * np.random.default_rng(seed).normal(size=depth.shape)
    return fw.DepthImage(depth.astype(np.float32), lens)
