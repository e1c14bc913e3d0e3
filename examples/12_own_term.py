"""Bring a preference and a wish of your own: both sides of the face alike, and lips that stay together."""

from dataclasses import dataclass

import numpy as np

import facewright as fw


@dataclass(frozen=True)
class BothSides:
    """Each slider named ...Left has the value of its partner ...Right. Any object with a method `cost` will do."""

    strength: float = 1.0  # 1 counts as much as the pins do

    def cost(self, context: fw.TermContext) -> fw.SliderCost:
        names = context.rig.sliders
        pairs = [(names.index(name), names.index(name[:-4] + "Right")) for name in names if name.endswith("Left")]
        differences = np.zeros((len(pairs), len(names)))
        for row, (left, right) in zip(differences, pairs, strict=True):
            row[left], row[right] = 1.0, -1.0
        return fw.SliderCost(H=self.strength * differences.T @ differences)


@dataclass(frozen=True)
class Together:
    """Two vertices stay as far from each other as they are at the start, along every axis."""

    first: int
    second: int
    importance: float = 10.0  # of a pin

    def rows(self, context: fw.TermContext) -> fw.PointRows:
        first, second = context.positions([self.first, self.second])
        return fw.PointRows(
            vertices=np.repeat([[self.first, self.second]], 3, axis=0),
            weights=np.stack([np.eye(3), -np.eye(3)], axis=1),  # x, y and z of the one less those of the other
            targets=first - second,
            importance=self.importance,
        )


def most_moved(rig: fw.Rig, slider: str) -> int:
    """The vertex that a slider moves furthest."""
    return int(np.linalg.norm(fw.evaluate(rig, {slider: 1.0}) - rig.neutral, axis=1).argmax())


rig = fw.sample()
corner, chin = most_moved(rig, "mouthSmileLeft"), most_moved(rig, "jawOpen")
lips = Together(most_moved(rig, "mouthUpperUpLeft"), most_moved(rig, "mouthLowerDownLeft"))

# A preference for every drag of a solver: the pin is on the left corner of the mouth alone.
pin = fw.Pin(vertex=corner, target=fw.evaluate(rig, {"mouthSmileLeft": 1.0})[corner])
for name, solver in (("alone", fw.PoseSolver(rig)), ("both sides", fw.PoseSolver(rig, terms=[BothSides()]))):
    found = solver.solve([pin])
    left, right = (found.weights[rig.slider_index(f"mouthSmile{side}")] for side in ("Left", "Right"))
    print(f"{name:10}  mouthSmile {left:.2f} on the left, {right:.2f} on the right")

# A wish for one drag: the chin goes down, the lips do not part.
pin = fw.Pin(vertex=chin, target=fw.evaluate(rig, {"jawOpen": 0.5})[chin])
for name, terms in (("alone", []), ("lips stay", [lips])):
    upper, lower = fw.evaluate(rig, fw.solve_pose(rig, [pin], terms=terms).weights)[[lips.first, lips.second]]
    print(f"{name:10}  lips {np.linalg.norm(upper - lower):.2f} apart")

# The same terms for every frame of a take: the actor smiles on one side, the character on both.
smile = np.linspace(0, 0.8, 60)[:, None] * rig.weights({"mouthSmileLeft": 1.0})
lively = np.flatnonzero(np.linalg.norm(rig.deltas(), axis=2).max(axis=0) > 0.3)
glued = fw.bind_vertices(rig, {f"m{i}": int(v) for i, v in enumerate(lively[:: len(lively) // 40])})
take = fw.Take(glued.markers, glued.places(fw.evaluate(rig, smile)), 60.0, "cm")
solved = fw.solve_take(rig, take, glued, terms=[BothSides()])
left, right = (solved.weights[-1, rig.slider_index(f"mouthSmile{side}")] for side in ("Left", "Right"))
print(f"take        mouthSmile {left:.2f} on the left, {right:.2f} on the right in the last frame")
