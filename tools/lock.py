"""python tools/lock.py: write the newest versions that pyproject.toml allows into requirements.lock."""

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def main() -> None:
    """Let pip resolve the package with everything for development, installing nothing."""
    options = ["--dry-run", "--ignore-installed", "--quiet", "--disable-pip-version-check", "--report", "-"]
    command = [sys.executable, "-m", "pip", "install", *options, "--editable", ".[dev]"]
    report = json.loads(subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout)
    found = {item["metadata"]["name"]: item["metadata"]["version"] for item in report["install"]}
    del found["facewright"]
    lines = [f"{name}=={version}\n" for name, version in sorted(found.items(), key=lambda item: item[0].lower())]
    (ROOT / "requirements.lock").write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
