"""A session with all that surrounds it: where its document came from, where it is saved, how it survives a crash."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec

from facewright.document import Document
from facewright.errors import BadValue, FacewrightError
from facewright.formats.clips import load_clip
from facewright.formats.files import write_atomically
from facewright.formats.json_files import load_binding
from facewright.formats.registry import load_document, save
from facewright.formats.takes import is_marker_file, load_take
from facewright.motion.take import Take
from facewright.rig.rig import Rig
from facewright.samples import sample
from facewright.samples.skin.embedded import embedded_skin
from facewright.session.commands.clips import load_clips, unmatched
from facewright.session.commands.face import change_face
from facewright.session.commands.takes import bring_take, use_binding
from facewright.session.remembered import Remembered
from facewright.session.session import Session
from facewright.studio.autosave import Autosave, set_aside
from facewright.studio.folders import BINDING, CLIP, Folders
from facewright.studio.geometry import rig_id
from facewright.studio.protocol import FileInfo, How, SolvingInfo, TakeInfo
from facewright.studio.slot import Slot
from facewright.studio.take_info import take_id, take_info, told

NATIVE = ".fwface"
_LISTED = 8


@dataclass(frozen=True)
class Origin:
    """What a document is called, and the file that saving writes."""

    name: str
    saves_to: Path | None = None


class Work:
    """Begins once, then for the desk's thread."""

    def __init__(self, slot: Slot, folders: Folders, started: str = "", *, skin: bool = True) -> None:
        self.folders, self.autosave = folders, Autosave(slot.folder)
        self._slot, self._started, self._skin = slot, started, skin
        self._origin = Origin("face")
        self._notices: list[str] = []
        self._rig: tuple[Rig, str] | None = None
        self._take_known: tuple[Take, str] | None = None
        self.solving: SolvingInfo | None = None  # a take, in the background
        self.is_fresh = False
        self.session: Session  # from `begin` on

    def begin(self, file: Path | None, *, fresh: bool = False) -> bool:
        """Go on with what was going on here, or open a file or the embedded head; whether work was restored."""
        remembered = self._remembered()
        self.is_fresh = fresh
        told = self.autosave.restore()
        goes_on = told is not None and not fresh and told.about.get("started") == self._started
        if told is not None and goes_on and (told.session.unsaved or file is None):
            self.session = told.session
            saves_to = told.about.get("saves_to")
            self._origin = Origin(told.about.get("name", "face"), Path(saves_to) if saves_to else None)
        else:
            if told is not None and told.session.unsaved:
                set_aside(told.session.document, told.about.get("name", "face"), self._slot.recovered)
            document = embedded("default", skin=self._skin) if file is None else load_document(file)
            self._adopt(document, Origin("default") if file is None else _origin(file))
        self.session.remembered = remembered
        return bool(goes_on and self.session.unsaved)

    @property
    def build_folder(self) -> Path:
        """Where what is built from examples is kept."""
        return self._slot.folder / "build"

    def rig_id(self) -> str:
        """The id of the document's rig; may be asked from any thread."""
        rig, known = self.session.document.rig, self._rig
        if known is None or known[0] is not rig:
            known = self._rig = (rig, rig_id(rig))
        return known[1]

    def take_id(self) -> str:
        """The id of the document's take, "" without one; may be asked from any thread."""
        captured, known = self.session.document.captured, self._take_known
        if captured is None:
            return ""
        if known is None or known[0] is not captured.take:
            known = self._take_known = (captured.take, take_id(captured.take))
        return known[1]

    def take_info(self) -> TakeInfo | None:
        """The document's take, the same object as long as nothing about it is different."""
        document, solvers = self.session.document, self.session.solvers
        captured = document.captured
        if captured is None:
            return None

        def make() -> TakeInfo:
            return take_info(document.rig, captured, self.take_id(), solvers)

        return solvers.kept("take info", (document.rig, captured), make)

    def file_info(self) -> FileInfo:
        saves_to = self._origin.saves_to
        where = "" if saves_to is None else self.folders.written(saves_to) or saves_to.name
        return FileInfo(self._origin.name, self.session.unsaved, where)

    def say(self, notice: str) -> None:
        """Something the person should know."""
        self._notices.append(notice)

    def notices(self) -> list[str]:
        """What the person should know since the last time."""
        found, self._notices = self._notices, []
        return found

    def open_sample(self, person: str, shapes: str, how: How) -> None:
        self._take(embedded(person, shapes, skin=self._skin), Origin(person), how)

    def open_path(self, path: str, how: How) -> None:
        """Open a file below a named folder, or one that was set aside."""
        aside = Folders({self._slot.recovered.name: self._slot.recovered.resolve()})
        is_aside = path.startswith(f"{self._slot.recovered.name}/") and self._slot.recovered.is_dir()
        file = aside.existing(path) if is_aside else self.folders.existing(path)
        self.open_file(file, how, Origin(file.stem) if is_aside else _origin(file))

    def open_file(self, file: Path, how: How, origin: Origin) -> None:
        """Open a rig, load a clip from a table of weights, or bring a take of markers or its binding."""
        if file.suffix.lower() == BINDING:
            binding = load_binding(file)
            self.do("bind the take as a file says", lambda document: use_binding(document, binding))
        elif is_marker_file(file):
            self.bring_take(replace(load_take(file), name=origin.name))
        elif file.suffix.lower() == CLIP:
            clip = replace(load_clip(file), name=origin.name)
            self.do(f"load clip {origin.name}", lambda document: load_clips(document, [clip]))
            self._say_unmatched()
        else:
            self._take(load_document(file), origin, how)

    def bring_take(self, take: Take) -> None:
        """A take of markers onto the face; what it is like is told."""
        self.do(f"load take {take.name}", lambda document: bring_take(document, take))
        captured = self.session.document.captured
        if captured is not None:
            self.say(told(captured))

    def open_made(self, document: Document, name: str, how: How) -> None:
        """Open what was made here, and is in no file yet."""
        self._take(document, Origin(name), how)
        if how == "new":
            self.session.mark_saved(False)
            self._keep(lambda: self.autosave.mark(self.session, self._about()))

    def save(self, path: str | None) -> None:
        """Save the document where it came from, or below a named folder."""
        target = self._origin.saves_to if path is None else self.folders.new(path, NATIVE)
        if target is None:
            raise BadValue("this face has no file yet; choose a name below a named folder, or download it")
        save(self.session.document, target)
        self.mark_saved(Origin(target.stem, target))

    def mark_saved(self, origin: Origin | None = None) -> None:
        self._origin = origin or self._origin
        self.session.mark_saved()
        self._keep(lambda: self.autosave.mark(self.session, self._about()))

    def keep_step(self, *, is_new: bool) -> None:
        """Write down the step that the session has just made."""
        self._keep(lambda: self.autosave.step(self.session, is_new=is_new))

    def keep_remembered(self) -> None:
        data = msgspec.json.encode(self.session.remembered)
        self._keep(lambda: write_atomically(self._slot.folder / "remembered.json", data))

    def _take(self, document: Document, origin: Origin, how: How) -> None:
        match how:
            case "new":
                if self.session.unsaved:
                    aside = set_aside(self.session.document, self._origin.name, self._slot.recovered)
                    self._notices.append(f"What was not saved is kept as {aside.name}, under recovered files.")
                remembered = self.session.remembered
                self._adopt(document, origin)
                self.session.remembered = remembered
            case "keep":
                self.do(f"change the face to {origin.name}", lambda ours: change_face(ours, document))
                self._say_unmatched()
            case "clips":
                self.do(f"load clips of {origin.name}", lambda ours: load_clips(ours, document.clips))
                self._say_unmatched()

    def _adopt(self, document: Document, origin: Origin) -> None:
        at_hand = document.clip or next((clip.name for clip in document.clips), "")
        self.session, self._origin = Session(replace(document, clip=at_hand)), origin
        self._keep(lambda: self.autosave.start(self.session, self._about()))

    def do(self, label: str, command: Callable[[Document], Document]) -> None:
        before = self.session.document
        self.session.do(label, command)
        if self.session.document is not before:
            self.keep_step(is_new=True)

    def _say_unmatched(self) -> None:
        document = self.session.document
        left = unmatched(document.clip_named(document.clip), document.rig.sliders) if document.clip else []
        if left:
            shown = ", ".join(left[:_LISTED]) + (" ..." if len(left) > _LISTED else "")
            self._notices.append(f"{len(left)} curves of {document.clip} fit no slider of this face: {shown}")

    def _keep(self, write: Callable[[], None]) -> None:
        """Write to the state folder; if that fails, work goes on, and the person is told."""
        try:
            write()
        except OSError as problem:
            self._notices.append(f"Autosave does not work: {problem}. Save the file yourself.")

    def _about(self) -> dict[str, str]:
        saves_to = "" if self._origin.saves_to is None else str(self._origin.saves_to)
        return {"started": self._started, "name": self._origin.name, "saves_to": saves_to}

    def _remembered(self) -> Remembered:
        path = self._slot.folder / "remembered.json"
        try:
            return msgspec.json.decode(path.read_bytes(), type=Remembered)
        except (OSError, msgspec.MsgspecError, FacewrightError):
            return Remembered()


def embedded(person: str, shapes: str = "arkit", *, skin: bool = True) -> Document:
    """One of the embedded people, with skin or of one colour."""
    rig = sample(person, shapes=shapes)
    return Document(rig, textures=embedded_skin(person, rig) if skin else None)


def _origin(file: Path) -> Origin:
    """A native file is saved where it is; others beside it, without replacing anything."""
    file = file.resolve()
    if file.suffix.lower() == NATIVE:
        return Origin(file.stem, file)
    names = (file.stem, *(f"{file.stem} {number}" for number in range(2, 1000)))
    free = (file.with_name(name + NATIVE) for name in names)
    return Origin(file.stem, next((path for path in free if not path.exists()), None))
