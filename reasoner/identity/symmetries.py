"""Symmetries of a game's play, as permutations of facts and moves.

A symmetry is an automorphism of the rules that play depends on. The `init` rules are ignored. So a rotation is a
symmetry even if the initial state is not symmetric, and the exchange of two roles can be found, too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from reasoner.arrays import Longs
from reasoner.errors import LimitError
from reasoner.identity.identify import FIRST_WORK, SEARCH_WORK, numbered
from reasoner.identity.labelling import Work, labelling
from reasoner.identity.rule_forms import Numbering, forms
from reasoner.identity.rule_graph import RuleGraph, Symbol, rule_graph
from reasoner.identity.sorts import FACT, MOVE, ROLE, Sorts, goal_values, sorts_of
from reasoner.identity.translation import Translation
from reasoner.language.terms import Term
from reasoner.rules.dependencies import dependencies, reached
from reasoner.rules.domains import domains
from reasoner.rules.program import Program, Relation, Rule

PLAYED: tuple[Relation, ...] = (("role", 1), ("next", 1), ("legal", 2), ("goal", 2), ("terminal", 0), ("sees", 2))
"""The relations that determine play from a given state."""


@dataclass(frozen=True, eq=False)
class Symmetries:
    """S symmetries of F facts, R roles and M moves of each role; the first is the identity.

    Symmetry s maps fact f to `facts[s, f]`, role r to `roles[s, r]`, and move m of role r to move `moves[r][s, m]` of
    the image role: the value of a position for r is the value of its image for the image of r.
    """

    facts: Longs  # [S, F]
    roles: Longs  # [S, R]
    moves: tuple[Longs, ...]  # R times [S, M]

    def __len__(self) -> int:
        return len(self.facts)


def symmetries(
    program: Program, facts: Sequence[Term], moves: Sequence[Sequence[Term]], most: int = 16, work: int = SEARCH_WORK
) -> Symmetries:
    """Return at most `most` symmetries of play that permute `facts` and permute the moves of all roles.

    `moves` are the moves of each role, in the order of the program's roles. The search may stop at its work limit.
    """
    names = _Names(program.roles, facts, moves)
    found = [names.identity()]
    known = {found[0].tobytes()}
    generators = [p for t in automorphisms(program, work) if (p := names.permutation(t)) is not None]
    for element in found:  # grows during the iteration
        for generator in generators:
            product = generator[element]
            if len(found) < most and product.tobytes() not in known:
                known.add(product.tobytes())
                found.append(product)
    return names.split(np.stack(found))


class Automorphism:
    """The images of facts, moves and roles under a symmetry of play. Names that occur in no rule are unchanged."""

    def __init__(self, names: Translation, sorts: Sorts | None) -> None:
        self._names, self._sorts = names, sorts

    def fact(self, fact: Term) -> Term:
        """Return the image of a fact."""
        return self._image(fact, FACT)

    def move(self, move: Term) -> Term:
        """Return the image of a move."""
        return self._image(move, MOVE)

    def role(self, role: Term) -> Term:
        """Return the image of a role."""
        return self._image(role, ROLE)

    def _image(self, term: Term, sort: str) -> Term:
        if self._sorts is None:
            return self._names.changed(term)
        return self._sorts.plain(self._names.changed(self._sorts.term(term, (sort,))))


def automorphisms(program: Program, work: int = SEARCH_WORK) -> Iterator[Automorphism]:
    """Yield generators of the symmetries of play, each verified on the rules; none if the rules are too large."""
    rules = played_rules(program)
    sorts = sorts_of(rules, domains(program))
    rules = rules if sorts is None else sorts.rules
    graph = rule_graph(rules, goal_values(program.rules))
    try:
        found = labelling(graph, Work(FIRST_WORK), work)
    except LimitError:
        return
    numbering = numbered(graph, found.order)
    plain = forms(rules, numbering).rules if found.generators else []
    for moved in found.generators:
        image = _Image(graph, moved)
        if forms(rules, image.numbering(numbering)).rules == plain:
            yield Automorphism(image.translation(), sorts)


def played_rules(program: Program) -> list[Rule]:
    """Return the rules that play from a given state depends on."""
    needed = reached(dependencies(program.rules).every, PLAYED)
    return [rule for rule in program.rules if rule.head.relation in needed]


class _Image:
    """The images of the names of a graph under an automorphism."""

    def __init__(self, graph: RuleGraph, moved: Longs) -> None:
        symbols = {vertex: symbol for symbol, vertex in graph.symbols.items()}
        places = {vertex: place for place, vertex in graph.places.items()}
        self.symbols: dict[Symbol, Symbol] = {s: symbols[int(moved[v])] for s, v in graph.symbols.items()}
        self.sources: dict[Symbol, dict[int, int]] = {}  # the preimage of each place, by symbol
        for (symbol, number), vertex in graph.places.items():
            self.sources.setdefault(symbol, {})[places[int(moved[vertex])][1]] = number

    def numbering(self, plain: Numbering) -> Numbering:
        """Return the numbering in which every symbol has the number of its image."""
        places = {s: [self.sources[s][n] for n in plain.places[self.symbols[s]]] for s in plain.places}
        return Numbering({s: plain.numbers[image] for s, image in self.symbols.items()}, places)

    def translation(self) -> Translation:
        """Return the translation of constants and functions."""
        return Translation(
            {
                (s.name, s.arity): (image.name, [self.sources[s][n] for n in range(max(s.arity, 0))])
                for s, image in self.symbols.items()
                if s.kind != "relation"
            }
        )


class _Names:
    """Facts, roles and moves, numbered together: all facts, then the roles, then the moves of each role."""

    def __init__(self, roles: Sequence[Term], facts: Sequence[Term], moves: Sequence[Sequence[Term]]) -> None:
        self.bounds = np.cumsum([0, len(facts), len(roles), *map(len, moves)])
        self.facts: dict[Term, int] = {fact: number for number, fact in enumerate(facts)}
        self.roles: dict[Term, int] = {role: len(facts) + number for number, role in enumerate(roles)}
        owned = [(role, move) for role, own in zip(roles, moves, strict=True) for move in own]
        self.moves: dict[tuple[Term, Term], int] = {
            pair: int(self.bounds[2]) + number for number, pair in enumerate(owned)
        }

    def identity(self) -> Longs:
        return np.arange(self.bounds[-1], dtype=np.int64)

    def permutation(self, image: Automorphism) -> Longs | None:
        """Return the number of each image; None if an image is not in the lists, or if two images are equal."""
        images = [
            *(self.facts.get(image.fact(fact)) for fact in self.facts),
            *(self.roles.get(image.role(role)) for role in self.roles),
            *(self.moves.get((image.role(role), image.move(move))) for role, move in self.moves),
        ]
        if None in images or len(set(images)) < len(images):
            return None
        return np.array(images, np.int64)

    def split(self, elements: Longs) -> Symmetries:
        """Return group elements as arrays of facts, roles and moves.  # [S, all]."""
        facts, roles, *moves = (elements[:, a:b] for a, b in zip(self.bounds, self.bounds[1:], strict=False))
        owners = roles - self.bounds[1]
        starts = self.bounds[2:-1]
        own = tuple(m - starts[owners[:, role]][:, None] for role, m in enumerate(moves))
        return Symmetries(facts - self.bounds[0], owners, own)
