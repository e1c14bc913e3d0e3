"""What in a document depends on a shape."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from facewright.document import Document
from facewright.regions.local_pose import local_curves
from facewright.rig.rig import Rig
from facewright.rig.rules import OnlyMovedBy
from facewright.rig.shape import Shape
from facewright.rig.ties import ties_of


@dataclass(frozen=True)
class ShapeUses:
    """What goes, or has no effect any more, if a shape is dropped."""

    sliders: tuple[str, ...] = ()  # that drive nothing else
    shapes: tuple[str, ...] = ()  # combinations that need them
    clips: tuple[str, ...] = ()  # with curves of them
    textures: int = 0  # that come in with the shape
    exclusive: tuple[tuple[str, str], ...] = ()
    ties: tuple[tuple[str, str], ...] = ()
    rules: tuple[str, ...] = ()  # that name the sliders
    locked: bool = False

    @property
    def any(self) -> bool:
        """Whether anything but the shape and its slider is concerned."""
        return bool(self.shapes or self.clips or self.textures or self.exclusive or self.ties or self.rules)

    @property
    def named(self) -> tuple[str, ...]:
        """Each of them in words."""
        return (
            *(f"combination {name}" for name in self.shapes),
            *(f"curves of clip {name}" for name in self.clips),
            *(("the texture that comes in with it",) if self.textures else ()),
            *(f"exclusive pair of {a} and {b}" for a, b in self.exclusive),
            *(f"tie of {a} to {b}" for a, b in self.ties),
            *(f"rule {name}" for name in self.rules),
        )

    def __str__(self) -> str:
        found = [
            _count(len(self.shapes), "combination"),
            _count(len(self.clips), "clip"),
            _count(self.textures, "texture"),
            _count(len(self.exclusive), "exclusive pair"),
            _count(len(self.ties), "tie"),
            _count(len(self.rules), "rule"),
        ]
        words = [each for each in found if each]
        if not words:
            return "nothing else uses it"
        one = len(words) == 1 and words[0].startswith("1 ")
        return f"{_listed(words)} {'uses' if one else 'use'} it"


class UsesOfShapes:
    """The uses of every shape of a document; what is looked up for all of them is made once."""

    def __init__(self, document: Document) -> None:
        rig = self._rig = document.rig
        self._driven: dict[str, list[Shape]] = {}
        for shape in rig.shapes:
            for slider in shape.sliders:
                self._driven.setdefault(slider, []).append(shape)
        self._clips: dict[str, list[str]] = {}
        for clip in document.clips:
            moved = {name for name in clip.moved if name in self._driven}
            moved |= {rig.sliders[slider] for _, _, slider in local_curves(clip, rig, document.regions)}
            for name in moved:
                self._clips.setdefault(name, []).append(clip.name)
        maps = () if document.textures is None else document.textures.maps
        self._textures = [name for one in maps for name in one.shapes]
        self._exclusive, self._ties = rig.exclusive, ties_of(rig)
        self._rules = [rule for rule in rig.rules if isinstance(rule, OnlyMovedBy)]
        self._locked = set(document.locked)

    def __call__(self, shape: Shape) -> ShapeUses:
        """What depends on a shape."""
        gone = () if shape.is_combination or self._has_others(shape) else shape.sliders
        return ShapeUses(
            sliders=gone,
            shapes=tuple(one.name for name in gone for one in self._driven[name] if one is not shape),
            clips=tuple(dict.fromkeys(clip for name in gone for clip in self._clips.get(name, ()))),
            textures=self._textures.count(shape.name),
            exclusive=tuple(pair for pair in self._exclusive if set(pair) & set(gone)),
            ties=tuple(pair for pair in self._ties if set(pair) & set(gone)),
            rules=tuple(rule.name for rule in self._rules if set(rule.sliders) & set(gone)),
            locked=bool(self._locked & set(gone)),
        )

    def _has_others(self, shape: Shape) -> bool:
        """Whether the slider of a shape drives another one alone."""
        return any(one is not shape and not one.is_combination for one in self._driven[shape.sliders[0]])


def groups_of_shapes(rig: Rig) -> tuple[str, ...]:
    """The group (s,) of each shape: that of its first slider."""
    group = dict(zip(rig.sliders, rig.groups, strict=True))
    return tuple(group[shape.sliders[0]] for shape in rig.shapes)


def _count(count: int, what: str) -> str:
    return "" if not count else f"{count} {what}" + ("" if count == 1 else "s")


def _listed(words: Iterable[str]) -> str:
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last
