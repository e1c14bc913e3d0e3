"""What the API reference shows of classes: fields with the comment beside them, and no undescribed attributes."""

import io
import tokenize
from functools import cache
from pathlib import Path
from typing import Any

from griffe import Attribute, Class, Docstring, Extension


class FieldComments(Extension):
    """Fields give their shape and unit in a comment, such as `# (v, 3) scene units`: it becomes their description."""

    def on_attribute_instance(self, *, attr: Attribute, **kwargs: Any) -> None:
        """Take the comment at the end of the attribute's line, unless the attribute has a docstring."""
        if attr.docstring or attr.lineno is None or not isinstance(attr.filepath, Path):
            return
        last = attr.endlineno or attr.lineno
        words = _comments(attr.filepath).get(last, "").rsplit("#", 1)[-1].strip()  # `# type: ignore[...]  # the words`
        if words and not words.startswith(("type:", "noqa")):
            attr.docstring = Docstring(words, lineno=last, endlineno=last, parent=attr)

    def on_class_members(self, *, cls: Class, **kwargs: Any) -> None:
        """Leave out what `__init__` only stores."""
        for name, attribute in list(cls.attributes.items()):
            assigned_only = attribute.annotation is None and "class-attribute" not in attribute.labels
            if assigned_only and not attribute.docstring and "property" not in attribute.labels:
                cls.del_member(name)


@cache
def _comments(path: Path) -> dict[int, str]:
    tokens = tokenize.generate_tokens(io.StringIO(path.read_text(encoding="utf-8")).readline)
    return {token.start[0]: token.string for token in tokens if token.type == tokenize.COMMENT}
