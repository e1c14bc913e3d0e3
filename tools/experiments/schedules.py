"""Li, Weise and Pauly 2010, figures 3, 4, 6 and 7, under the schedule in print and under ours."""

import numpy as np
from tools.experiments.build import NOISE, PEOPLE, _roughness, built, held_out, plain, scene
from tools.experiments.build_variants import VARIANTS
from tools.experiments.result import Results, markdown

import facewright as fw
from facewright.arrays import Floats
from facewright.render.camera import Camera, frame
from facewright.render.face_renderer import face_picture
from facewright.render.heat import Heat
from facewright.render.sheet_layout import contact_sheet
from facewright.render.tone import Bytes
from facewright.samples.actor import actor

SCHEDULES = {"in print": fw.Schedule.paper(), "ours": fw.Schedule()}
ACTOR = PEOPLE[0]
OFFS = (0.0, 0.15, 0.3, 0.5, 1.0)
BETAS = (1.0, 0.3, 0.1, 0.05, 0.01, 0.003, 0.001)
COUNTS = (2, 4, 8, 14, 20, 34)
SIZE = (300, 340)
SHAPE = "mouth-corner-puller"
SHORT = dict(zip(VARIANTS, ("unweighted", "in vertices", "weighted"), strict=True))


def results() -> Results:
    rigs = variants()
    tables = {
        "li-guesses": guesses(),
        "li-variants": variants_table(rigs),
        "li-beta": beta(),
        "li-examples": examples(),
    }
    pictures = {"papers-li-variants.png": variants_picture(rigs), "papers-li-examples.png": examples_picture()}
    return Results("papers-experiments.md", tables, pictures)


def _both(kinds: tuple[str, str]) -> list[str]:
    return [f"{kind}, {name}" for name in SCHEDULES for kind in kinds]


def _figures(found: fw.Built) -> list[str]:
    """What is left of the examples, and the error in other poses."""
    known = actor(*ACTOR)
    left = np.mean([one.relative for one in found.errors])
    return [f"{left:.3f}", f"{known.error(found.rig, held_out(known)):.3f}"]


def guesses() -> str:
    """Figure 3: guesses of the weights that are off by up to x."""
    rows = []
    for off in OFFS:
        cells = [_figures(built(*ACTOR, 20, off, schedule)) for schedule in SCHEDULES.values()]
        rows.append([f"{off:g}", *cells[0], *cells[1]])
    return markdown(["guesses off by up to", *_both(("left of the examples", "error in other poses"))], rows)


def variants() -> dict[tuple[str, str], fw.Rig]:
    """Figure 4: each way to build, by each schedule."""
    known, poses, off = scene(*ACTOR, 20, 0.15, NOISE)
    return {
        (name, way): make(known, poses, off, schedule)
        for name, schedule in SCHEDULES.items()
        for way, make in VARIANTS.items()
    }


def variants_table(rigs: dict[tuple[str, str], fw.Rig]) -> str:
    known = actor(*ACTOR)
    rows = [["transfer alone", *2 * _error_and_roughness(plain(known))]]
    rows += [[way, *(cell for name in SCHEDULES for cell in _error_and_roughness(rigs[name, way]))] for way in VARIANTS]
    return markdown(["how", *_both(("error in other poses", "roughness"))], rows)


def _error_and_roughness(rig: fw.Rig) -> list[str]:
    known = actor(*ACTOR)
    return [f"{known.error(rig, held_out(known)):.3f}", f"{_roughness(rig, known.rig):.2f}"]


def beta() -> str:
    """Figure 6: the last beta, everything else as each schedule has it; examples as a scanner gives them."""
    rows = []
    for last in BETAS:
        cells = []
        for schedule in SCHEDULES.values():
            swept = fw.Schedule((max(schedule.beta[0], last), last), schedule.gamma, schedule.iterations)
            found = built(*ACTOR, 20, 0.15, swept, NOISE)
            cells += [*_figures(found), f"{_roughness(found.rig, actor(*ACTOR).rig):.2f}"]
        rows.append([f"{last:g}", *cells])
    kinds = ("left of the examples", "error in other poses", "roughness")
    return markdown(["last beta", *(f"{kind}, {name}" for name in SCHEDULES for kind in kinds)], rows)


def examples() -> str:
    """Figure 7: more and more examples."""
    known = actor(*ACTOR)
    none = ["-", f"{known.error(plain(known), held_out(known)):.3f}"]
    rows = [["0 (transfer alone)", *none, *none]]
    for count in COUNTS:
        cells = [_figures(built(*ACTOR, count, 0.15, schedule)) for schedule in SCHEDULES.values()]
        rows.append([f"{count}", *cells[0], *cells[1]])
    return markdown(["examples", *_both(("left of the examples", "error in other poses"))], rows)


def variants_picture(rigs: dict[tuple[str, str], fw.Rig]) -> Bytes:
    """One shape at full value, as each way and each schedule makes it."""
    known = actor(*ACTOR)
    camera = _camera(known.rig)
    tiles, labels = [], []
    for name in SCHEDULES:
        row = {"the actor's own": known.rig, "transfer alone": plain(known)}
        row |= {f"{SHORT[way]}, {name}": rigs[name, way] for way in VARIANTS}
        tiles += [face_picture(rig, {SHAPE: 1.0}, size=SIZE, camera=camera) for rig in row.values()]
        labels += list(row)
    return contact_sheet(tiles, labels, columns=2 + len(VARIANTS))


def examples_picture() -> Bytes:
    """Two poses that were no examples, from more and more examples; the heat is the distance from the truth."""
    known = actor(*ACTOR)
    camera, tiles, labels = _camera(known.rig), [], []
    for pose in held_out(known)[[3, 7]]:
        truth = fw.evaluate(known.rig, pose)
        high = float(np.linalg.norm(fw.evaluate(plain(known), pose) - truth, axis=1).max())
        for name, schedule in SCHEDULES.items():
            row: dict[str, fw.Rig] = {"0": plain(known)}
            row |= {f"{count}": built(*ACTOR, count, 0.15, schedule).rig for count in (4, 8, 20)}
            tiles.append(face_picture(known.rig, pose, size=SIZE, camera=camera))
            labels.append("the actor's own")
            for count, rig in row.items():
                tiles.append(face_picture(rig, pose, size=SIZE, camera=camera, heat=_off(rig, pose, truth, high)))
                labels.append(f"{count} examples, {name}")
    return contact_sheet(tiles, labels, columns=5)


def _camera(rig: fw.Rig) -> Camera:
    """The face without the neck, which some shapes move."""
    return frame(rig.neutral[rig.neutral[:, 1] > -12.0], aspect=SIZE[0] / SIZE[1], margin=0.0)


def _off(rig: fw.Rig, pose: Floats, truth: Floats, high: float) -> Heat:
    return Heat(np.linalg.norm(fw.evaluate(rig, pose) - truth, axis=1), 0.0, high, label="off, cm")
