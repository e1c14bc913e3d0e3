"""A system Chromium for playwright: found, or installed where that is allowed."""

import os
import shutil
import subprocess

import pytest

from tests.locked import locked

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
# Software rendering without a sandbox: what works in a container without a graphics card.
FLAGS = [
    "--no-sandbox",
    "--use-gl=angle",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--ignore-gpu-blocklist",
    "--disable-gpu-rasterization",  # of the page about the canvas: the processor paints it faster by itself,
    "--disable-gpu-compositing",  # and puts page and canvas together faster, as Chromium does without a graphics card
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]


def find_chromium() -> str:
    """Its path. Skips in words where there is none and none can be installed; in CI that is a failure."""
    if found := prepared():
        return found
    words = "no Chromium here, and none can be installed without root and apt; the studio's page was not tried"
    if os.environ.get("CI") == "true":
        pytest.fail(words)
    pytest.skip(words)


def prepared() -> str | None:
    """The path of a Chromium that is there, or that can be installed."""
    return installed() or _install()


def installed() -> str | None:
    """The path of a Chromium that is there."""
    return next((path for name in NAMES if (path := shutil.which(name))), None)


def _install() -> str | None:
    """Debian's package, where we may: root, on a machine that is nobody's desktop."""
    if not shutil.which("apt-get") or os.geteuid() != 0:
        return None
    with locked("chromium"):  # the first process installs it, the others wait
        return installed() or _install_package()


def _install_package() -> str | None:
    wait = "-oDPkg::Lock::Timeout=300"
    quiet = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    for command in (["update", "-q"], ["install", "-q", "-y", "--no-install-recommends", "chromium"]):
        subprocess.run(["apt-get", wait, *command], check=False, capture_output=True, env=quiet, timeout=900)
    return installed()


if __name__ == "__main__":  # `make test` does this while it waits for the checks
    prepared()
