"""Small pictures of faces for the list of what can be opened: drawn when they are first asked for, kept as files."""

from __future__ import annotations

import hashlib
import threading
from contextlib import suppress
from pathlib import Path

from facewright.document import Document
from facewright.formats.files import write_atomically
from facewright.studio.workspace import embedded

_SIZE = (112, 112)  # pixels
_VIEW = 20.0  # degrees round the face
_KEPT = 200  # files, of some 15 KB each
_LOOK = 1  # another number where pictures are drawn otherwise than those that are kept


class Thumbnails:
    """Pictures in a folder, each under a name made from what it shows. For any thread; one is drawn at a time."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._drawing = folder, threading.Lock()

    def of_person(self, person: str) -> bytes:
        """The picture of an embedded person, as PNG."""
        with self._drawing:
            return self._kept("person", person) or self._drawn(embedded(person), "person", person)

    def known(self, file: Path) -> bytes:
        """The picture of a file as it is now; b"" where there is none yet."""
        return self._kept(*_about(file))

    def draw(self, file: Path, document: Document) -> bytes:
        """Draw the document of a file, and keep the picture."""
        with self._drawing:
            return self._drawn(document, *_about(file))

    def _drawn(self, document: Document, *about: object) -> bytes:
        from facewright.render.face_renderer import FaceRenderer  # not in memory before it is needed
        from facewright.render.png import png_bytes

        made = png_bytes(FaceRenderer(document, size=_SIZE, view=_VIEW)(document.pose))
        with suppress(OSError):  # it is drawn again the next time
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            write_atomically(self._path(about), made)
            for old in sorted(self._folder.iterdir(), key=lambda path: path.stat().st_mtime)[:-_KEPT]:
                old.unlink()
        return made

    def _kept(self, *about: object) -> bytes:
        try:
            return self._path(about).read_bytes()
        except OSError:
            return b""

    def _path(self, about: tuple[object, ...]) -> Path:
        name = hashlib.blake2b(repr((_LOOK, *about)).encode(), digest_size=16).hexdigest()
        return self._folder / f"{name}.png"


def _about(file: Path) -> tuple[object, ...]:
    """A file and its state: another program that writes it makes its picture another."""
    status = file.stat()
    return str(file), status.st_mtime_ns, status.st_size
