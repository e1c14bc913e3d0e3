"""Shapes brought onto faces of another topology, beside those that these faces have themselves; and onto a scan."""

from dataclasses import dataclass, replace
from functools import cache

import numpy as np
from tools.experiments.faces import SHARED, close_up, faces
from tools.experiments.result import Results, markdown
from tools.experiments.scans import scanned

import facewright as fw
from facewright.arrays import Floats
from facewright.build.contact import closing_shapes, contacts
from facewright.build.counterparts import CounterpartSurface
from facewright.build.registration.face_mesh import FaceMesh
from facewright.build.registration.quality import folded
from facewright.mesh.align import align
from facewright.mesh.closest import Surface
from facewright.render.face_renderer import face_picture
from facewright.render.sheet_layout import contact_sheet
from facewright.render.tone import Bytes

SIZE = (250, 290)
SHOWN = ("jawOpen", "eyeBlinkLeft", "mouthSmileLeft", "mouthPucker", "browDownLeft", "mouthFrownRight")


@dataclass(frozen=True, eq=False)
class Crossing:
    """A template's shapes on another rig's neutral."""

    template: fw.Rig
    own: fw.Rig
    registration: fw.Registration
    made: fw.Rig

    @property
    def names(self) -> dict[str, str]:
        """The template's shapes -> those of the same name that the other rig has itself."""
        found = fw.match_names(self.made.sliders, self.own.sliders).pairs
        return {a: b for a, b in found.items() if not a.startswith(("eyeLook", "tongue"))}

    def shares(self) -> dict[str, float]:
        """Shape -> how far it is, in the mean, from the rig's own, relative to what that moves."""
        return {
            a: float(_lengths(self._apart(a, b)).mean() / _lengths(self._moved(b)).mean())
            for a, b in self.names.items()
        }

    def distances(self) -> dict[str, float]:
        """The same as distances in the mean over what either moves, as shares of the face's size."""
        found = {}
        for a, b in self.names.items():
            either = (_lengths(self._moved(b)) + _lengths(self._made(a))) > 1e-3 * self.own.size
            found[a] = float(_lengths(self._apart(a, b))[either].mean() / self.own.size)
        return found

    def flipped(self) -> tuple[int, int]:
        """Triangles turned over in the shapes, and in those that the rig has itself.

        Those of visible skin, each against all that is about it, seen or not. A shape that closes what another opens is
        judged on top of that one: alone it is no face.
        """
        mesh = FaceMesh(self.own, "the target")
        skin, rest = mesh.whole, self.own.neutral[mesh.whole.vertices]
        seen = np.asarray(np.isin(skin.vertices, mesh.visible.vertices)[skin.triangles].all(axis=1))
        counts = []
        for rig, names in ((self.made, list(self.names)), (self.own, list(self.names.values()))):
            openers = closing_shapes(rig)
            poses = ([one for one in (name, openers.get(name)) if one is not None] for name in names)
            faces = (fw.evaluate(rig, dict.fromkeys(pose, 1.0))[skin.vertices] for pose in poses)
            counts.append(sum(int(seen[folded(rest, face, skin.triangles)].sum()) for face in faces))
        return counts[0], counts[1]

    def gaps(self) -> dict[str, tuple[float, float]]:
        """Closing shape -> mean gap between points that touch in it, in the template and here, in the head's mm."""
        mesh, fitted = FaceMesh(self.own, "the target"), self.registration.fitted
        triangles = mesh.whole.vertices[mesh.whole.triangles]
        ground = CounterpartSurface(self.own.neutral, triangles, self.own.size)
        places = ground.of_vertices(fitted, self.template.triangles).rows(triangles, self.own.vertex_count)
        lost = np.asarray(places.sum(axis=1) < 0.5)
        grown = align(fitted, self.template.neutral, scaled=True).scale
        head = self.template.neutral.shape == fw.sample().neutral.shape
        units = (10.0, 10.0 * grown) if head else (10.0 / grown, 10.0)
        found = {}
        for one in contacts(self.template):
            known = np.flatnonzero(abs(one.difference) @ lost.astype(float) == 0)
            pose = {self.template.shape_names[i]: 1.0 for i in (one.shape, one.opener) if i is not None}
            there, here = (fw.evaluate(rig, pose) for rig in (self.template, self.made))
            gaps = (one.difference[known] @ there, one.difference[known] @ (places @ here))
            means = [unit * float(_lengths(gap).mean()) for unit, gap in zip(units, gaps, strict=True)]
            found[self.template.shape_names[one.shape]] = (means[0], means[1])
        return found

    def _made(self, name: str) -> Floats:
        return fw.evaluate(self.made, {name: 1.0}) - self.made.neutral

    def _moved(self, name: str) -> Floats:
        return fw.evaluate(self.own, {name: 1.0}) - self.own.neutral

    def _apart(self, made: str, own: str) -> Floats:
        return self._made(made) - self._moved(own)


@cache
def crossings() -> dict[str, Crossing]:
    """The embedded head and the ICT face onto each other, and the head onto the face of face cap."""
    known = faces() | {"face cap": fw.load(SHARED / "facecap" / "facecap_decoded.glb")}
    ways = (("embedded head", "ICT face"), ("ICT face", "embedded head"), ("embedded head", "face cap"))
    found = {}
    for source, target in ways:
        template, own = known[source], known[target]
        bare = fw.Rig(own.neutral, own.polygons, parts=own.parts, uvs=own.uvs)
        registration = fw.register(template, bare)
        made = fw.transfer(template, bare, topology="target")
        found[f"{source} to {target}"] = Crossing(template, own, registration, made)
    return found


def crossing_table() -> str:
    rows = []
    for name, one in crossings().items():
        quality, shares = one.registration.quality, list(one.shares().values())
        touching = [_touching(rig) for rig in (one.made, one.own)]
        flips = one.flipped()
        rows.append(
            [
                name,
                f"{100 * quality.mean / quality.size:.3f} %",
                f"{len(quality.folded)}",
                f"{len(shares)}",
                f"{np.median(shares):.2f}",
                f"{100 * np.mean(list(one.distances().values())):.2f} %",
                f"{touching[0]} ({touching[1]})",
                f"{flips[0]} ({flips[1]})",
            ]
        )
    head = ["from, to", "surfaces apart", "folded", "shapes in common", "off, of the motion", "off, of the size"]
    return markdown([*head, "vertices of lids that meet in a blink (its own)", "flipped (its own)"], rows)


def gaps_table() -> str:
    """What is left between lids and lips where they close."""
    rows = []
    for name, one in crossings().items():
        for shape, (there, here) in one.gaps().items():
            rows.append([f"{name}, {shape}", f"{there:.2f}", f"{here:.2f}"])
    return markdown(["mean gap, mm", "in the template", "on the face"], rows)


def shapes_table() -> str:
    """Every shape in common, in all directions."""
    columns = [one.distances() for one in crossings().values()]
    own = [one.shares() for one in crossings().values()]
    names = [name for name in columns[0] if name in fw.sample().sliders]
    rows = []
    for name in names:
        cells = [
            f"{100 * c[name]:.2f} % ({s[name]:.2f})" if name in c else ""
            for c, s in zip(_keyed(columns), _keyed(own), strict=True)
        ]
        rows.append([name, *cells])
    return markdown(["shape", *crossings()], rows)


def _keyed(columns: list[dict[str, float]]) -> list[dict[str, float]]:
    """By the embedded head's names."""
    head = fw.sample().sliders
    found = []
    for column in columns:
        pairs = fw.match_names(head, tuple(column)).pairs
        found.append({a: column[b] for a, b in pairs.items()})
    return found


def _touching(rig: fw.Rig) -> int:
    """How many vertices of the lids are apart at rest and touch in a blink."""
    lids = [one for one in contacts(rig) if "blink" in rig.shape_names[one.shape].lower()]
    return sum(len(one.gaps) for one in lids)


def crossing_sheet() -> Bytes:
    """Shapes of the same name: as the rig has them, and as they came from the other one."""
    tiles, labels = [], []
    for one in crossings().values():
        camera = close_up(one.own, SIZE)
        pairs = {fw.match_names((b,), fw.sample().sliders).pairs.get(b, b): (a, b) for a, b in one.names.items()}
        for which, rig in (("its own", one.own), ("carried over", replace(one.made, parts=one.own.parts))):
            for shape in SHOWN:
                made, own = pairs[shape]
                weights = {own if rig is one.own else made: 1.0}
                tiles.append(face_picture(rig, weights, size=SIZE, camera=camera, samples=2))
                labels.append(f"{shape}, {which}")
    return contact_sheet(tiles, labels, columns=len(SHOWN))


@cache
def rigged_scan() -> tuple[object, fw.Registration, fw.Rig]:
    """A scan, the embedded head on it, and its rig; the landmarks are those that somebody would click."""
    scan, head = scanned(), fw.sample()
    ours, theirs = (FaceMesh(rig, "the face").landmarks for rig in (head, scan.truth))
    clicked = {name: scan.truth.neutral[theirs[name]] for name in ours if name in theirs}
    nearest = {name: int(_lengths(scan.mesh.neutral - place).argmin()) for name, place in clicked.items()}
    pairs = {vertex: ours[name] for name, vertex in nearest.items()}  # one pair for each vertex of the scan
    given = [(own, vertex) for vertex, own in pairs.items()]
    registration = fw.register(head, scan.mesh, given)
    return scan, registration, fw.transfer(head, scan.mesh, given, topology="template")


def scan_table() -> str:
    scan, found, made = rigged_scan()
    truth = scan.truth  # type: ignore[attr-defined]
    quality, skin = found.quality, found.skin[found.matched[found.skin] > 0]
    clean = Surface(truth.neutral, truth.triangles).closest(found.fitted[skin]).distances
    pairs = {a: b for a, b in fw.match_names(made.sliders, truth.sliders).pairs.items() if not a.startswith("eyeLook")}
    at = Surface(truth.neutral, truth.triangles).closest(found.fitted[skin])
    corners = truth.triangles[at.triangles]
    shares = []
    for ours, theirs in pairs.items():
        wanted = np.einsum("kc,kca->ka", at.barycentric, truth.shape(theirs).dense(truth.vertex_count)[corners])
        shares.append(
            _lengths(made.shape(ours).dense(made.vertex_count)[skin] - wanted).mean() / _lengths(wanted).mean()
        )
    rows = [
        ["vertices of the scan", f"{scan.mesh.vertex_count:,}"],  # type: ignore[attr-defined]
        ["of the surface missing", f"{scan.missing:.0%}"],  # type: ignore[attr-defined]
        ["fitted surface to the true one, without noise", f"{10 * clean.mean():.2f} mm"],
        ["folded triangles", f"{len(quality.folded)}"],
        ["verdict", found.verdict],
        ["shapes compared", f"{len(pairs)}"],
        ["off from the person's own shapes, of their motion, median", f"{np.median(shares):.2f}"],
    ]
    return markdown(["", ""], rows)


def scan_sheet() -> Bytes:
    scan, found, made = rigged_scan()
    mesh = scan.mesh  # type: ignore[attr-defined]
    camera = close_up(replace(made, neutral=found.fitted), SIZE)
    tiles = {
        "the scan": face_picture(mesh, size=SIZE, camera=camera),
        "the template on it": face_picture(made, size=SIZE, camera=camera),
    }
    tiles |= {name: face_picture(made, {name: 1.0}, size=SIZE, camera=camera) for name in SHOWN[:4]}
    return contact_sheet(list(tiles.values()), list(tiles), columns=6)


def _lengths(rows: Floats) -> Floats:
    return np.asarray(np.linalg.norm(rows, axis=1))


def results() -> Results:
    return Results(
        "building.md",
        {
            "across": crossing_table(),
            "across-closing": gaps_table(),
            "across-shapes": shapes_table(),
            "scan": scan_table(),
        },
        {"building-across.png": crossing_sheet(), "building-scan.png": scan_sheet()},
    )
