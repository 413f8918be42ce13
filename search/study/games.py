"""Positions of finished games as arrays: the output of self-play and the input of training."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from io import BytesIO
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from reasoner.arrays import Bytes, Ints, Singles

Numbers = NDArray[np.int64]

MAX_MOVES = 1 << 16
"""Maximum number of moves of a role, because their numbers are stored in two bytes."""


@dataclass(frozen=True, eq=False)
class Shares:
    """Sparse matrix of P positions and the moves of one role, with the shares that the search gave to legal moves.

    The moves of position p are the entries ``starts[p]`` to ``starts[p + 1] - 1``; none if the role had no choice.
    """

    starts: Numbers  # [P + 1]
    moves: NDArray[np.uint16]  # [E]
    shares: NDArray[np.float16]  # [E]

    def __len__(self) -> int:
        """Return the number of positions."""
        return len(self.starts) - 1

    def fits(self, positions: int, moves: int) -> bool:
        """Whether the arrays fit together, and so many positions and moves."""
        starts, shape = self.starts, self.moves.shape
        return (
            (starts.dtype.name, self.moves.dtype.name, self.shares.dtype.name) == ("int64", "uint16", "float16")
            and starts.shape == (positions + 1,)
            and len(shape) == 1
            and shape == self.shares.shape
            and bool(starts[0] == 0 and starts[-1] == shape[0] and (np.diff(starts) >= 0).all())
            and bool((self.moves < moves).all() and np.isfinite(self.shares).all())
        )

    def take(self, rows: Numbers) -> Shares:
        """Return the shares of some positions."""
        counts = self.starts[rows + 1] - self.starts[rows]
        starts = np.concatenate(([0], np.cumsum(counts)))
        places = np.arange(starts[-1]) + np.repeat(self.starts[rows] - starts[:-1], counts)
        return Shares(starts, self.moves[places], self.shares[places])

    def rows(self) -> Numbers:
        """Return the number of the position of each entry.  # [E]."""
        return np.repeat(np.arange(len(self)), np.diff(self.starts))


def joined_shares(parts: Sequence[Shares]) -> Shares:
    """Concatenate the shares of several sets of positions."""
    ends = np.cumsum([0, *(len(part.moves) for part in parts)])
    starts = [part.starts[:-1] + end for part, end in zip(parts, ends, strict=False)]
    return Shares(
        np.concatenate([*starts, ends[-1:]]),
        np.concatenate([part.moves for part in parts]),
        np.concatenate([part.shares for part in parts]),
    )


@dataclass(frozen=True, eq=False)
class Games:
    """P positions of games with R roles. Values are goals scaled to 0..1; moves are numbered as in a `Vocabulary`."""

    observations: Bytes  # [P, bytes] one bit per fact, most significant bit first
    policies: tuple[Shares, ...]  # R
    values: Singles  # [P, R] values that the search expected
    results: Singles  # [P, R] the result of the game
    game: Ints  # [P] the number of the game
    ply: Ints  # [P] number of joint moves made before the position

    def __len__(self) -> int:
        """Return the number of positions."""
        return len(self.game)

    @property
    def count(self) -> int:
        """The number of games."""
        return len(np.unique(self.game))

    def fits(self, bytes_: int, moves: Sequence[int]) -> bool:
        """Whether the arrays fit together, and a game with observations of so many bytes and so many moves of roles."""
        count, roles = len(self.ply), len(moves)
        numbers = np.issubdtype(self.game.dtype, np.integer) and np.issubdtype(self.ply.dtype, np.integer)
        shapes = (self.game.shape, self.ply.shape, self.observations.shape, self.values.shape, self.results.shape)
        return (
            numbers
            and shapes == ((count,), (count,), (count, bytes_), (count, roles), (count, roles))
            and [array.dtype.name for array in (self.observations, self.values, self.results)]
            == ["uint8", "float32", "float32"]
            and bool(np.isfinite(self.values).all() and np.isfinite(self.results).all())
            and all(own.fits(count, known) for own, known in zip(self.policies, moves, strict=True))
        )

    def mixed(self, mix: float) -> Games:
        """Return the positions with results replaced by `mix` * values + (1 - `mix`) * results."""
        return replace(self, results=(1 - mix) * self.results + mix * self.values)

    def take(self, rows: Numbers) -> Games:
        """Return some of the positions."""
        return Games(
            self.observations[rows],
            tuple(own.take(rows) for own in self.policies),
            self.values[rows],
            self.results[rows],
            self.game[rows],
            self.ply[rows],
        )

    def to_bytes(self) -> bytes:
        """Serialize as an archive of arrays."""
        file = BytesIO()
        arrays = {name: getattr(self, name) for name in ("observations", "values", "results", "game", "ply")}
        for role, own in enumerate(self.policies):
            arrays |= {f"starts{role}": own.starts, f"moves{role}": own.moves, f"shares{role}": own.shares}
        np.savez(file, **arrays)
        return file.getvalue()


def games_from_bytes(data: bytes) -> Games:
    """Read the output of `Games.to_bytes`. Raises ValueError on anything else."""
    try:
        with np.load(BytesIO(data), allow_pickle=False) as arrays:
            (_, roles) = arrays["values"].shape
            policies = tuple(
                Shares(*(arrays[f"{name}{r}"] for name in ("starts", "moves", "shares"))) for r in range(roles)
            )
            return Games(
                arrays["observations"], policies, arrays["values"], arrays["results"], arrays["game"], arrays["ply"]
            )
    except (KeyError, OSError, EOFError, TypeError, RuntimeError, BadZipFile) as error:
        # RuntimeError: wrong flags in the zip; TypeError: not a zip, but a single array
        raise ValueError(f"not an archive of game positions: {error}") from error


def joined(parts: Sequence[Games]) -> Games:
    """Concatenate games."""
    return Games(
        np.concatenate([part.observations for part in parts]),
        tuple(joined_shares(own) for own in zip(*(part.policies for part in parts), strict=True)),
        np.concatenate([part.values for part in parts]),
        np.concatenate([part.results for part in parts]),
        np.concatenate([part.game for part in parts]),
        np.concatenate([part.ply for part in parts]),
    )
