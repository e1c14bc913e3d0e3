"""Inner products in pieces, against the plain product."""

import numpy as np
import pytest

from facewright.solve.inner_products import inner_products, pieces


@pytest.mark.parametrize("columns", [0, 7, 50_001])
def test_products_are_those_of_whole_rows(columns: int) -> None:
    rng = np.random.default_rng(columns)
    one, other = rng.normal(size=(4, columns)), rng.normal(size=(3, columns))
    np.testing.assert_allclose(inner_products(one, other), one @ other.T, atol=1e-9)
    assert [column for at in pieces(columns) for column in range(columns)[at]] == list(range(columns))
