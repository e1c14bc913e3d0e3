"""List the poses of a document's library, or of a folder of poses."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from facewright.cli.asked import asked
from facewright.cli.screen import plain, screen
from facewright.cli.streams import face_given
from facewright.errors import BadFile
from facewright.rig.library_pose import LibraryPose
from facewright.workflow.pose_folder import PoseFolder

_SHOWN = 6  # sliders of a pose that are listed on the screen


def poses(
    source: Annotated[Path, typer.Argument(help="A .fwface file with poses, or a folder of pose.json files.")],
    tag: Annotated[str, typer.Option(help="Poses with this tag alone.")] = "",
) -> None:
    """List the poses of a document's library, or of a folder of poses, with their tags and sliders.

    `facewright pose --apply` applies them.
    """
    found, refused = _listed(source)
    console = screen()
    for pose in found:
        if tag and tag not in pose.tags:
            continue
        asked.list("poses", {"name": pose.name, "tags": list(pose.tags), "weights": dict(pose.weights)})
        on = sorted(pose.weights.items(), key=lambda one: -abs(one[1]))
        shown = ", ".join(f"{slider} {value:.3g}" for slider, value in on[:_SHOWN] if value)
        more = f" and {len(on) - _SHOWN} more" if len(on) > _SHOWN else ""
        tags = f" [{', '.join(pose.tags)}]" if pose.tags else ""
        console.print(plain(f"{pose.name}{tags}: {shown or 'all sliders at 0'}{more}"), soft_wrap=True)
    if not found:
        console.print("no poses; the studio's tab Poses keeps them, `facewright pose -o pose.json` writes one")
    for line in refused:
        screen(stderr=True).print(f"[yellow]{plain(line)}[/]", soft_wrap=True)


def _listed(source: Path) -> tuple[list[LibraryPose], tuple[str, ...]]:
    """The poses of a file or folder, and the files that are none."""
    if not source.is_dir():
        return list(face_given(source).poses), ()
    listing = PoseFolder(source).listing()
    if not listing.poses and listing.refused:
        raise BadFile(f"{source}: there is no pose in this folder: {listing.refused[0]}")
    return [one.pose for one in listing.poses], listing.refused
