"""Positions of games as arrays: what is taken, joined and written is what was there."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from io import BytesIO

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from search.study.games import Games, Shares, games_from_bytes, joined, joined_shares

matrices = st.integers(0, 2**32).map(
    lambda seed: np.random.default_rng(seed).integers(0, 3, np.random.default_rng(seed + 1).integers(1, 7, 2)) / 2
)


def shares_of(shares, chosen):
    """The sparse form of a dense matrix, of which the entries `chosen` are kept.  # both [P, M]."""
    rows, moves = np.nonzero(chosen)
    starts = np.concatenate(([0], np.cumsum(np.bincount(rows, minlength=len(chosen)))))
    return Shares(starts, moves.astype(np.uint16), shares[rows, moves].astype(np.float16))


def dense(shares, moves):
    out = np.zeros((len(shares), moves))
    out[shares.rows(), shares.moves] = shares.shares
    return out


@given(matrices)
def test_the_sparse_form_of_a_matrix_is_the_matrix(matrix):
    assert np.array_equal(dense(shares_of(matrix, matrix > 0), matrix.shape[1]), matrix)


@given(matrices, st.integers(0, 2**32))
def test_rows_taken_are_the_rows(matrix, seed):
    rows = np.random.default_rng(seed).integers(0, len(matrix), 9)
    assert np.array_equal(dense(shares_of(matrix, matrix > 0).take(rows), matrix.shape[1]), matrix[rows])


@given(st.lists(matrices.filter(lambda m: m.shape[1] <= 6), min_size=1, max_size=4))
def test_what_is_joined_stands_one_after_the_other(parts):
    wide = [np.pad(part, ((0, 0), (0, 6 - part.shape[1]))) for part in parts]
    together = joined_shares([shares_of(part, part > 0) for part in wide])
    assert np.array_equal(dense(together, 6), np.concatenate(wide))


def some_games(count=5, seed=0, first=0):
    """Positions with random contents, each a game of its own."""
    rng = np.random.default_rng(seed)
    shares = rng.integers(0, 3, (count, 4)) / 2
    return Games(
        rng.integers(0, 256, (count, 2)).astype(np.uint8),
        (shares_of(shares, shares > 0),),
        rng.random((count, 1)).astype(np.float32),
        rng.random((count, 1)).astype(np.float32),
        np.arange(first, first + count, dtype=np.int32),
        np.zeros(count, np.int32),
    )


def test_games_are_read_as_they_were_written():
    games = joined([some_games(5), some_games(3, seed=1, first=5)])
    again = games_from_bytes(games.to_bytes())
    assert again.count == 8
    for name in ("observations", "values", "results", "game", "ply"):
        assert np.array_equal(getattr(again, name), getattr(games, name))
    assert np.array_equal(dense(again.policies[0], 4), dense(games.policies[0], 4))


def test_bytes_that_are_no_games_are_refused():
    with pytest.raises(ValueError, match="not an archive of game positions"):
        games_from_bytes(b"PK\x03\x04 nothing")


def test_a_single_array_and_values_of_one_role_only_are_refused():
    file = BytesIO()
    np.save(file, np.zeros(3))
    flat = replace(some_games(), values=np.zeros(5, np.float32))
    for data in (file.getvalue(), flat.to_bytes()):
        with pytest.raises(ValueError, match=r"not an archive|not enough values"):
            games_from_bytes(data)


def test_games_fit_only_a_game_with_their_numbers_of_facts_and_moves():
    games = some_games()
    own = games.policies[0]
    assert games.fits(2, [4])
    assert not games.fits(3, [4])
    assert not games.fits(2, [4, 4])
    assert not games.fits(2, [int(own.moves.max())])


@pytest.mark.parametrize("name", ["observations", "values", "results", "game", "ply"])
def test_games_with_an_array_that_is_too_short_or_of_wrong_numbers_do_not_fit(name):
    games = some_games()
    array = getattr(games, name)
    assert not replace(games, **{name: array[:-1]}).fits(2, [4])
    assert not replace(games, **{name: array.astype(np.float64) * np.nan}).fits(2, [4])


@pytest.mark.parametrize("name", ["starts", "moves", "shares"])
def test_shares_with_an_array_that_is_too_short_or_of_wrong_numbers_do_not_fit(name):
    games = some_games()
    array = getattr(games.policies[0], name)
    for wrong in (array[:-1], array[:0], array[::-1] + array.dtype.type(9), array.astype(np.float64)):
        shares = replace(games.policies[0], **{name: wrong})
        fits = replace(games, policies=(shares,)).fits(2, [4])
        assert not fits or name == "shares"  # any finite shares will do
        assert not fits or wrong.shape == array.shape


def test_a_changed_byte_of_an_archive_is_a_value_error_or_changes_no_array():
    """A resumed study skips such a file."""
    games = some_games()
    data = games.to_bytes()
    for place in (*range(40), *range(len(data) - 300, len(data))):  # the first member's header, and the directory
        for bit in (0, 5):
            changed = bytearray(data)
            changed[place] ^= 1 << bit
            with suppress(ValueError):
                assert np.array_equal(games_from_bytes(bytes(changed)).observations, games.observations)
