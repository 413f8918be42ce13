"""Base class of the searches of a whole game: the move to play and the report, from the root statistics."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from reasoner.language.terms import Term
from reasoner.machine import Machine
from search.clock import Clock
from search.errors import NoLegalMoveError
from search.game import SearchedGame
from search.options import SearchOptions
from search.report import Report
from search.root.choice import BestLine, best
from search.root.remote import Elsewhere, RootStats, fitting, root_stats, with_line, with_remote
from search.root.statistics import Legal, Statistics
from search.root.summary import mixed, move_reports, played_first


class Searcher(ABC):
    """A search of one role; see `search.search.Search` for the public methods. A subclass sets `_legal`."""

    _legal: Legal  # moves of all roles at the root

    def __init__(self, machine: Machine, role: int, options: SearchOptions, clock: Clock) -> None:
        self._game = SearchedGame(machine, role)
        self._options = options
        self._clock = clock
        self._seconds = 0.0  # time spent on this position
        self._advances = 0
        self._root_lock: AbstractContextManager[object] = nullcontext()  # held while the root is read
        self.elsewhere: Elsewhere | None = None  # searches of the same position by other processes

    @property
    @abstractmethod
    def solved(self) -> bool:
        """See `search.search.Search.solved`."""

    @abstractmethod
    def _statistics(self) -> Statistics:
        """Return the local statistics of the root."""

    @abstractmethod
    def _variation(self) -> tuple[tuple[Term, ...], ...]:
        """Return the principal variation."""

    @abstractmethod
    def _variations(self) -> tuple[tuple[tuple[Term, ...], ...], ...]:
        """Return the lines of the most visited moves."""

    @abstractmethod
    def _best_line(self) -> BestLine | None:
        """Return the best line of a one-player game from the root, if any."""

    @abstractmethod
    def _counts(self) -> tuple[int, int]:
        """Return the simulations and playouts since the last advance."""

    @abstractmethod
    def _figures(self) -> Mapping[str, Any]:
        """Return the other fields of the report."""

    @property
    def forced(self) -> bool:
        """See `search.search.Search.forced`."""
        return len(self._own) <= 1

    @property
    def _own(self) -> tuple[Term, ...]:
        return self._legal[self._game.role]

    def best(self) -> Term:
        """See `search.search.Search.best`."""
        if not self._own:
            raise NoLegalMoveError(self._game.machine.roles[self._game.role])
        with self._root_lock:
            return self._best(self._found())

    def root_stats(self) -> RootStats:
        """See `search.search.Search.root_stats`."""
        roles = self._game.machine.roles
        with self._root_lock:
            stats = root_stats(self._statistics(), roles, *self._counts())
        line = self._best_line()
        return with_line(stats, line.move, roles[0], line.value) if line is not None else stats

    def report(self) -> Report:
        """See `search.search.Search.report`."""
        others = self._others()
        with self._root_lock:
            found, variation, variations = self._found(), self._variation(), self._variations()
            moves = move_reports(found, self._game.role, self._own)
            if moves:
                moves = played_first(moves, self._best(found), self._best_line())
        simulations, playouts = self._counts()
        return Report(
            simulations=simulations + sum(other.simulations for other in others),
            playouts=playouts + sum(other.playouts for other in others),
            seconds=self._seconds,
            moves=moves,
            principal_variation=variation,
            variations=variations,
            solved=self.solved,
            mixed=mixed(found, self._game.role, self._options.mix_tolerance),
            elsewhere=len(others),
            **self._figures(),
        )

    def _best(self, found: Statistics) -> Term:
        """Return the move to play; deterministic for one position."""
        seed = self._options.seed + self._advances
        return best(found, self._game.role, self._own, self._best_line(), self._options, seed)

    def _found(self) -> Statistics:
        """Return the local and remote statistics of the root."""
        found = self._statistics()
        others = self._others()
        if not others or not all(self._legal):
            return found
        return with_remote(found, others, self._game.machine.roles, self._legal, self._game.chance)

    def _others(self) -> Sequence[RootStats]:
        """Return the latest results of remote searches."""
        return () if self.elsewhere is None else fitting(self.elsewhere.found(), len(self._game.machine.roles))
