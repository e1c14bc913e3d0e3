"""Lewis 2005, figures 1 and 3 to 5: part of a face is posed, another part is moved; how far the first drifts."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from tools.experiments.faces import close_up
from tools.experiments.marks import PIN, draw_dots, places_in
from tools.experiments.result import Results, markdown

import facewright as fw
from facewright.arrays import Floats, Ints
from facewright.mesh.topology import Topology
from facewright.pose.rejected import null_space, orthogonal_to, zeroed_rows
from facewright.render.camera import Camera, frame
from facewright.render.face_renderer import face_picture
from facewright.render.heat import Heat
from facewright.render.picture import mesh_picture
from facewright.render.sheet_layout import contact_sheet
from facewright.render.tone import Bytes

SIZE = (380, 420)
LIDS = "lids half closed, then eyes down (fig. 1)"
EYES = (460, 230)
ALPHAS = (0.0, 1.0, 10.0, 100.0, 1e3, 1e4, 1e6)


@dataclass(frozen=True, eq=False)
class Scene:
    """A posed face, points of it that must stay, and what the animator sets next."""

    rig: fw.Rig
    reference: Floats  # (n,) the pose at the moment of tagging
    selection: fw.Selection
    wanted: Floats  # (n,)

    def answer(self, alpha: float | None = None) -> tuple[Floats, float]:
        """Weights (n,) with attenuation, and the alpha that was used."""
        attenuation = fw.Attenuation(self.rig, self.selection, self.reference, alpha)
        return attenuation.solve(self.wanted).weights, attenuation.alpha

    def way(self, found: Floats) -> Floats:
        """How every vertex (v, 3) has moved since the reference, for weights (n,) or a face (v, 3)."""
        face = fw.evaluate(self.rig, found) if found.ndim == 1 else found
        return np.asarray(face - fw.evaluate(self.rig, self.reference))

    def drift(self, found: Floats) -> float:
        """The largest motion of what is selected, along the selected axes."""
        chosen = np.zeros(3 * self.rig.vertex_count, bool)
        chosen[self.selection.coordinates] = True
        return float(np.linalg.norm(self.way(found) * chosen.reshape(-1, 3), axis=1).max())

    def lost(self, found: Floats) -> float:
        """The share of the wanted motion of everything else that is not there."""
        plain, kept = (np.delete(self.way(w).ravel(), self.selection.coordinates) for w in (self.wanted, found))
        return float(np.linalg.norm(kept - plain) / np.linalg.norm(plain))

    def torn(self, found: Floats) -> float:
        """The steepest change of motion along an edge at a selected vertex, over that of the plain move there."""
        a, b = self.edges.T
        lengths = np.linalg.norm(self.rig.neutral[a] - self.rig.neutral[b], axis=1)
        plain, other = (self.way(each) for each in (self.wanted, found))
        steep = [(np.linalg.norm(way[a] - way[b], axis=1) / lengths).max() for way in (plain, other)]
        return float(steep[1] / steep[0])

    @cached_property
    def edges(self) -> Ints:
        """Edges (e, 2) that end at a selected vertex."""
        edges = Topology(self.rig.polygons, self.rig.vertex_count).edges
        return np.asarray(edges[np.isin(edges, self.selection.vertices).any(axis=1)])

    def alternatives(self) -> dict[str, Floats]:
        """Weights or faces by attenuation, and by what the paper rejects."""
        used = [name for name, value in zip(self.rig.sliders, self.reference, strict=True) if value]
        at = self.rig, self.selection, self.reference, self.wanted
        found = {
            "nothing": self.wanted,
            "zeroed rows": zeroed_rows(*at),
            "null space": null_space(*at),
            "attenuation": self.answer()[0],
        }
        if used:
            found["orthogonal to the sliders used"] = orthogonal_to(self.rig, used, self.reference, self.wanted)
        return found


def scenes() -> dict[str, Scene]:
    """The paper's four, on the embedded head."""
    rig = fw.sample()

    def scene(before: dict[str, float], points: fw.Selection, after: dict[str, float]) -> Scene:
        return Scene(rig, rig.weights(before), points, rig.weights(before | after))

    lids, brows, corners, cheeks = (
        np.concatenate([liveliest(rig, name + side, count) for side in ("Left", "Right")])
        for name, count in (("eyeBlink", 3), ("browDown", 2), ("mouthSmile", 1), ("eyeSquint", 3))
    )
    heavy = dict.fromkeys(("eyeBlinkLeft", "eyeBlinkRight"), 0.55)
    down = dict.fromkeys(("eyeLookDownLeft", "eyeLookDownRight"), 0.7)
    furrow = dict.fromkeys(("browDownLeft", "browDownRight"), 0.6)
    sneer = dict.fromkeys(("noseSneerLeft", "noseSneerRight"), 0.8)
    smile = dict.fromkeys(("mouthSmileLeft", "mouthSmileRight"), 0.7)
    upper = dict.fromkeys(("mouthUpperUpLeft", "mouthUpperUpRight"), 0.7)
    return {
        LIDS: scene(heavy, fw.Selection.of(lids), down),
        "brow posed, then sneer (fig. 3)": scene(furrow, fw.Selection.of(brows), sneer | upper | {"jawOpen": 0.3}),
        "mouth corners held in y, then smile (fig. 4)": scene({}, fw.Selection.of(corners, "y"), smile),
        "below the eyes held, then smile and sneer (fig. 5)": scene({}, fw.Selection.of(cheeks), smile | sneer | upper),
    }


def liveliest(rig: fw.Rig, name: str, count: int) -> Floats:
    """The vertices that a shape moves most, not next to each other."""
    shape = rig.shape(name)
    order = shape.vertices[np.argsort(-np.linalg.norm(shape.offsets, axis=1))]
    if name.startswith("eyeBlink"):  # it moves the bridge of the nose, too
        order = order[np.abs(rig.neutral[order, 0]) > 0.05 * rig.size]
    chosen: list[int] = []
    for vertex in order:
        if all(np.linalg.norm(rig.neutral[vertex] - rig.neutral[other]) > 0.02 * rig.size for other in chosen):
            chosen.append(int(vertex))
        if len(chosen) == count:
            break
    return np.array(chosen)


def results() -> Results:
    """The scenes at the default alpha and over all alphas."""
    found = scenes()
    last = list(found.values())[-1]
    head = ["scene", "drift without, mm", "drift with, mm", "alpha (default)", "of the other motion lost"]
    sweep_head = ["alpha", *(f"{name}" for name in found)]
    return Results(
        "posing.md",
        {
            "attenuation": markdown(head, [_row(name, scene) for name, scene in found.items()]),
            "rejected": markdown(
                ["scene", "method", "drift, mm", "of the other motion lost", "tear", "weights out of bounds by"],
                [row for name, scene in found.items() for row in _rejected(name, scene)],
            ),
            "alpha": markdown(sweep_head, [_swept(found, alpha) for alpha in ALPHAS]),
        },
        {
            "posing-interference.png": figure_one(found[LIDS]),
            "posing-attenuation.png": before_and_after(found),
            "posing-alpha.png": by_alpha(last),
        },
    )


def _row(name: str, scene: Scene) -> list[str]:
    weights, alpha = scene.answer()
    drifts = [f"{10 * scene.drift(each):.2f}" for each in (scene.wanted, weights)]
    return [name, *drifts, f"{alpha:.0f}", f"{scene.lost(weights):.0%}"]


def _rejected(name: str, scene: Scene) -> list[list[str]]:
    """What each way costs: drift, motion lost, how steep the surface is at the selection, how far weights go."""
    rows = []
    for method, way in scene.alternatives().items():
        figures = f"{10 * scene.drift(way):.2f}", f"{scene.lost(way):.0%}", f"{scene.torn(way):.1f}"
        out = "-" if way.ndim == 2 else f"{np.maximum(-way, way - 1).max().clip(0):.2f}"
        rows.append([name, method, *figures, out])
    return rows


def _swept(found: dict[str, Scene], alpha: float) -> list[str]:
    answers = [(scene, scene.answer(alpha)[0]) for scene in found.values()]
    cells = [f"{10 * scene.drift(weights):.3f} / {scene.lost(weights):.1%}" for scene, weights in answers]
    return [f"{alpha:,.0f}", *cells]


def figure_one(scene: Scene) -> Bytes:
    """Fig. 1: lids are posed, another slider moves them along; with attenuation, and by what the paper rejects."""
    points = scene.rig.neutral[scene.selection.vertices]
    middle = points.mean(axis=0) + np.array([0.0, 0.3, 0.0])
    half = np.array([5.6, 2.3, 0.5])
    camera = frame(np.array([middle - half, middle + half]), aspect=EYES[0] / EYES[1], margin=0.0)
    tiles = {"posed: lids half closed": scene.reference, "then the eyes look down": scene.wanted}
    tiles |= {name: face for name, face in scene.alternatives().items() if name != "nothing"}
    shots = []
    for found in tiles.values():
        face = fw.evaluate(scene.rig, found) if found.ndim == 1 else found
        shots.append(np.array(_shot(scene.rig, face, camera)))
        draw_dots(shots[-1], places_in(camera, fw.evaluate(scene.rig, scene.reference)[scene.selection.vertices], EYES),
                  PIN, radius=2.5)  # fmt: skip
    return contact_sheet(shots, list(tiles), columns=2)


def _shot(rig: fw.Rig, face: Floats, camera: Camera) -> Bytes:
    return mesh_picture(face, rig.triangles, parts=rig.parts, rest=rig.neutral, size=EYES, camera=camera)


def before_and_after(found: dict[str, Scene]) -> Bytes:
    """A row for each scene: tagged, moved without, moved with."""
    tiles, labels = [], []
    for name, scene in found.items():
        answer, alpha = scene.answer()
        high = float(np.linalg.norm(scene.way(scene.wanted), axis=1).max())
        tiles += [shown(scene, scene.reference), shown(scene, scene.wanted, high), shown(scene, answer, high)]
        labels += [name.split(", then")[0], "then moved, plainly", f"with attenuation, alpha {alpha:.0f}"]
    return contact_sheet(tiles, labels, columns=3)


def by_alpha(scene: Scene) -> Bytes:
    """Fig. 5: the same move for several alphas."""
    high = float(np.linalg.norm(scene.way(scene.wanted), axis=1).max())
    answers = [scene.answer(alpha) for alpha in (1.0, 25.0, None, 3e4, 1e6)]
    tiles = [shown(scene, scene.wanted, high), *(shown(scene, weights, high) for weights, _ in answers)]
    return contact_sheet(tiles, ["without", *(f"alpha {alpha:.0f}" for _, alpha in answers)], columns=3)


def shown(scene: Scene, weights: Floats, high: float | None = None) -> Bytes:
    """The face; with `high`, how far it has moved since the tagging, as heat."""
    camera = close_up(scene.rig, SIZE)
    moved = np.linalg.norm(scene.way(weights), axis=1)
    heat = None if high is None else Heat(moved, 0.0, high, label="moved, cm")
    picture = face_picture(scene.rig, weights, size=SIZE, camera=camera, heat=heat)
    points = fw.evaluate(scene.rig, weights)[scene.selection.vertices]
    draw_dots(picture, places_in(camera, points, SIZE), PIN, radius=3.5)
    return picture
