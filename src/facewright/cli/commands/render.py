"""Draw a face as a picture, a clip as a film, or all shapes of a rig on a sheet."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from time import perf_counter
from typing import Annotated

import numpy as np
import typer

from facewright.arrays import Floats
from facewright.cli.asked import asked
from facewright.cli.batch import BatchOptions, Chunk, Jobs, On, OutShared, SummaryPage
from facewright.cli.command_job import BatchParameters, run_for_each
from facewright.cli.outputs import check_outputs
from facewright.cli.progress_bar import progress_bar
from facewright.cli.render_inputs import HeatFile, check_out, load_picture, point_from, size_from, view_from
from facewright.cli.screen import plain, screen
from facewright.cli.streams import face_given
from facewright.document import Document
from facewright.errors import BadValue
from facewright.formats.files import write_atomically
from facewright.jobs import EXIT, interruptions
from facewright.motion.clip import Clip
from facewright.motion.cut import cut_clip
from facewright.render.bookmark_camera import bookmark_camera
from facewright.render.clip_renderer import ClipRenderer
from facewright.render.face_renderer import FaceOptions, FaceRenderer
from facewright.render.film import resumable, write_film
from facewright.render.film_files import files_at, frames_beyond, is_folder
from facewright.render.film_parts import Resumable
from facewright.render.film_sound import film_sound
from facewright.render.heat import Heat
from facewright.render.png import png_bytes
from facewright.render.renderers import RENDERERS
from facewright.render.shape_sheet import page_count, shape_sheets
from facewright.render.tone import Bytes
from facewright.workflow.open import SAMPLE
from facewright.workflow.pose_file import load_pose
from facewright.workflow.texture_bake import own_weights

_FILES = BatchParameters("files", own=("heat",), common=("pose", "texture"))
_SIZE, _TILE = "1080", "280x320"


def render(
    out: Annotated[Path, typer.Option("-o", "--output", help="out.png; for a clip frames/, out.mp4 or out.gif.")],
    context: typer.Context,
    files: Annotated[
        list[str] | None,
        typer.Argument(metavar="[FILE]...", help="Rigs in any format; without one, the embedded head."),
    ] = None,
    clip: Annotated[str | None, typer.Option(help="The clip to play.")] = None,
    pose: Annotated[Path | None, typer.Option(help='A pose, such as {"jawOpen": 0.5}; default the file\'s.')] = None,
    time: Annotated[float | None, typer.Option(help="A moment of the clip, in seconds, as one picture.")] = None,
    start: Annotated[float | None, typer.Option(help="Second of the clip to begin at; default its first.")] = None,
    end: Annotated[float | None, typer.Option(help="Second of the clip to end at; default its last.")] = None,
    fps: Annotated[float | None, typer.Option(help="Frames a second; default the clip's own.")] = None,
    size: Annotated[str, typer.Option(help="Pixels, such as 1080 or 1920x1080; of each tile with --sheet.")] = "",
    view: Annotated[
        str, typer.Option(help="front, threequarter, side, degrees, or a view kept in the file.")
    ] = "front",
    look: Annotated[str, typer.Option(help="What the eyes are on: camera, or a point such as 0,10,200.")] = "",
    texture: Annotated[Path | None, typer.Option(help="A picture for the skin; default the file's own.")] = None,
    wire: Annotated[bool, typer.Option("--wire", help="Draw the edges of the polygons.")] = False,
    heat: Annotated[Path | None, typer.Option(help="Numbers for the vertices, in a .npy file, as colours.")] = None,
    face_only: Annotated[
        bool, typer.Option("--face-only", help="Leave out hair, body and all else that the file has besides the face.")
    ] = False,
    reference: Annotated[
        bool, typer.Option("--reference", help="Draw the document's picture or video of reference, where it stands.")
    ] = False,
    sheet: Annotated[bool, typer.Option("--sheet", help="All shapes on a sheet, or on several.")] = False,
    silent: Annotated[bool, typer.Option("--silent", help="A film without the document's sound.")] = False,
    resume: Annotated[
        bool,
        typer.Option(
            "--resume",
            help="Keep what is drawn until the film is whole, and go on from what is kept; of many, leave out those"
            " that are whole, and made from the same in the same way.",
        ),
    ] = False,
    still: Annotated[bool, typer.Option("--still", help="Hold the head where the clip moves it.")] = False,
    renderer: Annotated[
        str, typer.Option(help=f"One of {', '.join(RENDERERS)}; auto is gl, if there is one.")
    ] = "auto",
    jobs: Jobs = 0,
    on: On = "",
    out_shared: OutShared = False,
    chunk: Chunk = "",
    summary: SummaryPage = None,
) -> None:
    """Draw a face as a picture, a clip as a film, or all shapes of a rig on a sheet. Ctrl-C leaves a shorter film."""
    if sum((clip is not None, pose is not None, sheet)) > 1:
        raise BadValue("give one of --clip, --pose and --sheet")
    if time is not None and clip is None:
        raise BadValue("--time is a moment of a clip; name one with --clip")
    if (start is not None or end is not None) and (clip is None or time is not None):
        raise BadValue("--start and --end are a range of a clip; name one with --clip, without --time")
    check_out(out, moving=clip is not None and time is None)
    many = BatchOptions(jobs, on, out_shared, resume, chunk, summary)
    if (files and len(files) > 1) or replace(many, resume=False).are_given:
        run_for_each(context, _FILES, many)
        return
    if resume and (clip is None or time is not None):
        raise BadValue("--resume goes on with a film; name a clip with --clip, without --time")
    file = files[0] if files else SAMPLE
    inputs = (file, pose, texture, heat)
    check_outputs(files_at(out), inputs)
    document = face_given(file)
    shape = size_from(size or (_TILE if sheet else _SIZE))
    options: FaceOptions = {"size": shape, "wire": wire, "renderer": renderer, "character": not face_only}
    if reference:
        if document.plane is None:
            raise BadValue(
                f"{file}: no picture or video of reference is in this file; the studio's tab Reference adds one"
            )
        options["plane"] = True
    kept = {bookmark.name: bookmark for bookmark in document.bookmarks}
    if view in kept:
        options["camera"] = bookmark_camera(kept[view], document.rig)
    else:
        options["view"] = view_from(view, kept)
    if texture is not None:
        options["texture"] = load_picture(texture)
    if sheet:
        check_outputs(_sheet_paths(out, page_count(document.rig)), inputs)
        _write_sheets(document, Path(file).name, out, options)
        return
    shoot = _Shoot(document, options, look, None if heat is None else HeatFile(heat, document.rig.vertex_count))
    if clip is None:
        _write_picture(out, shoot.posed(None if pose is None else load_pose(pose, document.rig)))
        return
    times = np.array([time]) if time is not None else _range(document.clip_named(clip), start, end, fps)
    shoot.play(clip, fps=fps, times=times, still=still)
    if time is None:
        sound = film_sound(document, shoot.played) if not silent else b""
        used = [path.read_bytes() for path in (texture, heat) if path is not None]
        told = (size, view, look, wire, face_only, reference, still, renderer, sound, options.get("camera"))
        _write_film(shoot, out, sound, resumable(shoot.clip, *told, *used) if resume else None)
    else:
        _write_picture(out, shoot.shot(0))


class _Shoot:
    """One face, drawn as the options say."""

    def __init__(self, document: Document, options: FaceOptions, look: str, heat: HeatFile | None) -> None:
        self._document, self._options, self._heat = document, options, heat
        self._look, self._at = bool(look), point_from(look or "camera")  # a point, or None: the camera

    def posed(self, weights: Floats | None) -> Bytes:
        """The face in a pose, or in the document's own."""
        face = FaceRenderer(self._document, **self._options)
        look = None if not self._look else face.camera.eye if self._at is None else self._at
        positions = face.pose.rest(look) if weights is None else face.pose(weights, look=look)
        return face.of(
            positions,
            heat=self._heat_at(0),
            materials=face.material_set.at(own_weights(self._document) if weights is None else weights),
            turn=face.pose.turn_of(self._document, look) if weights is None else face.pose.turn(weights, look),
        )

    def play(self, clip: str, *, fps: float | None, times: Floats | None, still: bool) -> None:
        """Prepare a clip, all of it or some moments, in a picture that shows all that the head does."""
        look = None if not self._look else "camera" if self._at is None else self._at
        self.clip = ClipRenderer(
            self._document,
            clip,
            rate=fps,
            times=times,
            head=not still,
            look=look,
            heat_at=self._heat_at,
            **self._options,
        )
        self.played = self.clip.frames
        if self._heat is not None:
            self._heat.check(len(self.played))
        if self.played.left_out:
            names = plain(", ".join(self.played.left_out[:6])) + (" ..." if len(self.played.left_out) > 6 else "")
            screen(stderr=True).print(f"[yellow]nothing on the rig is moved by the clip's {names}[/]", soft_wrap=True)

    def shot(self, frame: int) -> Bytes:
        """A frame of the clip."""
        return self.clip(frame)

    def _heat_at(self, frame: int) -> Heat | None:
        return None if self._heat is None else self._heat.at(frame)


def _range(clip: Clip, start: float | None, end: float | None, fps: float | None) -> Floats | None:
    """The moments of a range of a clip; None where no range is given."""
    if start is None and end is None:
        return None
    cut = cut_clip(clip, start, end)
    first = clip.start if start is None else max(start, clip.start)
    return replace(cut, rate=clip.rate if fps is None else fps).times() + first


def _write_picture(out: Path, shot: Bytes) -> None:
    write_atomically(out, png_bytes(shot))
    asked.list("written", {"file": str(out), "width": shot.shape[1], "height": shot.shape[0]})
    screen(stderr=True).print(f"{plain(str(out))}: {shot.shape[1]} x {shot.shape[0]}", soft_wrap=True)


def _write_film(shoot: _Shoot, out: Path, sound: bytes, resume: Resumable | None) -> None:
    console, total = screen(stderr=True), len(shoot.played)
    before, start = -1, perf_counter()
    with interruptions() as pressed, progress_bar(console, "frames/s") as bar:
        shown = bar.add_task(plain(out.name), total=total, speed="")

        def told(done: int, _: int) -> bool:
            nonlocal before
            before = done if before < 0 else before
            bar.update(shown, completed=done, speed=f"{(done - before) / (perf_counter() - start):.1f}")
            return not pressed

        done = write_film(shoot.clip, out, sound=sound, resume=resume, progress=told)
    speed = (done - before) / (perf_counter() - start)
    asked.list("written", {"file": str(out), "frames": done, "of": total, "rate": shoot.played.rate, "speed": speed})
    kept = f", {before} of them from before" if before > 0 else ""
    console.print(f"{plain(str(out))}: {done} of {total} frames{kept}, {speed:.1f} frames/s", soft_wrap=True)
    if sound and out.suffix.lower() != ".mp4":
        console.print(f"[yellow]{plain(str(out))}: only a .mp4 film has the document's sound[/]", soft_wrap=True)
    if is_folder(out) and (others := frames_beyond(out, done)):
        note = f"{len(others)} frames of another film are still there, from {others[0].name} on"
        console.print(f"[yellow]{plain(str(out))}: {note}[/]", soft_wrap=True)
    if done < total:
        raise typer.Exit(EXIT)


def _sheet_paths(out: Path, pages: int) -> list[Path]:
    return [out] if pages == 1 else [out.with_name(f"{out.stem}-{n}{out.suffix}") for n in range(1, pages + 1)]


def _write_sheets(document: Document, name: str, out: Path, options: FaceOptions) -> None:
    console, start = screen(stderr=True), perf_counter()
    paths = _sheet_paths(out, page_count(document.rig))
    with progress_bar(console, "shapes/s") as bar:
        shown = bar.add_task(plain(out.name), total=len(document.rig.shapes) + 1, speed="")

        def told(done: int, _: int) -> None:
            bar.update(shown, completed=done, speed=f"{done / (perf_counter() - start):.1f}")

        for path, page in zip(paths, shape_sheets(document, title=name, progress=told, **options), strict=True):
            write_atomically(path, png_bytes(page))
            asked.list("written", {"file": str(path), "width": page.shape[1], "height": page.shape[0]})
            console.print(f"{plain(str(path))}: {page.shape[1]} x {page.shape[0]}", soft_wrap=True)
