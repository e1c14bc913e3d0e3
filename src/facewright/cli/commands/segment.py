"""Divide a face into regions that each move in their own way, and these into larger ones."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from rich.color import Color
from rich.style import Style
from rich.table import Table
from rich.text import Text

from facewright.cli.asked import asked
from facewright.cli.outputs import check_outputs
from facewright.cli.saving import save_and_tell
from facewright.cli.screen import plain, screen
from facewright.cli.streams import face_given
from facewright.document import Document
from facewright.errors import BadValue
from facewright.formats.files import write_atomically
from facewright.formats.json_files import save_regions
from facewright.formats.registry import format_of
from facewright.image.encoded import Encoded
from facewright.regions.replace import with_regions
from facewright.regions.segment import SegmentMethod
from facewright.regions.segment import segment as find_regions
from facewright.render.png import png_bytes
from facewright.render.region_palette import node_colors
from facewright.rig.regions import Regions
from facewright.rig.rig import Rig
from facewright.texture.painted_regions import painted_regions
from facewright.texture.vertex_colors import skin_colors
from facewright.workflow.open import open_as
from facewright.workflow.report.regions import regions_picture


def segment(
    rig: Annotated[Path, typer.Argument(help="The rig to divide; `sample`: the embedded head.")],
    threshold: Annotated[float, typer.Option(help="From 0, few large regions, to 1, many small ones.")] = 0.75,
    levels: Annotated[int | None, typer.Option(help="How many levels, finest to whole; default all.")] = None,
    method: Annotated[
        SegmentMethod, typer.Option(help="By likeness of motion, or by the threshold alone, as in the paper.")
    ] = "likeness",
    texture: Annotated[bool, typer.Option("--texture", help="Let borders follow the colours of the texture.")] = False,
    mask: Annotated[
        list[str] | None, typer.Option(help="A painted region, white where it is: brows=brows.png; instead of finding.")
    ] = None,
    out: Annotated[Path | None, typer.Option("-o", "--output", help="regions.json, or the face with them.")] = None,
    picture: Annotated[Path | None, typer.Option(help="A picture of the regions and the deformation map.")] = None,
) -> None:
    """Divide a face into regions that each move in their own way, and these into larger ones."""
    if picture is not None and picture.suffix.lower() != ".png":
        raise BadValue(f"a picture is written as .png, not as {picture.name}")
    if out is not None and out.suffix.lower() != ".json":
        format_of(out)
    masks = _masks(mask or [])
    check_outputs([out, picture], [rig, *masks.values()])
    document = face_given(rig)
    colors = skin_colors(document) if texture else None
    if masks:
        pictures = {name: open_as(path, Encoded) for name, path in masks.items()}
        found = painted_regions(document.rig, pictures)
    else:
        found = find_regions(document.rig, threshold=threshold, levels=levels, method=method, colors=colors)
    _write(document, found, out)
    if picture is not None:
        how = "painted" if masks else f"t = {threshold:g}"
        write_atomically(
            picture,
            png_bytes(regions_picture(document.rig, found, f"{rig.name}, {how}")),
        )
    own = out if out is not None and out.suffix.lower() == ".json" else None  # a face is told of where it is saved
    _tell(document.rig, found, [path for path in (own, picture) if path is not None])


def _masks(texts: list[str]) -> dict[str, Path]:
    """Pictures by the names of regions."""
    found: dict[str, Path] = {}
    for text in texts:
        name, equals, path = text.partition("=")
        if not (name and equals and path) or name in found:
            raise BadValue(f"--mask is a name of its own and a picture, such as brows=brows.png, not {text}")
        found[name] = Path(path)
    return found


def _write(document: Document, regions: Regions, out: Path | None) -> None:
    if out is None:
        return
    if out.suffix.lower() == ".json":
        save_regions(regions, out)
    else:
        save_and_tell(with_regions(document, regions, by_name=False), out)


def _tell(rig: Rig, regions: Regions, written: list[Path]) -> None:
    console = screen()
    table = Table(box=None, header_style="dim")
    table.add_column("")
    table.add_column("region", overflow="fold")
    table.add_column("vertices", justify="right")
    table.add_column("joins at level", justify="right")
    counts = np.bincount(regions.labels(), minlength=regions.count)
    asked.tell(levels=[len(regions.nodes(level)) for level in range(regions.levels)], regions=_facts(regions, counts))
    for node, color in enumerate(node_colors(rig, regions)):
        parent = regions.parents[node]
        joins = "" if parent < 0 else f"{regions.first[parent]}: {plain(regions.names[parent])}"
        table.add_row(_patch(color), plain(regions.names[node]), f"{counts[node]:,}", joins)
    console.print(table)
    console.print(f"{regions.count} regions, {regions.levels} levels: {', '.join(_sizes(regions))}")
    for path in written:
        asked.list("written", {"file": str(path)})
        screen(stderr=True).print(plain(str(path)))


def _facts(regions: Regions, counts: np.ndarray) -> list[dict[str, object]]:
    """The regions for JSON."""
    return [
        {
            "name": regions.names[node],
            "vertices": int(counts[node]),
            "joins": None if regions.parents[node] < 0 else regions.names[regions.parents[node]],
        }
        for node in range(regions.count)
    ]


def _sizes(regions: Regions) -> list[str]:
    return [str(len(regions.nodes(level))) for level in range(regions.levels)]


def _patch(color: np.ndarray) -> Text:
    return Text("#", Style(color=Color.from_rgb(*(255 * color))))
