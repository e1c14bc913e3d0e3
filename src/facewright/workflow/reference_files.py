"""Reading files of sound, picture and video for reference: WAV and pictures by ourselves, the rest by ffmpeg."""

from __future__ import annotations

import subprocess
import tempfile
import warnings
from io import BytesIO
from pathlib import Path

from facewright.errors import BadFile, MissingExtra
from facewright.formats import limits
from facewright.formats.files import read_up_to
from facewright.image.codec import encoded, for_browsers, pixels
from facewright.image.encoded import MOST_PIXELS, Encoded
from facewright.reference.container import SOUND_SUFFIXES, VIDEO_SUFFIXES, MediaContainer, container_of
from facewright.reference.media_file import MOST_BYTES, MediaFile
from facewright.reference.plane import ReferencePlane
from facewright.reference.sound import ReferenceSound
from facewright.reference.wav import is_wav

_SECONDS = 100.0  # that ffmpeg may take
_HEAD = 64  # bytes
_OTHERS = ("BMP", "GIF", "TGA", "TIFF")  # pictures that are kept as PNG
_PLAYED = ("video/mp4", "video/webm")  # that browsers know
_WIDEST = 1280  # pixels of a video that is made for browsers


def load_sound(path: Path, name: str = "") -> ReferenceSound:
    """The sound in a file: a WAV file as it is, any other as ffmpeg reads it, that of a video too."""
    name = name or path.name
    head = _head(path)
    if is_wav(head):
        return ReferenceSound.of_wav(name, read_up_to(path, MOST_BYTES))
    found = container_of(head)
    if found is None:
        raise BadFile(f"{name}: this is no sound; it is read from {', '.join(SOUND_SUFFIXES + VIDEO_SUFFIXES)} files")
    with tempfile.TemporaryDirectory(prefix="facewright-") as folder:
        made = Path(folder) / "sound.wav"
        layouts = ["-vn", "-af", "aformat=sample_fmts=s16:channel_layouts=stereo|mono", "-fs", str(MOST_BYTES + 4096)]
        _convert(name, found, path, [*layouts, "-f", "wav", str(made)], "Reading this sound")
        return ReferenceSound.of_wav(name, read_up_to(made, 2 * MOST_BYTES))


def load_plane(path: Path, name: str = "") -> ReferencePlane:
    """The picture or video in a file, which is unpacked once, a video as far as its first frame."""
    name = name or path.name
    found = container_of(_head(path))
    if found is None:
        picture = _picture(read_up_to(path, limits.TEXT), name)
        return ReferencePlane(MediaFile(name, picture.media, picture.data))
    if found.kind == "sound":
        raise BadFile(f"{name} has no picture; it can be the sound")
    file = MediaFile(name, found.media, read_up_to(path, MOST_BYTES + 1))
    try:
        _convert(name, found, path, ["-an", "-frames:v", "1", "-f", "null", "-"], "Showing this video")
    except MissingExtra:
        if file.media not in _PLAYED:
            raise  # no browser plays it as it is
    return ReferencePlane(file)


def for_players(file: MediaFile) -> bytes:
    """A video as WebM (VP8, many key frames), which every browser plays and quickly goes through."""
    found = container_of(file.data[:_HEAD])
    if found is None or found.kind != "video":
        raise BadFile(f"{file.name} is no video")
    with tempfile.TemporaryDirectory(prefix="facewright-") as folder:
        path, made = Path(folder) / "video", Path(folder) / "video.webm"
        path.write_bytes(file.data)
        size = ["-an", "-vf", f"scale='min({_WIDEST},iw)':-2"]
        quick = ["-c:v", "libvpx", "-deadline", "realtime", "-cpu-used", "8", "-b:v", "4M", "-g", "8"]
        _convert(file.name, found, path, [*size, *quick, "-f", "webm", str(made)], "Playing this video")
        return made.read_bytes()


def _convert(name: str, container: MediaContainer, path: Path, words: list[str], what: str) -> None:
    """Let ffmpeg read a file of a known kind, which can name no other file, and write another."""
    from facewright.render.video import ffmpeg  # not in memory before it is needed

    given = ["-protocol_whitelist", "file", "-f", container.demuxer, "-i", str(path)]
    program = [ffmpeg(what), "-v", "error", "-nostdin", "-y", *given, *words]
    try:
        done = subprocess.run(program, capture_output=True, timeout=_SECONDS, check=False)  # noqa: S603
    except subprocess.TimeoutExpired:
        raise BadFile(f"{name}: ffmpeg did not read it in {_SECONDS:g} seconds; a shorter one would do") from None
    if done.returncode:
        said = done.stderr.decode("utf8", "replace").replace(str(path), name).strip().splitlines()
        raise BadFile(f"{name}: ffmpeg cannot read it: {said[0][:200] if said else 'it gave no reason'}")


def _picture(data: bytes, name: str) -> Encoded:
    try:
        try:
            picture = for_browsers(Encoded(data))
        except BadFile:
            picture = _other_picture(data)
        pixels(picture)
    except BadFile as problem:
        raise BadFile(f"{name}: {problem}") from problem
    return picture


def _other_picture(data: bytes) -> Encoded:
    """A picture of a kind that browsers do not show, as PNG; what is none raises what `Encoded` says of it."""
    import numpy as np
    from PIL import Image, UnidentifiedImageError

    try:
        with warnings.catch_warnings(action="ignore"), Image.open(BytesIO(data), formats=list(_OTHERS)) as opened:
            if opened.width * opened.height > MOST_PIXELS:
                raise BadFile(f"a picture of {opened.width} x {opened.height} pixels; up to {MOST_PIXELS:,} are read")
            return encoded(np.array(opened.convert("RGB")))
    except UnidentifiedImageError:
        return Encoded(data)
    except (BadFile, MemoryError):
        raise
    except Exception as problem:  # Pillow's readers of these have errors of every type
        raise BadFile(f"the picture cannot be unpacked: {problem}") from None


def _head(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(_HEAD)
