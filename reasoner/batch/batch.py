"""Many games of one rulesheet, stepped together.

    batch = Batch(machine, 512, seed=1)
    while training:
        actions = policy(batch.observation, batch.legal)   # int32 [games, roles], -1: drawn at random
        batch.step(actions)
        batch.ended, batch.goals                           # games that are over are restarted

All arrays are NumPy's, so that `torch.from_dlpack` and `jax.dlpack.from_dlpack` read them without a copy. They are
overwritten after the next step: copy what you keep.
"""

from __future__ import annotations

import copy
import operator
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from reasoner.arrays import Bools, Bytes, Ints
from reasoner.batch.actions import first_wrong
from reasoner.batch.blocks import Blocks, Part, plan_of, words_for
from reasoner.batch.plan import NONE, STAY, Plan, Work, work
from reasoner.batch.step import evaluate, finish, put_states, reset, roll, step
from reasoner.batch.trajectories import Trajectories
from reasoner.errors import IllegalMoveError, StateError
from reasoner.kernels.hashing import hashed
from reasoner.lanes.loaded import RANDOM_ROWS
from reasoner.lanes.machine import CircuitMachine
from reasoner.lanes.play import Lanes
from reasoner.lanes.rows import WORDS
from reasoner.language.terms import Term
from reasoner.machine import Machine, State, check_count
from reasoner.rewrite.keep_views import is_kept
from reasoner.rules.percepts import is_percept, percept_places

WRONG = ("raise", "random")


class Memory(NamedTuple):
    """The arguments of the kernels of `reasoner.batch.step`, for kernels of other modules that step these games."""

    values: NDArray[np.uint64]  # [blocks, rows * WORDS]
    program: Lanes
    plan: Plan
    work: Work


class Batch:
    """Games of a machine with a circuit, stepped together; N games, R roles, F facts, M moves of a role.

    Raises StateError if the machine has no circuit, or if its circuit cannot represent `start`.

    seed:     the seed of the random moves; the same seed gives the same games with any number of threads.
    again:    whether the step that ends a game also restarts it; otherwise the game keeps its last state until `reset`.
    wrong:    how an illegal action is handled: ``"raise"`` raises IllegalMoveError before any game is stepped;
              ``"random"`` replaces the action by a random legal move.
    threads:  the maximum number of threads that step the games; each thread steps one or more blocks of 512 games.
    start:    the state in which games begin; by default the initial state of the rules.
    """

    ended: Bools  # [N] the last step ended the game, or left some role without a move
    terminal: Bools  # [N] the game ended by the rules
    goals: Ints  # [N, R] goal values of games that ended; -1 for other games, or if the rules give none or several

    def __init__(
        self,
        machine: Machine,
        games: int,
        seed: int = 0,
        *,
        again: bool = True,
        wrong: str = "raise",
        threads: int = 1,
        start: State | None = None,
    ) -> None:
        if not isinstance(machine, CircuitMachine):
            raise StateError(
                "a Batch needs a machine with a circuit; load(..., engine='circuit') reports why a game has none"
            )
        if not (isinstance(games, int | np.integer) and isinstance(threads, int | np.integer)):
            raise TypeError(f"games={games!r:.40}, threads={threads!r:.40}: both must be integers")
        if games < 1 or threads < 1:
            raise ValueError(f"games={games}, threads={threads}: both must be at least 1")
        if wrong not in WRONG:
            raise ValueError(f"wrong={wrong!r:.40}: give one of {', '.join(WRONG)}")
        self.machine = machine
        self.games = games
        self.roles = machine.roles
        circuit = machine.circuit
        shown = [i for i, base in enumerate(circuit.bases) if not is_kept(base) and not is_percept(base)]
        self.facts: tuple[Term, ...] = tuple(circuit.bases[i] for i in shown)
        seen = [percept_places(circuit.bases, role) for role in circuit.roles]
        self.percept_terms: tuple[tuple[Term, ...], ...] = tuple(map(tuple, seen))  # the possible percepts of each role
        self._percepts = tuple(_literals(own.values()) for own in seen)
        self.moves: tuple[tuple[Term, ...], ...] = tuple(tuple(own) for own in circuit.moves)
        self.wrong = wrong
        self._program = machine.lanes_program
        bases = len(circuit.bases)
        self._bases = _literals(range(bases))
        self._facts = _literals(shown)
        first = circuit.initial.astype(np.uint8)
        if start is not None:
            first = machine.bits(self._held(start))
        self._plan = plan_of(machine, first, again)
        widest = max(bases, *map(len, self.moves), *map(len, self.percept_terms))
        self._blocks = Blocks(
            games, len(self.roles), machine.rows, threads, lambda: work(self._program.drawn, len(self.roles), widest)
        )
        self._show()
        self.sow(seed)
        self.reset()

    def step(self, actions: ArrayLike) -> None:
        """Step all games.  # [N, R] integers.

        An action is an index into its role's `moves`. -1 (`NONE`) requests a random move. -2 (`STAY`), for any role of
        a game, leaves the game unchanged. Actions of games that are over and were not restarted are ignored.
        Raises IllegalMoveError as `wrong` specifies and for other types than integers, StateError if the shape is
        wrong.
        """
        asked = np.asarray(actions)
        if asked.shape != self.goals.shape:
            raise StateError(f"actions have shape {asked.shape}: the shape must be (games, roles), {self.goals.shape}")
        if asked.dtype.kind not in "iu":
            raise IllegalMoveError(f"actions must be integers, not {asked.dtype}")
        given = np.array(asked, np.int32, order="C")
        if asked.dtype != np.int32:
            given[given != asked] = STAY - 1  # no action, as the value does not fit
        place = first_wrong(self._blocks.values, self._program, self._plan, given, int(self.wrong == "random"))
        if place != NONE and self.wrong == "raise":
            game, role = divmod(int(place), len(self.roles))
            raise self.refusal(game, role, int(asked[game, role]))
        self._each(lambda part, own: step(part.values, self._program, self._plan, own, given[part.games], part.shown))

    def sow(self, seed: int) -> None:
        """Reseed the random draws."""
        for block, rows in enumerate(self._blocks.values):
            sequence = np.random.SeedSequence((operator.index(seed) % 2**64, block))
            rows[self._drawing] = sequence.generate_state(RANDOM_ROWS * WORDS, np.uint64)

    @property
    def draws(self) -> NDArray[np.uint64]:
        """The states of the random generators; setting them again repeats the draws.  # [blocks, words]."""
        return self._blocks.values[:, self._drawing].copy()

    @draws.setter
    def draws(self, words: NDArray[np.uint64]) -> None:
        self._blocks.values[:, self._drawing] = words

    @property
    def _drawing(self) -> slice:
        """The words of a block that contain its generators."""
        first = self._program.random * WORDS
        return slice(first, first + RANDOM_ROWS * WORDS)

    def reset(self, games: ArrayLike | None = None) -> None:
        """Restart the games that `games`, a mask or indices, selects; by default all games."""
        chosen = self._lanes_of(games)
        self._each(
            lambda part, own: reset(part.values, self._program, self._plan, own, chosen[part.blocks], part.shown)
        )

    def finish(self, max_steps: int = 10_000) -> None:
        """Play all games at random until they end, for at most `max_steps` steps; no game is restarted."""
        self._each(lambda part, own: finish(part.values, self._program, self._plan, own, max_steps, part.shown))

    def rollout(self, count: int) -> Trajectories:
        """Play `count` random steps from the current states, and record them; games that are over are restarted."""
        check_count(count)
        if not self._plan.again:
            self.reset(self.ended)
        states = np.zeros((count, self.games, words_for(len(self._bases))), np.uint64)
        moves, goals = (np.full((count, *self.goals.shape), NONE, np.int32) for _ in range(2))
        ended, terminal = (np.zeros((count, self.games), np.bool_) for _ in range(2))
        kept = (states, moves, ended.view(np.uint8), terminal.view(np.uint8), goals)
        self._each(
            lambda part, own: roll(
                part.values, self._program, self._plan, own, self._bases, part.shown, part.games.start, *kept
            )
        )
        return Trajectories(self._as_bytes(states), moves, ended, terminal, goals, len(self._bases))

    @property
    def observation(self) -> Bytes:
        """The true facts, in the order of `facts`.  # [N, F], 0 or 1."""
        return self._array("facts", self._facts)

    @property
    def legal(self) -> tuple[Bools, ...]:
        """The legal moves of each role, in the order of `moves`.  # R times [N, M]."""
        return tuple(self.legal_of(role) for role in range(len(self.roles)))

    def legal_of(self, role: int) -> Bools:
        """Return the legal moves of one role.  # [N, M]."""
        first, end = self._plan.starts[role : role + 2]
        return self._array(role, self._program.legal[first:end]).view(np.bool_)

    @property
    def percepts(self) -> tuple[Bytes, ...]:
        """Each role's percepts of the last joint move, in the order of `percept_terms`.  # R times [N, percepts]."""
        return tuple(self._array(f"percepts {role}", own) for role, own in enumerate(self._percepts))

    def perceived(self, role: int) -> NDArray[np.uint64]:
        """Return one role's percepts as packed bits; equal percepts have equal rows.  # [N, words]."""
        return self._blocks.packed(self._percepts[role])

    @property
    def states(self) -> Bytes:
        """The states as packed bits; the bytes of a row are a state of the machine.  # [N, bytes]."""
        return self._as_bytes(self._blocks.packed(self._bases))

    def put(self, states: Sequence[State] | Bytes, games: ArrayLike | None = None) -> None:
        """Set the states of the games that `games`, a mask or indices, selects; by default of all games.

        states: one for each game, as rows of an array like `states`, or as states of the machine.
        Raises StateError if their number is wrong, or if the circuit cannot represent one of them.
        """
        chosen = self._lanes_of(games)
        numbers = np.arange(self.games)[... if games is None else _selection(games)]
        rows = states if isinstance(states, np.ndarray) else [np.frombuffer(self._held(s), np.uint8) for s in states]
        if np.shape(rows) != (len(numbers), self._bytes):
            raise StateError(
                f"{len(rows)} states for {len(numbers)} games: give one state of {self._bytes} bytes for each game"
            )
        packed = np.zeros((self.games, words_for(len(self._bases))), np.uint64)
        packed.view(np.uint8)[numbers, : self._bytes] = rows
        self._each(
            lambda part, own: put_states(
                part.values, self._program, self._plan, own, chosen[part.blocks], packed[part.games], part.shown
            )
        )

    def hashes(self) -> NDArray[np.uint64]:
        """Return a hash of each game's state; equal states have equal hashes.  # [N]."""
        return hashed(self._blocks.packed(self._bases))

    def values(self) -> Ints:
        """Return the goal values of the current states, terminal or not; -1 for none or several.  # [N, R]."""
        goals = np.full_like(self.goals, NONE)
        self._blocks.each(lambda part, own: evaluate(part.values, self._program, own, goals[part.games]))
        return goals

    def copy(self) -> Batch:
        """Return a copy of the games; the same actions then have the same results in both, including random moves."""
        other = copy.copy(self)
        other._blocks = self._blocks.copy()
        other._show()
        return other

    @property
    def memory(self) -> Memory:
        """Return the kernels' arguments for these games.

        Arrays of this object, such as `observation`, are not updated when such a kernel changes the games.
        """
        return Memory(self._blocks.values, self._program, self._plan, self._blocks.work[0])

    def _show(self) -> None:
        """Refer to the result arrays of the blocks; the other arrays are filled on demand."""
        self.ended, self.terminal, self.goals = self._blocks.ended, self._blocks.terminal, self._blocks.goals
        self._arrays: dict[int | str, Bytes] = {}
        self._filled: set[int | str] = set()  # names of arrays that are up to date

    def _each(self, task: Callable[[Part, Work], None]) -> None:
        """Run a task on every thread's part of the blocks."""
        self._blocks.each(task)
        self._filled.clear()

    def _array(self, name: int | str, literals: NDArray[np.uint32]) -> Bytes:
        """Return the values of literals in all games, cached under `name` for this step.  # [N, literals], 0 or 1."""
        if name not in self._arrays:
            self._arrays[name] = np.zeros((self.games, len(literals)), np.uint8)
        out = self._arrays[name]
        if name not in self._filled:
            self._filled.add(name)
            self._blocks.unpack(literals, out)
        return out

    @property
    def _bytes(self) -> int:
        """The bytes of a state of the machine."""
        return -(-len(self._bases) // 8)

    def _as_bytes(self, words: NDArray[np.uint64]) -> Bytes:
        return words.view(np.uint8)[..., : self._bytes]

    def _mask(self, games: ArrayLike | None) -> Bools:
        mask = np.full(self.games, games is None)
        if games is not None:
            mask[_selection(games)] = True
        return mask

    def _lanes_of(self, games: ArrayLike | None) -> NDArray[np.uint64]:
        """Convert a mask to lanes.  # [blocks, WORDS]."""
        return self._blocks.lanes(self._mask(games))

    def _held(self, state: State) -> bytes:
        if not isinstance(state, bytes):
            raise StateError("the circuit cannot represent this state: play never reaches it")
        return state

    def refusal(self, game: int, role: int, action: int) -> IllegalMoveError:
        """Return the error for an illegal action of a role."""
        moves = self.moves[role]
        legal = [f"{i} {moves[i]}" for i in np.flatnonzero(self.legal_of(role)[game])[:5].tolist()]
        name = f"action {action} ({moves[action]})" if 0 <= action < len(moves) else f"action {action}"
        some = ", ".join(legal) + (", …" if len(legal) == 5 else "")
        return IllegalMoveError(
            f"game {game}: {name} is not a legal move of {self.roles[role]}; legal: {some or 'none'}"
        )


def _selection(games: ArrayLike) -> NDArray[Any]:
    """Return a mask or indices as an array; NumPy makes an array of floats, which is no index, of an empty list."""
    chosen = np.asarray(games)
    return chosen if chosen.size else chosen.astype(np.intp)


def _literals(bases: Iterable[int]) -> NDArray[np.uint32]:
    """Return the literals over rows of the bases with these numbers."""
    return np.array([2 * (1 + base) for base in bases], np.uint32)
