"""Moves of a game in each phase of its step counter: the bases that they connect, and their classes for groups."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from copy import copy
from functools import reduce
from itertools import chain, pairwise
from operator import or_

import numpy as np

from reasoner.arrays import Bools, Literals
from reasoner.circuit.circuit import Circuit
from reasoner.circuit.graph import FALSE, TRUE, Graph
from reasoner.circuit.restrict import read
from reasoner.circuit.traversal import conjuncts, spread
from search.factoring.effects import Effects, Trials
from search.factoring.factors import MoveClass
from search.factoring.gates import stage
from search.factoring.join import Choice
from search.factoring.limits import MAX_CLASSES, MAX_GATES, Budget, TooLargeError
from search.factoring.step_counter import Phase, phases, step_counter_of
from search.factoring.supports import Supports, members

Look = tuple[tuple[int, int], ...]
"""Effect and legality of a move within a group in a phase: bases with their next values, and conditions."""

CONDITION = -1
"""In place of a base: the following literal must be true for the move to be legal."""

AS_FIRST = -1
"""In place of a next value: the value after the role's first move."""


class Moves:
    """The moves under each phase of the step counter, in each stage of the gates.

    Phases are numbered consecutively over all stages; in the first stage, `times[t]` is the phase after t steps.
    """

    def __init__(self, circuit: Circuit, over: Supports, budget: Budget, gates: Sequence[int] = ()) -> None:
        self.circuit, self.gates, self.budget = circuit, tuple(gates), budget
        self.resting = False  # whether no change is the idle effect if any move has it, not only most moves
        starts = np.cumsum([0, *map(len, circuit.moves)]).tolist()
        self.roles = [range(a, b) for a, b in pairwise(starts)]
        self.counter = step_counter_of(circuit, over, acting(circuit))
        reading = [literal for b, literal in enumerate(circuit.next[: circuit.searched].tolist()) if self._acts(b)]
        read = 0
        for literal in [*reading, *circuit.legal.tolist()]:
            read |= over.of(literal)
        settings, self.times = phases(circuit, self.counter, read & self.counter)
        self.phases = [(number, setting) for number in range(len(gates) + 1) for setting in settings]
        self.reads: dict[int, int] = {}  # by base: the bases that its next values read
        self.bound: set[int] = set()  # sets of bases that one condition of a move's legality reads
        self.under: list[Literals] = []  # [phase] the stage's nodes as literals of the trials' graph
        self.legal: list[list[int]] = []  # [phase][move] literals of that graph
        self.by_first: list[list[Literals]] = []  # [phase][role] next values after the role's first legal move
        self.effects: list[Effects] = []  # [phase]
        self._try()
        self.compared = 0
        self._conditioned: dict[int, list[tuple[int, int]]] = {}  # by legality
        self._masks: dict[int, int] = {}  # by legality

    def _acts(self, base: int) -> bool:
        return not self.counter >> base & 1

    def _try(self) -> None:
        circuit = self.circuit
        self.graph = Graph(len(circuit.bases) + len(circuit.legal), 2 * MAX_GATES)
        stages = [stage(circuit, self.gates, number) for number in range(len(self.gates) + 1)]
        self.trials = [Trials(each, self.graph, self.budget) for each in stages]
        for number, setting in self.phases:
            self._try_phase(self.trials[number], setting)
        self.left, self.right = self.graph.left, self.graph.right
        self.over = Supports(self.left, self.right, self.graph.first_gate, len(circuit.bases))
        following = [self.trials[number].circuit.next[: circuit.searched] for number, _ in self.phases]
        for node, literals in zip(self.under, following, strict=True):
            for base, literal in enumerate(read(node, literals).tolist()):
                if self._acts(base):
                    self.reads[base] = self.reads.get(base, 0) | self.over.of(literal) & ~self.counter
        conditions = {part for legal in self.legal for literal in set(legal) for part in self._conditions(literal)}
        self.bound = {self.over.of(part) & ~self.counter for part in conditions}

    def _try_phase(self, trials: Trials, setting: Phase) -> None:
        node = trials.under(setting)
        legal = read(node, trials.circuit.legal).tolist()
        effects: Effects = {}
        by_first = []
        for role in self.roles:
            first, own = trials.effects(node, role, [move for move in role if legal[move] != FALSE])
            by_first.append(first)
            effects |= own
        self.under.append(node)
        self.legal.append(legal)
        self.by_first.append(by_first)
        self.effects.append(effects)

    def _conditions(self, literal: int) -> set[int]:
        """Return the conjuncts of a literal."""
        self.budget.spend(1)
        return conjuncts(self.left, self.right, self.graph.first_gate, [literal]) - {TRUE}

    def choices(self, groups: Sequence[int]) -> list[Choice]:
        """Return the choices of each role in each phase."""
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
        self.compared += len(moves) * groups
        self.budget.spend(len(moves))
        if self.compared > MAX_CLASSES:
            raise TooLargeError("there are too many moves to compare for so many parts")
        usual = self._usual(phase, role)
        classes = np.zeros((len(moves), groups), np.int32)
        names: dict[tuple[int, Look], int] = {}
        for row, move in enumerate(moves):
            for group, look in self._looks(legal[move], _unusual(effects[move], usual), place).items():
                classes[row, group] = names.setdefault((group, look), len(names) + 1)
        sure = [all(base in place for _, base in self._reading(legal[move])) for move in moves]
        return Choice(phase, role, moves, classes, np.array(sure, np.bool_))

    def _usual(self, phase: int, role: int) -> dict[int, int]:
        """Return the idle effect on bases, if it is not that of the first move.

        The idle effect on a base is the most frequent effect; among equals, no change.
        """
        moves = [move for move in self.roles[role] if self.legal[phase][move] != FALSE]
        found, first = {}, self.by_first[phase][role]
        for base, counts in _counted(self.effects[phase], moves).items():
            stays = 2 * (base + 1)
            ways = Counter(dict(counts))
            ways[int(first[base])] += len(moves) - sum(ways.values())
            literal = max(ways, key=lambda each: (ways[each], each == stays))
            literal = stays if self.resting and ways[stays] else literal
            if literal != first[base]:
                found[base] = literal
        return found

    def at_rest(self) -> Moves | None:
        """Return a copy whose idle effect on a base is "no change" if any move leaves the base unchanged.

        None if no idle effect differs.
        """
        other = copy(self)
        other.resting = True
        every = [(phase, role) for phase in range(len(self.phases)) for role in range(len(self.roles))]
        return other if any(self._usual(*one) != other._usual(*one) for one in every) else None

    def _looks(self, legal: int, effects: dict[int, int], place: dict[int, int]) -> dict[int, Look]:
        """Return the `Look` of a move for each group in which the move is not idle."""
        found: dict[int, list[tuple[int, int]]] = {}
        for base, literal in effects.items():
            if base in place:
                found.setdefault(place[base], []).append((base, literal))
        for part, base in self._reading(legal):
            if base in place:
                found.setdefault(place[base], []).append((CONDITION, part))
        return {group: tuple(sorted(look)) for group, look in found.items()}

    def _reading(self, legal: int) -> list[tuple[int, int]]:
        """Return the conditions of legality that read more than the step counter, each with one base that it reads."""
        if legal not in self._conditioned:
            masks = [(part, self.over.of(part) & ~self.counter) for part in self._conditions(legal)]
            self._conditioned[legal] = [(part, (mask & -mask).bit_length() - 1) for part, mask in masks if mask]
        return self._conditioned[legal]

    def needed(self, wanted: int) -> int:
        """Return the bases that influence the bases `wanted`, directly or through moves, without the step counter.

        The other bases can influence only whether a role may pass. If passing changes no needed base, this does not
        matter. Otherwise all bases are needed, for example if passing gives the turn to the other role.
        """
        everything = ((1 << self.circuit.searched) - 1) & ~self.counter
        needed = self._needed(wanted)
        if needed == everything or (len(self.phases) == 1 and self.rests(needed)):
            return needed
        return everything

    def rests(self, group: int) -> bool:
        """Return whether bases stay unchanged, in every phase, if no role acts on them."""
        bases = np.array(members(group), np.int64)
        for phase, node in enumerate(self.under):
            legal, inputs = self.legal[phase], node[: 1 + len(self.circuit.bases) + len(self.circuit.legal)].copy()
            inputs[1 + len(self.circuit.bases) :] = FALSE
            for number, role in enumerate(self.roles):
                moves = [move for move in role if legal[move] != FALSE]
                usual = self._usual(phase, number)
                idle = (m for m in moves if not any(group >> b & 1 for b in _unusual(self.effects[phase][m], usual)))
                if (move := next(idle, None)) is None:
                    return False
                inputs[1 + len(self.circuit.bases) + move] = TRUE
            following = read(self.trials[0].copied(inputs), self.circuit.next[: self.circuit.searched])
            if not (following[bases] == 2 * (bases + 1)).all():
                return False
        return True

    def _needed(self, wanted: int) -> int:
        needed = wanted & ~self.counter
        waiting = {(tie, tie) for tie in self.bound} | {(1 << base, reading) for base, reading in self.reads.items()}
        waiting |= {one for phase in range(len(self.phases)) for one in self._acting(phase)}
        while ready := [one for one in waiting if one[0] & needed]:
            needed = reduce(or_, (reading for _, reading in ready), needed)
            waiting.difference_update(ready)
        return needed

    def ties(self, within: int) -> list[int]:
        """Return the sets of connected bases among the bases `within`."""
        own = [1 << base | reading for base, reading in self.reads.items() if within >> base & 1]
        return own + [tie & within for tie in (*self.bound, *_exclusive(self.circuit, self.counter))]

    def _acting(self, phase: int) -> Iterator[tuple[int, int]]:
        """Yield for each legal move the bases it acts on, and those that its legality reads."""
        legal, effects = self.legal[phase], self.effects[phase]
        for number, role in enumerate(self.roles):
            moves = [move for move in role if legal[move] != FALSE]
            usual = self._usual(phase, number)
            for move in moves:
                if reading := self._conditioned_on(legal[move]):
                    yield sum(1 << base for base in _unusual(effects[move], usual)), reading

    def _conditioned_on(self, legal: int) -> int:
        if legal not in self._masks:
            self._masks[legal] = self.over.of(legal) & ~self.counter
        return self._masks[legal]

    def settled(self, phase: int) -> Literals:
        """Return the next value of each base if it is proved to be the same for all moves, else -1.  # [searched]."""
        found: Literals = np.full(self.circuit.searched, -1, np.int32)
        for role, row in zip(self.roles, self.by_first[phase], strict=True):
            moves = [move for move in role if self.legal[phase][move] != FALSE]
            own = row.copy()
            for base, counts in _counted(self.effects[phase], moves).items():
                literal, times = counts[0]
                own[base] = literal if times == len(moves) else -1
            found = np.where(found < 0, own, found)
        return found

    def classes(self, group: int) -> tuple[tuple[MoveClass, ...], ...]:
        """Return per role the classes of moves that a group cannot distinguish in any phase, ordered by first move."""
        looks: dict[int, list[tuple[int, int]]] = {move: [] for role in self.roles for move in role}
        for each in self.choices([group]):
            for move, name in zip(each.moves, each.classes[:, 0].tolist(), strict=True):
                looks[move].append((each.phase, name))
        return tuple(_alike(role, looks) for role in self.roles)

    def idle(self, group: int, classes: Sequence[Sequence[MoveClass]]) -> tuple[MoveClass, ...]:
        """Return per role the largest of the `classes` without an effect on a group in any phase; empty: none."""
        may, acting = set[int](), set[int]()
        for phase, effects in enumerate(self.effects):
            for number, role in enumerate(self.roles):
                usual = self._usual(phase, number)
                moves = [move for move in role if self.legal[phase][move] != FALSE]
                may.update(moves)
                acting.update(m for m in moves if any(group >> b & 1 for b in _unusual(effects[m], usual)))
        return tuple(_largest(own, may - acting) for own in classes)


def _alike(role: range, looks: dict[int, list[tuple[int, int]]]) -> tuple[MoveClass, ...]:
    """Group the moves of a role by their `Look`; moves that are never legal and idle moves may be in one class."""
    alike: dict[tuple[tuple[int, int], ...], list[int]] = {}
    for move in role:
        alike.setdefault(tuple(look for look in looks[move] if look[1]), []).append(move)
    return tuple(map(tuple, alike.values()))


def _largest(classes: Sequence[MoveClass], among: set[int]) -> MoveClass:
    """Return the class with the most moves of a set; an empty one if none has any."""
    largest = max(classes, key=lambda each: len(among.intersection(each)), default=())
    return largest if among.intersection(largest) else ()


def _counted(effects: Effects, moves: Sequence[int]) -> dict[int, list[tuple[int, int]]]:
    """Count the moves by base and by the next value that they give it, except the value after the first move."""
    counts: dict[int, list[tuple[int, int]]] = {}
    for (base, literal), count in Counter(chain.from_iterable(effects[move] for move in moves)).items():
        counts.setdefault(base, []).append((literal, count))
    return counts


def _unusual(effects: Sequence[tuple[int, int]], usual: dict[int, int]) -> dict[int, int]:
    """Return a move's effects on bases that differ from the usual ones."""
    own = dict(effects)
    found = {base: literal for base, literal in own.items() if usual.get(base) != literal}
    return found | dict.fromkeys(usual.keys() - own.keys(), AS_FIRST)


def acting(circuit: Circuit) -> Bools:
    """Return which nodes depend on a move.  # [nodes]."""
    first = 1 + len(circuit.bases) + len(circuit.legal)
    acts = np.zeros(first + len(circuit.left), np.bool_)
    acts[1 + len(circuit.bases) : first] = True
    spread(circuit.left, circuit.right, first, acts)
    return acts


def _exclusive(circuit: Circuit, counter: int) -> list[int]:
    """Return the sets of bases of which at most one is true at a time; such bases are connected."""
    count = circuit.searched
    masks = [sum(1 << base for base in group if base < count) for group in circuit.groups]
    return [mask & ~counter for mask in masks]
