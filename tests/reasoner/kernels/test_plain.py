"""Kernels that count no references: they compute the same, and numba refuses one that makes arrays."""

import numpy as np
import pytest
from numba.core.errors import NumbaError

from reasoner.kernels import plain, subplain


@subplain
def last(row):
    return row[len(row) - 1]


@plain
def lasts(rows):
    total = 0
    for i in range(len(rows)):
        total += last(rows[i])
    return total


@plain
def length_of_a_copy(row):
    return len(row.copy())


def test_one_that_reads_arrays_and_calls_another_computes_what_it_says():
    rows = np.arange(12).reshape(3, 4)
    assert lasts(rows) == 3 + 7 + 11


def test_one_that_makes_an_array_is_refused():
    with pytest.raises(NumbaError, match="NRT"):
        length_of_a_copy(np.arange(3))
