"""The moves of a game, phase by phase of its clock: what ties bases together, and how groups of bases see moves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from reasoner.circuit.circuit import Circuit
from reasoner.circuit.graph import FALSE, Literals
from search.factoring.clock import Phase, clock_of, phases
from search.factoring.effects import Effects, Trials
from search.factoring.join import Choice
from search.factoring.limits import MAX_CLASSES, TooLargeError
from search.factoring.supports import Supports, members
from search.factoring.value import MoveClass

Look = tuple[tuple[int, int], ...]
"""How a group sees a move in a phase: bases with their next values, and conditions; equal looks are alike."""

CONDITION = -1
"""In place of a base: what follows must hold for the move to be legal."""

AS_WITHOUT = -1
"""In place of a next value: the one that no move at all would give."""


class Moves:
    """The moves under each phase. `ties` are sets of bases that hang together."""

    def __init__(self, circuit: Circuit, over: Supports) -> None:
        self.circuit = circuit
        starts = np.cumsum([0, *map(len, circuit.moves)]).tolist()
        self.roles = [range(a, b) for a, b in pairwise(starts)]
        self.clock = clock_of(circuit, over, _acting(circuit))
        reading = [literal for b, literal in enumerate(circuit.next[: circuit.searched].tolist()) if self._acts(b)]
        read = 0
        for literal in [*reading, *circuit.legal.tolist()]:
            read |= over.of(literal)
        self.phases, self.times = phases(circuit, self.clock, read & self.clock)
        self.ties: list[int] = []
        self.legal: list[list[int]] = []  # [phase][move] literals of the trials' graph
        self.effects: list[Effects] = []  # [phase]
        self._try()
        self.budget = MAX_CLASSES
        self._conditioned: dict[int, list[tuple[int, int]]] = {}  # by legality

    def _acts(self, base: int) -> bool:
        return not self.clock >> base & 1

    def _try(self) -> None:
        trials = Trials(self.circuit)
        under = [self._try_phase(trials, phase) for phase in self.phases]
        graph = trials.graph
        self.graph = graph
        self.left, self.right = graph.left, graph.right
        self.over = Supports(graph.left, graph.right, graph.first_gate, len(self.circuit.bases))
        for node in under:
            following = self.circuit.next[: self.circuit.searched]
            reads = (node[following >> 1] ^ (following & 1)).tolist()
            self.ties += [1 << b | self.over.of(literal) for b, literal in enumerate(reads) if self._acts(b)]
        self.ties = [tie & ~self.clock for tie in self.ties]
        for legal in self.legal:
            self.ties += [self.over.of(part) for literal in set(legal) for part in self._conditions(literal)]

    def _try_phase(self, trials: Trials, phase: Phase) -> Literals:
        node, legal = trials.under(phase), self.circuit.legal
        self.legal.append((node[legal >> 1] ^ (legal & 1)).tolist())
        effects: Effects = {}
        for role in self.roles:
            effects |= trials.effects(node, role)
        self.effects.append(effects)
        return node

    def _conditions(self, literal: int) -> list[int]:
        """The conjuncts of a literal."""
        found, waiting = set(), [literal]
        while waiting:
            at = waiting.pop()
            gate = (at >> 1) - self.graph.first_gate
            if at & 1 or gate < 0:
                found.add(at)
            else:
                waiting += [int(self.left[gate]), int(self.right[gate])]
        return sorted(found - {1})

    def choices(self, groups: Sequence[int]) -> list[Choice]:
        """What each role chooses from in each phase."""
        place = {base: number for number, group in enumerate(groups) for base in members(group)}
        return [
            self._choice(phase, role, place, len(groups))
            for phase in range(len(self.phases))
            for role in range(len(self.roles))
            if any(self.legal[phase][move] != FALSE for move in self.roles[role])
        ]

    def _choice(self, phase: int, role: int, place: dict[int, int], groups: int) -> Choice:
        legal, effects = self.legal[phase], self.effects[phase]
        moves = tuple(move for move in self.roles[role] if legal[move] != FALSE)
        self.budget -= len(moves) * groups
        if self.budget < 0:
            raise TooLargeError("there are too many moves to compare them for so many parts")
        usual = _usual(effects, moves)
        classes = np.zeros((len(moves), groups), np.int32)
        names: dict[tuple[int, Look], int] = {}
        for row, move in enumerate(moves):
            for group, look in self._looks(legal[move], _unusual(effects[move], usual), place).items():
                classes[row, group] = names.setdefault((group, look), len(names) + 1)
        return Choice(phase, role, moves, classes)

    def _looks(self, legal: int, effects: dict[int, int], place: dict[int, int]) -> dict[int, Look]:
        """How the groups see a move that is not idle for them."""
        found: dict[int, list[tuple[int, int]]] = {}
        for base, literal in effects.items():
            if base in place:
                found.setdefault(place[base], []).append((base, literal))
        for part, base in self._reading(legal):
            if base in place:
                found.setdefault(place[base], []).append((CONDITION, part))
        return {group: tuple(sorted(look)) for group, look in found.items()}

    def _reading(self, legal: int) -> list[tuple[int, int]]:
        """The conditions under a legality that read more than the clock, each with one of its bases."""
        if legal not in self._conditioned:
            masks = [(part, self.over.of(part) & ~self.clock) for part in self._conditions(legal)]
            self._conditioned[legal] = [(part, (mask & -mask).bit_length() - 1) for part, mask in masks if mask]
        return self._conditioned[legal]

    def classes(self, group: int) -> tuple[tuple[MoveClass, ...], ...]:
        """Per role the classes of moves that a group cannot tell apart in any phase, by their first moves."""
        looks: dict[int, list[tuple[int, int]]] = {move: [] for role in self.roles for move in role}
        for each in self.choices([group]):
            for move, name in zip(each.moves, each.classes[:, 0].tolist(), strict=True):
                looks[move].append((each.phase, name))
        return tuple(_alike(role, looks) for role in self.roles)


def _alike(role: range, looks: dict[int, list[tuple[int, int]]]) -> tuple[MoveClass, ...]:
    """The moves of a role by how they look; never legal and idle may be one."""
    alike: dict[tuple[tuple[int, int], ...], list[int]] = {}
    for move in role:
        alike.setdefault(tuple(look for look in looks[move] if look[1]), []).append(move)
    return tuple(map(tuple, alike.values()))


def _usual(effects: Effects, moves: Sequence[int]) -> dict[int, int]:
    """What most of the moves do to bases (in doubt, nothing), where that is not what no move at all would do."""
    counts: dict[int, Counter[int]] = {}
    for move in moves:
        for base, literal in effects[move]:
            counts.setdefault(base, Counter())[literal] += 1
    found = {}
    for base, count in counts.items():
        stays = 2 * (base + 1)
        literal = max(count, key=lambda each: (count[each], each == stays))
        without = len(moves) - count.total()
        if count[literal] > without or (count[literal] == without and literal == stays):
            found[base] = literal
    return found


def _unusual(effects: Sequence[tuple[int, int]], usual: dict[int, int]) -> dict[int, int]:
    """What a move does to bases that most do not."""
    own = dict(effects)
    found = {base: literal for base, literal in own.items() if usual.get(base) != literal}
    return found | dict.fromkeys(usual.keys() - own.keys(), AS_WITHOUT)


def _acting(circuit: Circuit) -> NDArray[np.bool_]:
    """Which nodes depend on a move.  # [nodes]."""
    first = 1 + len(circuit.bases) + len(circuit.legal)
    acts = np.zeros(first + len(circuit.left), np.bool_)
    acts[1 + len(circuit.bases) : first] = True
    for gate, (left, right) in enumerate(zip((circuit.left >> 1).tolist(), (circuit.right >> 1).tolist(), strict=True)):
        acts[first + gate] = acts[left] or acts[right]
    return acts
