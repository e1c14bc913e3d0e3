"""Regions of the active face as vertex groups."""

from collections.abc import Callable
from typing import Any

import bpy
import numpy as np

from facewright.errors import BadValue
from facewright.regions.segment import segment
from facewright.rig.regions import Regions

from ..face import read_face
from ..mesh import face_object
from ..work import Progress, WorkOperator

PREFIX = "region "


def write_groups(thing: Any, regions: Regions, level: int) -> tuple[str, ...]:
    """The regions of a level as vertex groups of their names; those of an earlier time are replaced."""
    if regions.vertex_count != len(thing.data.vertices):
        raise BadValue(f"{thing.name} was changed meanwhile; find the regions again")
    for group in [one for one in thing.vertex_groups if one.name.startswith(PREFIX)]:
        thing.vertex_groups.remove(group)
    names, table = regions.names_at(level), regions.weights_at(level)
    for name, start, stop in zip(names, table.indptr[:-1], table.indptr[1:], strict=True):
        group = thing.vertex_groups.new(name=PREFIX + name)
        vertices, weights = table.indices[start:stop], table.data[start:stop]
        whole = weights >= 1 - 1e-9
        group.add(vertices[whole].tolist(), 1.0, "REPLACE")
        for vertex, weight in zip(vertices[~whole].tolist(), weights[~whole].tolist(), strict=True):
            group.add([vertex], weight, "REPLACE")
    return tuple(PREFIX + name for name in names)


class FindRegions(WorkOperator, bpy.types.Operator):
    """Divide the active face into regions that move by themselves, and write them as vertex groups"""

    bl_idname = "facewright.regions"
    bl_label = "Find Regions"
    bl_options = {"REGISTER", "UNDO"}

    threshold: bpy.props.FloatProperty(
        name="Detail", description="From 0, few large regions, to 1, many small ones", default=0.75, min=0, max=1
    )
    level: bpy.props.IntProperty(
        name="Level", description="0 is the finest; each further level joins regions", default=0, min=0, max=100
    )

    def prepare(self, context: Any) -> Callable[[Progress], tuple[str, Regions]]:
        face, threshold = read_face(context.active_object), float(np.round(self.threshold, 6))

        def work(progress: Progress) -> tuple[str, Regions]:
            progress.tell(0.0, "comparing how vertices move")
            return face.name, segment(face.rig, threshold=threshold)

        return work

    def finish(self, context: Any, result: tuple[str, Regions]) -> str:
        thing = bpy.data.objects.get(result[0])
        if thing is None:
            raise BadValue(f"{result[0]} was removed or renamed meanwhile; find the regions again")
        names = write_groups(face_object(thing), result[1], min(self.level, result[1].levels - 1))
        return f"{len(names)} vertex groups: {', '.join(names)}"


CLASSES = (FindRegions,)
