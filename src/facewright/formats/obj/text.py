"""One Wavefront OBJ file: its text to a mesh, a mesh to its text.

Read: v, vt, f, g and o. Left alone: colours and the fourth coordinate of v, normals, materials, lines, curves.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import chain, pairwise

import msgspec
import numpy as np

from facewright.arrays import Floats, Ints
from facewright.errors import BadFile
from facewright.mesh.polygons import Polygons, Uvs
from facewright.rig.rig import Part

_KEYWORDS = (b"v", b"vt", b"f", b"g", b"o")
_COMMENT = re.compile(rb"(?<!\S)#.*")


class ObjText:
    """The lines of an OBJ file, sorted by keyword; numbers are parsed on demand."""

    def __init__(self, data: bytes) -> None:
        self._lines = _lines(data)
        keys = np.array([line[:2] for line in self._lines], "S2")
        self._at = {word: np.flatnonzero((keys == word) | (keys == word + b" ")) for word in _KEYWORDS}

    def positions(self) -> Floats:
        """Vertices (v, 3)."""
        return self._table(b"v", 3, 3)

    def has_faces_of(self, other: ObjText) -> bool:
        """Whether the faces are the same text, which most shape files share with their neutral."""
        return self._face_lines() == other._face_lines()

    def faces(self) -> tuple[Polygons, Uvs | None]:
        """The polygons, and their texture coordinates if any corner has them."""
        rows = [line.split()[1:] for line in self._face_lines()]
        for number, row in zip(self._at[b"f"], rows, strict=True):
            if len(row) < 3:
                raise BadFile(f"line {number + 1}: a face of {len(row)} corners; a face has at least 3")
        counts = np.array([len(row) for row in rows], np.int64)
        tokens = list(chain.from_iterable(rows))
        del rows
        if not any(b"/" in line for line in self._face_lines()):
            return Polygons(self._indices(b"v", tokens, counts), counts), None
        vertices = self._indices(b"v", (token.partition(b"/")[0] for token in tokens), counts)
        polygons = Polygons(vertices, counts)
        uvs = [token.split(b"/", 2)[1] if b"/" in token else b"" for token in tokens]
        del tokens
        mapped = np.array([uv != b"" for uv in uvs], bool)
        if not mapped.any():
            return polygons, None
        on = np.full(len(uvs), -1)
        used = filter(None, uvs)
        per_face = np.add.reduceat(mapped, np.cumsum(counts) - counts, dtype=np.int64)
        on[mapped] = self._indices(b"vt", used, per_face)
        return polygons, Uvs(self._table(b"vt", 2, 1), on)

    def parts(self, polygons: Polygons) -> tuple[Part, ...]:
        """The objects, or else the groups, where each is a range of the vertices; otherwise none."""
        found = [self._ranges(keyword, polygons) for keyword in (b"o", b"g")]
        return max(found, key=len)

    def _face_lines(self) -> list[bytes]:
        return [self._lines[number] for number in self._at[b"f"]]

    def _table(self, keyword: bytes, columns: int, needed: int) -> Floats:
        """The first numbers of every line of a keyword; missing optional ones are 0."""
        lines = [self._lines[number] for number in self._at[keyword]]
        words = b" ".join(lines).split()
        width = len(words) // max(len(lines), 1)
        if width <= columns or words[::width] != [keyword] * len(lines):  # lines of different lengths
            words, width = self._evened(keyword, columns, needed), columns + 1
        try:
            table = np.array([list(map(float, words[i::width])) for i in range(1, columns + 1)]).T
        except ValueError:
            raise self._not_a_number(keyword, words, width) from None
        if not np.isfinite(table).all():
            raise self._not_a_number(keyword, words, width)
        return table

    def _evened(self, keyword: bytes, columns: int, needed: int) -> list[bytes]:
        rows = [self._lines[number].split()[: columns + 1] for number in self._at[keyword]]
        for number, row in zip(self._at[keyword], rows, strict=True):
            if len(row) <= needed:
                raise BadFile(f"line {number + 1}: {keyword.decode()} needs {needed} numbers, not {len(row) - 1}")
            row.extend([b"0"] * (columns + 1 - len(row)))
        return list(chain.from_iterable(rows))

    def _not_a_number(self, keyword: bytes, words: list[bytes], width: int) -> BadFile:
        wrong = next(i for i, word in enumerate(words) if i % width and not _is_number(word))
        line, word = self._at[keyword][wrong // width] + 1, words[wrong][:40].decode(errors="replace")
        return BadFile(f"line {line}: {word!r} is no finite number")

    def _indices(self, keyword: bytes, tokens: Iterable[bytes], counts: Ints) -> Ints:
        """Rows from 0, of indices that count from 1, or, if negative, backwards from their own line."""
        lines = self._at[b"f"].repeat(counts)  # (c,)
        try:
            given = np.fromiter(map(int, tokens), np.int64)
        except (ValueError, OverflowError) as problem:
            raise BadFile(f"a face holds something that is no index: {str(problem)[:80]}") from None
        known = np.searchsorted(self._at[keyword], lines)
        rows = np.where(given < 0, known + given, given - 1)
        total = len(self._at[keyword])
        wrong = (given == 0) | (rows < 0) | (rows >= total)
        if wrong.any():
            first = int(wrong.argmax())
            kind = "vertex" if keyword == b"v" else "texture coordinate"
            raise BadFile(f"line {lines[first] + 1}: a face names {kind} {given[first]}, but the file has {total}")
        return rows

    def _ranges(self, keyword: bytes, polygons: Polygons) -> tuple[Part, ...]:
        if not len(self._at[keyword]) or not len(polygons):
            return ()
        run = np.searchsorted(self._at[keyword], self._at[b"f"])  # (f,) 0: before the first
        labels = ["face", *(_label(self._lines[number]) for number in self._at[keyword])]
        names = list(dict.fromkeys(labels))
        rows = {name: i for i, name in enumerate(names)}
        group = np.array([rows[label] for label in labels])[run]
        low, high = np.full(len(names), 2**62), np.full(len(names), -1)
        np.minimum.at(low, group, np.minimum.reduceat(polygons.corners, polygons.starts[:-1]))
        np.maximum.at(high, group, np.maximum.reduceat(polygons.corners, polygons.starts[:-1]))
        order = np.argsort(low)[: np.count_nonzero(high >= 0)]
        if (high[order[:-1]] >= low[order[1:]]).any():
            return ()
        cuts = [0, *low[order[1:]].tolist(), len(self._at[b"v"])]
        return tuple(Part(names[row], cuts[i], cuts[i + 1]) for i, row in enumerate(order))


def _lines(data: bytes) -> list[bytes]:
    """Lines without comments, each starting with its keyword and a space."""
    data = data.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n").replace(b"\r", b"\n").replace(b"\t", b" ")
    if b"\\\n" in data:
        data = data.replace(b"\\\n", b" ")
    lines = [b"%b " % _COMMENT.sub(b"", line) if b"#" in line else line for line in data.split(b"\n")]
    return [line.lstrip() for line in lines] if b"\n " in data or data[:1] == b" " else lines


def vertex_lines(positions: Floats) -> bytes:
    """Lines `v x y z`, each number in the fewest digits that give it back exactly."""
    return _number_lines(b"v", positions)


def face_lines(polygons: Polygons, uvs: Uvs | None, parts: Sequence[Part]) -> bytes:
    """Lines `vt` and `f`, the faces of each part after a line `g`."""
    corners = [str(vertex) for vertex in (polygons.corners + 1).tolist()]
    if uvs is not None:
        corners = [
            f"{corner}/{uv}" if uv else corner for corner, uv in zip(corners, (uvs.corners + 1).tolist(), strict=True)
        ]
    starts = polygons.starts.tolist()
    lines = ["f " + " ".join(corners[a:b]) for a, b in pairwise(starts)]
    if [part.name for part in parts] != ["face"] and lines:
        home = np.searchsorted([part.stop for part in parts], polygons.corners[polygons.starts[:-1]], side="right")
        for face in reversed(np.flatnonzero(np.diff(home, prepend=-1)).tolist()):
            name = re.sub(r"[\s#]+", "_", parts[home[face]].name)
            lines[face] = f"g {name}\n{lines[face]}"
    coordinates = b"" if uvs is None else _number_lines(b"vt", uvs.coordinates)
    return coordinates + "".join(f"{line}\n" for line in lines).encode()


def _number_lines(keyword: bytes, table: Floats) -> bytes:
    if not len(table):
        return b""
    start = keyword + b" "
    rows = msgspec.json.encode(table.tolist())[2:-2]  # [[x,y],[x,y]] without the outer brackets
    return start + rows.replace(b"],[", b"\n" + start).replace(b",", b" ") + b"\n"


def _label(line: bytes) -> str:
    words = line.split(None, 1)
    return words[1].strip().decode("utf8", "replace") if len(words) > 1 else "default"


def _is_number(token: bytes) -> bool:
    try:
        return bool(np.isfinite(float(token)))
    except ValueError:
        return False
