"""What a file of sound or video is, by its first bytes; no other file is handed to a decoder."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from facewright.reference.wav import is_wav

SOUND_SUFFIXES = (".wav", ".mp3", ".ogg", ".flac", ".m4a", ".aif", ".aiff")
VIDEO_SUFFIXES = (".mp4", ".mov", ".webm", ".mkv", ".avi")


@dataclass(frozen=True)
class MediaContainer:
    """A kind of file."""

    kind: Literal["sound", "video"]
    demuxer: str  # as ffmpeg calls it
    media: str = ""  # of videos


def container_of(head: bytes) -> MediaContainer | None:
    """The kind of a file of sound or video, by its first bytes; None: it is neither."""
    if is_wav(head):
        return MediaContainer("sound", "wav")
    if head[4:8] == b"ftyp":
        return MediaContainer("sound", "mov") if head[8:11] == b"M4A" else MediaContainer("video", "mov", "video/mp4")
    if head.startswith(b"\x1a\x45\xdf\xa3"):
        return MediaContainer("video", "matroska", "video/webm" if b"webm" in head[:64] else "video/x-matroska")
    if head.startswith(b"RIFF") and head[8:12] == b"AVI ":
        return MediaContainer("video", "avi", "video/x-msvideo")
    for start, demuxer in ((b"fLaC", "flac"), (b"OggS", "ogg"), (b"ID3", "mp3")):
        if head.startswith(start):
            return MediaContainer("sound", demuxer)
    if head.startswith(b"FORM") and head[8:12] in (b"AIFF", b"AIFC"):
        return MediaContainer("sound", "aiff")
    # MPEG audio without tags: eleven bits that are set, then a version and layer III.
    is_mpeg = len(head) > 3 and head[0] == 0xFF and head[1] & 0xE6 == 0xE2
    return MediaContainer("sound", "mp3") if is_mpeg else None
