"""The sessions and what surrounds them: where the document came from, where it is saved, how it survives a crash."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec

from facewright.document import Document
from facewright.errors import BadFile, BadValue, FacewrightError
from facewright.formats.files import digest
from facewright.formats.registry import load_document, save
from facewright.motion.clip import Clip
from facewright.motion.take import Take
from facewright.rig.binding import Binding
from facewright.rig.prior import Prior
from facewright.rig.scanned import Scanned
from facewright.samples import sample
from facewright.samples.head import UNIT
from facewright.samples.skin.embedded import embedded_skin
from facewright.session.context import Context, Post
from facewright.session.edits.build import fresh_plan
from facewright.session.edits.clips import LoadClips
from facewright.session.edits.face import ChangeFace
from facewright.session.edits.prior import UsePrior
from facewright.session.edits.scans import LoadScan
from facewright.session.edits.takes import LoadTake, UseBinding
from facewright.session.fields import How, SessionName
from facewright.session.journal import Restored
from facewright.session.session import Session, StepKind
from facewright.session.storage.document import DocumentCodec
from facewright.session.storage.plan import PlanCodec
from facewright.session.tasks.build.building import Building
from facewright.session.tasks.loading import BoundTake, Loaded, load_face
from facewright.session.views.geometry import rig_id
from facewright.session.views.scan import summary as scan_summary
from facewright.session.views.take import summary
from facewright.studio.answers import Brought
from facewright.studio.autosave import Autosave, set_aside
from facewright.studio.files import OPENED, FileChanged, Folders, as_text, resolved
from facewright.studio.state_directory import StateDirectory
from facewright.workflow.build.plan import BuildPlan

NATIVE = ".fwface"
_RECENT = 8  # files that are remembered
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Origin:
    """What a document is called, and the file that saving writes."""

    name: str
    saves_to: Path | None = None
    seen: str = ""  # digest of that file when it was last read or written here; "": it did not exist


class Workspace:
    """Begins once, then for the worker's thread."""

    def __init__(
        self, state: StateDirectory, folders: Folders, post: Post, started: str = "", *, skin: bool = True
    ) -> None:
        self.folders = folders
        self._state, self._started, self._skin, self._post = state, as_text(started), skin, post
        self._document_folder = state.folder / "document"
        self._document: Autosave[Document] = Autosave(self._document_folder, DocumentCodec())
        self._plan: Autosave[BuildPlan] = Autosave(state.folder / "build", PlanCodec())
        self._origin = Origin("face")
        self._preferences_trouble = ""
        self._is_restored = False  # the document is that of the last time
        self.context: Context  # from `begin` on

    def begin(self, file: Path | None, *, fresh: bool = False) -> bool:
        """Go on with what was going on here, or open a file or the embedded head. Returns whether work was restored."""
        restored, problem = self._document.restore(), ""
        goes_on = restored is not None and not fresh and restored.about.get("started") == self._started
        if restored is not None and goes_on and (restored.session.unsaved or file is None):
            session = restored.session
            saves_to = restored.about.get("saves_to")
            seen = restored.about.get("seen", "")
            self._origin = Origin(restored.about.get("name", "face"), Path(saves_to) if saves_to else None, seen)
        else:
            goes_on = False
            problem = "" if restored is None else self._keep_unsaved(restored)
            self._origin = Origin("default") if file is None else _origin(file)  # before reading: see `Origin.seen`
            document = embedded("default", skin=self._skin) if file is None else self._read(file)
            session = Session(_with_current_clip(document))
        self.context = Context(session.value, fresh_plan(), self._post)
        self.context.document = session
        self.context.scratch = self._state.scratch
        self.context.pose_folder = self._state.poses
        self._show_origin()
        if not goes_on:
            self._document.start(session, self._about())
        self._is_restored = goes_on
        self._restore_plan(fresh=fresh)
        self.context.preferences = self._state.preferences()
        self.context.on_step = self._keep_step
        self.context.on_preferences = self._keep_preferences
        if file is not None:
            self.note_recent(file)
        if problem:
            self.context.say(problem)
        if restored is not None and restored.missing and goes_on:
            self.context.say(_missing(restored.missing))
        elif restored is None and self._document.damaged:
            self.context.say(_cannot_restore("its journal is damaged", self._document_folder / self._document.damaged))
        return bool(goes_on and session.unsaved)

    def ensure_shown(self, check: Callable[[], None]) -> None:
        """Set aside what cannot be shown, for which `check` raises: the build, else the document, else both.

        An empty build and the embedded head take their places.
        """
        problem, context = _raised_by(check), self.context
        if problem is None:
            return
        plan, context.plan = context.plan, Session(fresh_plan())
        if not (is_plan := _raised_by(check) is None):
            context.plan = plan
            self._replace_document(problem)
            if is_plan := _raised_by(check) is not None:
                context.plan = Session(fresh_plan())
        if is_plan:
            kept = self._plan.set_aside()
            self._plan.start(context.plan, {})
            context.say(f"The build of the last time cannot be shown ({problem}). It is kept as {kept}.")

    def _replace_document(self, problem: Exception) -> None:
        """Set aside a document that cannot be shown, and open the embedded head."""
        is_work = self._is_restored or self.context.document.unsaved  # not only a file that was named
        name, kept = self._origin.name, self._document.set_aside()
        self.context.document, self._origin = Session(embedded("default", skin=self._skin)), Origin("default")
        self._show_origin()
        self._document.start(self.context.document, self._about())
        if is_work:
            self.context.say(_cannot_restore(f"it cannot be shown ({problem})", kept))
        else:
            self.context.say(f"{name} cannot be shown: {problem}. The embedded head is open instead.")

    @property
    def trouble(self) -> str:
        """What is wrong with autosave, "" where nothing is."""
        return self._document.trouble or self._plan.trouble or self._preferences_trouble

    def check(self) -> None:
        """Notice a state folder that was deleted, and try again what could not be kept before."""
        is_whole = self._state.check()
        is_whole &= self._document.check(self.context.document)
        is_whole &= self._plan.check(self.context.plan)
        if self._preferences_trouble or not is_whole:
            self._keep_preferences()
        if not is_whole:
            again = "Save the file yourself" if self.trouble else "It was made again, and has the work as it is now"
            self.context.say(
                f"The state folder {self._state.folder} was deleted while the studio was running. {again}."
            )

    def close(self) -> None:
        self._document.close()
        self._plan.close()

    def open_sample(self, person: str, shapes: str, how: How) -> None:
        self._take(embedded(person, shapes, skin=self._skin), Origin(person), how)

    def located(self, path: str) -> tuple[Path, Origin]:
        """The file that a path means, below a named folder or among those set aside, and where it is saved."""
        recovered = self._state.recovered
        aside = Folders({recovered.name: resolved(recovered)})
        is_aside = path.startswith(f"{recovered.name}/") and recovered.is_dir()
        file = aside.existing(path) if is_aside else self.folders.existing(path)
        return file, Origin(file.stem) if is_aside else _origin(file)

    def take(self, found: Loaded, origin: Origin, how: How) -> Brought:
        """Use what was read from a file: a rig is opened, anything else joins the face that is open."""
        match found:
            case Document():
                self._take(found, origin, how)
                return "face"
            case Clip():
                self.context.apply(LoadClips(clips=(replace(found, name=origin.name),), name=origin.name))
                return "clip"
            case Take() | BoundTake():
                take, tried = (found.take, found.tried) if isinstance(found, BoundTake) else (found, None)
                self.context.apply(LoadTake(take=replace(take, name=origin.name), tried=tried))
                captured = self.context.document.value.captured
                if captured is not None:
                    self.context.say(summary(captured))
                return "take"
            case Scanned():
                named = replace(found, sequence=replace(found.sequence, name=origin.name))
                self.context.apply(LoadScan(scanned=named))
                self.context.say(scan_summary(named))
                return "scan"
            case Binding():
                self.context.apply(UseBinding(binding=found))
                return "binding"
            case Prior():
                self.context.apply(UsePrior(prior=found, name=origin.name))
                return "prior"
        wanted = ", ".join(kind.words for kind in OPENED)
        raise BadFile(f"{origin.name}: the studio opens {wanted}; this file holds something else")

    def open_built(self, how: How) -> None:
        """Open the rig that was built, which is in no file yet."""
        built = self.context.task(Building).known.built()
        name = "face" if built.plan.neutral is None else f"{built.plan.neutral.name} rig"
        self._take(built.document, Origin(name), "keep" if how == "keep" else "new")
        if how != "keep":
            self.context.document.mark_saved(False)
            self._document.mark(self.context.document, self._about())

    def save(self, path: str | None, *, replace: bool = False) -> None:
        """Save the document where it came from, or below a named folder.

        A file there that is not the one last read or written here is written over only with `replace`.
        """
        target = self._origin.saves_to if path is None else self.folders.new(path, NATIVE)
        if target is None:
            raise BadValue("this face has no file yet; choose a name below a named folder, or download it")
        seen = self._origin.seen if target == self._origin.saves_to else ""
        if not replace and digest(target) not in ("", seen):
            raise FileChanged(as_text(self.folders.written(target) or target.name), known=bool(seen))
        save(self.context.document.value, target)
        self.mark_saved(Origin(as_text(target.stem), target, digest(target)))
        self.note_recent(target)

    def note_recent(self, file: Path) -> None:
        """Remember that a file below a named folder was opened or saved."""
        path = as_text(self.folders.written(file))
        if path:
            others = (other for other in self.context.preferences.recent if other != path)
            recent = (path, *others)[:_RECENT]
            self.context.prefer(msgspec.structs.replace(self.context.preferences, recent=recent))

    def mark_saved(self, origin: Origin | None = None) -> None:
        """Note that the present document is in a file."""
        self._origin = origin or self._origin
        self._show_origin()
        self.context.document.mark_saved()
        self._document.mark(self.context.document, self._about())

    def _take(self, document: Document, origin: Origin, how: How) -> None:
        match how:
            case "new":
                if self.context.document.unsaved:
                    aside = set_aside(self.context.document.value, self._origin.name, self._state.recovered)
                    self.context.say(f"What was not saved is kept as {aside.name}, under recovered files.")
                self._adopt(document, origin)
            case "keep":
                rig = self.context.ids.shared(document.rig, rig_id)  # the history holds each face once
                self.context.apply(ChangeFace(other=replace(document, rig=rig), name=origin.name))
            case "clips":
                self.context.apply(LoadClips(clips=document.clips, name=origin.name))

    def _adopt(self, document: Document, origin: Origin) -> None:
        """Put another document in place of the present one. One that cannot be shown is refused."""
        context, before, last = self.context, self.context.document, self._origin
        context.document = Session(_with_current_clip(document))
        context.dragged = context.along = None
        self._origin = origin
        self._show_origin()
        try:
            context.on_change()
        except Exception as problem:
            context.document, self._origin = before, last
            self._show_origin()
            raise BadValue(f"{origin.name} cannot be shown: {problem}") from problem
        self._document.start(context.document, self._about())

    def _restore_plan(self, *, fresh: bool) -> None:
        restored = self._plan.restore()
        if restored is not None and fresh and restored.session.unsaved:
            self.context.say(f"The build of the last time is kept as {self._plan.set_aside()}.")
        if restored is None or fresh:
            self._plan.start(self.context.plan, {})
            return
        self.context.plan = restored.session
        if restored.missing:
            self.context.say(f"Of the build, {_missing(restored.missing)[0].lower()}{_missing(restored.missing)[1:]}")

    def _read(self, file: Path) -> Document:
        """The document in a file, read as those that are opened later; here where there is no room for that."""
        try:
            return load_face(file, self._state.scratch)
        except OSError:
            return load_document(file)

    def _keep_unsaved(self, restored: Restored[Document]) -> str:
        """Save restored work to a file if it is in none. Returns what went wrong; its journal is kept then."""
        if not restored.session.unsaved:
            return ""
        name = restored.about.get("name", "face")
        try:
            set_aside(restored.session.value, name, self._state.recovered)
            return ""
        except (OSError, FacewrightError, MemoryError) as problem:
            kept = self._document.set_aside()
            return f"The unsaved work on {name} cannot be put into a file: {problem}. Its journal is kept as {kept}."

    def _keep_step(self, name: SessionName, kind: StepKind) -> None:
        if name == "document":
            self._document.step(self.context.document, kind)
        else:
            self._plan.step(self.context.plan, kind)

    def _keep_preferences(self) -> None:
        try:
            self._state.keep_preferences(self.context.preferences)
            self._preferences_trouble = ""
        except OSError as problem:
            self._preferences_trouble = f"Settings cannot be kept: {problem.strerror or problem}."

    def _show_origin(self) -> None:
        saves_to = self._origin.saves_to
        self.context.name = self._origin.name
        self.context.saves_to = "" if saves_to is None else as_text(self.folders.written(saves_to) or saves_to.name)

    def _about(self) -> dict[str, str]:
        saves_to = "" if self._origin.saves_to is None else str(self._origin.saves_to)
        if as_text(saves_to) != saves_to:
            saves_to = ""  # the journal cannot name such a file
        return {
            "started": self._started,
            "name": self._origin.name,
            "saves_to": saves_to,
            "seen": self._origin.seen,
        }


def embedded(person: str, shapes: str = "arkit", *, skin: bool = True) -> Document:
    """One of the embedded people, with skin or of one colour."""
    rig = sample(person, shapes=shapes)
    return Document(rig, textures=embedded_skin(person, rig) if skin else None, unit=UNIT)


def _missing(count: int) -> str:
    steps = "one step" if count == 1 else f"{count} steps"
    return (
        f"{steps[0].upper()}{steps[1:]} could not be restored: the journal is damaged. A copy of it is kept beside it."
    )


def _raised_by(check: Callable[[], None]) -> Exception | None:
    try:
        check()
    except Exception as problem:
        _log.debug("what was restored cannot be shown", exc_info=True)
        return problem
    return None


def _cannot_restore(why: str, kept: Path) -> str:
    return f"The work of the last time cannot be restored: {why}. It is kept as {kept}."


def _with_current_clip(document: Document) -> Document:
    return replace(document, clip=document.clip or next((clip.name for clip in document.clips), ""))


def _origin(file: Path) -> Origin:
    """A native file is saved where it is; others beside it, without replacing anything."""
    file = resolved(file)
    stem = file.name if file.is_dir() else file.stem
    if file.suffix.lower() == NATIVE and not file.is_dir():
        return Origin(as_text(stem), file, digest(file))
    names = (stem, *(f"{stem} {number}" for number in range(2, 1000)))
    free = (file.with_name(name + NATIVE) for name in names)
    return Origin(as_text(stem), next((path for path in free if not path.exists()), None))
