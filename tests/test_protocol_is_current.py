"""The page's types are those of the protocol."""

import subprocess
import sys
from pathlib import Path

GENERATOR = Path(__file__).resolve().parents[1] / "tools" / "generate_protocol.py"


def test_the_generated_typescript_is_current() -> None:
    run = subprocess.run([sys.executable, str(GENERATOR), "--check"], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
