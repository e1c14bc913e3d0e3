"""Terms as a user would write them, with nothing but the public names."""

from dataclasses import dataclass

import numpy as np

import facewright as fw


@dataclass(frozen=True)
class Alike:
    """Two sliders have the same value."""

    first: str
    second: str
    strength: float = 1.0

    def cost(self, context: fw.TermContext) -> fw.SliderCost:
        row = np.zeros(len(context.full))
        row[context.rig.slider_index(self.first)], row[context.rig.slider_index(self.second)] = 1.0, -1.0
        return fw.SliderCost(H=self.strength * np.outer(row, row))


@dataclass(frozen=True)
class Near:
    """A slider has a value, as a share of its full one."""

    slider: str
    value: float
    strength: float = 1.0

    def cost(self, context: fw.TermContext) -> fw.SliderCost:
        row = np.eye(len(context.full))[context.rig.slider_index(self.slider)]
        return fw.SliderCost(H=self.strength * np.outer(row, row), c=-self.strength * self.value * row)


@dataclass(frozen=True)
class Costly:
    """A slider moves only where it is worth it."""

    slider: str
    price: float

    def cost(self, context: fw.TermContext) -> fw.SliderCost:
        return fw.SliderCost(price=self.price * np.eye(len(context.full))[context.rig.slider_index(self.slider)])


@dataclass(frozen=True)
class Stiff:
    """All sliders stay near the start."""

    stiffness: float

    def cost(self, context: fw.TermContext) -> fw.SliderCost:
        return fw.SliderCost(ridge=np.full(len(context.full), self.stiffness))


@dataclass(frozen=True)
class VerticalGap:
    """Two vertices are as far from each other along y as they are at the start, and a share of the face more."""

    upper: int
    lower: int
    share: float = 0.0
    importance: float = 1.0

    def rows(self, context: fw.TermContext) -> fw.PointRows:
        upper, lower = context.positions([self.upper, self.lower])
        return fw.PointRows(
            vertices=np.array([[self.upper, self.lower]]),
            weights=np.array([[[0.0, 1.0, 0.0], [0.0, -1.0, 0.0]]]),
            targets=np.array([(upper - lower)[1] + self.share * context.rig.size]),
            importance=self.importance,
        )
