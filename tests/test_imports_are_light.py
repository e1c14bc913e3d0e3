"""`import facewright` loads numpy, scipy, daqp and msgspec, and nothing else from outside the standard library."""

import subprocess
import sys

ALLOWED = {"facewright", "numpy", "scipy", "daqp", "msgspec"}
SCRIPT = """
import sys
before = set(sys.modules)
import facewright
for name in sorted({module.split(".")[0] for module in set(sys.modules) - before}):
    module = sys.modules.get(name)
    if name not in sys.stdlib_module_names and getattr(module, "__file__", None):
        print(name)
"""


def test_importing_the_library_loads_only_its_four_dependencies() -> None:
    shown = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=True).stdout.split()
    outside = {name for name in shown if not name.startswith(("_", "__editable__"))}
    assert "numpy" in outside
    assert outside <= ALLOWED, f"also loaded: {sorted(outside - ALLOWED)}"
