"""How near the transferred expressions of ARKit come to a person's own, on avatars that are made of people.

The constants were chosen on the embedded people. The people between them were not looked at before they were
measured, nor were those of the scan-based face, whose shapes others made: its figures say how different these are.
"""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from tests.avatars import MadeAvatar, mixed_person, scanned_person
from tests.workflow.transferred import error, lying_error, without_eyes
from tools.experiments.faces import SHARED

import facewright as fw
from bench.row import Row
from facewright.rig.name_tables import ARKIT
from facewright.rig.rig import Rig

CHOSEN_ON = ("amara", "kenji", "edith")
BETWEEN, SCANNED = range(1, 9), range(3)


def rows() -> Iterator[Row]:
    groups: list[tuple[str, list[str | Rig]]] = [
        ("embedded people, chosen on", list(CHOSEN_ON)),
        ("people between them", [mixed_person(seed) for seed in BETWEEN]),
    ]
    if (SHARED / "ict_face").is_dir():
        groups.append(("scanned people, shapes of others", [scanned_person(SHARED, seed) for seed in SCANNED]))
    for group, persons in groups:
        found = [_errors(person) for person in persons]
        for what in found[0]:
            yield _row(f"{group}: {what}", [one[what] for one in found])


def _errors(person: str | Rig) -> dict[str, float]:
    """Medians over shapes, as shares of their motion; of an avatar without eyes and joints of eyes."""
    made = MadeAvatar(person)
    tiny = without_eyes(made, made.tiny())
    pieces = {"lashes": made.lashes(), "brows": made.brows()} if made.has_borders else {}
    for name, piece in pieces.items():
        made.add_lying_on(tiny, name, piece[:2])
    with tempfile.TemporaryDirectory() as folder:
        done = fw.perfect_sync(fw.load_document(tiny.save(Path(folder) / "made.vrm")))
    known = [name for name in done.made if name in made.person.shape_names and not name.startswith("eyeLook")]
    assert set(known) <= set(ARKIT)
    return {"skin": error(made, done, known)} | {
        name: lying_error(made, done, name, piece) for name, piece in pieces.items()
    }


def _row(case: str, errors: list[float]) -> Row:
    shares = 100 * np.array(errors)
    return Row("sync", case, float(np.median(shares)), float(shares.max()), "nothing moves", 100.0, "", "%", 100)
