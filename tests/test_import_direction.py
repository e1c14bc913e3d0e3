"""Imports point down the layers of ARCHITECTURE.md, everywhere, with no exceptions."""

import ast
from pathlib import Path

import facewright

LAYERS = [
    {"errors"}, {"arrays", "options"}, {"solve"}, {"image", "mesh", "motion", "reference"}, {"rig"},
    {"document", "jobs", "terms"}, {"formats", "samples"},
    {"pose", "regions", "capture", "build", "texture", "report"}, {"live", "render", "tracking"},
    {"workflow"}, {"session"}, {"notebook", "studio"}, {"cli"},
]  # fmt: skip
ROOT = Path(facewright.__file__).parent
RANK = {name: rank for rank, names in enumerate(LAYERS) for name in names}


def imported_names(tree: ast.AST) -> set[str]:
    """The facewright modules below the top that a syntax tree imports, also inside functions."""
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return {name.split(".")[1] for name in names if name.startswith("facewright.")}


def wrong_imports(file: Path, tree: ast.AST) -> list[str]:
    home = file.relative_to(ROOT).with_suffix("").parts[0]
    if home == "__init__":
        return []
    assert home in RANK, f"{file.name}: {home} is not in a layer"
    used = imported_names(tree) - {home, "__version__"}
    return [f"{file.relative_to(ROOT)} imports {name}" for name in used if RANK.get(name, 99) >= RANK[home]]


def test_every_import_points_to_a_lower_layer() -> None:
    files = sorted(ROOT.rglob("*.py"))
    assert len(files) > 10
    wrong = [line for file in files for line in wrong_imports(file, ast.parse(file.read_text("utf8")))]
    assert not wrong, "\n".join(wrong)


def test_an_upward_import_inside_a_function_is_seen() -> None:
    tree = ast.parse("def f():\n    from facewright.cli import main\n")
    assert wrong_imports(ROOT / "rig" / "rig.py", tree) == ["rig/rig.py imports cli"]


def test_a_sideways_import_is_seen() -> None:
    tree = ast.parse("import facewright.regions.segment\n")
    assert wrong_imports(ROOT / "pose" / "solver.py", tree) == ["pose/solver.py imports regions"]
