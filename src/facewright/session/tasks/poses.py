"""The library of poses in a folder, which all documents share."""

from __future__ import annotations

from facewright.errors import BadValue
from facewright.session.context import Context
from facewright.session.edits.poses import PoseName
from facewright.session.fields import Name
from facewright.session.tasks.action import Action
from facewright.workflow.pose_folder import PoseFolder, PoseListing


class PoseLibrary:
    """The folder of poses, as it was when it was last looked at."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._seen: PoseListing | None = None

    @property
    def folder(self) -> PoseFolder:
        if self._context.pose_folder is None:
            raise BadValue("this session has no folder of poses")
        return PoseFolder(self._context.pose_folder)

    @property
    def listing(self) -> PoseListing:
        if self._context.pose_folder is None:
            return PoseListing((), ())
        if self._seen is None:
            self._seen = self.folder.listing()
        return self._seen

    def look_again(self) -> None:
        """Read the folder again."""
        self._seen = None


class KeepPoseInFolder(Action, frozen=True, kw_only=True):
    """Write a pose of the document into the folder, with its picture, in place of the one of its name."""

    pose: PoseName

    def run(self, context: Context) -> None:
        from facewright.session.views.poses import pictures

        document, library = context.document.value, context.task(PoseLibrary)
        pose = document.pose_named(self.pose)
        picture = pictures.picture(context, pictures.id(context, pose))
        library.folder.save(pose, picture)
        library.look_again()
        context.say(f"Pose {pose.name} is in {library.folder.path}.")


class DeletePoseInFolder(Action, frozen=True, kw_only=True):
    """Delete a pose of the folder."""

    file: Name

    def run(self, context: Context) -> None:
        library = context.task(PoseLibrary)
        library.folder.delete(self.file)
        library.look_again()


class ReadPoseFolder(Action, frozen=True, kw_only=True):
    """Look into the folder of poses again: another program may have changed it."""

    def run(self, context: Context) -> None:
        library = context.task(PoseLibrary)
        library.look_again()
        for problem in library.listing.refused[:3]:
            context.say(problem)
