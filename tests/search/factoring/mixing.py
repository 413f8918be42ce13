"""Two plays of a game, cut into its subgames and mixed: what a subgame does must not depend on the others."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate, pairwise
from random import Random

from reasoner.circuit.circuit import Circuit
from search.factoring import Factoring, Subgame
from search.factoring.value import ACTIONS


class Slow:
    """A circuit, evaluated gate by gate in Python."""

    def __init__(self, circuit: Circuit) -> None:
        self.circuit = circuit
        self.count, self.first = len(circuit.bases), 1 + len(circuit.bases) + len(circuit.legal)
        self.gates = list(zip(circuit.left.tolist(), circuit.right.tolist(), strict=True))
        self.next, self.legals = circuit.next.tolist(), circuit.legal.tolist()
        starts = list(accumulate(map(len, circuit.moves), initial=0))
        self.roles = [range(a, b) for a, b in pairwise(starts)]

    def nodes(self, state: list[bool], joint: tuple[int, ...] = ()) -> list[bool]:
        made = [move in joint for move in range(len(self.legals))]
        value = [False, *state, *made]
        for a, b in self.gates:
            value.append((value[a >> 1] ^ (a & 1)) and (value[b >> 1] ^ (b & 1)))
        return value

    def legal(self, state: list[bool]) -> list[list[int]]:
        value = self.nodes(state)
        return [[m for m in role if self.reads(value, self.legals[m])] for role in self.roles]

    def after(self, state: list[bool], joint: tuple[int, ...]) -> list[bool]:
        value = self.nodes(state, joint)
        return [self.reads(value, literal) for literal in self.next]

    @staticmethod
    def reads(value: list[bool], literal: int) -> bool:
        return bool(value[literal >> 1] ^ (literal & 1))


def parts(found: Factoring) -> list[Subgame]:
    return [*found.subgames, *([found.rest] if found.rest else [])]


def check(circuit: Circuit, found: Factoring, seed: int, steps: int) -> int:
    """Mix the states of two plays step by step, and compare each part with the play it comes from; steps done."""
    slow, random, done = Slow(circuit), Random(seed), 0
    for sources in _plays(slow, random, steps):
        owner = [random.randrange(2) for _ in parts(found)]
        mixed = [random.random() < 0.5 for _ in range(slow.count)]  # what is dropped may be anything
        for base in found.clock:
            mixed[base] = sources[0][base]
        for one, source in zip(parts(found), owner, strict=True):
            for base in one.bases:
                mixed[base] = sources[source][base]
        for one, source in zip(parts(found), owner, strict=True):
            _same_signals(slow, one, mixed, sources[source])
            _same_moves(slow, one, mixed, sources[source], found.kind == ACTIONS, random)
        done += 1
    return done


def _plays(slow: Slow, random: Random, steps: int) -> Iterator[tuple[list[bool], list[bool]]]:
    """The states of two random plays, step by step, until one is over."""
    states = [slow.circuit.initial.tolist()] * 2
    for _ in range(steps):
        legal = [slow.legal(state) for state in states]
        over = [slow.reads(slow.nodes(state), slow.circuit.terminal) for state in states]
        if any(over) or not all(all(own) for own in legal):
            return
        yield states[0], states[1]
        states = [
            slow.after(state, tuple(random.choice(own) for own in moves))
            for state, moves in zip(states, legal, strict=True)
        ]


def _same_signals(slow: Slow, one: Subgame, mixed: list[bool], source: list[bool]) -> None:
    values = [slow.nodes(state) for state in (mixed, source)]
    for literal in (*one.terminal, *(literal for own in one.goals for literal in own)):
        assert slow.reads(values[0], literal) == slow.reads(values[1], literal)


def _same_moves(slow: Slow, one: Subgame, mixed: list[bool], source: list[bool], joint: bool, random: Random) -> None:
    """The same classes are legal, but for idleness, and each does the same to the part."""
    chosen: tuple[list[int], list[int]] = ([], [])
    for classes, here, there in zip(one.classes, slow.legal(mixed), slow.legal(source), strict=True):
        name = {move: number for number, each in enumerate(classes) for move in each}
        idle = -1 if joint else name[max(classes, key=len)[0]]
        seen = [{name[move] for move in moves} for moves in (here, there)]
        assert seen[0] - {idle} == seen[1] - {idle}
        both = sorted(seen[0] & seen[1])
        if not both:
            return
        pick = random.choice(both)
        for own, moves in zip(chosen, (here, there), strict=True):
            own.append(random.choice([move for move in moves if name[move] == pick]))
    after = [slow.after(state, tuple(own)) for state, own in zip((mixed, source), chosen, strict=True)]
    assert [after[0][base] for base in one.bases] == [after[1][base] for base in one.bases]
