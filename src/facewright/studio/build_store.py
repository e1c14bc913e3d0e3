"""The build on disk, so that it is there again when the server is: a plan, and its faces in files beside it."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import msgspec
import numpy as np

from facewright.document import Document, with_materials_of
from facewright.errors import BadFile, FacewrightError
from facewright.formats.files import write_atomically
from facewright.formats.registry import load_document, save
from facewright.rig.rig import Rig
from facewright.workflow.build.plan import BuildPlan, GivenFace, GivenPose, Mesh, Pair, RegisteredTemplate

_VERSION = 1
Writer = Callable[[Path], None]


class _Pose(msgspec.Struct):
    name: str
    face: str
    guess: dict[str, float] | None
    fitted: bool
    add_missing: bool


class _Laid(msgspec.Struct):
    columns: str
    pairs: list[Pair]
    verdict: str
    good: bool
    carried: str | None


class _Plan(msgspec.Struct):
    version: int
    template: tuple[str, str, str]  # name, file and source
    neutral: tuple[str, str, str] | None
    pairs: list[Pair]
    proposed: bool
    laid: _Laid | None
    mesh: Mesh
    poses: list[_Pose]
    trust: float
    along: bool


class BuildStore:
    """A folder of its own. For one thread."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._files: dict[int, tuple[object, str]] = {}  # by identity, which lasts as long as it is kept here
        self._count = 0

    def keep(self, plan: BuildPlan, along: bool) -> None:
        """Write a plan; faces that are there already are not written again."""
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        used: set[int] = set()
        kept = _Plan(
            _VERSION,
            self._given(plan.template, used),
            None if plan.neutral is None else self._given(plan.neutral, used),
            list(plan.pairs),
            plan.proposed,
            None if plan.registered is None else self._laid(plan.registered, used),
            plan.mesh,
            [_Pose(p.name, self._face(p.face, used), _plain(p), p.aligned, p.add_missing) for p in plan.poses],
            plan.trust,
            along,
        )
        write_atomically(self._folder / "plan.json", msgspec.json.encode(kept))
        self._files = {key: value for key, value in self._files.items() if key in used}
        self._sweep()

    def restore(self) -> tuple[BuildPlan, bool] | None:
        """The plan that was kept, and whether it is solved along; None where there is none."""
        path = self._folder / "plan.json"
        if not path.is_file():
            return None
        try:
            return self._restored(msgspec.json.decode(path.read_bytes(), type=_Plan))
        except (FacewrightError, msgspec.MsgspecError, OSError, ValueError):
            return None  # it was damaged, or written by another version

    def forget(self) -> None:
        """As if nothing had been kept."""
        (self._folder / "plan.json").unlink(missing_ok=True)
        self._files = {}
        self._sweep()

    def _restored(self, kept: _Plan) -> tuple[BuildPlan, bool]:
        if kept.version != _VERSION:
            raise BadFile("a build of another version")
        files: dict[str, Document] = {}

        def opened(name: str) -> Document:
            if name not in files:
                files[name] = load_document(self._own(name, ".fwface"))
                self._files[id(files[name].rig)] = (files[name].rig, name)
            return files[name]

        def face(name: str) -> Rig:
            return opened(name).rig

        def given(name: str, file: str, source: str) -> GivenFace:
            return GivenFace(name, face(file), source, opened(file))

        plan = BuildPlan(
            given(*kept.template),
            None if kept.neutral is None else given(*kept.neutral),
            tuple(kept.pairs),
            kept.proposed,
            None if kept.laid is None else self._read_laid(kept.laid, face),
            kept.mesh,
            tuple(GivenPose(p.name, face(p.face), p.guess, p.fitted, p.add_missing) for p in kept.poses),
            kept.trust,
        )
        self._count = max((int(path.stem.split("-")[1]) for path in self._own_files()), default=0)
        return plan, kept.along

    def _given(self, face: GivenFace, used: set[int]) -> tuple[str, str, str]:
        return face.name, self._face(face.rig, used, face.document), face.source

    def _face(self, rig: Rig, used: set[int], looks: Document | None = None) -> str:
        document = Document(rig) if looks is None else with_materials_of(rig, looks)
        return self._written(rig, used, ".fwface", lambda path: save(document, path))

    def _laid(self, laid: RegisteredTemplate, used: set[int]) -> _Laid:
        table = np.column_stack([laid.positions, laid.matched, laid.distances])
        data = io.BytesIO()
        np.save(data, table, allow_pickle=False)
        file = self._written(laid, used, ".npy", lambda path: write_atomically(path, data.getvalue()))
        carried = None if laid.carried is None else self._face(laid.carried, used)
        return _Laid(file, list(laid.pairs), laid.verdict, laid.good, carried)

    def _read_laid(self, kept: _Laid, face: Callable[[str], Rig]) -> RegisteredTemplate:
        table = np.load(self._own(kept.columns, ".npy"), allow_pickle=False)
        carried = None if kept.carried is None else face(kept.carried)
        laid = RegisteredTemplate(
            table[:, :3], table[:, 3], table[:, 4], tuple(kept.pairs), kept.verdict, kept.good, carried
        )
        self._files[id(laid)] = (laid, kept.columns)
        return laid

    def _written(self, thing: object, used: set[int], suffix: str, write: Writer) -> str:
        used.add(id(thing))
        if id(thing) not in self._files:
            self._count += 1
            name = f"face-{self._count}{suffix}"
            write(self._folder / name)
            self._files[id(thing)] = (thing, name)
        return self._files[id(thing)][1]

    def _own(self, name: str, suffix: str) -> Path:
        if name != Path(name).name or not name.startswith("face-") or not name.endswith(suffix):
            raise BadFile(f"the build names {name!r}, which is none of its faces")
        return self._folder / name

    def _own_files(self) -> list[Path]:
        return [path for path in self._folder.glob("face-*") if path.stem.split("-")[1].isdigit()]

    def _sweep(self) -> None:
        wanted = {name for _, name in self._files.values()}
        for path in self._own_files():
            if path.name not in wanted:
                path.unlink(missing_ok=True)


def _plain(pose: GivenPose) -> dict[str, float] | None:
    return None if pose.guess is None else dict(pose.guess)
