"""The borders of the embedded head's lids and lips, as closed chains of its vertices."""

from __future__ import annotations

import numpy as np

from facewright.arrays import Ints
from facewright.rig.rig import Rig
from facewright.samples.head import sample

# The inner edge of the lids, and the line along which the lips touch.
_CHAINS = {
    "left eye": (
        4382,
        4383,
        4388,
        4387,
        4386,
        4385,
        4384,
        4407,
        4406,
        4405,
        4409,
        4396,
        4404,
        4403,
        4402,
        4400,
        4398,
        4397,
        4408,
        4392,
        4391,
        4390,
        4395,
        4393,
        4394,
        4399,
        4401,
        4389,
    ),
    "right eye": (
        2236,
        2237,
        2242,
        2241,
        2240,
        2239,
        2238,
        2261,
        2260,
        2259,
        2263,
        2250,
        2258,
        2257,
        2256,
        2254,
        2252,
        2251,
        2262,
        2246,
        2245,
        2244,
        2249,
        2247,
        2248,
        2253,
        2255,
        2243,
    ),
    "mouth": (
        420,
        421,
        516,
        1825,
        515,
        514,
        522,
        521,
        520,
        2747,
        2748,
        2741,
        2742,
        3976,
        2743,
        2661,
        2660,
        2676,
        3609,
        2674,
        2675,
        3586,
        2685,
        2686,
        2746,
        2745,
        2744,
        523,
        517,
        518,
        519,
        446,
        445,
        1418,
        435,
        434,
        1441,
        436,
    ),
}
_VERTICES = 6860


def borders(rig: Rig) -> dict[str, Ints]:
    """The chains of `left eye`, `right eye` and `mouth` in a mesh with the embedded head's
    polygons; empty for others.
    """
    if rig.vertex_count != _VERTICES:
        return {}
    same = sample().polygons.same_as(rig.polygons)
    return {name: np.array(chain, np.int64) for name, chain in _CHAINS.items()} if same else {}
