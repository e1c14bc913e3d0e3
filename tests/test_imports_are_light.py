"""Using facewright's names loads numpy, scipy, daqp and msgspec, and nothing else from outside the standard library."""

import ast
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import facewright

ALLOWED = {"facewright", "numpy", "scipy", "daqp", "msgspec"}
# numpy.f2py, which scipy loads, imports charset_normalizer where some other package has brought it along.
SCRIPT = """
import sys
sys.modules["charset_normalizer"] = None
before = set(sys.modules)
import facewright
for name in facewright.__all__:
    getattr(facewright, name)
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


def test_a_name_is_loaded_when_it_is_first_asked_for() -> None:
    script = (
        "import facewright, sys; print('numpy' in sys.modules, callable(facewright.evaluate), 'numpy' in sys.modules)"
    )
    shown = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout.split()
    assert shown == ["False", "True", "True"]


def test_public_names_are_those_that_type_checkers_see() -> None:
    checked = next(node for node in ast.parse(Path(facewright.__file__).read_text()).body if isinstance(node, ast.If))
    whole = {
        str(alias.asname): alias.name for node in checked.body if isinstance(node, ast.Import) for alias in node.names
    }
    imports = [node for node in checked.body if isinstance(node, ast.ImportFrom)]
    seen = {(node.module, alias.name) for node in imports for alias in node.names}
    assert seen == {(module, name) for module, names in facewright._HOMES.items() for name in names}  # type: ignore[attr-defined]
    assert whole == facewright._MODULES  # type: ignore[attr-defined]
    assert sorted(facewright.__all__) == sorted([*whole, *(name for _, name in seen)])
    for module, name in seen:
        assert module is not None
        assert getattr(facewright, name) is getattr(import_module(module), name)
    for name, home in whole.items():
        assert getattr(facewright, name) is import_module(home)
    assert set(facewright.__all__) <= set(dir(facewright))
    with pytest.raises(AttributeError, match="no attribute 'smile'"):
        _ = facewright.smile  # type: ignore[attr-defined]
