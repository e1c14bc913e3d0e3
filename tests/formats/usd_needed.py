"""What tests do where usd-core is not installed: they are skipped."""

from importlib.util import find_spec

import pytest

HAS_USD = find_spec("pxr") is not None
NEEDS_USD = pytest.mark.skipif(not HAS_USD, reason="the package usd-core is not here: it is part of the extra usd")
