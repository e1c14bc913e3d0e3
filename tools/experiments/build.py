"""Li, Weise and Pauly 2010, figures 3, 4 and 6, on faces whose true shapes are known; lids and lips that close."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
from tools.experiments.build_pictures import closing_picture, examples_picture, shapes_picture, variants_picture
from tools.experiments.build_variants import VARIANTS
from tools.experiments.result import Results, markdown

import facewright as fw
from facewright.arrays import Floats
from facewright.build.contact import contacts
from facewright.samples.actor import Actor, actor, guessed

PEOPLE = (("kenji", 0), ("edith", 2), ("amara", 1))
FRESH = (300, 301, 302, 303, 304)  # seeds of actors that played no part in choosing any constant
COUNTS = (8, 20, 34)
OFFS = (0.15, 0.3)
NOISE = 0.03  # of a scanner, centimetres


def held_out(known: Actor) -> Floats:
    return known.poses(np.random.default_rng(5), 60)


@cache
def scene(person: str, seed: int, count: int, off: float, noise: float = 0.0) -> tuple[Actor, Floats, Floats]:
    """An actor, poses (m, v, 3) of him as a scanner sees them, and guesses of their weights (m, n): others for each."""
    known, rng = actor(person, seed), np.random.default_rng([7, count, seed])
    weights = known.poses(rng, count)
    poses, guesses = fw.evaluate(known.rig, weights), guessed(weights, off, rng)
    return known, poses + noise * rng.normal(size=poses.shape), guesses


@cache
def built(
    person: str, seed: int, count: int, off: float, schedule: fw.Schedule | None = None, noise: float = 0.0
) -> fw.Built:
    known, poses, guesses = scene(person, seed, count, off, noise)
    return fw.build_rig(known.template, known.rig, poses, guesses, closing={}, schedule=schedule)


def plain(known: Actor) -> fw.Rig:
    return fw.transfer(known.template, known.rig, closing={})


def examples_table() -> str:
    """Errors relative to transfer's, over actors on which nothing was chosen: the median, and the worst."""
    cases = [(count, off) for count in COUNTS for off in OFFS]
    rows = []
    for person, _ in PEOPLE:
        actors = [actor(person, seed) for seed in FRESH]
        base = np.array([one.error(plain(one), held_out(one)) for one in actors])
        shares = np.array([[_errors(person, seed, *case) for case in cases] for seed in FRESH]) / base[:, None, None]
        for name, share in zip(("", ", true shapes as strong as guessed"), np.moveaxis(shares, 2, 0), strict=True):
            cells = [f"{np.median(column):.2f} ({column.max():.2f})" for column in share.T]
            rows.append([person + name, f"{np.median(base):.3f}", *cells])
    head = [f"{count} poses, off by {off}" for count, off in cases]
    return markdown(["actor", "transfer alone", *head], rows)


def _errors(person: str, seed: int, count: int, off: float) -> tuple[float, float]:
    """Of the rig that is built, and of the true shapes with no more than their strength taken from the guesses."""
    known, poses, guesses = scene(person, seed, count, off)
    weights = known.poses(np.random.default_rng([7, count, seed]), count)
    strength = (weights * guesses).sum(axis=0) / np.maximum((weights**2).sum(axis=0), 1e-9)
    strength[strength == 0] = 1.0
    made = fw.build_rig(known.template, known.rig, poses, guesses, closing={}).rig
    shapes = [replace(one, offsets=one.offsets / by) for one, by in zip(known.rig.shapes, strength, strict=True)]
    scaled = replace(known.rig, shapes=tuple(shapes))
    return known.error(made, held_out(known)), known.error(scaled, held_out(known))


def guesses_table() -> str:
    """The paper's figure 3."""
    known = actor(*PEOPLE[0])
    rows = []
    for off in (0.0, 0.15, 0.3, 0.5, 1.0):
        found = built(*PEOPLE[0], 20, off)
        fit = np.mean([one.relative for one in found.errors])
        rows.append([f"{off:g}", f"{fit:.3f}", f"{known.error(found.rig, held_out(known)):.3f}"])
    return markdown(["guesses off by up to", "left of the examples", "error in other poses"], rows)


def beta_table() -> str:
    """The paper's figure 6."""
    known = actor(*PEOPLE[0])
    rows = []
    for last in (0.3, 0.1, 0.03, 0.01, 0.003, 0.001, 0.0001):
        schedule = fw.Schedule(beta=(max(0.1, last), last))
        found = built(*PEOPLE[0], 20, 0.15, schedule)
        noisy = built(*PEOPLE[0], 20, 0.15, schedule, NOISE)
        fit = np.mean([one.relative for one in found.errors])
        errors = (known.error(one.rig, held_out(known)) for one in (found, noisy))
        rough = _roughness(noisy.rig, known.rig)
        rows.append([f"{last:g}", f"{fit:.3f}", *(f"{error:.3f}" for error in errors), f"{rough:.2f}"])
    head = ["last beta", "left of the examples", "error in other poses", "the same, noisy examples", "roughness then"]
    return markdown(head, rows)


def variants() -> dict[str, fw.Rig]:
    """The paper's figure 4."""
    known, poses, guesses = scene(*PEOPLE[0], 20, 0.15, NOISE)
    return {"transfer alone": plain(known)} | {name: make(known, poses, guesses) for name, make in VARIANTS.items()}


def variants_table(rigs: dict[str, fw.Rig]) -> str:
    known = actor(*PEOPLE[0])
    rows = [
        [name, f"{known.error(rig, held_out(known)):.3f}", f"{_roughness(rig, known.rig):.2f}"]
        for name, rig in rigs.items()
    ]
    return markdown(["how", "error in other poses", "roughness"], rows)


def _roughness(rig: fw.Rig, truth: fw.Rig) -> float:
    """How unevenly neighbours move in the shapes; 1 is the truth."""
    edges = np.unique(np.sort(rig.triangles[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1), axis=0)
    rough = [np.linalg.norm(one.deltas()[:, edges[:, 0]] - one.deltas()[:, edges[:, 1]]) for one in (rig, truth)]
    return float(rough[0] / rough[1])


def closing_table() -> str:
    template = fw.sample()
    rows = []
    for person in ("amara", "kenji", "edith"):
        face = fw.sample(person)
        rigs = (fw.transfer(template, face, closing={}), fw.transfer(template, face))
        for one in contacts(template):
            gaps = [_gap(rig, one.shape, one.opener, one.difference) for rig in (template, *rigs)]
            rows.append([f"{person}, {template.shape_names[one.shape]}", *(f"{10 * gap:.2f}" for gap in gaps)])
    return markdown(["mean gap, mm", "in the template", "transfer alone", "kept closed"], rows)


def _gap(rig: fw.Rig, shape: int, opener: int | None, difference: Any) -> float:
    chosen: Sequence[int] = [i for i in (shape, opener) if i is not None]
    posed = rig.neutral + np.sum([rig.shapes[i].dense(rig.vertex_count) for i in chosen], axis=0)
    return float(np.linalg.norm(difference @ posed, axis=1).mean())


def results() -> Results:
    known = actor(*PEOPLE[0])
    rigs = variants()
    pose = held_out(known)[3]
    grown = {
        "transfer alone": plain(known),
        "8 examples": built(*PEOPLE[0], 8, 0.15).rig,
        "20 examples": built(*PEOPLE[0], 20, 0.15).rig,
    }
    return Results(
        "building.md",
        {
            "examples": examples_table(),
            "guesses": guesses_table(),
            "beta": beta_table(),
            "variants": variants_table(rigs),
            "closing": closing_table(),
        },
        {
            "building-examples.png": examples_picture(known, grown, pose),
            "building-variants.png": variants_picture(known, rigs, "mouth-corner-puller"),
            "building-closing.png": closing_picture(),
            "building-shapes.png": shapes_picture(),
        },
    )
