"""Pins on an object: kept with it, so that they are saved and undone with everything else."""

from typing import Any

import bpy

from facewright.document import PlacedPin


class FacePin(bpy.types.PropertyGroup):
    """A point of the surface."""

    triangle: bpy.props.IntProperty(name="Triangle")
    barycentric: bpy.props.FloatVectorProperty(name="Barycentric coordinates", size=3)
    number: bpy.props.IntProperty(name="Number")
    hold: bpy.props.BoolProperty(name="Hold", description="Keep the pin exactly where it is while others are dragged")
    vertices: bpy.props.IntProperty(name="Vertices of the mesh")


def pins_of(thing: Any) -> tuple[PlacedPin, ...]:
    """The pins of an object that belong to its mesh as it is."""
    found, triangles = [], _triangles(thing)
    for pin in thing.facewright_pins:
        if pin.vertices == len(thing.data.vertices) and 0 <= pin.triangle < triangles:
            a, b, c = pin.barycentric
            total = (a + b + c) or 1.0  # they were kept in single precision
            mix = (a / total, b / total, c / total)
            found.append(PlacedPin(id=pin.number, triangle=pin.triangle, barycentric=mix, hold=pin.hold))
    return tuple(found)


def add_pin(thing: Any, pin: PlacedPin) -> None:
    made = thing.facewright_pins.add()
    made.triangle, made.barycentric, made.number = pin.triangle, pin.barycentric, pin.id
    made.vertices = len(thing.data.vertices)


def remove_pin(thing: Any, number: int) -> None:
    for place, pin in enumerate(thing.facewright_pins):
        if pin.number == number:
            thing.facewright_pins.remove(place)
            return


def _triangles(thing: Any) -> int:
    return len(thing.data.loops) - 2 * len(thing.data.polygons)
