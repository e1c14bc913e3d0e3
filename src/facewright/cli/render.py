"""`facewright render`: pictures and films of a face, without a browser."""

from __future__ import annotations

from pathlib import Path
from time import perf_counter
from typing import Annotated, Any

import numpy as np
import typer

from facewright.cli.faces import SAMPLE, document_named
from facewright.cli.interrupted import EXIT, interruptions
from facewright.cli.progress import progress_bar
from facewright.cli.render_inputs import HeatFile, check_out, load_pose, size_from, view_from
from facewright.cli.screen import plain, screen
from facewright.document import Document
from facewright.errors import BadValue
from facewright.formats.files import write_atomically
from facewright.render.camera import frame
from facewright.render.film import film, frames_beyond, is_folder
from facewright.render.heat import Heat
from facewright.render.performance import Performance
from facewright.render.png import png_bytes
from facewright.render.portrait import Portrait
from facewright.render.posed import Poser
from facewright.render.shape_sheet import page_count, shape_sheets
from facewright.render.tone import Bytes

_SIZE, _TILE = "1080", "280x320"
_PREVIEWS, _PREVIEW = 8, (360, 360)  # frames that a GIF's colours are chosen for


def render(
    out: Annotated[Path, typer.Option("-o", "--output", help="out.png; for a clip frames/, out.mp4 or out.gif.")],
    file: Annotated[
        str, typer.Argument(metavar="[FILE]", help="A rig in any format; without it, the embedded head.")
    ] = SAMPLE,
    clip: Annotated[str | None, typer.Option(help="The clip to play.")] = None,
    pose: Annotated[Path | None, typer.Option(help='A pose, such as {"jawOpen": 0.5}; default the file\'s.')] = None,
    time: Annotated[float | None, typer.Option(help="A moment of the clip, in seconds, as one picture.")] = None,
    fps: Annotated[float | None, typer.Option(help="Frames a second; default the clip's own.")] = None,
    size: Annotated[str, typer.Option(help="Pixels, such as 1080 or 1920x1080; of each tile with --sheet.")] = "",
    view: Annotated[str, typer.Option(help="front, threequarter, side, or degrees round the face.")] = "front",
    wire: Annotated[bool, typer.Option("--wire", help="Draw the edges of the polygons.")] = False,
    heat: Annotated[Path | None, typer.Option(help="Numbers for the vertices, in a .npy file, as colours.")] = None,
    sheet: Annotated[bool, typer.Option("--sheet", help="All shapes on a sheet, or on several.")] = False,
    still: Annotated[bool, typer.Option("--still", help="Hold the head where the clip moves it.")] = False,
) -> None:
    """Draw a face as a picture, a clip as a film, or all shapes of a rig on a sheet. Ctrl-C leaves a shorter film."""
    if sum((clip is not None, pose is not None, sheet)) > 1:
        raise BadValue("give one of --clip, --pose and --sheet")
    if time is not None and clip is None:
        raise BadValue("--time is a moment of a clip; name one with --clip")
    check_out(out, moving=clip is not None and time is None)
    document = document_named(file)
    shape = size_from(size or (_TILE if sheet else _SIZE))
    options: dict[str, Any] = {"size": shape, "view": view_from(view), "wire": wire}
    heated = None if heat is None else HeatFile(heat, document.rig.vertex_count)
    if sheet:
        _write_sheets(document, Path(file).name, out, options)
    elif clip is None:
        weights = document.pose if pose is None else load_pose(pose, document.rig)
        _write_picture(out, Portrait(document.rig, **options).of(Poser(document)(weights), heat=_heat_at(heated)))
    else:
        times = None if time is None else np.array([time])
        played = Performance(Poser(document), document.clip_named(clip), rate=fps, times=times, head=not still)
        _write_performance(played, out, options, heated, alone=time is not None)


def _write_picture(out: Path, shot: Bytes) -> None:
    write_atomically(out, png_bytes(shot))
    screen(stderr=True).print(f"{plain(str(out))}: {shot.shape[1]} x {shot.shape[0]}", soft_wrap=True)


def _write_performance(
    played: Performance, out: Path, options: dict[str, Any], heat: HeatFile | None, *, alone: bool
) -> None:
    if played.left_out:
        names = plain(", ".join(played.left_out[:6])) + (" …" if len(played.left_out) > 6 else "")
        screen(stderr=True).print(f"[yellow]nothing on the rig is moved by the clip's {names}[/]", soft_wrap=True)
    if heat is not None:
        heat.check(len(played))
    if alone:
        _write_picture(out, _camera_crew(played, options).of(played(0), heat=_heat_at(heat)))
    else:
        _write_film(played, out, options, heat)


def _heat_at(heat: HeatFile | None, frame: int = 0) -> Heat | None:
    return None if heat is None else heat.at(frame)


def _camera_crew(played: Performance, options: dict[str, Any]) -> Portrait:
    """A portrait framed to all that the head does."""
    size = options["size"]
    camera = frame(played.reach(), options["view"], aspect=size[0] / size[1])
    return Portrait(played.rig, **options | {"camera": camera})


def _write_film(played: Performance, out: Path, options: dict[str, Any], heat: HeatFile | None) -> None:
    console = screen(stderr=True)
    portrait, preview = _camera_crew(played, options), []
    if out.suffix.lower() == ".gif":
        small = _camera_crew(played, options | {"size": _PREVIEW})
        some = np.unique(np.linspace(0, len(played) - 1, _PREVIEWS).astype(int))
        preview = [small.of(played(int(i)), heat=_heat_at(heat, int(i))) for i in some]
    done, start = 0, perf_counter()
    with (
        interruptions() as pressed,
        progress_bar(console, "frames/s") as bar,
        film(out, played.rate, preview=preview) as add,
    ):
        shown = bar.add_task(plain(out.name), total=len(played), speed="")
        while done < len(played) and not pressed:
            add(portrait.of(played(done), heat=_heat_at(heat, done)))
            done += 1
            bar.update(shown, completed=done, speed=f"{done / (perf_counter() - start):.1f}")
    speed = done / (perf_counter() - start)
    console.print(f"{plain(str(out))}: {done} of {len(played)} frames, {speed:.1f} frames/s", soft_wrap=True)
    if is_folder(out) and (others := frames_beyond(out, done)):
        note = f"{len(others)} frames of another film are still there, from {others[0].name} on"
        console.print(f"[yellow]{plain(str(out))}: {note}[/]", soft_wrap=True)
    if done < len(played):
        raise typer.Exit(EXIT)


def _write_sheets(document: Document, name: str, out: Path, options: dict[str, Any]) -> None:
    console, start = screen(stderr=True), perf_counter()
    pages = page_count(document.rig)
    with progress_bar(console, "shapes/s") as bar:
        shown = bar.add_task(plain(out.name), total=len(document.rig.shapes) + 1, speed="")

        def told(done: int, _: int) -> None:
            bar.update(shown, completed=done, speed=f"{done / (perf_counter() - start):.1f}")

        tile = options.pop("size")
        for number, page in enumerate(shape_sheets(document.rig, tile=tile, title=name, progress=told, **options), 1):
            path = out if pages == 1 else out.with_name(f"{out.stem}-{number}{out.suffix}")
            write_atomically(path, png_bytes(page))
            console.print(f"{plain(str(path))}: {page.shape[1]} x {page.shape[0]}", soft_wrap=True)
