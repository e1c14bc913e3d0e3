"""The head put together: which vertices and faces it has, where they are on a person, and how a target moves them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from scipy.spatial.transform import Rotation
from tools.bake import eyes, teeth
from tools.bake.band import band_grid
from tools.bake.lids import EyeOpening, meeting_at_one
from tools.bake.mesh import Piece, into_box
from tools.bake.neck import head_quads
from tools.bake.rigid import best_ball, best_rotation
from tools.bake.source import Source

from facewright.arrays import Floats, Ints

PARTS = ("head", "left eye", "right eye", "upper teeth", "lower teeth", "upper gums", "lower gums", "tongue")

# The head keeps its texture coordinates. The others are laid out anew, where the body has left room: lowest and highest
# corner, or middle and radius.
_BOX = {
    "tongue": ((0.250, 0.26), (0.345, 0.48)),
    "upper teeth": ((0.03, 0.200), (0.57, 0.245)),
    "lower teeth": ((0.03, 0.145), (0.57, 0.190)),
    "upper gums": ((0.03, 0.090), (0.57, 0.135)),
    "lower gums": ((0.03, 0.035), (0.57, 0.080)),
}
_DISC = {
    "left eye": ((0.13, 0.37, 0.11), (0.605, 0.38, 0.025)),
    "right eye": ((0.465, 0.37, 0.11), (0.605, 0.30, 0.025)),
}
_EYE_HELPER = {"left eye": "helper-l-eye", "right eye": "helper-r-eye"}
# How much further the eyes turn than in the targets: 24 degrees sideways, not 15, nearer to what trackers mean by 1.
_GAZE = 1.6
_CLOSING = {"eyeBlinkLeft": "eyeBlinkRight", "eye-left-closure": "eye-right-closure"}
_STILL = 0.003  # decimetres; a band that moves less is only the modeller's brush passing by


@dataclass(frozen=True, eq=False)
class Head:
    """The topology that all people share."""

    source: Source
    skin: Ints  # vertices of the base mesh that are head and neck
    tongue: Ints
    eye_helpers: dict[str, Ints]
    bands: dict[str, Ints]  # jaw -> (along, 4)
    pieces: dict[str, Piece]  # by part, in the order of PARTS

    @classmethod
    def of(cls, source: Source) -> Head:
        skin, skin_piece = _taken(source, head_quads(source))
        tongue, tongue_piece = _taken(source, source.faces_of("helper-tongue"))
        tongue_piece = Piece(tongue_piece.quads, into_box(tongue_piece.uvs, *_BOX["tongue"]), tongue_piece.uv_quads)
        bands = {jaw: _band(source, f"helper-{jaw}-teeth") for jaw in ("upper", "lower")}
        pieces = {"head": skin_piece, "tongue": tongue_piece}
        pieces |= {part: eyes.piece(*_DISC[part]) for part in _EYE_HELPER}
        for jaw, columns in _COLUMNS.items():
            upper = jaw == "upper"
            pieces[f"{jaw} teeth"] = teeth.teeth_piece(columns, *_BOX[f"{jaw} teeth"], upper=upper)
            pieces[f"{jaw} gums"] = teeth.gums_piece(columns, *_BOX[f"{jaw} gums"], upper=upper)
        helpers = {part: np.unique(source.quads[source.faces_of(name)]) for part, name in _EYE_HELPER.items()}
        return cls(source, skin, tongue, helpers, bands, {part: pieces[part] for part in PARTS})

    def neutral(self, place: Floats) -> Floats:
        """The head's vertices for a base mesh placed as some person."""
        found = {"head": place[self.skin], "tongue": place[self.tongue]}
        for part, helper in self.eye_helpers.items():
            centre, radius = best_ball(place[helper])
            found[part] = centre + radius * eyes.ball()
        for jaw, columns in _COLUMNS.items():
            curve = teeth.Jaw.of(place[self.bands[jaw]], columns.width)
            found |= {f"{jaw} teeth": teeth.teeth_at(curve, columns), f"{jaw} gums": teeth.gums_at(curve, columns)}
        return np.concatenate([found[part] for part in PARTS])

    def delta(self, place: Floats, target: Floats, *, tongue_rides: bool) -> Floats:
        """How a target moves the head's vertices on a person.

        Eyeballs turn about their middles and jaws move rigidly, both by the best fit to the target's motion of what
        they replace. tongue_rides: the tongue goes with the lower jaw, for targets that forgot it.
        """
        neutral = dict(zip(PARTS, np.split(self.neutral(place), self._starts()[1:-1]), strict=True))
        moved = {part: np.zeros_like(points) for part, points in neutral.items()}
        moved |= {"head": target[self.skin], "tongue": target[self.tongue]}
        for part, helper in self.eye_helpers.items():
            if target[helper].any():
                turn = best_rotation(self.source.rest[helper], (self.source.rest + target)[helper])
                turn = Rotation.from_rotvec(_GAZE * Rotation.from_matrix(turn).as_rotvec()).as_matrix()
                moved[part] = (neutral[part] - best_ball(place[helper])[0]) @ (turn - np.eye(3)).T
        for jaw, grid in self.bands.items():
            band = grid.ravel()
            if abs(target[band]).max() > _STILL:
                turn = best_rotation(self.source.rest[band], (self.source.rest + target)[band])
                riders = [f"{jaw} teeth", f"{jaw} gums", *(["tongue"] if tongue_rides and jaw == "lower" else [])]
                for part in riders:
                    arm = neutral[part] - place[band].mean(axis=0)
                    moved[part] = arm @ (turn - np.eye(3)).T + target[band].mean(axis=0)
        return np.concatenate([moved[part] for part in PARTS])

    def with_lids_that_meet(self, place: Floats, deltas: Mapping[str, Floats]) -> dict[str, Floats]:
        """The offsets of shapes by name, in which those that close an eye do so at 1. Both sides stay mirror images."""
        found, count = dict(deltas), len(self.skin)
        skin, ball = place[self.skin], best_ball(place[self.eye_helpers["left eye"]])
        opening = EyeOpening.of(skin, self.pieces["head"].quads, *ball)
        other = np.searchsorted(self.skin, self.source.mirror[self.skin])  # (count,) each vertex's partner
        for left, right in _CLOSING.items():
            if left in deltas:
                met = meeting_at_one(opening, skin, deltas[left][:count])
                found[left] = np.concatenate([met, deltas[left][count:]])
                found[right] = np.concatenate([met[other] * [-1.0, 1.0, 1.0], deltas[right][count:]])
        return found

    def origin(self, place: Floats) -> Floats:
        """The point midway between the eyeballs' middles."""
        return np.asarray(np.mean([best_ball(place[helper])[0] for helper in self.eye_helpers.values()], axis=0))

    def mesh(self) -> Piece:
        """All parts in one."""
        starts = self._starts()
        uv_starts = np.cumsum([0, *(len(piece.uvs) for piece in self.pieces.values())])
        pieces = list(self.pieces.values())
        return Piece(
            np.concatenate([piece.quads + start for piece, start in zip(pieces, starts, strict=False)]),
            np.concatenate([piece.uvs for piece in pieces]),
            np.concatenate([piece.uv_quads + start for piece, start in zip(pieces, uv_starts, strict=False)]),
        )

    def _starts(self) -> Ints:
        return np.cumsum([0, *(piece.vertex_count for piece in self.pieces.values())])

    def part_starts(self) -> Ints:
        """First vertex of each part, and the number of all."""
        return self._starts()


_COLUMNS = {"upper": teeth.columns(teeth.UPPER), "lower": teeth.columns(teeth.LOWER)}


def _taken(source: Source, faces: Ints) -> tuple[Ints, Piece]:
    """Vertices of some faces of the base mesh, and the faces over them."""
    vertices, quads = np.unique(source.quads[faces], return_inverse=True)
    uvs, uv_quads = np.unique(source.uv_quads[faces], return_inverse=True)
    return vertices, Piece(quads.reshape(-1, 4), source.uvs[uvs], uv_quads.reshape(-1, 4))


def _band(source: Source, group: str) -> Ints:
    return band_grid(source.quads[source.faces_of(group)], source.rest)
