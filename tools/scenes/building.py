"""A rig from a template and a dozen poses."""

from time import perf_counter

import numpy as np
from tools.experiments.build_pictures import examples_picture
from tools.scenes.scene import Scene

import facewright as fw
from facewright.samples.actor import actor, guessed

POSES = 12


def scene() -> Scene:
    known, rng = actor("edith", 300), np.random.default_rng(1)
    weights = known.poses(rng, POSES)
    poses, guesses = fw.evaluate(known.rig, weights), guessed(weights, 0.15, rng)
    plain = fw.transfer(known.template, known.rig, closing={})
    start = perf_counter()
    built = fw.build_rig(known.template, known.rig, poses, guesses, closing={})
    took = perf_counter() - start
    others = known.poses(np.random.default_rng(5), 60)
    errors = [known.error(rig, others) for rig in (plain, built.rig)]
    pose = max(others, key=lambda row: known.error(plain, row[None]))
    rigs = {"transfer": plain, f"{POSES} poses": built.rig}
    return Scene(
        "Build: a template and a few poses make a whole rig",
        f"Somebody else's neutral face, {POSES} poses of her and rough guesses of what each of them shows, and the "
        "embedded head as a template. The shapes that come out move as she moves. She is made up, so her true shapes "
        "are known: below is a pose that was no example.",
        {"the pose, and how far off it is": examples_picture(known, rigs, pose)},
        figures={
            "shapes": f"{len(built.rig.shapes)}",
            "other poses, off by": f"{errors[1]:.2f} of their motion",
            "by transfer alone": f"{errors[0]:.2f}",
            "built in": f"{took:.1f} s",
        },
        code="facewright build sample neutral.obj --pose smile.obj:mouthSmileLeft=1 … -o rig.glb --report report.html",
    )
