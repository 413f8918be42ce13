"""Samples for drawing boards: positions of random games, and relations that may define adjacent cells.

The result only helps to draw boards. Therefore the time is limited, and parts that raise an error are left out.
"""

from __future__ import annotations

import random
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from reasoner.errors import ReasonerError
from reasoner.language.terms import Variable
from reasoner.relational.machine import RelationalMachine
from reasoner.rules.chains import chains
from reasoner.rules.program import Program, Relation, is_auxiliary
from reasoner.rules.strata import static_relations

SECONDS = 0.4
"""Processor seconds for the random games, and as many for the adjacency relations."""
STEPS = 48
MAX_FACTS = 6_000
"""Maximum facts of all positions together."""
MAX_CHARACTERS = 300_000
"""Maximum characters of the facts of all positions together, and of the rows of one relation."""
MAX_ROWS = 4_000
"""Maximum rows of the relations that may define adjacent cells."""
HEXAGON = 6
"""Neighbours of a cell on a hexagonal board."""
MIN_CELLS = 5  # minimum words of a net
MAX_NEIGHBOURS = 8
"""Maximum neighbours of a word in a net; addition tables have more."""
MAX_ARITY = 5
MAX_CHAIN = 30
"""Maximum words that may be the coordinates of a board."""

Row = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Sample:
    """Positions of random games: the joint move that led to each (empty at the start of a game), and its facts.

    The other fields are relations that may help to draw the board.
    """

    positions: Sequence[tuple[Sequence[str], Sequence[str]]]
    links: Sequence[Sequence[Row]]  # relations of cells with up to six neighbours; a row has the words of two cells
    orders: Sequence[Sequence[str]]  # words in the order of a successor relation
    nets: Sequence[Sequence[Row]] = ()  # pairs of words that may be adjacent cells of a board without rows


def sample(machine: RelationalMachine, seed: int, clock: Callable[[], float] = time.thread_time) -> Sample:
    """Play a few random games and collect the relations."""
    positions = list(_positions(machine, random.Random(seed), clock))
    program = machine.program
    links, nets = _adjacent(machine, clock)
    return Sample(positions, links, list(chains(program, MAX_CHAIN)), [*_nets(program), *nets])


def _positions(
    machine: RelationalMachine, chance: random.Random, clock: Callable[[], float]
) -> Iterator[tuple[Sequence[str], Sequence[str]]]:
    joint: list[str] = []
    facts = characters = 0
    try:
        state, end = machine.initial(), clock() + SECONDS  # preparation before the first position is not counted
        for _ in range(STEPS):
            here = sorted(map(str, machine.facts(state)))
            facts += len(here)
            characters += sum(map(len, here))
            if facts > MAX_FACTS or characters > MAX_CHARACTERS or clock() > end:
                return
            yield joint, here
            legal = () if machine.terminal(state) else machine.legal(state)
            moves = [chance.choice(own) for own in legal if own]
            if len(moves) == len(machine.roles):
                state, joint = machine.next(state, moves), list(map(str, moves))
            else:
                state, joint = machine.initial(), []
    except ReasonerError:
        return


def _nets(program: Program) -> Iterator[list[Row]]:
    """Yield relations of facts as pairs of words, one list per direction, if each word has few neighbours."""
    left, roles = MAX_ROWS, {str(role) for role in program.roles}
    for relation, rules in program.by_head().items():
        if relation[1] not in (2, 3) or any(rule.body for rule in rules) or len(rules) > left:
            continue
        rows = [tuple(map(str, rule.head.arguments)) for rule in rules]
        if not _short(rows):
            continue
        for pairs in _directions(rows, relation[1]):
            words = {word for pair in pairs for word in pair}
            if len(words) >= MIN_CELLS and not words & roles and _degree(_both_ways(pairs)) <= MAX_NEIGHBOURS:
                left -= len(pairs)
                yield pairs


def _directions(rows: Sequence[Row], arity: int) -> Iterator[list[Row]]:
    """Yield the rows as pairs of words; rows of three words are grouped by the word that may be a direction."""
    if arity == 2:
        yield list(rows)
        return
    for index in range(arity):
        found: dict[str, list[Row]] = defaultdict(list)
        for row in rows:
            found[row[index]].append(row[:index] + row[index + 1 :])
        cells = {word for pairs in found.values() for pair in pairs for word in pair}
        if len(found) <= MAX_NEIGHBOURS and not any(word in cells and not word.isdigit() for word in found):
            yield from found.values()


def _both_ways(pairs: Sequence[Row]) -> list[Row]:
    return [row for one, other in pairs for row in ((one, other), (other, one))]


def _adjacent(machine: RelationalMachine, clock: Callable[[], float]) -> tuple[list[list[Row]], list[list[Row]]]:
    """Return the static relations in which a cell has at most six neighbours, and the symmetric relations of cells.

    The rows of the symmetric relations are pairs of cells; the two words of a cell are joined by a space.
    """
    links: list[list[Row]] = []
    nets: list[list[Row]] = []
    left, end = MAX_ROWS, clock() + SECONDS
    relations = [one for one in static_relations(machine.program) if 2 <= one[1] <= MAX_ARITY and not is_auxiliary(one)]
    for relation in sorted(relations, key=lambda one: (-one[1] % 2, -one[1], one)):
        if clock() > end:
            break
        rows = _rows(machine, relation)
        if relation[1] in (2, 4) and len(pairs := _mutual(rows)) <= left:
            left -= len(pairs)
            nets += [pairs] if pairs else []
        for pairs in _halves(rows, relation[1]):
            if len(pairs) <= left and _degree(pairs) == HEXAGON:
                left -= len(pairs)
                links.append(pairs)
    return links, nets


def _mutual(rows: Sequence[Row]) -> list[Row]:
    """Return the rows as pairs of cells if each pair is there both ways and cells have few neighbours; else none."""
    half = len(rows[0]) // 2 if rows else 0
    pairs = {(" ".join(row[:half]), " ".join(row[half:])) for row in rows if row[:half] != row[half:]}
    both = all((other, one) in pairs for one, other in pairs)
    few = both and len({one for one, _ in pairs}) >= MIN_CELLS and _degree(sorted(pairs)) <= MAX_NEIGHBOURS
    return sorted(pairs) if few else []


def _rows(machine: RelationalMachine, relation: Relation) -> list[Row]:
    variables = [Variable(f"x{index}") for index in range(relation[1])]
    try:
        answers = machine.query(machine.initial(), f"({relation[0]} {' '.join(map(str, variables))})")
    except ReasonerError:
        return []
    rows = [tuple(str(answer[variable]) for variable in variables) for answer in answers]
    return rows if _short(rows) else []


def _short(rows: Sequence[Row]) -> bool:
    return sum(len(word) for row in rows for word in row) <= MAX_CHARACTERS


def _halves(rows: Sequence[Row], arity: int) -> Iterator[list[Row]]:
    """Yield the rows as pairs of cells; for an odd arity, once without each argument, which may be a direction."""
    if len(rows) > MAX_ROWS:
        return
    if arity % 2 == 0:
        yield list(rows)
    else:
        for index in range(arity):
            yield [row[:index] + row[index + 1 :] for row in rows]


def _degree(pairs: Sequence[Row]) -> int:
    """Return the maximum number of neighbours of a cell."""
    beside: dict[Row, set[Row]] = defaultdict(set)
    for row in pairs:
        half = len(row) // 2
        beside[row[:half]].add(row[half:])
    return max(map(len, beside.values()), default=0)
