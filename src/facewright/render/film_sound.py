"""The sound of a film: what a document's own sound plays during its frames."""

from __future__ import annotations

from facewright.document import Document
from facewright.reference.wav import wav_bytes
from facewright.render.clip_frames import ClipFrames


def is_audible(document: Document) -> bool:
    """Whether the document has a sound that is neither muted, nor at volume 0, nor missing."""
    sound = document.sound
    return sound is not None and not sound.muted and sound.volume > 0 and not sound.file.is_missing


def film_sound(document: Document, frames: ClipFrames) -> bytes:
    """A WAV file as long as the frames; none where the document has no sound that is heard."""
    sound = document.sound
    if sound is None or not is_audible(document) or not len(frames):
        return b""
    return wav_bytes(sound.heard(float(frames.times[0]), len(frames) / frames.rate), sound.rate)
