"""One word, one meaning: no two classes of the package have the same name."""

import ast
from collections import defaultdict
from pathlib import Path

import facewright

ROOT = Path(facewright.__file__).parent


def test_every_class_has_a_name_of_its_own() -> None:
    homes: dict[str, list[str]] = defaultdict(list)
    for file in sorted(ROOT.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text("utf8"))):
            if isinstance(node, ast.ClassDef):
                homes[node.name].append(str(file.relative_to(ROOT)))
    assert len(homes) > 300
    twice = {name: files for name, files in homes.items() if len(files) > 1}
    assert not twice, twice
