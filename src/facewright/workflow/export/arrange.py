"""The document that is written: in its unit, with the clips, names, targets and pictures that are asked for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from facewright.document import Document, bake_layers
from facewright.errors import BadValue
from facewright.formats.scale import scale_document
from facewright.formats.write_options import Keys, SurfaceImages, WriteOptions
from facewright.image.codec import encoded
from facewright.image.encoded import Encoded
from facewright.image.file import ImageFile
from facewright.motion.clip import Clip
from facewright.motion.cut import cut_clip, sampled_clip
from facewright.regions.bake import bake_regions
from facewright.report.lint import listed
from facewright.rig.materials import Materials, default_material
from facewright.rig.names import convention_names
from facewright.rig.rig import Rig
from facewright.texture.face_texture import FaceTexture, textured_parts
from facewright.workflow.export.options import ExportOptions
from facewright.workflow.plain_targets import plain_targets
from facewright.workflow.rename import rename_sliders
from facewright.workflow.texture_bake import own_weights
from facewright.workflow.unit import size_words, with_unit

NATIVE = "fwface"
IN_METRES = ("glb", "gltf", "vrm")
USD = ("usda", "usdc", "usdz", "usd")
_WITH_SHAPES = (*IN_METRES, "fbx", *USD, "npz", "csv")  # kinds in which the shapes of regions are seen
_PLAYED = (*IN_METRES, "fbx", *USD)  # kinds in which other programs play clips
_WRITTEN: Mapping[str, Keys] = {"kept": "exact", "straight": "straight", "sampled": "frames"}


@dataclass(frozen=True, eq=False)
class Arranged:
    """What is written, how, and what a person should know about it."""

    document: Document
    write: WriteOptions
    notes: tuple[str, ...]  # sentences


def arranged(document: Document, kind: str, options: ExportOptions) -> Arranged:
    """A document as the options want it for a kind of file, which is a suffix without its dot."""
    notes: list[str] = []
    posed = document
    if options.tolerance and not options.plain:
        raise BadValue("the tolerance says which targets plain ones leave out; ask for plain targets, too")
    if options.names:
        document = _renamed(document, options.names, notes)
    document = scale_document(document, options.scale)
    if kind in _PLAYED:
        document, words = with_unit(document, options.unit)
        tall = f"; in the file it is {size_words(document)}" if kind in IN_METRES else ""
        notes.append(f"The face is {words}{tall}.")
    elif options.unit:
        document = replace(document, unit=options.unit)
    if options.layers == "baked" or kind != NATIVE:
        document = _with_baked_layers(document, options, notes)
    document = _with_clips(document, options, notes)
    document = _with_targets(document, kind, options, notes)
    textures = _textures_in(document, kind, options, notes)
    skin = _skin(posed) if textures == "shown" or kind in IN_METRES else None
    surface = _surface(posed) if kind in IN_METRES and textures != "none" else None
    document = _with_textures(document, textures, skin)
    bends = any(curve.interpolation == "cubic" for clip in document.clips for curve in clip.curves.values())
    if (
        kind in (*IN_METRES, "fbx")
        and options.keys == "kept"
        and document.clips
        and (bends or not document.rig.is_linear)
    ):
        notes.append("Curves are cubic splines; for programs that play no tangents, as Blender, choose straight keys.")
    if kind in USD and any(shape.at != (1.0,) and not shape.additive for shape in document.rig.shapes):
        notes.append("In-betweens are kept; for programs that leave them out, as Blender, choose plain targets.")
    return Arranged(
        document,
        WriteOptions(skin=skin, surface=surface, keys=_WRITTEN[options.keys], avatar=options.avatar),
        tuple(notes),
    )


def _renamed(document: Document, convention: str, notes: list[str]) -> Document:
    """The document in another convention; what it does not know keeps its name."""
    sliders = document.rig.sliders
    new = convention_names(sliders, convention)
    changed = sum(name != other for name, other in new.items())
    kept = [name for name in sliders if name not in new]
    rest = f"; not known there: {listed(kept)}" if kept else ""
    notes.append(f"{changed} of {len(sliders)} sliders renamed to {convention}{rest}.")
    return rename_sliders(document, new)


def _with_baked_layers(document: Document, options: ExportOptions, notes: list[str]) -> Document:
    clips = document.clips if options.clips is None else [document.clip_named(name) for name in options.clips]
    count = sum(len(clip.layers) for clip in clips)
    if count:
        notes.append(f"{_counted(count, 'layer')} {'is' if count == 1 else 'are'} baked into the curves.")
    return bake_layers(document)


def _with_clips(document: Document, options: ExportOptions, notes: list[str]) -> Document:
    clips = document.clips if options.clips is None else [document.clip_named(name) for name in options.clips]
    clips = [cut_or_sampled(clip, options) for clip in clips]
    if options.keys == "sampled" and clips:
        notes.append(f"Keys are on every frame in {_counted(len(clips), 'clip')}.")
    is_there = any(clip.name == document.clip for clip in clips)
    return replace(document, clips=tuple(clips), clip=document.clip if is_there else "")


def cut_or_sampled(clip: Clip, options: ExportOptions) -> Clip:
    """The clip in the range, at the rate and with the keys that the options want."""
    cut = cut_clip(clip, options.start, options.end)
    if options.keys == "sampled" and cut.curves:
        return sampled_clip(cut, options.rate)
    return replace(cut, rate=options.rate) if options.rate else cut


def _with_targets(document: Document, kind: str, options: ExportOptions, notes: list[str]) -> Document:
    if options.plain:
        made = plain_targets(document, tolerance=options.tolerance)
        notes.append(_sentence(str(made)))
        return made.document
    if kind == NATIVE:
        return document
    baked = bake_regions(document)
    if baked.added and kind in _WITH_SHAPES:
        notes.append(f"{_sentence(str(baked))} Programs without regions show the same face.")
    return baked.document


def _textures_in(document: Document, kind: str, options: ExportOptions, notes: list[str]) -> str:
    """Which pictures are written: where there is no place for those of expressions, the skin is as it is shown."""
    if kind not in ("fbx", *USD) or options.textures != "all" or document.textures is None or document.rig.uvs is None:
        return options.textures
    name = "USD" if kind in USD else "FBX"
    notes.append(f"The skin is written as it is shown; textures of expressions are not kept in {name}.")
    return "shown"


def _skin(document: Document) -> Encoded | None:
    """The texture of the pose as a JPEG; None where there is none, or where it is the neutral's."""
    if document.textures is None or document.rig.uvs is None:
        return None
    texture, pose = FaceTexture(document), own_weights(document)
    return encoded(texture(pose), "image/jpeg") if np.any(texture.weights(pose) > 0) else None


def _surface(document: Document) -> SurfaceImages | None:
    """Normal and roughness maps of the pose as PNG; None where the document has none."""
    textures = document.textures
    if textures is None or document.rig.uvs is None or (textures.normal is None and textures.roughness is None):
        return None
    shown = {
        kind: None
        if textures.of_kind(kind) is None
        else encoded(FaceTexture(document, kind=kind)(own_weights(document)))
        for kind in ("normal", "roughness")
    }
    return SurfaceImages(shown["normal"], shown["roughness"], textures.parts)


def _with_textures(document: Document, wanted: str, skin: Encoded | None) -> Document:
    if wanted == "all":
        return document
    materials = document.materials
    if wanted == "none" and materials is not None:
        bare = tuple(replace(entry, image=None) for entry in materials.entries)
        materials = Materials(bare, materials.of_polygon)
    if wanted == "shown" and document.textures is not None:
        texture = FaceTexture(document)
        materials = _with_skin(document, skin or encoded(texture(), "image/jpeg"))
    return replace(document, textures=None, materials=materials)


def _with_skin(document: Document, skin: Encoded) -> Materials:
    """The materials with the skin on the parts that have textures."""
    assert document.textures is not None
    rig = document.rig
    own = document.materials or _materials_of_parts(rig)
    parts = textured_parts(rig, document.textures) or tuple(part.name for part in rig.parts)
    images = (*own.images, ImageFile(skin.media, skin.data))
    worn = [replace(entry, image=len(images) - 1, color=(1.0, 1.0, 1.0, entry.color[3])) for entry in own.entries]
    shown = np.isin(_part_of_polygon(rig), [i for i, part in enumerate(rig.parts) if part.name in parts])
    rows = np.where(shown, own.of_polygon + len(own.entries), own.of_polygon)
    used, of_polygon = np.unique(rows, return_inverse=True)
    entries = (*own.entries, *worn)
    return Materials(tuple(entries[row] for row in used), of_polygon, images)


def _materials_of_parts(rig: Rig) -> Materials:
    return Materials(tuple(default_material(part.name) for part in rig.parts), _part_of_polygon(rig))


def _part_of_polygon(rig: Rig) -> np.ndarray:
    stops = np.array([part.stop for part in rig.parts])
    return np.asarray(np.searchsorted(stops, rig.polygons.corners[rig.polygons.starts[:-1]], side="right"))


def _counted(count: int, what: str) -> str:
    return f"{count} {what}{'s' * (count != 1)}"


def _sentence(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}."
