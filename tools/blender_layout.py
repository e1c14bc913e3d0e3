"""A layout that records what a panel of Blender draws, instead of drawing it."""

from dataclasses import dataclass, field
from typing import Any


@dataclass
class Item:
    """One line, or several side by side."""

    kind: str  # prop, operator, label, separator, row
    text: str = ""
    value: str = ""
    items: list["Item"] = field(default_factory=list)


def _check(icon: str) -> None:
    """Blender refuses to draw an icon that it does not have."""
    import bpy

    known = bpy.types.UILayout.bl_rna.functions["prop"].parameters["icon"].enum_items
    if icon not in known:
        raise ValueError(f"Blender has no icon {icon}")


class Recorder:
    """Answers the calls that the extension's panels make."""

    def __init__(self) -> None:
        self.items: list[Item] = []

    def column(self, **_: Any) -> "Recorder":
        return self

    def row(self, **_: Any) -> "Recorder":
        inner = Recorder()
        self.items.append(Item("row", items=inner.items))
        return inner

    def label(self, *, text: str = "", icon: str = "NONE") -> None:
        _check(icon)
        self.items.append(Item("label", text))

    def separator(self, **_: Any) -> None:
        self.items.append(Item("separator"))

    def operator(self, name: str, *, icon: str = "NONE") -> None:
        import bpy

        _check(icon)
        group, own = name.split(".")
        found = getattr(getattr(bpy.ops, group), own).get_rna_type()
        self.items.append(Item("operator", found.name))

    def prop(self, owner: Any, name: str, *, text: str | None = None, toggle: bool = False, **_: Any) -> None:
        found = owner.bl_rna.properties[name]
        value = getattr(owner, name)
        kind = {"BOOLEAN": "toggle" if toggle else "check", "ENUM": "choice"}.get(found.type, "field")
        if found.type == "ENUM":
            value = found.enum_items[value].name
        elif found.type == "FLOAT":
            value = f"{value:.3f}".rstrip("0")
        elif found.type == "POINTER":
            value = "" if value is None else value.name
        self.items.append(Item(kind, found.name if text is None else text, str(value)))

    def prop_search(self, owner: Any, name: str, _: Any, __: str, **more: Any) -> None:
        self.prop(owner, name)
