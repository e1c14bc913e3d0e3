"""Every edit survives saving, loading, a kill, undo to the beginning and redo to the end: the same bytes each time."""

import re
from inspect import getsource
from io import BytesIO
from pathlib import Path

from facewright.document import Document
from facewright.formats.registry import load_document, save
from facewright.session.context import Context
from facewright.session.edits import EDITS
from facewright.session.edits.build import fresh_plan
from facewright.session.storage.document import DocumentCodec
from facewright.studio.autosave import Autosave
from tests.session import every_edit
from tests.session.every_edit import ELSEWHERE, LINES
from tests.session.faces import document

ROOT = Path(__file__).parents[2]


def written(one: Document) -> bytes:
    file = BytesIO()
    save(one, file, format=".fwface")
    return file.getvalue()


def loaded(data: bytes) -> Document:
    return load_document(data, format=".fwface")


def test_every_edit_survives_saving_a_kill_undo_and_redo(tmp_path: Path) -> None:
    context = Context(document(vertices=200), fresh_plan(), lambda run, newest=None: run())
    session = context.document
    keeper = Autosave(tmp_path, DocumentCodec())
    keeper.start(session, {})
    context.on_step = lambda name, kind: keeper.step(session, kind)
    values, files = [session.value], [written(session.value)]
    for line in LINES:
        edit = line(session.value)
        assert context.apply(edit), f"{edit} changes nothing"
        values.append(session.value)
        files.append(written(session.value))
        assert files[-1] != files[-2], f"{edit} is not in the file"
        assert written(loaded(files[-1])) == files[-1], f"{edit} is another after loading"
    killed = Autosave(tmp_path, DocumentCodec()).restore()  # what a kill leaves: nothing was closed
    assert killed is not None
    assert killed.missing == 0
    assert killed.session.history.at == len(LINES)
    for at in (len(LINES), *range(len(files))):  # undone to the beginning, and redone step by step
        for one in (session, killed.session):
            one.go_to(at)
        assert session.value is values[at]
        step = session.history.steps[at - 1].label if at else "the beginning"
        assert written(killed.session.value) == files[at], f"after {step}"
    keeper.close()


def test_no_edit_is_left_out() -> None:
    wanted = {edit.__name__ for edit in EDITS if edit.session == "document" and edit.undoable}
    table = getsource(every_edit)
    done = {name for name in wanted if re.search(rf"\b{name}\(", table)}
    held = {name for names in ELSEWHERE.values() for name in names}
    assert wanted - done - held == set(), "edits that are neither in LINES nor held by another test"
    assert held - wanted == set(), "there are no such edits"
    assert held & done == set(), "these are in LINES: no other test has to hold them"
    for path, names in ELSEWHERE.items():
        text = (ROOT / path).read_text()
        assert [name for name in names if name not in text] == [], f"{path} does not have them"
