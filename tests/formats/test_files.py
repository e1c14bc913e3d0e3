"""Writing files: through links, and never over what is no ordinary file; errors name the file that was meant."""

import os
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
