"""The objects of a file, their properties, and what is connected to what. Versions 6 and 7 look alike from here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from facewright.errors import BadFile
from facewright.formats.fbx.container.budget import ReadBudget
from facewright.formats.fbx.container.node import FbxNode, Value

Id = int | str  # a number in version 7, class and name in version 6
Properties = Mapping[str, Sequence[Value]]

_NAMED_BY_TEXT = 7000  # below this version objects are connected by name
_SCENE = "Model::Scene"  # the root in version 6
_FEW = 100_000  # objects and connections that are read, at most


@dataclass(frozen=True, eq=False)
class FbxObject:
    """An object: a model (a place in the scene), a geometry, a deformer, a material, ..."""

    id: Id
    kind: str  # Model, Geometry, Deformer, Material, Texture, Video, AnimationStack, ...
    name: str
    sort: str  # within the kind: Mesh, Shape, BlendShapeChannel, Skin, Cluster, ...
    node: FbxNode
    properties: Properties
    defaults: Properties = field(default_factory=lambda: MappingProxyType({}))

    def numbers(self, name: str, default: tuple[float, ...]) -> tuple[float, ...]:
        """A property of as many numbers as the default has."""
        values = self.properties.get(name) or self.defaults.get(name) or ()
        found = tuple(float(value) for value in values if isinstance(value, int | float) and abs(value) < 1e60)
        return found if len(found) == len(default) else default

    def number(self, name: str, default: float) -> float:
        return self.numbers(name, (default,))[0]

    def text(self, name: str) -> str:
        values = self.properties.get(name) or ()
        return values[0] if values and isinstance(values[0], str) else ""


@dataclass(frozen=True, eq=False)
class Link:
    """A connection, seen from one of its ends."""

    other: FbxObject
    property: str  # of the owner that the connection is about; "" for the object as a whole


class FbxScene:
    """All objects of a file."""

    def __init__(self, version: int, root: FbxNode, budget: ReadBudget) -> None:
        self.version, self.root, self.budget = version, root, budget
        templates = _templates(root)
        self.objects: dict[Id, FbxObject] = {}
        listed = root.child("Objects")
        for node in [] if listed is None else listed.children:
            one = _object(node, version, templates.get(node.name, MappingProxyType({})))
            if one is not None:
                self.objects.setdefault(one.id, one)
        if len(self.objects) > _FEW:
            raise BadFile(f"the file has {len(self.objects)} objects; at most {_FEW} are read")
        self.settings = _settings(root)
        self._owned: dict[Id, list[Link]] = {}
        self._owners: dict[Id, list[Link]] = {}
        self._connect(root)

    def of_kind(self, kind: str, sort: str = "") -> Iterator[FbxObject]:
        """The objects of a kind, in the order of the file."""
        return (one for one in self.objects.values() if one.kind == kind and sort in ("", one.sort))

    def owned(self, owner: FbxObject, kind: str, sort: str = "") -> list[FbxObject]:
        """What is connected to an object as a whole, of a kind."""
        return [link.other for link in self.links(owner, kind) if not link.property and sort in ("", link.other.sort)]

    def links(self, owner: FbxObject, kind: str) -> list[Link]:
        """What is connected to an object or to a property of it, of a kind."""
        return [link for link in self._owned.get(owner.id, ()) if link.other.kind == kind]

    def owners(self, one: FbxObject, kind: str) -> list[Link]:
        """What an object is connected to, of a kind."""
        return [link for link in self._owners.get(one.id, ()) if link.other.kind == kind]

    def _connect(self, root: FbxNode) -> None:
        listed = root.child("Connections")
        connections = [] if listed is None else [node for node in listed.children if node.name in ("C", "Connect")]
        if len(connections) > 4 * _FEW:
            raise BadFile(f"the file has {len(connections)} connections; at most {4 * _FEW} are read")
        for node in connections:
            one, owner = (self.objects.get(_id_of(node, at, self.version)) for at in (1, 2))
            if one is None or owner is None or one is owner or node.text() not in ("OO", "OP"):
                continue
            property = node.text(3) if node.text() == "OP" else ""
            self._owned.setdefault(owner.id, []).append(Link(one, property))
            self._owners.setdefault(one.id, []).append(Link(owner, property))


def _object(node: FbxNode, version: int, defaults: Properties) -> FbxObject | None:
    """An object; None for a node that is none."""
    if version >= _NAMED_BY_TEXT:
        if len(node.values) < 2 or not isinstance(node.values[0], int):
            return None
        kind, name = _class_and_name(node.text(1))
        return FbxObject(node.values[0], node.name, name, node.text(2), node, properties_of(node), defaults)
    if not node.text():
        return None
    kind, name = _class_and_name(node.text())
    return FbxObject(f"{kind}::{name}", node.name, name, node.text(1), node, properties_of(node), defaults)


def _class_and_name(text: str) -> tuple[str, str]:
    """Binary files have the name first, files of text the class."""
    name, mark, kind = text.partition("\0\1")
    if mark:
        return kind, name
    kind, mark, name = text.partition("::")
    return (kind, name) if mark else ("", text)


def _id_of(node: FbxNode, at: int, version: int) -> Id:
    if version >= _NAMED_BY_TEXT:
        value = node.values[at] if at < len(node.values) else 0
        return value if isinstance(value, int) else 0
    kind, name = _class_and_name(node.text(at))
    return f"{kind}::{name}"


def properties_of(node: FbxNode) -> Properties:
    """The properties of a node by name: what follows name, type and flags."""
    found: dict[str, Sequence[Value]] = {}
    for table, entry, first in (("Properties70", "P", 4), ("Properties60", "Property", 3)):
        listed = node.child(table)
        for one in () if listed is None else listed.all(entry):
            found[one.text()] = one.values[first:]
    return found


def _templates(root: FbxNode) -> dict[str, Properties]:
    """Properties that objects of a kind have where they state no others."""
    definitions = root.child("Definitions")
    found: dict[str, Properties] = {}
    for one in () if definitions is None else definitions.all("ObjectType"):
        template = one.child("PropertyTemplate")
        if template is not None:
            found[one.text()] = properties_of(template)
    return found


def _settings(root: FbxNode) -> FbxObject:
    node = root.child("GlobalSettings")
    objects = root.child("Objects")
    if node is None and objects is not None:
        node = objects.child("GlobalSettings")
    node = FbxNode("GlobalSettings") if node is None else node
    return FbxObject(0, "GlobalSettings", "", "", node, properties_of(node))
