"""Files about the project agree with the package: versions, Python versions, locks, the lists of commands."""

import json
import re
import tomllib
from pathlib import Path

import yaml

import facewright

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def test_the_changelog_has_what_is_unreleased_then_dated_versions_newest_first() -> None:
    headings = re.findall(r"^## (.+)$", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert headings[0] == "Unreleased"
    released = [re.fullmatch(r"(\d+)\.(\d+)\.(\d+) \((\d{4}-\d\d-\d\d)\)", heading) for heading in headings[1:]]
    versions = [tuple(map(int, found.groups()[:3])) for found in released if found]
    assert len(versions) == len(headings) - 1
    assert versions == sorted(versions, reverse=True)
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert f"{cited['version']} ({cited['date-released']})" == headings[1]
    ours = re.fullmatch(r"(\d+)\.(\d+)\.(\d+)(\.dev0)?", facewright.__version__)
    assert ours is not None
    current = tuple(map(int, ours.groups()[:3]))
    assert current > versions[0] if ours[4] else current == versions[0]


def test_the_workflow_tries_every_python_that_the_package_names_on_three_systems() -> None:
    jobs = yaml.safe_load((ROOT / ".github" / "workflows" / "ci.yml").read_text(encoding="utf-8"))["jobs"]
    named = [name.rsplit(" ", 1)[-1] for name in PROJECT["classifiers"] if re.search(r"Python :: 3\.\d+$", name)]
    assert f">={named[0]}" == PROJECT["requires-python"]
    assert jobs["linux"]["strategy"]["matrix"]["python"] == named
    assert jobs["elsewhere"]["strategy"]["matrix"]["python"] == named
    assert jobs["elsewhere"]["strategy"]["matrix"]["system"] == ["macos-latest", "windows-latest"]


def test_locks_pin_versions_and_name_no_address() -> None:
    lines = (ROOT / "requirements.lock").read_text(encoding="utf-8").splitlines()
    assert all(re.fullmatch(r"[A-Za-z0-9._-]+==[A-Za-z0-9.]+", line) for line in lines)
    assert lines == sorted(lines, key=lambda line: line.partition("==")[0].lower())
    for lock in ROOT.glob("web/package-lock.json"):
        packages = json.loads(lock.read_text(encoding="utf-8"))["packages"]
        assert not any("resolved" in package for package in packages.values())


def test_the_oldest_versions_tested_are_the_lowest_ones_allowed() -> None:
    pins = (line.split("==") for line in (ROOT / "requirements-oldest.lock").read_text(encoding="utf-8").split())
    oldest = {name: version.split(".") for name, version in pins}
    floors = {name: floor.split(".") for name, floor in (item.split(">=") for item in PROJECT["dependencies"])}
    assert set(oldest) == set(floors)
    assert {name: oldest[name][: len(floor)] for name, floor in floors.items()} == floors


def test_commands_that_the_documents_name_are_in_the_makefile() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    for page in (*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), ROOT / ".github" / "workflows" / "ci.yml"):
        named = set(re.findall(r"(?:`|run: )make ([a-z-]+)", page.read_text(encoding="utf-8")))
        assert named <= targets, page.name
