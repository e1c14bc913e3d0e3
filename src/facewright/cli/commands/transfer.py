"""Put all shapes of a template onto another face."""

from __future__ import annotations

from typing import Annotated

import typer

from facewright.build.contact import closing_shapes
from facewright.cli.build_inputs import LandmarkFile, Neutral, Output, Template, Topology, Up, plan_from, registered
from facewright.cli.outputs import check_outputs
from facewright.cli.saving import save_and_tell
from facewright.formats.registry import format_of
from facewright.workflow.build.transfer import transferred


def transfer(
    template: Template,
    neutral: Neutral,
    out: Output,
    closed: Annotated[
        bool, typer.Option("--closed/--not-closed", help="Keep lids and lips touching that touch in the template.")
    ] = True,
    landmarks: LandmarkFile = None,
    topology: Topology = "auto",
    up: Up = "auto",
) -> None:
    """Put all shapes of a template onto another face. One of another topology is registered first."""
    format_of(out)  # before the work, not after it
    check_outputs([out], [template, neutral, landmarks])
    plan = plan_from(template, neutral, topology, up)
    closing = closing_shapes(plan.template.rig) if closed else {}
    made = transferred(registered(plan, landmarks, closing=closing), closing=closing)
    save_and_tell(made, out, f"; closed: {', '.join(closing)}" if closing else "")
