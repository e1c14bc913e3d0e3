"""Poses in a folder keep to it: names are made harmless, and what is no pose is said and left alone."""

from pathlib import Path

import pytest

from facewright.errors import BadFile, BadValue, UnknownName
from facewright.rig.library_pose import LibraryPose
from facewright.workflow.pose_folder import PoseFolder

PICTURE = b"\x89PNG\r\n\x1a\nrest"


def test_poses_are_written_listed_replaced_and_deleted(tmp_path: Path) -> None:
    folder = PoseFolder(tmp_path / "new" / "poses")
    assert folder.listing().poses == ()
    assert folder.save(LibraryPose("smile", {"jaw": 0.5}, ("happy",)), PICTURE) == "smile"
    assert folder.save(LibraryPose("smile", {"jaw": 0.75})) == "smile"
    assert folder.save(LibraryPose("Blink", {"lid": 1})) == "Blink"
    listed = folder.listing()
    assert [(one.file, one.pose.name, one.has_picture) for one in listed.poses] == [
        ("Blink", "Blink", False),
        ("smile", "smile", True),
    ]
    assert folder.load("smile").weights == {"jaw": 0.75}
    assert folder.picture("smile") == PICTURE
    folder.delete("smile")
    assert sorted(path.name for path in folder.path.iterdir()) == ["Blink.json"]


@pytest.mark.parametrize(
    ("name", "file"),
    [("../../etc/passwd", "etc-passwd"), ("a/b\\c:d", "a-b-c-d"), ("..", "pose"), ("con", "con-"), ("é ü", "é ü")],
)
def test_names_of_poses_make_no_paths(name: str, file: str, tmp_path: Path) -> None:
    folder = PoseFolder(tmp_path / "poses")
    assert folder.save(LibraryPose(name, {"jaw": 1})) == file
    assert [path.name for path in tmp_path.iterdir()] == ["poses"]
    assert folder.load(name).name == name
    assert folder.load(file).weights == {"jaw": 1}


def test_two_names_of_one_file_become_two_files(tmp_path: Path) -> None:
    folder = PoseFolder(tmp_path)
    assert [folder.save(LibraryPose(name, {"jaw": 1})) for name in ("a/b", "a:b", "a/b")] == ["a-b", "a-b 2", "a-b"]


def test_what_is_no_pose_is_said_and_left_alone(tmp_path: Path) -> None:
    (tmp_path / "bad.json").write_text("no json")
    (tmp_path / "large.json").write_bytes(b" " * (2 << 20))
    (tmp_path / "plain.json").write_text('{"jaw": 0.5}')
    (tmp_path / "plain.png").write_text("no picture")
    folder = PoseFolder(tmp_path)
    listed = folder.listing()
    assert [one.pose.name for one in listed.poses] == ["plain"]
    assert [words.split(":")[0] for words in listed.refused] == ["bad.json", "large.json"]
    with pytest.raises(BadFile, match="no PNG"):
        folder.picture("plain")
    with pytest.raises(BadValue, match="without a path"):
        folder.delete("../plain")
    with pytest.raises(UnknownName, match="plain"):
        folder.load("plane")
    with pytest.raises(BadValue, match="PNG"):
        folder.save(LibraryPose("a", {}), b"GIF")
