"""What is different between two documents, as bytes. Its large parts are named, and kept once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import msgspec
import numpy as np

from facewright.document import Document
from facewright.errors import BadFile
from facewright.formats.fwface.scan import packed_frames
from facewright.formats.parts import (
    frames_from_bytes,
    frames_to_bytes,
    materials_from_bytes,
    materials_to_bytes,
    rig_from_bytes,
    rig_to_bytes,
    take_from_bytes,
    take_to_bytes,
)
from facewright.formats.schema.captured import CapturedEntry
from facewright.formats.schema.clip import CurveEntry
from facewright.formats.schema.layer import LayerEntry
from facewright.formats.schema.library_pose import LibraryPoseEntry
from facewright.formats.schema.prior import PriorEntry
from facewright.formats.schema.reference import ReferenceEntry
from facewright.formats.schema.regions import RegionsEntry, describe_local, local_from
from facewright.formats.schema.scanned import ScannedEntry
from facewright.formats.schema.textures import Place, TexturesEntry
from facewright.formats.schema.work import WorkEntry
from facewright.image.encoded import Encoded
from facewright.motion.clip import Clip
from facewright.motion.curve import Curve
from facewright.reference.media_file import MediaFile
from facewright.rig.materials import Materials
from facewright.rig.prior import Prior
from facewright.rig.regions import Regions
from facewright.rig.scanned import Scanned
from facewright.rig.textures import Textures
from facewright.session.storage.blobs import Blobs

_WORK = (
    "pins", "held", "locked", "drag_sliders", "drag_method", "take_sliders", "slider_sets", "clip", "layer", "time",
    "unit", "bookmarks", "expressions", "controls", "head",
)  # fmt: skip


class CurveChange(CurveEntry, omit_defaults=True, kw_only=True):
    """A curve. `kept_from` names a clip of the document before that has it already, under the same name."""

    kept_from: str | None = None
    kept_layer: str = ""  # the layer of that clip which has it; "": the clip itself


class LayerChange(msgspec.Struct, omit_defaults=True):
    """A layer as it is afterwards."""

    layer: LayerEntry  # without curves
    curves: list[CurveChange] = []


class ClipChange(msgspec.Struct, omit_defaults=True):
    """A clip as it is afterwards."""

    name: str
    rate: float
    curves: list[CurveChange]
    layers: list[LayerChange] = []


class FaceChange(msgspec.Struct):
    """Another rig, and what came along in its file. Blobs are named."""

    rig: str
    attachments: dict[str, str]
    extra: dict[str, Any]
    materials: str = ""  # "": none


class TakeChange(msgspec.Struct):
    """Another take, or another binding of it; without a name, none any more."""

    take: str = ""
    binding: CapturedEntry = msgspec.field(default_factory=CapturedEntry)


class ScanChange(msgspec.Struct):
    """Another sequence, or another state of it; without a name, none any more."""

    frames: str = ""
    entry: ScannedEntry | None = None


class Changes(msgspec.Struct, omit_defaults=True):
    """What is not given is as before."""

    face: FaceChange | None = None
    pose: list[float] | None = None
    work: WorkEntry | None = None
    clips: list[ClipChange] | None = None
    regions: str | None = None  # "": none any more
    local: dict[str, dict[str, float]] | None = None  # what regions add to the pose, by region and slider
    take: TakeChange | None = None
    scan: ScanChange | None = None
    textures: list[TexturesEntry] | None = None  # one, whose pictures are blobs, or none any more
    prior: str | None = None  # "": none any more
    reference: ReferenceEntry | None = None  # its files are blobs
    poses: list[LibraryPoseEntry] | None = None


class DocumentCodec:
    """Documents for the journal."""

    def encode(self, before: Document | None, after: Document, blobs: Blobs) -> bytes:
        """What to do to one document to get the other; without one, all of it."""
        return msgspec.msgpack.encode(changes(before, after, blobs))

    def decode(self, before: Document | None, data: bytes, blobs: Blobs) -> Document:
        """The document with the changes made."""
        return changed(before, msgspec.msgpack.decode(data, type=Changes), blobs)


def changes(before: Document | None, after: Document, blobs: Blobs) -> Changes:
    found = Changes()
    if before is None or not _same_face(before, after):
        attached = {name: blobs.keep(data, lambda data=data: data) for name, data in after.attachments.items()}  # type: ignore[misc]
        rig = blobs.keep(after.rig, lambda: rig_to_bytes(after.rig))
        found.face = FaceChange(rig, attached, dict(after.extra), _kept_materials(after, blobs))
    if before is None or not np.array_equal(after.pose, before.pose):
        found.pose = after.pose.tolist()
    if before is None or any(getattr(before, name) is not getattr(after, name) for name in _WORK):
        found.work = WorkEntry.of(after)
    if before is None or after.clips is not before.clips:
        found.clips = _clip_changes(() if before is None else before.clips, after.clips)
    if before is None or after.regions is not before.regions:
        found.regions = _kept_regions(after.regions, blobs)
    if before is None or after.local is not before.local or after.regions is not before.regions:
        found.local = describe_local(after.regions, after.rig.sliders, after.local)
    if before is None or after.captured is not before.captured:
        found.take = _take_change(after, blobs)
    if before is None or after.scanned is not before.scanned:
        found.scan = _scan_change(after.scanned, blobs)
    if before is None or after.textures is not before.textures:
        found.textures = [] if after.textures is None else [_kept_textures(after.textures, blobs)]
    if after.prior is not (None if before is None else before.prior):
        found.prior = kept_prior(after.prior, blobs)
    if after.poses is not (() if before is None else before.poses):
        found.poses = [LibraryPoseEntry.of(pose) for pose in after.poses]
    if not _same_reference(before, after):
        found.reference = ReferenceEntry.of(after.sound, after.plane, lambda file: _kept_media(file, blobs))
    return found


def changed(document: Document | None, by: Changes, blobs: Blobs) -> Document:
    if document is None:
        if by.face is None:
            raise BadFile("the journal does not begin with a document")
        document = Document(blobs.find(by.face.rig, rig_from_bytes))
    fields: dict[str, Any] = {} if by.work is None else by.work.fields()
    rig = document.rig
    if by.face is not None:
        rig = fields["rig"] = blobs.find(by.face.rig, rig_from_bytes)
        fields["attachments"] = {name: blobs.find(blob, bytes) for name, blob in by.face.attachments.items()}
        fields["extra"] = by.face.extra
        fields["materials"] = _read_materials(by.face, len(rig.polygons), fields["attachments"], blobs)
    if by.pose is not None:
        fields["pose"] = np.array(by.pose, np.float64)
    regions = document.regions
    if by.regions is not None:
        regions = fields["regions"] = blobs.find(by.regions, _read_regions) if by.regions else None
    if by.local is not None:
        fields["local"] = None if regions is None else local_from(regions, rig, by.local)
    if by.take is not None:
        take = by.take
        fields["captured"] = take.binding.value(blobs.find(take.take, take_from_bytes)) if take.take else None
    if by.scan is not None:
        fields["scanned"] = _read_scan(by.scan, blobs)
    if by.textures is not None:
        fields["textures"] = _read_textures(by.textures[0], blobs) if by.textures else None
    if by.prior is not None:
        fields["prior"] = blobs.find(by.prior, read_prior) if by.prior else None
    if by.poses is not None:
        fields["poses"] = tuple(pose.value() for pose in by.poses)
    if by.reference is not None:
        fields["sound"], fields["plane"] = by.reference.value(lambda place: blobs.find(place, bytes))
    if by.clips is not None:
        known = {(clip.name, ""): clip.curves for clip in document.clips}
        known |= {(clip.name, layer.name): layer.curves for clip in document.clips for layer in clip.layers}
        fields["clips"] = tuple(_clip(change, known) for change in by.clips)
    return replace(document, **fields) if fields else document


def _same_face(before: Document, after: Document) -> bool:
    same_file = before.attachments == after.attachments and before.extra == after.extra
    return before.rig is after.rig and before.materials is after.materials and same_file


def _same_reference(before: Document | None, after: Document) -> bool:
    sound, plane = (None, None) if before is None else (before.sound, before.plane)
    return sound is after.sound and plane is after.plane


def _kept_media(file: MediaFile, blobs: Blobs) -> str:
    return blobs.keep(file.data, lambda: file.data)


def _kept_materials(document: Document, blobs: Blobs) -> str:
    materials = document.materials
    if materials is None:
        return ""
    return blobs.keep(materials, lambda: materials_to_bytes(materials, document.attachments))


def _read_materials(
    face: FaceChange, polygons: int, attachments: Mapping[str, bytes], blobs: Blobs
) -> Materials | None:
    if not face.materials:
        return None
    return blobs.find(face.materials, lambda data: materials_from_bytes(data, polygons, attachments))


def _kept_regions(regions: Regions | None, blobs: Blobs) -> str:
    if regions is None:
        return ""
    return blobs.keep(regions, lambda: msgspec.msgpack.encode(RegionsEntry.of(regions)))


def _read_regions(data: bytes) -> Regions:
    return msgspec.msgpack.decode(data, type=RegionsEntry).value()


def kept_prior(prior: Prior | None, blobs: Blobs) -> str:
    """The name under which a prior is kept; "" for none."""
    if prior is None:
        return ""
    return blobs.keep(prior, lambda: msgspec.msgpack.encode(PriorEntry.of(prior)))


def read_prior(data: bytes) -> Prior:
    """A prior that was kept."""
    return msgspec.msgpack.decode(data, type=PriorEntry).value()


def _take_change(document: Document, blobs: Blobs) -> TakeChange:
    captured = document.captured
    if captured is None:
        return TakeChange()
    return TakeChange(blobs.keep(captured.take, lambda: take_to_bytes(captured.take)), CapturedEntry.of(captured))


def _scan_change(scanned: Scanned | None, blobs: Blobs) -> ScanChange:
    if scanned is None:
        return ScanChange()
    frames = packed_frames(scanned.sequence)
    return ScanChange(blobs.keep(frames, lambda: frames_to_bytes(frames)), ScannedEntry.of(scanned))


def _read_scan(change: ScanChange, blobs: Blobs) -> Scanned | None:
    if change.entry is None:
        return None
    return change.entry.value(blobs.find(change.frames, frames_from_bytes))


def _kept_textures(textures: Textures, blobs: Blobs) -> TexturesEntry:
    return TexturesEntry.of(textures, lambda picture, name: blobs.keep(picture, lambda: picture.data))


def _read_textures(entry: TexturesEntry, blobs: Blobs) -> Textures:
    def picture(place: Place) -> Encoded:
        return blobs.find(str(place), Encoded)

    return entry.value(picture)


def _clip_changes(before: tuple[Clip, ...], after: tuple[Clip, ...]) -> list[ClipChange]:
    homes = {id(curve): (clip.name, "", name) for clip in before for name, curve in clip.curves.items()}
    for clip in before:
        for layer in clip.layers:
            homes |= {id(curve): (clip.name, layer.name, name) for name, curve in layer.curves.items()}
    return [
        ClipChange(
            clip.name,
            clip.rate,
            _curve_changes(clip.curves, homes),
            [
                LayerChange(LayerEntry.of(replace(layer, curves={})), _curve_changes(layer.curves, homes))
                for layer in clip.layers
            ],
        )
        for clip in after
    ]


Homes = Mapping[int, tuple[str, str, str]]  # identity of a curve -> clip, layer and name
Known = Mapping[tuple[str, str], Mapping[str, Curve]]  # clip and layer -> curves


def _curve_changes(curves: Mapping[str, Curve], homes: Homes) -> list[CurveChange]:
    return [_curve_change(name, curve, homes) for name, curve in curves.items()]


def _curve_change(name: str, curve: Curve, homes: Homes) -> CurveChange:
    home = homes.get(id(curve))
    if home is not None and home[2] == name:
        return CurveChange(slider=name, kept_from=home[0], kept_layer=home[1])
    return msgspec.convert(CurveEntry.of(name, curve), CurveChange, from_attributes=True)


def _clip(change: ClipChange, known: Known) -> Clip:
    layers = [replace(one.layer.value(), curves=_curves(one.curves, known)) for one in change.layers]
    return Clip(change.name, _curves(change.curves, known), change.rate, tuple(layers))


def _curves(changes: list[CurveChange], known: Known) -> dict[str, Curve]:
    return {one.slider: _curve(one, known) for one in changes}


def _curve(change: CurveChange, known: Known) -> Curve:
    if change.kept_from is None:
        return change.value()
    curves = known.get((change.kept_from, change.kept_layer), {})
    if change.slider not in curves:
        raise BadFile(f"the journal names a curve {change.slider!r} of {change.kept_from!r}, which is not there")
    return curves[change.slider]
