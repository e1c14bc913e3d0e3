"""Pictures of takes on faces."""

import numpy as np
from tools.experiments.marks import PIN, draw_dots, places_in

import facewright as fw
from facewright.capture.solution import TakeSolution
from facewright.render.camera import Camera, frame
from facewright.render.picture import mesh_picture
from facewright.render.sheet_layout import contact_sheet
from facewright.render.tone import Bytes
from facewright.workflow.report.take.album import camera_on

TILE = (270, 320)
LARGE = (420, 480)
MET = (110, 200, 255)


def shot(solved: TakeSolution, positions: np.ndarray, size: tuple[int, int], camera: Camera | None = None) -> Bytes:
    rig = solved.rig
    seen = camera or camera_on(solved, size)
    picture = mesh_picture(positions, rig.triangles, parts=rig.parts, rest=rig.neutral, size=size, camera=seen)
    return np.array(picture)


def lively_frames(solved: TakeSolution, count: int) -> np.ndarray:
    """Frames that are far from each other and spread over the take."""
    motion = np.nan_to_num(solved.wanted).reshape(len(solved), -1)
    chosen = [int(np.linalg.norm(motion, axis=1).argmax())]
    apart = np.full(len(solved), np.inf)
    while len(chosen) < count:
        apart = np.minimum(apart, np.linalg.norm(motion - motion[chosen[-1]], axis=1))
        chosen.append(int(apart.argmax()))
    return np.array(sorted(chosen))


def talking_sheet(takes: list[TakeSolution], count: int = 7) -> Bytes:
    """The same frames of one take on every face, markers met."""
    frames = lively_frames(takes[0], count)
    tiles, labels = [], []
    for solved in takes:
        tiles += [shot(solved, face, TILE) for face in fw.Playback(solved)(frames)]
        labels += [f"{solved.times[number]:.1f} s" for number in frames]
    return contact_sheet(tiles, labels, columns=count)


def bound_sheet(takes: list[TakeSolution]) -> Bytes:
    """Where markers are bound by their names."""
    tiles = []
    for solved in takes:
        for view in (0.0, 50.0):
            camera = camera_on(solved, LARGE, view)
            tile = shot(solved, solved.rig.neutral, LARGE, camera)
            places = places_in(camera, solved.binding.places(solved.rig.neutral), LARGE)
            draw_dots(tile, places, MET, radius=3.0)
            tiles.append(tile)
    return contact_sheet(tiles, columns=len(tiles))


def kernel_sheet(solved: TakeSolution) -> Bytes:
    """The same residual spread by both kernels, close: the paper's has a tip at every marker."""
    number = int(np.nan_to_num(solved.residual).max(axis=1).argmax())
    surface = solved.binding.places(solved.rig.neutral)
    worst = surface[int(np.nan_to_num(solved.residual[number]).argmax())]
    near = np.linalg.norm(solved.rig.neutral - worst, axis=1) < 0.35 * np.ptp(surface[:, 1])
    camera = frame(solved.rig.neutral[near], 35.0, aspect=LARGE[0] / LARGE[1], margin=0.0)
    ways = {
        "shapes alone": fw.Playback(solved, residual=False),
        "exp(-r)": fw.Playback(solved, kernel="paper"),
        "smooth": fw.Playback(solved, kernel="smooth"),
    }
    tiles = [shot(solved, playback([number])[0], LARGE, camera) for playback in ways.values()]
    marked = tiles[0].copy()
    for places, color in ((solved.motion[number], MET), (np.nan_to_num(solved.wanted[number]), PIN)):
        draw_dots(marked, places_in(camera, surface + places, LARGE), color, radius=3.0)
    return contact_sheet([marked, *tiles[1:]], tuple(ways), columns=3)
