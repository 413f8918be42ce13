"""Ground a program with gringo, collecting its ground rules in this process as they are made.

An observer takes them over without the detour through text. Run it in a child process (`reasoner.build`): rules with
growing function terms never end, and only the end of the process stops gringo.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

import clingo

from reasoner.errors import LimitError
from reasoner.ground.to_gringo import Symbols, to_gringo
from reasoner.language.terms import Compound, Constant, Term
from reasoner.rules.program import Atom, Program, Relation

SHOWN: tuple[Relation, ...] = (
    ("init", 1),
    ("true", 1),
    ("does", 2),
    ("next", 1),
    ("legal", 2),
    ("goal", 2),
    ("terminal", 0),
)
"""The relations whose ground atoms are reported by name."""

Body = tuple[int, ...]


@dataclass
class GroundProgram:
    """Ground rules over numbered atoms.

    `rules[a]` are the bodies that imply atom `a`: signed atom numbers, negative ones under `not`; an empty body
    makes a fact. `atoms` names the atoms of the SHOWN relations; an atom that gringo settled as a fact may have
    number 0, which stands for "true". Atoms of `true` and `does` are free: they have no rules.
    """

    atoms: dict[Atom, int] = field(default_factory=dict)
    rules: dict[int, list[Body]] = field(default_factory=lambda: defaultdict(list))

    def of(self, name: str) -> dict[tuple[Term, ...], int]:
        """The arguments and numbers of the atoms of one shown relation."""
        return {atom.arguments: number for atom, number in self.atoms.items() if atom.name == name}

    def __str__(self) -> str:
        """Named facts first, then one rule a line; ``#7`` is an atom of a relation that is not shown."""
        names = {number: str(atom) for atom, number in self.atoms.items() if number}
        lines = sorted(str(atom) for atom, number in self.atoms.items() if number == 0)
        for head, bodies in sorted(self.rules.items()):
            for body in bodies:
                if body or head in names:
                    lines.append(_rule_text(head, body, names))
        return "\n".join(lines)


def _rule_text(head: int, body: Body, names: dict[int, str]) -> str:
    def name(atom: int) -> str:
        return names.get(atom, f"#{atom}")

    conditions = (name(literal) if literal > 0 else f"(not {name(-literal)})" for literal in body)
    return f"(<= {name(head)} {' '.join(conditions)})" if body else name(head)


def ground(program: Program, max_rules: int = 20_000_000) -> GroundProgram:
    """All ground rules that can matter, by gringo. Raises LimitError after `max_rules` of them."""
    symbols = Symbols()
    text = to_gringo(program, symbols)
    shown = "".join(f"#show {symbols.relation(relation)}/{relation[1]}.\n" for relation in SHOWN)
    control = clingo.Control(["--warn=none"], logger=_ignore)
    collector = _Collector(_Decoder(symbols), max_rules)
    control.register_observer(collector)
    control.add("base", [], f"{text}\n{shown}")
    try:
        control.ground([("base", [])])
    except _FullError:
        raise LimitError(f"the rules ground to more than {max_rules:,} instances", limit="rules") from None
    return collector.program


def _ignore(_code: clingo.MessageCode, _text: str) -> None:
    """Gringo's remarks (undefined relations) are ours to make, and were made by the validation."""


@dataclass
class _Decoder:
    """From gringo's symbols back to terms."""

    symbols: Symbols

    def __post_init__(self) -> None:
        self.known: dict[clingo.Symbol, Term] = {}
        self.constants = [Constant(name) for name in self.symbols.constants]
        self.functors = {f"f{i}": name for name, i in self.symbols.functors.items()}
        self.relations = {f"p{i}": relation[0] for relation, i in self.symbols.relations.items()}

    def atom(self, symbol: clingo.Symbol) -> Atom:
        return Atom(self.relations[symbol.name], tuple(map(self.term, symbol.arguments)))

    def term(self, symbol: clingo.Symbol) -> Term:
        """The term of a symbol; decoded once, because `legal` and `does`, `next` and `true` share theirs."""
        term = self.known.get(symbol)
        if term is None:
            term = self.known[symbol] = self._decoded(symbol)
        return term

    def _decoded(self, symbol: clingo.Symbol) -> Term:
        if symbol.type is clingo.SymbolType.Number:
            return self.constants[symbol.number]
        return Compound(self.functors[symbol.name], tuple(map(self.term, symbol.arguments)))


class _FullError(Exception):
    """The collector has all it may take; clingo raises an observer's exceptions anew, with their text alone."""


class _Collector(clingo.Observer):
    """Receives the ground program; what it raises ends the grounding."""

    def __init__(self, decoder: _Decoder, max_rules: int) -> None:
        self.decoder = decoder
        self.max_rules = max_rules
        self.count = 0
        self.program = GroundProgram()

    def rule(self, choice: bool, head: Sequence[int], body: Sequence[int]) -> None:
        if choice:
            return
        self.count += 1
        if self.count > self.max_rules:
            raise _FullError
        self.program.rules[head[0]].append(tuple(body))

    def output_atom(self, symbol: clingo.Symbol, atom: int) -> None:
        self.program.atoms[self.decoder.atom(symbol)] = atom
