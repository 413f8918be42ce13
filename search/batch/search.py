"""Search of many games in lockstep: each simulation steps and evaluates the new positions of all games together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from reasoner.arrays import Bytes, Floats, Ints, Singles
from reasoner.batch import NONE, Batch
from reasoner.machine import Machine, State
from reasoner.rules.chance import is_chance
from search.batch.tree import add_noise, back_up, clear, descend, expand, read_root, trees
from search.errors import OptionsError
from search.game import NO_ROLE

Evaluate = Callable[[Batch], tuple[Sequence[Singles], Singles]]
"""Function that evaluates the positions in a batch: priors of moves, R times [N, M], and values 0..1, [N, R]."""

NO_PRIORS = np.zeros((0, 0), np.float32)


@dataclass(frozen=True, slots=True)
class BatchOptions:
    """Options of a batch search. Raises OptionsError on a number out of its range.

    simulations: descents per game.
    exploration: weight of the PUCT exploration term, against values 0..1.
    playouts:    random games per new position.
    weight:      share of the values of `evaluate`, if given; the rest is that of playouts. At 1 there are no playouts.
    max_steps:   joint moves after which a playout is cut off, with value 0 for every role.
    noise:       share of Dirichlet noise in the priors at the root, 0..1: 0.25 for learning, 0 for playing.
    alpha:       parameter of the Dirichlet noise.
    edges:       average moves per position that memory is allocated for; if memory is full, leaves are not expanded.
    threads:     threads that step games; each steps 512 games at once.
    seed:        seed of playouts, noise and chance moves.
    """

    simulations: int = 100
    exploration: float = 1.5
    playouts: int = 1
    weight: float = 1.0
    max_steps: int = 10_000
    noise: float = 0.0
    alpha: float = 0.3
    edges: int = 64
    threads: int = 1
    seed: int = 0

    def __post_init__(self) -> None:
        """Check the ranges."""
        for name in ("simulations", "playouts", "max_steps", "edges", "threads"):
            if getattr(self, name) < 1:
                raise OptionsError(f"{name} = {getattr(self, name)} is too small: give 1 or more")
        if not 0 <= self.weight <= 1:
            raise OptionsError(f"weight = {self.weight} is out of range: give a number from 0 to 1")
        if not 0 <= self.noise <= 1 or not self.alpha > 0 or not self.exploration >= 0:
            raise OptionsError("noise must be from 0 to 1, alpha more than 0, exploration 0 or more")


@dataclass(frozen=True, eq=False)
class BatchResults:
    """Statistics of the roots of N games, R roles, M moves of a role; values are goals as 0..1."""

    visits: tuple[Ints, ...]  # per role [N, M]: number of simulations that began with the move
    values: tuple[Singles, ...]  # per role [N, M]: their mean value for the role; 0 without visits
    roots: Singles  # [N, R] mean value of all simulations

    def policy(self, role: int, temperature: float = 1.0) -> Floats:
        """Return probabilities of moves in proportion to visits ** (1 / `temperature`); 0 without visits.  # [N, M]."""
        visits = self.visits[role] / self.visits[role].max(axis=1, keepdims=True, initial=1)
        raised = visits ** (1 / temperature)
        shares: Floats = raised / np.maximum(raised.sum(axis=1, keepdims=True), 1e-300)
        return shares

    def best(self, role: int) -> Ints:
        """Return the most visited move of a role in each game; NONE for a role that never has a move.  # [N]."""
        if not self.visits[role].shape[1]:
            return np.full(len(self.visits[role]), NONE, np.int32)
        moves: Ints = self.visits[role].argmax(axis=1).astype(np.int32)
        return moves

    def drawn(self, role: int, rng: np.random.Generator, temperature: float = 1.0) -> Ints:
        """Draw a move of a role in each game from the `policy`; NONE for a role that never has a move.  # [N]."""
        if not self.visits[role].shape[1]:
            return np.full(len(self.visits[role]), NONE, np.int32)
        ends = self.policy(role, temperature).cumsum(axis=1)
        moves: Ints = (ends <= rng.random((len(ends), 1)) * ends[:, -1:]).sum(axis=1).astype(np.int32)
        return moves


class BatchSearch:
    """Search of `games` positions at once, on a machine with a circuit; N games, R roles, M moves per role.

    New positions are evaluated by playouts, `evaluate`, or both (`BatchOptions.weight`). Raises StateError on a machine
    without a circuit.
    """

    def __init__(
        self, machine: Machine, games: int, options: BatchOptions | None = None, evaluate: Evaluate | None = None
    ) -> None:
        self.options = options = options or BatchOptions()
        self._evaluate = evaluate
        self._batch = Batch(machine, games, options.seed, again=False, threads=options.threads)
        lanes = games * options.playouts
        self._playouts = Batch(machine, lanes, options.seed + 1, again=False, threads=options.threads)
        by_chance = [role for role, name in enumerate(machine.roles) if is_chance(name)]
        widest = sum(map(len, self._batch.moves))
        self._trees = trees(
            games=games,
            nodes=options.simulations + 1,
            edges=(options.simulations + 1) * min(options.edges, widest) + widest + 1,
            roles=len(machine.roles),
            state_bytes=self._batch.states.shape[1],
            chance=by_chance[0] if by_chance else NO_ROLE,
            exploration=options.exploration,
        )
        self._random = np.array([options.seed % 2**64], np.uint64)
        self._rng = np.random.default_rng(options.seed)
        self._states = np.zeros_like(self._batch.states, order="C")
        self._actions = np.zeros((games, len(machine.roles)), np.int32)

    def search(self, states: Bytes | Sequence[State]) -> BatchResults:
        """Search from the given positions, one per game: rows of `Batch.states`, or states of the machine."""
        clear(self._trees)
        self._trees.kinds[:, 0] = 0
        self._batch.put(states)
        self._evaluate_leaves()
        if self.options.noise:
            self._add_noise()
        for _ in range(self.options.simulations):
            descend(self._trees, self._random, self._states, self._actions)
            self._batch.put(self._states)
            self._batch.step(self._actions)
            back_up(self._trees, self._evaluate_leaves())
        return self._results()

    def _evaluate_leaves(self) -> Singles:
        """Evaluate the positions in the batch, and expand their nodes.  # [N, R]."""
        batch = self._batch
        priors: Sequence[Singles] = [NO_PRIORS] * len(batch.roles)
        states, ended = np.ascontiguousarray(batch.states), batch.ended.view(np.uint8)
        if self._evaluate is None:
            values = self._played(states)
        else:
            priors, values = self._evaluate(batch)
            self._check(priors, values)
            if self.options.weight < 1:
                played = self._played(states)
                values = played + np.float32(self.options.weight) * (values - played)
        for role, legal in enumerate(batch.legal):
            own = np.ascontiguousarray(priors[role], np.float32)
            expand(self._trees, states, ended, role, legal.view(np.uint8), own)
        exact = np.maximum(batch.goals, 0) / batch.machine.points
        return np.where(batch.ended[:, None], exact, values).astype(np.float32)

    def _check(self, priors: Sequence[Singles], values: Singles) -> None:
        """Raise OptionsError unless `evaluate` has returned arrays of the right shapes: kernels read them unchecked."""
        found = [np.shape(values), *map(np.shape, priors)]
        games, moves = self._batch.games, [*map(len, self._batch.moves)]
        wanted = [(games, len(moves)), *((games, count) for count in moves)]
        if found != wanted:
            raise OptionsError(f"evaluate returned values and priors of the shapes {found}: it must return {wanted}")

    def _played(self, states: Bytes) -> Singles:
        """Return the mean result of playouts from the states.  # [N, R]."""
        playouts = self.options.playouts
        self._playouts.put(np.repeat(states, playouts, axis=0))
        self._playouts.finish(self.options.max_steps)
        goals = np.maximum(self._playouts.goals, 0).reshape(self._batch.games, playouts, -1)
        mean: Singles = goals.mean(axis=1, dtype=np.float32) / self._batch.machine.points
        return mean

    def _add_noise(self) -> None:
        for role, moves in enumerate(self._batch.moves):
            if role != self._trees.chance:
                noise = self._rng.gamma(self.options.alpha, size=(self._batch.games, len(moves)))
                add_noise(self._trees, role, noise.astype(np.float32), self.options.noise)

    def _results(self) -> BatchResults:
        shapes = [(self._batch.games, len(own)) for own in self._batch.moves]
        visits = tuple(np.zeros(shape, np.int32) for shape in shapes)
        values = tuple(np.zeros(shape, np.float32) for shape in shapes)
        for role in range(len(shapes)):
            read_root(self._trees, role, visits[role], values[role])
        counted = np.maximum(self._trees.visits[:, 0], 1)[:, None]
        return BatchResults(visits, values, (self._trees.totals[:, 0] / counted).astype(np.float32))
