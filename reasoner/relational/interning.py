"""Ground terms as small integers.

    term      0, 1, 2 … in order of first appearance
    functor   0, 1, 2 …, one per name and arity; NO_FUNCTOR for a constant

A compound is known by the tuple ``(functor, argument, argument, …)``, so equal terms have equal numbers and a
function's arguments are read back without looking at text.
"""

from __future__ import annotations

from reasoner.language.terms import Compound, Constant, Term, Variable
from reasoner.relational.limits import Overflow

Row = tuple[int, ...]
NO_FUNCTOR = -1


class TermTable:
    """All ground terms met so far. `functors`, `arguments` are indexed by term."""

    def __init__(self, max_depth: int) -> None:
        self.max_depth = max_depth
        self.functors: list[int] = []  # [term]
        self.arguments: list[Row] = []  # [term]
        self.compounds = _Compounds(self)
        self._depths: list[int] = []  # [term], 0 for a constant
        self._terms: list[Term] = []  # [term]
        self._texts: list[str] = []  # [term]
        self._constants: dict[str, int] = {}
        self._functor_numbers: dict[tuple[str, int], int] = {}
        self._functor_names: list[str] = []  # [functor]

    def functor(self, name: str, arity: int) -> int:
        """The number of a function."""
        number = self._functor_numbers.setdefault((name, arity), len(self._functor_names))
        if number == len(self._functor_names):
            self._functor_names.append(name)
        return number

    def intern(self, term: Term) -> int:
        """The number of a ground term. Raises ValueError on a variable."""
        if isinstance(term, Constant):
            number = self._constants.get(term.name)
            return self._new_constant(term) if number is None else number
        if isinstance(term, Variable):
            raise ValueError(f"{term} is not ground")
        functor = self.functor(term.functor, len(term.arguments))
        return self.compounds[(functor, *map(self.intern, term.arguments))]

    def term(self, number: int) -> Term:
        """The term with this number."""
        return self._terms[number]

    def text(self, number: int) -> str:
        """Its KIF text."""
        return self._texts[number]

    def _new_constant(self, term: Constant) -> int:
        number = self._append(term, NO_FUNCTOR, (), 0)
        self._constants[term.name] = number
        return number

    def new_compound(self, key: Row) -> int:
        """Number a compound that has none yet. Raises Overflow when it is nested too deeply."""
        functor, *arguments = key
        depth = 1 + max((self._depths[a] for a in arguments), default=0)
        if depth > self.max_depth:
            raise Overflow("depth", self.max_depth)
        term = Compound(self._functor_names[functor], tuple(self._terms[a] for a in arguments))
        return self._append(term, functor, tuple(arguments), depth)

    def _append(self, term: Term, functor: int, arguments: Row, depth: int) -> int:
        name = self._functor_names[functor] if functor != NO_FUNCTOR else str(term)
        text = name if functor == NO_FUNCTOR else f"({' '.join((name, *map(self.text, arguments)))})"
        self.functors.append(functor)
        self.arguments.append(arguments)
        self._depths.append(depth)
        self._terms.append(term)
        self._texts.append(text)
        return len(self._terms) - 1


class _Compounds(dict[Row, int]):
    """``(functor, *arguments)`` → term; looking up a new compound numbers it."""

    def __init__(self, table: TermTable) -> None:
        super().__init__()
        self._table = table

    def __missing__(self, key: Row) -> int:
        number = self[key] = self._table.new_compound(key)
        return number
