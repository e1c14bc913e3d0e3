"""What a glTF file holds is data of the document: no module outside `formats` opens the file it was read from."""

import ast
from pathlib import Path

import facewright

ROOT = Path(facewright.__file__).parent
GLTF = "facewright.formats.gltf"


def opened(tree: ast.AST) -> list[str]:
    """What a syntax tree does with glTF files: imports of the format, looks into attachments."""
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names if alias.name.startswith(GLTF)]
        elif isinstance(node, ast.ImportFrom):
            found += [name for alias in node.names if (name := f"{node.module}.{alias.name}").startswith(GLTF)]
        elif isinstance(node, ast.Subscript) and isinstance(node.value, ast.Attribute):
            found += ["attachments[...]"] if node.value.attr == "attachments" else []
    return found


def test_no_module_outside_formats_opens_a_gltf_container() -> None:
    files = [file for file in ROOT.rglob("*.py") if file.relative_to(ROOT).parts[0] != "formats"]
    assert len(files) > 100
    wrong = {
        str(file.relative_to(ROOT)): found for file in files if (found := opened(ast.parse(file.read_text("utf8"))))
    }
    assert not wrong


def test_an_import_inside_a_function_and_a_look_into_attachments_are_seen() -> None:
    text = "def f(d):\n    from facewright.formats import gltf\n    return d.attachments['gltf/source.glb']\n"
    assert opened(ast.parse(text)) == ["facewright.formats.gltf", "attachments[...]"]
