"""Give a face textures for its expressions; or bake them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from facewright.cli.asked import asked
from facewright.cli.default_command import DefaultGroup
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
from facewright.render.film_files import files_at, film_writer, is_folder
from facewright.rig.textures import KINDS, ShapeTexture, SurfaceTextures, Textures
from facewright.samples.skin.paint import textured_sample
from facewright.texture.detail import CHOICES, DetailChoice
from facewright.texture.face_texture import FaceTexture, textures_of
from facewright.workflow.open import SAMPLE, open_as
from facewright.workflow.pose_file import load_pose
from facewright.workflow.texture_bake import BakedKinds, own_weights, write_atlas, write_pictures

texture = typer.Typer(help=__doc__, cls=DefaultGroup, no_args_is_help=True, add_completion=False, rich_markup_mode=None)
texture.__doc__ = __doc__

_FACES, _PICTURES, _FILMS = (".fwface", ".glb", ".gltf"), (".png", ".jpg", ".jpeg", ".webp"), (".mp4", ".gif")
_SAMPLE_SIZE = 1024


@texture.command()
def mix(
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
    normal: Annotated[
        list[str] | None, typer.Option(help="A normal map: neutral=rest.png first, then jawOpen=open.png.")
    ] = None,
    roughness: Annotated[list[str] | None, typer.Option(help="A map of roughness, in the same way.")] = None,
    neutral: Annotated[Path | None, typer.Option(help="The picture at rest; default the file's own.")] = None,
    mask: Annotated[Path | None, typer.Option(help="A picture that is white where nothing changes.")] = None,
    part: Annotated[list[str] | None, typer.Option(help="A part that shows the textures; default all.")] = None,
    pose: Annotated[Path | None, typer.Option(help='A pose, such as {"jawOpen": 0.5}; default the file\'s.')] = None,
    clip: Annotated[str | None, typer.Option(help="The clip to bake, frame by frame.")] = None,
    size: Annotated[str, typer.Option(help="Texels of the pictures, such as 2048 or 2048x1024.")] = "",
    detail: Annotated[str, typer.Option(help=f"Whose detail is shown: {' or '.join(CHOICES)}.")] = "dominant",
    plain_mix: Annotated[bool, typer.Option("--plain", help="Mix all in one band, for comparison.")] = False,
) -> None:
    """Give a face textures for its expressions; or mix them: the texture in a pose, or in each frame of a clip.

    `facewright texture FILE` is `facewright texture mix FILE`.
    """
    _check_out(out, clip)
    named = [*(map or ()), *(normal or ()), *(roughness or ())]
    check_outputs(files_at(out), [file, neutral, mask, pose, *(text.partition("=")[2] for text in named)])
    texels = size_from(size) if size else None
    document = _named(file, texels)
    textures = _given(document, map or [], neutral, mask, part)
    for kind, texts in (("normal", normal), ("roughness", roughness)):
        if texts:
            textures = _with_surface(document, textures, kind, texts)
    document = replace(document, textures=textures)
    if out.suffix.lower() in _FACES:
        save_and_tell(document, out, f"; textures of {textures.neutral.width} x {textures.neutral.height} texels")
        return
    made, choice = FaceTexture(document, size=texels), DetailChoice(detail)
    if clip is None:
        given = own_weights(document) if pose is None else load_pose(pose, document.rig)
        picture = made(given, choice, plain=plain_mix)
        write_atomically(out, encoded(picture, media_of(out.suffix)).data)
        _say(out, f"{picture.shape[1]} x {picture.shape[0]}")
    else:
        _bake(out, made, clip, choice, plain_mix)


@texture.command()
def bake(
    out: Annotated[Path, typer.Option("-o", "--output", help="A folder: color.png, normal.png, roughness.png.")],
    file: Annotated[
        str, typer.Argument(metavar="[FILE]", help="A face; without it, the embedded head with textures of its own.")
    ] = SAMPLE,
    pose: Annotated[Path | None, typer.Option(help='A pose, such as {"jawOpen": 0.5}; default the file\'s.')] = None,
    clip: Annotated[str | None, typer.Option(help="With --atlas: a clip whose frames have weights.")] = None,
    size: Annotated[str, typer.Option(help="Texels of the pictures, such as 2048 or 2048x1024.")] = "",
    detail: Annotated[str, typer.Option(help=f"Whose detail is shown: {' or '.join(CHOICES)}.")] = "dominant",
    atlas: Annotated[
        bool, typer.Option("--atlas", help="All maps, masks of the regions and weights, to be mixed by an engine.")
    ] = False,
) -> None:
    """Write the textures of a pose, colours, normals and roughness, as files; or what an engine needs to mix them."""
    if not is_folder(out):
        raise UnknownFormat(f"{out}: textures are baked into a folder, such as baked/")
    if clip is not None and not atlas:
        raise BadValue(
            "--clip gives the weights of frames beside --atlas; `facewright texture mix --clip` bakes frames"
        )
    if clip is not None and pose is not None:
        raise BadValue("give one of --clip and --pose")
    texels = size_from(size) if size else None
    document, choice = _named(file, texels), DetailChoice(detail)
    weights = None if pose is None else load_pose(pose, document.rig)
    check_outputs([out / f"{kind}.png" for kind in KINDS] if out.is_dir() else [out], [file, pose])
    baked = BakedKinds.of(document, size=texels)
    if atlas:
        written = write_atlas(out, baked, None if clip is None else document.clip_named(clip), weights, choice)
    else:
        written = write_pictures(out, baked.pictures(weights, choice))
    for path in written:
        asked.list("written", {"file": str(path)})
    _say(out, ", ".join(str(path.relative_to(out)) for path in written))


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


def _with_surface(document: Document, textures: Textures, kind: str, texts: list[str]) -> Textures:
    """The textures with normal or roughness maps that the command line names."""
    found: SurfaceTextures | None = getattr(textures, kind)
    for text in texts:
        shapes, sign, name = text.partition("=")
        if not sign or not name:
            raise BadValue(f"a {kind} map is shapes and a picture, such as jawOpen=open.png, not {text!r}")
        picture = open_as(Path(name), Encoded)
        if shapes == "neutral":
            found = SurfaceTextures(picture) if found is None else replace(found, neutral=picture)
            continue
        if found is None:
            raise BadValue(f"{kind} maps begin with the one at rest: --{kind} neutral=rest.png")
        for shape in shapes.split("+"):
            document.rig.shape(shape)
        one = ShapeTexture(tuple(shapes.split("+")), picture)
        found = replace(found, maps=(*(old for old in found.maps if old.shapes != one.shapes), one))
    return replace(textures, normal=found) if kind == "normal" else replace(textures, roughness=found)


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
