"""What each message about regions does: a label for the history, and a command."""

from __future__ import annotations

from facewright.session.commands import regions
from facewright.session.session import Command
from facewright.studio import region_messages as r
from facewright.workflow.solver_cache import SolverCache


def region_edit(message: r.RegionEdit, solvers: SolverCache) -> tuple[str, Command]:
    """The label and the command of a message about regions."""
    match message:
        case r.FindRegions():
            return "find regions", lambda d: regions.find_regions(d, message.threshold)
        case r.RemoveRegions():
            return "remove regions", regions.remove_regions
        case r.RenameRegion():
            return f"rename region to {message.name}", lambda d: regions.rename_region(d, message.region, message.name)
        case r.MergeRegion():
            label = f"merge {message.region} with {message.other}"
            return label, lambda d: regions.merge_region(d, message.region, message.other)
        case r.SplitRegion():
            return f"split {message.region}", lambda d: regions.split_in_two(d, message.region, solvers)
        case r.PaintRegion():
            label = f"{'paint' if message.mode == 'add' else 'erase'} {message.region}"
            return label, lambda d: regions.paint(d, message.region, message.vertices, message.mode)
