"""Sound, picture and views of the camera as pages see them, with the bytes that they play and show."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import Annotated
from weakref import WeakKeyDictionary

import numpy as np
from msgspec import Struct

from facewright.arrays import Floats
from facewright.errors import BadValue
from facewright.formats.schema.reference import BookmarkEntry
from facewright.reference.media_file import MediaFile
from facewright.reference.peaks import sound_peaks
from facewright.reference.plane import Placement, ReferencePlane
from facewright.reference.sound import ReferenceSound
from facewright.reference.wav import wav_bytes, wav_layout, wav_samples
from facewright.session.context import Context
from facewright.session.frames import Array, Frame
from facewright.session.views.view import Gone, Reply, resource, view
from facewright.workflow.reference_files import for_players

_converting = threading.Lock()


class SoundInfo(Struct):
    """The sound that plays along."""

    id: str
    name: str
    seconds: float
    rate: int
    channels: int
    offset: float  # seconds of the timeline at which it begins
    volume: float
    muted: bool
    missing: bool  # its file is not there, and has to be found again


class PlaneInfo(Struct):
    """The picture or video with the face."""

    id: str
    name: str
    media: str
    placement: Placement
    x: float
    y: float
    scale: float
    opacity: float
    offset: float
    missing: bool


@view("sound", lambda context: (context.document.value.sound,))
def sound(context: Context) -> SoundInfo | None:
    """The sound; its bytes are `GET /api/reference/sound/{id}`."""
    found = context.document.value.sound
    if found is None:
        return None
    file = found.file
    return SoundInfo(
        file.digest,
        file.name,
        found.seconds,
        found.rate,
        found.channels,
        found.offset,
        found.volume,
        found.muted,
        file.is_missing,
    )


@view("plane", lambda context: (context.document.value.plane,))
def plane(context: Context) -> PlaneInfo | None:
    """The reference picture; its bytes are `GET /api/reference/plane/{id}`."""
    found = context.document.value.plane
    if found is None:
        return None
    file = found.file
    return PlaneInfo(
        file.digest,
        file.name,
        file.media,
        found.placement,
        found.x,
        found.y,
        found.scale,
        found.opacity,
        found.offset,
        file.is_missing,
    )


@view("bookmarks", lambda context: (context.document.value.bookmarks,))
def bookmarks(context: Context) -> list[BookmarkEntry]:
    """Views of the camera."""
    return [BookmarkEntry.of(one) for one in context.document.value.bookmarks]


@dataclass(frozen=True, eq=False, kw_only=True)
class SoundPeaks(Frame):
    """The lowest and the highest sample of each short stretch of a sound."""

    rate: float  # stretches a second
    peaks: Annotated[Floats, Array("f4", ("k", 2))]


@resource("reference/sound/{id}")
def sound_file(context: Context, id: str) -> Reply:
    """The sound as a WAV file of 16 bits, which every browser plays."""
    data = _sound(context, id).file.data
    if wav_layout(data).bits != 16:
        data = wav_bytes(*wav_samples(data))
    return Reply(data, "audio/wav")


@resource("reference/peaks/{id}")
def peaks_of_sound(context: Context, id: str) -> Reply:
    """The SoundPeaks frame of the sound."""
    return Reply(_peaks_of(_sound(context, id).file))


@resource("reference/plane/{id}")
def plane_file(context: Context, id: str) -> Reply:
    """The bytes of the picture or video."""
    file = _plane(context, id).file
    return Reply(file.data, file.media)


@resource("reference/playable/{id}")
def playable_video(context: Context, id: str) -> Reply:
    """The video as WebM, for browsers that do not play it as it is."""
    found = _plane(context, id)
    if not found.is_video:
        raise BadValue(f"{found.file.name} is a picture, which is not played")
    path = context.scratch / f"playable-{id}.webm"
    with _converting:
        if not path.exists():
            data = for_players(found.file)
            context.scratch.mkdir(parents=True, exist_ok=True, mode=0o700)
            path.write_bytes(data)
        return Reply(path.read_bytes(), "video/webm")


_peaks: WeakKeyDictionary[MediaFile, bytes] = WeakKeyDictionary()


def _peaks_of(file: MediaFile) -> bytes:
    known = _peaks.get(file)
    if known is None:
        peaks, rate = sound_peaks(file.data)
        known = _peaks[file] = SoundPeaks(rate=rate, peaks=peaks.astype(np.float64)).pack()
    return known


def _sound(context: Context, id: str) -> ReferenceSound:
    found = context.document.value.sound
    if found is None or found.file.digest != id or found.file.is_missing:
        raise Gone("the document has another sound now, or its file is missing")
    return found


def _plane(context: Context, id: str) -> ReferencePlane:
    found = context.document.value.plane
    if found is None or found.file.digest != id or found.file.is_missing:
        raise Gone("the document has another reference picture now, or its file is missing")
    return found
