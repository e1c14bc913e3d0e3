"""Writing files: through links, and never over what is no ordinary file; errors name the file that was meant."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from facewright.errors import BadValue
from facewright.formats.files import digest, replacing, write_atomically


def test_what_a_link_leads_to_is_written_and_the_link_stays(tmp_path: Path) -> None:
    (tmp_path / "below").mkdir()
    kept = tmp_path / "below" / "kept.csv"
    kept.write_bytes(b"old")
    (tmp_path / "one.csv").symlink_to("two.csv")
    (tmp_path / "two.csv").symlink_to(Path("below", "kept.csv"))
    write_atomically(tmp_path / "one.csv", b"new")
    assert (tmp_path / "one.csv").is_symlink()
    assert (tmp_path / "two.csv").is_symlink()
    assert kept.read_bytes() == b"new"
    assert [path.name for path in (tmp_path / "below").iterdir()] == ["kept.csv"]


def test_a_link_that_leads_to_nothing_makes_the_file_it_leads_to(tmp_path: Path) -> None:
    (tmp_path / "link.csv").symlink_to("new.csv")
    write_atomically(tmp_path / "link.csv", b"new")
    assert (tmp_path / "link.csv").is_symlink()
    assert (tmp_path / "new.csv").read_bytes() == b"new"


def test_a_failure_leaves_the_file_behind_a_link_as_it_was(tmp_path: Path) -> None:
    (tmp_path / "kept.csv").write_bytes(b"old")
    (tmp_path / "link.csv").symlink_to("kept.csv")
    with pytest.raises(TypeError), replacing(tmp_path / "link.csv") as file:
        file.writelines([b"half", None])  # type: ignore[list-item]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["kept.csv", "link.csv"]
    assert (tmp_path / "kept.csv").read_bytes() == b"old"


@pytest.mark.skipif(os.name != "posix", reason="Windows has no such pipes")
def test_a_folder_and_a_pipe_are_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "folder.csv").mkdir()
    os.mkfifo(tmp_path / "pipe.csv")
    for name in ("folder.csv", "pipe.csv"):
        with pytest.raises(BadValue, match=f"{name} is no ordinary file"):
            write_atomically(tmp_path / name, b"new")
    assert (tmp_path / "pipe.csv").is_fifo()


def test_an_error_of_the_system_names_the_file_that_was_meant(tmp_path: Path) -> None:
    long = tmp_path / f"{'x' * 300}.csv"
    with pytest.raises(OSError, match=r"xxx\.csv") as found:
        write_atomically(long, b"new")
    assert found.value.filename == str(long)


def test_a_digest_tells_contents_apart(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"one")
    (tmp_path / "b").write_bytes(b"two")
    (tmp_path / "c").write_bytes(b"one")
    assert digest(tmp_path / "a") == digest(tmp_path / "c") != digest(tmp_path / "b")
    assert digest(tmp_path / "none") == ""


@pytest.mark.skipif(os.name != "posix", reason="Windows locks no files that way")
def test_what_a_killed_save_left_is_written_into_again(tmp_path: Path) -> None:
    save = (
        "import os, sys; from pathlib import Path; from facewright.formats.files import replacing\n"
        "with replacing(Path(sys.argv[1])) as file:\n"
        "    file.write(bytes(100_000)); file.flush(); os.kill(os.getpid(), 9)\n"
    )
    path = tmp_path / "face.csv"
    for _ in range(3):
        assert subprocess.run([sys.executable, "-c", save, path], check=False).returncode == -9
        assert os.listdir(tmp_path) == [".face.csv.unfinished"]
    write_atomically(path, b"whole")
    assert os.listdir(tmp_path) == ["face.csv"]
    assert path.read_bytes() == b"whole"


def test_two_saves_at_once_are_both_whole(tmp_path: Path) -> None:
    path = tmp_path / "face.csv"
    with replacing(path) as first:
        first.write(b"first")
        with replacing(path) as second:
            second.write(b"the second, which ends before the first")
        assert path.read_bytes() == b"the second, which ends before the first"
    assert path.read_bytes() == b"first"
    assert os.listdir(tmp_path) == ["face.csv"]


@pytest.mark.skipif(os.name != "posix", reason="Windows has no such links")
@pytest.mark.parametrize("link", [os.symlink, os.link])
def test_a_link_in_the_place_of_the_unfinished_file_is_not_written_through(
    tmp_path: Path, link: Callable[[Path, Path], None]
) -> None:
    other = tmp_path / "other"
    other.write_bytes(b"of somebody")
    link(other, tmp_path / ".face.csv.unfinished")
    write_atomically(tmp_path / "face.csv", b"new")
    assert other.read_bytes() == b"of somebody"
    assert (tmp_path / "face.csv").read_bytes() == b"new"
