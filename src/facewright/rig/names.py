"""What a shape's name means, whatever the convention it is written in."""

from __future__ import annotations

from facewright.rig.name_tables import ALIASES, ARKIT, FACS, GROUP_WORDS, OCULUS, VRM
from facewright.rig.spelling import Spelling, camel, spelling


def _known() -> dict[str, str]:
    """Canonical names without side, by their key."""
    known = {spelling(name).key: camel(spelling(name).words) for name in (*ARKIT, *VRM)}
    known |= {spelling(name).key: name for name in OCULUS}
    for number, (words, same) in FACS.items():
        known |= {f"au{number}": same or f"AU{number}", f"au{number:02d}": same or f"AU{number}"}
        known.setdefault(words.replace(" ", ""), same or f"AU{number}")
    return known | dict(ALIASES)


_KNOWN = _known()


def canonical(name: str) -> str:
    """One name for all spellings: ARKit's where it has the shape, else lowerCamel with Left or Right at the end.

    A shape that ARKit has for each side, given for both at once, has ARKit's name without side: `AU12` is `mouthSmile`.
    """
    spelled = _spelled(name)
    return _KNOWN.get(spelled.key, camel(spelled.words) or name) + (spelled.side or "")


def group_of(name: str) -> str:
    """The part of the face that a shape moves: brow, eye, cheek, nose, jaw, mouth, tongue or other."""
    spelled = _spelled(name)
    known = _KNOWN.get(spelled.key, "")
    facs = FACS[int(known[2:])][0] if known.startswith("AU") else ""
    words = (*spelling(facs or known).words, *spelled.words)
    found = (GROUP_WORDS[word] for word in words if word in GROUP_WORDS)
    run_together = (group for word, group in GROUP_WORDS.items() if len(word) > 2 and spelled.key.startswith(word))
    return next(found, next(run_together, "other"))


def _spelled(name: str) -> Spelling:
    """The spelling of a name, or of its last member where only that is known: blendShape1.jawOpen."""
    spelled = spelling(name)
    if "." in name and spelled.key not in _KNOWN:
        last = spelling(name.rsplit(".", 1)[1])
        return last if last.key in _KNOWN else spelled
    return spelled
