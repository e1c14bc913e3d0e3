"""What `facewright build` and `facewright transfer` are given: a template, the face to rig, how to register them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer

from facewright.build.transfer import TopologyChoice
from facewright.build.upright import UpAxis, find_uprighting
from facewright.cli.screen import plain, screen
from facewright.document import Document
from facewright.workflow.build.plan import BuildPlan, GivenFace, Mesh, with_neutral
from facewright.workflow.build.register import ready_plan
from facewright.workflow.open import Landmarks, open_as, open_face

Template = Annotated[str, typer.Argument(help="A rig with the shapes to make, or `sample`: the embedded head's 52.")]
Neutral = Annotated[Path, typer.Argument(help="The face to rig, of any topology, or a scan.")]
Neutrals = Annotated[
    list[Path] | None,
    typer.Argument(help="The face to rig, of any topology, or a scan; {take} is the name of each of several."),
]
Output = Annotated[Path, typer.Option("-o", "--output", help="The rig to write, such as rig.glb.")]
LandmarkFile = Annotated[
    Path | None, typer.Option(help='For another topology: {"pairs": [[12, 340], ...]}; default found.')
]
Topology = Annotated[
    TopologyChoice, typer.Option(help="Whose polygons the rig has where they differ; auto: the template's for a scan.")
]
Up = Annotated[
    UpAxis, typer.Option(help="The axis that is up in the neutral's file and the poses'; auto: as its landmarks say.")
]
_MESH: dict[TopologyChoice, Mesh] = {"auto": "auto", "target": "own", "template": "template"}


def plan_from(template: str, neutral: Path, topology: TopologyChoice, up: UpAxis) -> BuildPlan:
    """The plan of a build from files, without poses; what lays the neutral upright is printed."""
    source, face = open_face(template).rig, open_as(neutral, Document)
    found = find_uprighting(source, face.rig, up)
    if found.words:
        hint = "; --up y leaves it as it is" if up == "auto" else ""
        screen(stderr=True).print(plain(f"{found.words}{hint}"), soft_wrap=True)
    plan = BuildPlan(GivenFace(template, source), mesh=_MESH[topology])
    return with_neutral(plan, GivenFace(neutral.name, face.rig, document=face), found)


def registered(
    plan: BuildPlan, landmarks: Path | None, *, closing: Mapping[str, str | None] | None = None
) -> BuildPlan:
    """The plan with its template registered to the neutral where that is needed, and what was done for it printed."""
    pairs = None if landmarks is None else open_as(landmarks, Landmarks).pairs
    ready = ready_plan(plan, pairs, closing=closing)
    for line in ready.words:
        screen(stderr=True).print(plain(line), soft_wrap=True)
    return ready.plan
