"""Give a face textures for its expressions; or bake them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from facewright.cli.asked import asked
from facewright.cli.outputs import check_outputs
from facewright.cli.progress_bar import progress_bar
from facewright.cli.render_inputs import size_from
from facewright.cli.saving import save_and_tell
from facewright.cli.screen import plain, screen
from facewright.cli.streams import face_given
from facewright.document import Document
from facewright.errors import BadValue, UnknownFormat
from facewright.formats.files import write_atomically
from facewright.image.codec import encoded, media_of
from facewright.image.encoded import Encoded
from facewright.jobs import EXIT, interruptions
from facewright.regions.clip_samples import sample_clip
from facewright.regions.local_pose import is_local, weights_of
from facewright.render.film_files import files_at, film_writer, is_folder
from facewright.rig.textures import Textures
from facewright.samples.skin.paint import textured_sample
from facewright.texture.detail import CHOICES, DetailChoice
from facewright.texture.face_texture import FaceTexture, textures_of
from facewright.workflow.open import SAMPLE, open_as
from facewright.workflow.pose_file import load_pose

_FACES, _PICTURES, _FILMS = (".fwface", ".glb", ".gltf"), (".png", ".jpg", ".jpeg", ".webp"), (".mp4", ".gif")
_SAMPLE_SIZE = 1024


def texture(
    out: Annotated[
        Path,
        typer.Option("-o", "--output", help="The face with its textures, or a picture; for a clip frames/ or .mp4."),
    ],
    file: Annotated[
        str, typer.Argument(metavar="[FILE]", help="A face; without it, the embedded head with textures of its own.")
    ] = SAMPLE,
    map: Annotated[
        list[str] | None, typer.Option(help="A picture for shapes: mouthSmileLeft+mouthSmileRight=smile.png.")
    ] = None,
    neutral: Annotated[Path | None, typer.Option(help="The picture at rest; default the file's own.")] = None,
    mask: Annotated[Path | None, typer.Option(help="A picture that is white where nothing changes.")] = None,
    part: Annotated[list[str] | None, typer.Option(help="A part that shows the textures; default all.")] = None,
    pose: Annotated[Path | None, typer.Option(help='A pose, such as {"jawOpen": 0.5}; default the file\'s.')] = None,
    clip: Annotated[str | None, typer.Option(help="The clip to bake, frame by frame.")] = None,
    size: Annotated[str, typer.Option(help="Texels of the pictures, such as 2048 or 2048x1024.")] = "",
    detail: Annotated[str, typer.Option(help=f"Whose detail is shown: {' or '.join(CHOICES)}.")] = "dominant",
    plain_mix: Annotated[bool, typer.Option("--plain", help="Mix all in one band, for comparison.")] = False,
) -> None:
    """Give a face textures for its expressions; or bake them: the texture in a pose, or in each frame of a clip."""
    _check_out(out, clip)
    check_outputs(files_at(out), [file, neutral, mask, pose, *(text.partition("=")[2] for text in map or ())])
    texels = size_from(size) if size else None
    document = _named(file, texels)
    textures = _given(document, map or [], neutral, mask, part)
    document = replace(document, textures=textures)
    if out.suffix.lower() in _FACES:
        save_and_tell(document, out, f"; textures of {textures.neutral.width} x {textures.neutral.height} texels")
        return
    made, choice = FaceTexture(document, size=texels), DetailChoice(detail)
    if clip is None:
        own = weights_of(document) if is_local(document) else None
        picture = made(own if pose is None else load_pose(pose, document.rig), choice, plain=plain_mix)
        write_atomically(out, encoded(picture, media_of(out.suffix)).data)
        _say(out, f"{picture.shape[1]} x {picture.shape[0]}")
    else:
        _bake(out, made, clip, choice, plain_mix)


def _check_out(out: Path, clip: str | None) -> None:
    suffix = out.suffix.lower()
    moving = is_folder(out) or suffix in _FILMS
    if suffix in _FACES and clip is None:
        return
    if clip is not None and not moving:
        raise UnknownFormat(f"{out}: a clip is baked into a folder such as frames/, .mp4 or .gif")
    if clip is None and suffix not in _PICTURES:
        known = ", ".join((*_FACES, *_PICTURES))
        raise UnknownFormat(f"{out}: textures are written as {known}" + ("; frames need --clip" if moving else ""))


def _named(file: str, size: tuple[int, int] | None) -> Document:
    if file != SAMPLE or Path(file).exists():
        return face_given(file)
    return textured_sample(max(size) if size else _SAMPLE_SIZE)


def _given(
    document: Document, maps: list[str], neutral: Path | None, mask: Path | None, parts: list[str] | None
) -> Textures:
    """The document's textures with those that the command line names."""
    found = textures_of(document)
    if neutral is not None:
        at_rest = open_as(neutral, Encoded)
        found = Textures(at_rest) if found is None else replace(found, neutral=at_rest)
    if found is None:
        raise BadValue("the file has no texture; give the one at rest as --neutral skin.png")
    for text in maps:
        shapes, sign, name = text.partition("=")
        if not sign or not name:
            raise BadValue(f"a map is shapes and a picture, such as jawOpen=open.png, not {text!r}")
        for shape in shapes.split("+"):
            document.rig.shape(shape)
        found = found.with_map(tuple(shapes.split("+")), open_as(Path(name), Encoded))
    for name in parts or []:
        document.rig.part(name)
    found = found if parts is None else replace(found, parts=tuple(parts))
    return found if mask is None else replace(found, mask=open_as(mask, Encoded))


def _bake(out: Path, made: FaceTexture, clip: str, choice: DetailChoice, plain_mix: bool) -> None:
    played = made.document.clip_named(clip)
    console, done, total = screen(stderr=True), 0, len(played.times())
    with interruptions() as pressed, progress_bar(console, "") as bar, film_writer(out, played.rate) as add:
        shown = bar.add_task(plain(out.name), total=total, speed="")
        moments = sample_clip(made.document, played, played.times())
        if moments.spots:
            weights = made.weights_within(moments.of_regions(made.document))
            pictures = made.blend.frames(weights, played.rate, choice, plain=plain_mix)
        else:
            pictures = made.frames(played, choice, plain=plain_mix)
        for picture in pictures:
            add(picture)
            done += 1
            bar.update(shown, completed=done)
            if pressed:
                break
    _say(out, f"{done} of {total} frames, {made.blend.size[1]} x {made.blend.size[0]}")
    if done < total:
        raise typer.Exit(EXIT)


def _say(out: Path, what: str) -> None:
    asked.list("written", {"file": str(out), "what": what})
    screen(stderr=True).print(f"{plain(str(out))}: {what}", soft_wrap=True)
