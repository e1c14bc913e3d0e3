"""Every module can be imported on every system: what only some of them have is imported where it is used."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
NOT_EVERYWHERE = {"fcntl", "grp", "msvcrt", "posix", "pty", "pwd", "resource", "termios", "tty", "winreg"}


def imported_at_once(source: str) -> set[str]:
    """The first words of modules that are imported when the module itself is, not when a function runs."""
    found, waiting = set(), list(ast.parse(source).body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            found.add(node.module.partition(".")[0])
        elif not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            waiting += [each for each in ast.iter_child_nodes(node) if isinstance(each, ast.stmt)]
    return found


def test_what_a_function_imports_waits_until_it_runs() -> None:
    source = (
        "import json\nclass A:\n    import pty\n    def f(self):\n        import fcntl\nif x:\n    from tty import y\n"
    )
    assert imported_at_once(source) == {"json", "pty", "tty"}


@pytest.mark.parametrize("folder", ["src", "tests", "tools", "bench", "examples"])
def test_no_module_needs_a_system_to_be_imported(folder: str) -> None:
    files = sorted((ROOT / folder).rglob("*.py"))
    assert files
    needing = {
        str(file.relative_to(ROOT)): found
        for file in files
        if (found := imported_at_once(file.read_text("utf8")) & NOT_EVERYWHERE)
    }
    assert not needing, needing
