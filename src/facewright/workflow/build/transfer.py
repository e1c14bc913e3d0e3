"""A plan carried out without its poses: the template's shapes on the neutral."""

from __future__ import annotations

from collections.abc import Mapping

from facewright.build.deformation_transfer import DeformationTransfer
from facewright.document import Document
from facewright.workflow.build.base import base_of
from facewright.workflow.build.plan import BuildPlan, with_neutral_materials


def transferred(plan: BuildPlan, *, closing: Mapping[str, str | None] | None = None) -> Document:
    """The rig of a plan that is ready, with the materials of the neutral's file.

    closing: as for `facewright.transfer`; where the plan was registered, the same as then.
    """
    if plan.registered is not None and plan.registered.carried is not None:
        return with_neutral_materials(plan, plan.registered.carried)
    base = base_of(plan)
    made = DeformationTransfer(base.template, base.rest, closing=closing).transferred
    return with_neutral_materials(plan, made)
