"""Ground terms as small integers.

    term      0, 1, 2 … in order of first appearance
    functor   0, 1, 2 …, one per name and arity; NO_FUNCTOR for a constant

The key of a compound is the tuple ``(functor, argument, argument, …)``, so equal terms have equal numbers and a
function's arguments are read back without parsing text.
"""

from __future__ import annotations

from reasoner.language.terms import Compound, Constant, Term, Variable
from reasoner.relational.limits import SHALLOW, Overflow, allow_recursion

Row = tuple[int, ...]
NO_FUNCTOR = -1


class TermTable:
    """All ground terms interned so far. `functors`, `arguments` are indexed by term.

    `Term` objects and their texts are created on demand: terms share subterms, so the entry of a term is small even if
    its text is long.
    """

    def __init__(self, max_depth: int, max_size: int) -> None:
        self.max_depth = max_depth
        self.max_size = max_size
        self.functors: list[int] = []  # [term]
        self.arguments: list[Row] = []  # [term]
        self.compounds = _Compounds(self)
        self._depths: list[int] = []  # [term], 0 for a constant
        self._sizes: list[int] = []  # [term] in words
        self._terms: dict[int, Term] = {}
        self._texts: dict[int, str] = {}
        self._constants: dict[str, int] = {}
        self._functor_numbers: dict[tuple[str, int], int] = {}
        self._functor_names: list[str] = []  # [functor]

    @property
    def constants(self) -> int:
        """The number of constants."""
        return len(self._constants)

    def functor(self, name: str, arity: int) -> int:
        """Return the number of a function."""
        number = self._functor_numbers.setdefault((name, arity), len(self._functor_names))
        if number == len(self._functor_names):
            self._functor_names.append(name)
        return number

    def intern(self, term: Term) -> int:
        """Return the number of a ground term. Raises ValueError on a variable."""
        if isinstance(term, Constant):
            number = self._constants.get(term.name)
            return self._new_constant(term) if number is None else number
        if isinstance(term, Variable):
            raise ValueError(f"{term} is not ground")
        functor = self.functor(term.functor, len(term.arguments))
        return self.compounds[(functor, *map(self.intern, term.arguments))]

    def term(self, number: int) -> Term:
        """Return the term with this number."""
        term = self._terms.get(number)
        if term is None:
            name = self._functor_names[self.functors[number]]
            term = self._terms[number] = Compound(name, tuple(map(self.term, self.arguments[number])))
        return term

    def text(self, number: int) -> str:
        """Return the term's KIF text."""
        text = self._texts.get(number)
        if text is None:
            name = self._functor_names[self.functors[number]]
            text = self._texts[number] = f"({' '.join((name, *map(self.text, self.arguments[number])))})"
        return text

    def depth(self, number: int) -> int:
        """Return how deep functions are nested in the term; 0 for a constant."""
        return self._depths[number]

    def size(self, number: int) -> int:
        """Return the number of words in the term."""
        return self._sizes[number]

    def _new_constant(self, term: Constant) -> int:
        number = self._constants[term.name] = self._append(NO_FUNCTOR, (), 0, 1)
        self._terms[number] = term
        self._texts[number] = term.name
        return number

    def new_compound(self, key: Row) -> int:
        """Number a new compound. Raises Overflow if it is nested too deeply or too large."""
        functor, *arguments = key
        depth = 1 + max((self._depths[a] for a in arguments), default=0)
        size = 1 + sum(self._sizes[a] for a in arguments)
        if depth > self.max_depth:
            raise Overflow("depth", self.max_depth)
        if size > self.max_size:
            raise Overflow("size", self.max_size)
        return self._append(functor, tuple(arguments), depth, size)

    def _append(self, functor: int, arguments: Row, depth: int, size: int) -> int:
        if depth > SHALLOW:
            allow_recursion()
        self.functors.append(functor)
        self.arguments.append(arguments)
        self._depths.append(depth)
        self._sizes.append(size)
        return len(self.functors) - 1


class _Compounds(dict[Row, int]):
    """``(functor, *arguments)`` → term; looking up a new compound numbers it."""

    def __init__(self, table: TermTable) -> None:
        super().__init__()
        self._table = table

    def __missing__(self, key: Row) -> int:
        number = self[key] = self._table.new_compound(key)
        return number
