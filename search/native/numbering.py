"""Numbering of moves and packing of states for the native search."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate

import numpy as np

from reasoner.arrays import Ints, Words
from reasoner.kernels.memory import address
from reasoner.lanes.machine import CircuitMachine
from reasoner.language.terms import Term
from reasoner.machine import State
from reasoner.rules.points import FULL
from search.game import SearchedGame
from search.native.layout import RULES, Records
from search.native.tree import numbers, pack, words_for
from search.options import SearchOptions
from search.root.statistics import Legal


@dataclass(frozen=True)
class Numbering:
    """Map moves of a circuit to numbers and back, and pack states into words."""

    game: SearchedGame
    machine: CircuitMachine
    starts: tuple[int, ...] = field(init=False)  # [roles + 1] the number of each role's first move; last: all moves

    def __post_init__(self) -> None:
        """Number the moves role by role."""
        counts = map(len, self.machine.circuit.moves)
        object.__setattr__(self, "starts", (*accumulate(counts, initial=0),))

    def rules(self, options: SearchOptions) -> Records:
        """Return the [1] RULES record for the kernels; it contains addresses of arrays of this object."""
        rules = np.zeros(1, RULES)
        given = {
            "role_of": address(self._role_of),
            "role_start": address(self._role_start),
            "state_words": self.state_words,
            "shown": self.width,
            "width": self.width,
            "captures": address(self._captures[0]) if options.decisive and self.machine.program.captures else 0,
            "captured": address(self._captures[1]),
            "roles": self.game.size,
            "searcher": self.game.role,
            "chance": self.game.chance,
            "single": self.game.single,
            "scale": FULL / self.game.points,
            "exploration": options.explores(steady=not self.game.single),
            "fpu_value": options.fpu_value,
            "best_weight": options.best_weight,
        }
        for name, value in given.items():
            rules[0][name] = value
        return rules

    @cached_property
    def _role_of(self) -> Ints:
        return np.repeat(np.arange(self.game.size, dtype=np.int32), np.diff(self.starts))

    @cached_property
    def _role_start(self) -> Ints:
        return np.array(self.starts, np.int32)

    @cached_property
    def _captures(self) -> tuple[Ints, Ints]:
        """Where the captured bases of each move start in the second array, and these bases.  # [moves + 1], [bases]."""
        searched = self.machine.circuit.searched
        taken = [[base for base in own if base < searched] for own in self.machine.program.captures]
        starts = np.cumsum([0, *map(len, taken)]).astype(np.int32)
        return starts, np.array([base for own in taken for base in own], np.int32)

    @property
    def state_words(self) -> int:
        """Number of words of a state."""
        return words_for(self.machine.circuit.searched)

    @property
    def width(self) -> int:
        """Number of words of a state and its legal moves, without the network's output."""
        return self.state_words + words_for(len(self.machine.circuit.legal))

    def packed(self, state: State, legal: Legal) -> Words:
        """Pack a state and its legal moves into words.  # [width] uint64."""
        if not isinstance(state, bytes):
            raise TypeError("the circuit cannot represent this state")
        bits = self.machine.bits(state)
        moves = np.zeros(len(self.machine.circuit.legal), np.uint8)
        moves[[self.number(role, move) for role, own in enumerate(legal) for move in own]] = 1
        return np.concatenate([pack(bits[: self.machine.circuit.searched]), pack(moves)])

    def number(self, role: int, move: Term) -> int:
        """Return the number of a role's move."""
        found = self.machine.circuit.moves[role].find(move)
        if found is None:
            raise KeyError(move)
        return self.starts[role] + found

    def term(self, move: int) -> Term:
        """Return the move with the number `move`."""
        return self.machine.circuit.move(move)

    def legal(self, words: Words) -> Legal:
        """Return the legal moves of a node, per role, in the machine's order."""
        found: tuple[list[Term], ...] = tuple([] for _ in range(self.game.size))
        for move in numbers(words[self.state_words :]).tolist():
            found[self._role_of[move]].append(self.term(move))
        return tuple(map(tuple, found))

    def joint(self, searcher_move: Term, legal: Sequence[Sequence[Term]]) -> tuple[Term, ...]:
        """Return the joint move in which the searching role makes `searcher_move`; no other role may have a choice."""
        return tuple(searcher_move if role == self.game.role else own[0] for role, own in enumerate(legal))
