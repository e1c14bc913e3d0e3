"""Avatars made here: an embedded person as a skinned character in metres, with its vertices in another order."""

from pathlib import Path
from typing import Any

import numpy as np

from facewright.arrays import Floats, Ints
from facewright.mesh.normals import vertex_normals
from facewright.rig.name_tables import ARKIT
from facewright.rig.names import match_names
from facewright.rig.rig import Rig
from facewright.rig.shape import Shape
from facewright.samples import people, sample
from facewright.samples.borders import borders
from tests.formats.gltf_files import Tiny

BONES = (
    "hips", "spine", "neck", "head", "leftEye", "rightEye", "leftUpperLeg", "leftLowerLeg", "leftFoot",
    "rightUpperLeg", "rightLowerLeg", "rightFoot", "leftUpperArm", "leftLowerArm", "leftHand", "rightUpperArm",
    "rightLowerArm", "rightHand",
)  # fmt: skip
PARENTS = {"spine": "hips", "neck": "spine", "head": "neck", "leftEye": "head", "rightEye": "head"}
HEIGHT, CM = 1.5, 0.01


class MadeAvatar:
    """A person whose vertices are in another order, with two expressions, a body, and joints for the eyes."""

    def __init__(self, person: str | Rig = "amara", seed: int = 3) -> None:
        self.person: Rig = sample(person) if isinstance(person, str) else person
        rng = np.random.default_rng(seed)
        self.order = rng.permutation(self.person.vertex_count)  # row of the avatar -> vertex of the person
        row = np.argsort(self.order)
        self.positions: Floats = self._placed(self.person.neutral[self.order])
        self.triangles = row[self.person.triangles]
        self.joints = self._joints()

    def _joints(self) -> Any:
        """The joint of each vertex: eyes, head, or the neck below the chin."""
        found = np.full(len(self.order), BONES.index("head"))
        for part in self.person.parts:
            inside = (self.order >= part.start) & (self.order < part.stop)
            for side in ("left", "right"):
                if "eye" in part.name and side in part.name:
                    found[inside] = BONES.index(f"{side}Eye")
        low = np.quantile(self.positions[:, 1], 0.02)
        found[self.positions[:, 1] < low] = BONES.index("neck")
        return found

    def _places(self) -> dict[str, Floats]:
        """Where joints are; others are at the hips."""
        middle = {side: self._middle(self.joints == BONES.index(f"{side}Eye")) for side in ("left", "right")}
        eyes = (middle["left"] + middle["right"]) / 2
        return {
            "hips": np.array([0.0, HEIGHT - 0.7, 0.0]), "spine": np.array([0.0, HEIGHT - 0.4, 0.0]),
            "neck": eyes - [0.0, 0.16, 0.09], "head": eyes - [0.0, 0.08, 0.07],
            "leftEye": middle["left"], "rightEye": middle["right"],
        }  # fmt: skip

    def _middle(self, chosen: Any) -> Floats:
        return np.asarray(self.positions[chosen if chosen.any() else slice(None)].mean(axis=0))

    def offsets(self, shape: str) -> Floats:
        return self.offsets_of(shape)[self.order]

    def offsets_of(self, shape: str) -> Floats:
        """Of the vertices of the person."""
        return np.asarray(self.person.shape(shape).dense(self.person.vertex_count) * CM)

    def tiny(self, shapes: tuple[str, ...] = ("jawOpen",)) -> Tiny:
        """A VRM 1.0 whose targets are named otherwise: shape_0 and so on."""
        tiny = Tiny(extensionsUsed=["VRMC_vrm"])
        names = [f"shape_{number}" for number in range(len(shapes))]
        joints = np.column_stack([self.joints, np.zeros((len(self.joints), 3), np.int64)])
        weights = np.tile([1.0, 0.0, 0.0, 0.0], (len(self.joints), 1))
        tiny.mesh(
            self.positions, self.triangles, [self.offsets(shape) for shape in shapes], names,
            JOINTS_0=tiny.accessor(joints, "u1"), WEIGHTS_0=tiny.accessor(weights),
        )  # fmt: skip
        nodes: list[dict[str, Any]] = [{"name": f"J_{name}"} for name in BONES]
        for child in BONES[1:]:
            nodes[BONES.index(PARENTS.get(child, "hips"))].setdefault("children", []).append(BONES.index(child))
        places = self._places()
        for name, node in zip(BONES, nodes, strict=True):
            above = places.get(PARENTS.get(name, "hips"), places["hips"]) if name != "hips" else np.zeros(3)
            node["translation"] = (places.get(name, places["hips"]) - above).tolist()
        worlds = np.tile(np.eye(4), (len(BONES), 1, 1))
        worlds[:, 3, :3] = [-places.get(name, places["hips"]) for name in BONES]  # inverse, column by column
        tiny.json["skins"] = [{"joints": list(range(len(BONES))), "inverseBindMatrices": tiny.accessor(worlds)}]
        tiny.nodes(*nodes, {"mesh": 0, "skin": 0, "name": "face"})
        binds = {shape: [{"node": len(BONES), "index": i, "weight": 1.0}] for i, shape in enumerate(shapes)}
        presets = {"jawOpen": "aa", "eyeBlinkLeft": "blinkLeft", "eyeBlinkRight": "blinkRight"}
        tiny.json["extensions"] = {
            "VRMC_vrm": {
                "specVersion": "1.0",
                "meta": {"name": "made", "authors": ["us"], "licenseUrl": "https://vrm.dev/licenses/1.0/"},
                "humanoid": {"humanBones": {name: {"node": number} for number, name in enumerate(BONES)}},
                "expressions": {
                    "preset": {presets[shape]: {"morphTargetBinds": bind} for shape, bind in binds.items()}
                },
            }
        }
        return tiny

    def add_lying_on(self, tiny: Tiny, name: str, piece: tuple[Floats, Ints]) -> int:
        """Add a mesh that is skinned to the head and has no targets; returns its node."""
        positions, triangles = piece
        count = len(positions)
        joints = np.tile([BONES.index("head"), 0, 0, 0], (count, 1))
        mesh = tiny.mesh(
            positions, triangles, JOINTS_0=tiny.accessor(joints, "u1"),
            WEIGHTS_0=tiny.accessor(np.tile([1.0, 0.0, 0.0, 0.0], (count, 1))),
        )  # fmt: skip
        tiny.json["nodes"].append({"mesh": mesh, "skin": 0, "name": name})
        tiny.json["scenes"][0]["nodes"].append(len(tiny.json["nodes"]) - 1)
        return len(tiny.json["nodes"]) - 1

    def whole(self) -> Tiny:
        """The avatar with brows in a mesh of their own, a camera, and an animation of the head's joint."""
        tiny = self.tiny()
        self.add_lying_on(tiny, "brows", self.brows()[:2])
        tiny.json["cameras"] = [{"type": "perspective", "perspective": {"yfov": 0.5, "znear": 0.01}}]
        tiny.json["nodes"].append({"camera": 0, "name": "camera"})
        tiny.json["scenes"][0]["nodes"].append(len(tiny.json["nodes"]) - 1)
        turn = {"input": tiny.accessor([0.0, 1.0]), "output": tiny.accessor([[0, 0, 0, 1], [0, 1, 0, 0]])}
        target = {"node": BONES.index("head"), "path": "rotation"}
        tiny.json["animations"] = [{"samplers": [turn], "channels": [{"sampler": 0, "target": target}]}]
        return tiny

    @property
    def has_borders(self) -> bool:
        """Whether lashes and brows can be made: of the embedded people."""
        return bool(borders(self.person))

    def lashes(self, *, length: float = 0.8) -> tuple[Floats, Ints, Ints]:
        """Strips that stand on the upper lids: positions, triangles, and the vertex of the person under each."""
        rest = self.person.neutral
        positions: list[Floats] = []
        triangles: list[Any] = []
        roots: list[Any] = []
        for name, loop in borders(self.person).items():
            if "eye" not in name:
                continue
            middle = rest[loop].mean(axis=0)
            upper = loop[rest[loop][:, 1] > middle[1]]
            upper = upper[np.argsort(rest[upper][:, 0])]
            start, count = sum(len(one) for one in positions), len(upper)
            positions.append(np.concatenate([rest[upper], rest[upper] + [0.0, 0.4 * length, 0.9 * length]]))
            here = start + np.arange(count - 1)
            triangles.append(np.stack([here, here + 1, here + count], axis=1))
            triangles.append(np.stack([here + 1, here + count + 1, here + count], axis=1))
            roots.append(np.tile(upper, 2))
        return self._placed(np.concatenate(positions)), np.concatenate(triangles), np.concatenate(roots)

    def brows(self, *, above: float = 0.15) -> tuple[Floats, Ints, Ints]:
        """The skin of the brows once more, lifted: positions, triangles, and the vertex of the person under each."""
        rest = self.person.neutral
        up = vertex_normals(rest, self.person.triangles)
        moved = np.linalg.norm(self.person.shape("browDownLeft").dense(len(rest)), axis=1)
        moved += np.linalg.norm(self.person.shape("browDownRight").dense(len(rest)), axis=1)
        chosen = (moved > 0.5 * moved.max()) & (np.arange(len(rest)) < self.person.parts[0].stop)
        kept = self.person.triangles[chosen[self.person.triangles].all(axis=1)]
        roots, rows = np.unique(kept, return_inverse=True)
        return self._placed(rest[roots] + above * up[roots]), rows.reshape(-1, 3), roots

    def _placed(self, positions: Floats) -> Floats:
        return np.asarray(positions * CM + [0.0, HEIGHT, 0.0])


def mixed_person(seed: int) -> Rig:
    """A person between the embedded ones, or somewhat beyond them."""
    shares = 1.6 * np.random.default_rng(seed).dirichlet(np.ones(4)) - 0.15  # they sum to 1
    rigs = [sample(name) for name in people()]
    first, count = rigs[0], rigs[0].vertex_count
    shapes = [
        Shape.from_dense(name, np.tensordot(shares, [rig.shape(name).dense(count) for rig in rigs], 1))
        for name in first.shape_names
    ]
    return Rig(np.tensordot(shares, [rig.neutral for rig in rigs], 1), first.polygons, shapes, parts=first.parts)


def scanned_person(folder: Path, seed: int) -> Rig:
    """A person of the scan-based face of others, with its shapes under the names of ARKit."""
    with np.load(folder / "ict_face" / "ict_face.npz") as data:
        weights = np.random.default_rng(seed).normal(size=len(data["identity"]))
        neutral = data["neutral"] + np.tensordot(weights, data["identity"], 1)
        known = match_names(ARKIT, data["names"].tolist()).pairs
        row = {name: number for number, name in enumerate(data["names"].tolist())}
        shapes = [Shape.from_dense(name, data["deltas"][row[other]]) for name, other in known.items() if name in ARKIT]
        return Rig(neutral, data["quads"], shapes)
