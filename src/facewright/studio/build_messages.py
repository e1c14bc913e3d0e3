"""What the page and the server say about a rig that is built from examples.

It is no part of the document: what is decided here can be undone here, and leaves the document alone.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from facewright.studio.message import FromPage, Index, Label, Name, Number, ToPage

# From the page ------------------------------------------------------------------------------------------------------


class ChooseTemplate(FromPage, kw_only=True):
    """The rig whose shapes to make: the embedded head, or the face that is open."""

    source: Literal["sample", "open"]


class RemoveNeutral(FromPage, kw_only=True):
    """No face to rig; poses stay."""


class RemovePoses(FromPage, kw_only=True):
    """Take poses away."""

    poses: list[Name]


class GuessPose(FromPage, kw_only=True):
    """Which sliders make a pose, and about how much: null for one that has no part in it, others stay.

    null for all of them: let the pose be guessed by what the face does.
    """

    pose: Name
    weights: dict[str, Number | None] | None


class FitPose(FromPage, kw_only=True):
    """Turn, move and scale a pose onto the neutral, or take it as it is."""

    pose: Name
    fitted: bool


class AddMissing(FromPage, kw_only=True):
    """Give the rig the shape that a pose out of reach lacks, or not."""

    pose: Name
    added: bool


class TrustExamples(FromPage, kw_only=True):
    """From 0, trust the template, to 1, trust the examples."""

    trust: Annotated[float, Meta(ge=0, le=1)]


class PointPair(Struct, forbid_unknown_fields=True):
    """A vertex of the template and one of the neutral that belong together."""

    source: Index
    target: Index
    name: Label = ""


class PairPoints(FromPage, kw_only=True):
    """All points that belong together, for laying the template onto a neutral of another topology."""

    pairs: list[PointPair]


class ChooseMesh(FromPage, kw_only=True):
    """Whose polygons the rig gets where they differ; auto: the neutral's own, the template's for scans."""

    mesh: Literal["auto", "own", "template"]


class ProposePairs(FromPage, kw_only=True):
    """Let pairs be found."""


class LayTemplate(FromPage, kw_only=True):
    """Lay the template onto the neutral by the pairs."""


class SolveBuild(FromPage, kw_only=True):
    """Build the rig now."""


class SolveAlong(FromPage, kw_only=True):
    """Whether to solve by itself after each change."""

    on: bool


class StopBuild(FromPage, kw_only=True):
    """Stop, and keep the last whole iteration."""


class UndoBuild(FromPage, kw_only=True):
    """Take the last decision about the build back."""


class RedoBuild(FromPage, kw_only=True):
    """Do it again."""


class ClearBuild(FromPage, kw_only=True):
    """Begin anew with the embedded head."""


class OpenBuilt(FromPage, kw_only=True):
    """Open the rig that was built: as a document of its own, or (keep) under the open pose and clips."""

    how: Literal["new", "keep"] = "new"


BuildWish = (
    ChooseTemplate | RemoveNeutral | RemovePoses | GuessPose | FitPose | AddMissing | TrustExamples | PairPoints
    | ChooseMesh | ProposePairs | LayTemplate | SolveBuild | SolveAlong | StopBuild | UndoBuild | RedoBuild | ClearBuild
)  # fmt: skip
BuildMessage = BuildWish | OpenBuilt

# To the page --------------------------------------------------------------------------------------------------------


class BuildSlider(Struct):
    """A slider of the template."""

    name: str
    low: float
    high: float
    group: str


class BuildFace(Struct):
    """A face of the build. Its mesh is at `GET /api/build/face/{id}`."""

    id: str
    name: str
    vertices: int
    parts: list[str]  # their names; a range of triangles says which is its own


class LaidInfo(Struct):
    """How the template lies on the neutral."""

    own: bool  # the rig has the neutral's own polygons, not the template's
    verdict: str
    good: bool
    current: bool  # laid by the pairs that there are


class MetInfo(Struct):
    """A pose beside the rig's own version of it. Lengths are scene units of the neutral."""

    weights: dict[str, float]  # solved
    relative: float  # what is left of the pose's motion, as a share
    typical: float  # root mean square distance
    worst: float
    reached: bool
    missing: str  # name of a shape that the template lacks, "" where it lacks none
    gain: float  # share of what the pose lacks that this shape makes
    added: bool  # the rig has it


class BuildPose(Struct):
    """An example."""

    name: str
    vertices: int
    guess: dict[str, float] | None  # null: not guessed yet
    fitted: bool
    hurdle: str  # why it takes no part, "" where it does
    fits: bool  # fitting it would help
    view: str  # `GET /api/build/pose/{view}` and `GET /api/build/picture/{view}`; "" where there is nothing to see
    met: MetInfo | None


class BuiltInfo(Struct):
    """The rig as it was last solved."""

    shapes: int
    iterations: int
    finished: bool  # False: stopped early
    error: float  # what is left of the motion of all poses within reach, as a share
    seconds: float
    current: bool  # of what is decided now


class Build(ToPage):
    """All about the build; sent whole, whenever anything of it is different."""

    template: BuildFace
    source: str  # of the template: sample or open
    sliders: list[BuildSlider]  # of the template
    neutral: BuildFace | None
    rest: BuildFace | None  # the neutral as it is rigged
    size: float  # of that, scene units
    hurdle: str  # why nothing can be built, "" where something can
    other_topology: bool  # the template has to be laid onto the neutral first
    pairs: list[PointPair]
    proposed: bool  # the pairs were found by the program
    laid: LaidInfo | None
    mesh: str  # whose polygons the rig should get: auto, own, template
    notes: list[str]
    poses: list[BuildPose]
    trust: float
    along: bool  # it solves by itself after each change
    quick: bool  # it is small enough for that
    built: BuiltInfo | None
    doing: str  # checking, laying, solving, or "" (nothing)
    undo: str  # what would be taken back, "" where there is nothing
    redo: str


class BuildProgress(ToPage):
    """How far it is."""

    step: int
    steps: int
    error: float  # what is left, as a share: of the poses' motion, or of the face's size


BuildNews = Build | BuildProgress
