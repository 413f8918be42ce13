"""Legal moves and successor states as answer sets of the rules, computed by clingo without compiled kernels.

A game loads in a fraction of a second, because this module does not import numba. Every question grounds the rules
again, which is too slow for a search. The next states after a joint move that is only partly known are answer sets,
too:

    true(F).                                           for each fact of the state
    does(R, M).                                        for each known move
    1 {does(R, M) : legal(R, M)} 1.                    for each role whose move is unknown
    :- sees(R, P), not percept(P).                     if the percepts of role R are known
    percept(P).   :- not sees(R, P).                   for each known percept P of role R

Source: Gebser, Kaminski, Kaufmann, Schaub: Answer Set Solving in Practice (2012). Grounding may be infinite, and this
module limits neither time nor memory: call it in a process with limits.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cache

import clingo

from reasoner.ground.to_gringo import Symbols, rule_text, term_text
from reasoner.language.terms import Compound, Constant, Term
from reasoner.rules.dependencies import dependencies
from reasoner.rules.percepts import SEES, is_percept
from reasoner.rules.program import Atom, Program, Relation, Rule

INIT, LEGAL, NEXT, ROLE = ("init", 1), ("legal", 2), ("next", 1), ("role", 1)
PERCEPT = "percept received"
"""The relation of the known percepts. No name in a rulesheet contains a space, so the name is distinct."""

Position = frozenset[Term]
"""The true facts of a state, without percepts."""
Seen = tuple[Term, Collection[Term]]
"""A role, and its percepts of a joint move."""


class AnswerSetGame:
    """A state machine that uses clingo. Its methods raise RuntimeError or MemoryError if clingo fails."""

    def __init__(self, program: Program) -> None:
        self.roles = program.roles
        self._program = program
        self._depends = dependencies(program.rules).every
        self._symbols = Symbols()
        self._constants: list[str] = []  # by number
        self._functors: list[str] = []
        self._text = cache(self._written)

    def initial(self) -> Position:
        """Return the initial state."""
        return self._position(next(self._answers(INIT, "", 1), ()))

    def legal(self, position: Position) -> tuple[tuple[Term, ...], ...]:
        """Return the legal moves of each role, sorted by text."""
        found: dict[Term, list[Term]] = {role: [] for role in self.roles}
        for symbol in next(self._answers(LEGAL, self._facts("true", position), 1), ()):
            role, move = map(self._term, symbol.arguments)
            if role in found:  # `legal` rules may have a first argument that is not a role
                found[role].append(move)
        return tuple(tuple(sorted(found[role], key=str)) for role in self.roles)

    def successors(
        self, position: Position, joint: Sequence[Term | None], seen: Seen | None = None, most: int = 1
    ) -> list[Position]:
        """Return at most `most` next states after `joint`; None in `joint` means any legal move.

        With `seen`, only states in which the role gets exactly these percepts are returned. The known moves must be
        legal.
        """
        moves = [(role, move) for role, move in zip(self.roles, joint, strict=True) if move is not None]
        unknown = [role for role, move in zip(self.roles, joint, strict=True) if move is None]
        lines = [self._facts("true", position), *(self._fact("does", *pair) for pair in moves)]
        lines += [self._choice(role) for role in unknown]
        lines += [self._evidence(*seen)] if seen is not None else []
        needed = (LEGAL,) * bool(unknown) + (SEES,) * (seen is not None)
        found = self._answers(NEXT, "\n".join(lines), most if unknown else 1, needed)
        return list(dict.fromkeys(map(self._position, found)))

    def _answers(
        self, shown: Relation, text: str, most: int, needed: tuple[Relation, ...] = ()
    ) -> Iterator[Sequence[clingo.Symbol]]:
        """Yield the atoms of the relation `shown` in each answer set of the rules and `text`."""
        control = clingo.Control([f"--models={most}", "--project=show", "--warn=none"], logger=lambda *_: None)
        rules = self._text((shown, *needed))
        control.add("base", [], f"{rules}\n{text}\n#show {self._symbols.relation(shown)}/{shown[1]}.")
        control.ground([("base", [])])
        self._constants, self._functors = list(self._symbols.constants), list(self._symbols.functors)
        with control.solve(yield_=True) as models:
            for model in models:
                yield model.symbols(shown=True)

    def _written(self, wanted: tuple[Relation, ...]) -> str:
        """Return the rules on which the `wanted` relations depend."""
        reached, waiting = set(wanted), list(wanted)
        while waiting:
            new = self._depends.get(waiting.pop(), frozenset()) - reached
            reached |= new
            waiting += new
        return "\n".join(rule_text(r, self._symbols) for r in self._program.rules if r.head.relation in reached)

    def _choice(self, role: Term) -> str:
        does, legal = self._symbols.relation(("does", 2)), self._symbols.relation(LEGAL)
        name = self._text_of(role)
        return f"1 {{{does}({name},M) : {legal}({name},M)}} 1."

    def _evidence(self, role: Term, percepts: Collection[Term]) -> str:
        sees, percept = self._symbols.relation(SEES), self._symbols.relation((PERCEPT, 1))
        name = self._text_of(role)
        lines = [f":- {sees}({name},P), not {percept}(P)."]
        for term in percepts:
            lines += [self._fact(PERCEPT, term), f":- not {sees}({name},{self._text_of(term)})."]
        return "\n".join(lines)

    def _facts(self, relation: str, terms: Iterable[Term]) -> str:
        return "\n".join(self._fact(relation, term) for term in terms)

    def _fact(self, relation: str, *terms: Term) -> str:
        return rule_text(Rule(Atom(relation, terms)), self._symbols)

    def _text_of(self, term: Term) -> str:
        return term_text(term, self._symbols, {})

    def _position(self, atoms: Iterable[clingo.Symbol]) -> Position:
        facts = (self._term(atom.arguments[0]) for atom in atoms)
        return frozenset(fact for fact in facts if not is_percept(fact))

    def _term(self, symbol: clingo.Symbol) -> Term:
        """Return the term of a symbol: a number means a constant, ``f<i>`` a function symbol."""
        if symbol.type is clingo.SymbolType.Number:
            return Constant(self._constants[symbol.number])
        return Compound(self._functors[int(symbol.name[1:])], tuple(map(self._term, symbol.arguments)))
