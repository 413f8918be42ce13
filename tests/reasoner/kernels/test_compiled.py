"""Kernels are compiled once for numbers that numba computes with alike, and once more for those it does not."""

import numpy as np
import pytest
from numba.core import types
from numba.core.errors import NumbaError

from reasoner.kernels import device_function, device_function_norefcount, kernel, kernel_norefcount


@device_function
def halved(number):
    return number // 2


@kernel
def halves(narrow, wide):
    return halved(narrow[0]) + halved(wide[0]) + halved(-7)


@device_function
def complement(number):
    return ~number


@kernel
def complements(signed, unsigned):
    unsigned[0] = complement(unsigned[0])
    signed[0] = complement(signed[0])


@kernel
def fill(row, part):
    row[:] = part


def test_a_literal_and_all_widths_of_integers_with_a_sign_share_one_compilation():
    assert halves(np.array([-5], np.int32), np.array([1 << 40])) == -3 + (1 << 39) - 4
    for kind in (types.int8, types.int32, types.int64, types.literal(-7)):
        halved.compile((kind,))  # as `halves` has asked, unless it came from the cache
    assert [*halved.overloads] == [(types.int64,)]


def test_integers_without_a_sign_have_their_own():
    signed, unsigned = np.array([1], np.int32), np.array([1], np.uint64)
    complements(signed, unsigned)
    assert signed[0] == -2
    assert unsigned[0] == 2**64 - 2
    for kind in (types.int32, types.uint64):
        complement.compile((kind,))
    assert {*complement.overloads} == {(types.int64,), (types.uint64,)}


def test_an_array_that_does_not_fit_where_it_is_assigned_is_refused():
    row = np.zeros(3)
    fill(row, np.ones(3))
    assert row.tolist() == [1, 1, 1]
    with pytest.raises(ValueError, match="cannot assign slice"):
        fill(row, np.zeros(2))


@device_function_norefcount
def last(row):
    return row[len(row) - 1]


@kernel_norefcount
def lasts(rows):
    total = 0
    for i in range(len(rows)):
        total += last(rows[i])
    return total


@kernel_norefcount
def length_of_a_copy(row):
    return len(row.copy())


def test_one_that_reads_arrays_and_calls_another_computes_what_it_says():
    rows = np.arange(12).reshape(3, 4)
    assert lasts(rows) == 3 + 7 + 11


def test_one_that_makes_an_array_is_refused():
    with pytest.raises(NumbaError, match="NRT"):
        length_of_a_copy(np.arange(3))
