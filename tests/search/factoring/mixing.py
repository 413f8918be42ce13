"""Two plays of a game, cut into its subgames and mixed: what a subgame does must not depend on the others."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate, pairwise
from random import Random

from reasoner.circuit.circuit import Circuit
from search.factoring import Factoring, Subgame
from search.factoring.factors import ACTIONS

LONG = 150
"""Steps of plays through games in series: the first must end."""


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
    if found.gates:
        return _check_series(circuit, found, seed, steps)
    slow, random, done = Slow(circuit), Random(seed), 0
    for sources in zip(*(list(play(slow, random, steps)) for _ in range(2)), strict=False):
        owner = [random.randrange(2) for _ in parts(found)]
        mixed = [random.random() < 0.5 for _ in range(slow.count)]  # what is dropped may be anything
        for base in found.counter:
            mixed[base] = sources[0][base]
        for one, source in zip(parts(found), owner, strict=True):
            for base in one.bases:
                mixed[base] = sources[source][base]
        for one, source in zip(found.subgames, owner, strict=False):
            _same_signals(slow, one, mixed, sources[source])
            _same_moves(slow, one, mixed, sources[source], found, random)
        done += 1
    return done


def _check_series(circuit: Circuit, found: Factoring, seed: int, pairs: int) -> int:
    """Games in series: in each stage the present subgame goes on as in the play it comes from, whatever came before."""
    slow, random, done = Slow(circuit), Random(seed), 0
    plays = [list(play(slow, random, LONG)) for _ in range(2)]
    for states in plays:
        for before, after in pairwise(states):
            _only_one_changes(slow, found, before, after)
    for number in range(len(found.subgames)):
        here, there = ([state for state in states if _stage(slow, found, state) == number] for states in plays)
        for _ in range(pairs if here and there else 0):
            done += _same_stage(slow, found, number, random.choice(here), random.choice(there), random)
    return done


def _stage(slow: Slow, found: Factoring, state: list[bool]) -> int:
    """How many gates are open: the first ones."""
    value = slow.nodes(state)
    gates = [slow.reads(value, gate) for gate in found.gates]
    assert gates == sorted(gates, reverse=True)
    return sum(gates)


def _only_one_changes(slow: Slow, found: Factoring, before: list[bool], after: list[bool]) -> None:
    """Later subgames wait, earlier ones say what they said, and no gate closes."""
    number = _stage(slow, found, before)
    assert number <= _stage(slow, found, after)
    for one in found.subgames[number + 1 :]:
        assert [before[base] for base in one.bases] == [after[base] for base in one.bases]
    for one in found.subgames[:number]:
        _same_signals(slow, one, before, after)


def _same_stage(slow: Slow, found: Factoring, number: int, here: list[bool], there: list[bool], random: Random) -> bool:
    """The present subgame of one play, with the others of another: the same moves are legal, and do the same to it."""
    one = found.subgames[number]
    mixed = [value if base in one.bases or base in found.counter else here[base] for base, value in enumerate(there)]
    assert _stage(slow, found, mixed) >= number
    legal = slow.legal(there)
    assert slow.legal(mixed) == legal
    _same_signals(slow, one, mixed, there)
    joint = tuple(random.choice(own) for own in legal)
    after = [slow.after(state, joint) for state in (mixed, there)]
    assert [after[0][base] for base in one.bases] == [after[1][base] for base in one.bases]
    return True


def play(slow: Slow, random: Random, steps: int) -> Iterator[list[bool]]:
    """The states of a random play until it is over."""
    state = slow.circuit.initial.tolist()
    for _ in range(steps):
        legal = slow.legal(state)
        if slow.reads(slow.nodes(state), slow.circuit.terminal) or not all(legal):
            return
        yield state
        state = slow.after(state, tuple(random.choice(own) for own in legal))


def _same_signals(slow: Slow, one: Subgame, mixed: list[bool], source: list[bool]) -> None:
    values = [slow.nodes(state) for state in (mixed, source)]
    for literal in (*one.terminal, *(literal for own in one.goals for literal in own)):
        assert slow.reads(values[0], literal) == slow.reads(values[1], literal)


def _same_moves(
    slow: Slow, one: Subgame, mixed: list[bool], source: list[bool], found: Factoring, random: Random
) -> None:
    """The same classes are legal, but for those that leave the part alone, and each does the same to the part."""
    legal = [slow.legal(mixed), slow.legal(source)]
    if not all(map(all, legal)):
        return  # the mixed game is over
    chosen: tuple[list[int], list[int]] = ([], [])
    for role, classes in enumerate(one.classes):
        name = {move: number for number, each in enumerate(classes) for move in each}
        seen = [{name[move] for move in own[role]} for own in legal]
        for state, own, number in ((mixed, legal[0], 0), (source, legal[1], 1)):
            odd = [move for move in own[role] if name[move] in seen[number] - seen[1 - number]]
            assert found.rest or found.kind != ACTIONS or not odd
            idle = next(iter(one.idle[role]), -1)
            assert not odd or idle >= 0
            assert all(_as_idle(slow, one, state, own, role, (move, idle)) for move in odd)
        pick = random.choice(sorted(seen[0] & seen[1]) or [-1])
        for moves, own in zip(chosen, legal, strict=True):
            moves.append(random.choice([move for move in own[role] if pick in (-1, name[move])]))
    after = [slow.after(state, tuple(own)) for state, own in zip((mixed, source), chosen, strict=True)]
    assert [after[0][base] for base in one.bases] == [after[1][base] for base in one.bases]


def _as_idle(
    slow: Slow, one: Subgame, state: list[bool], legal: list[list[int]], role: int, pair: tuple[int, int]
) -> bool:
    """Whether two moves of a role do the same to a part."""
    others = [own[0] for own in legal]
    after = [slow.after(state, (*others[:role], move, *others[role + 1 :])) for move in pair]
    return [after[0][base] for base in one.bases] == [after[1][base] for base in one.bases]
