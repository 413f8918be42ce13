"""From an ordered body to steps: which column holds which term, what each step needs, what is dropped after it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from reasoner.language.terms import Compound, Term, is_ground, variables
from reasoner.relational.interning import Row, TermTable
from reasoner.relational.order import literal_at
from reasoner.relational.patterns import Pattern
from reasoner.relational.steps import Ask, Build, Differ, Exclude, Frame, Join, Pick, Project, Require, Rows, Step
from reasoner.relational.table import key_of, picker
from reasoner.rules.program import Atom, Condition, Distinct


@dataclass(frozen=True, slots=True)
class Plan:
    """Steps that turn one row of constants into the rows of the rule's head."""

    constants: Row
    steps: tuple[Step, ...]

    def run(self, frame: Frame) -> Rows:
        """The head's rows."""
        rows: Rows = [self.constants]
        for step in self.steps:
            rows = step.run(rows, frame)
            if not rows:
                break
        return rows


def compile_plan(
    head: Atom,
    body: Sequence[Condition],
    patterns: Sequence[Pattern | None],
    order: Sequence[int],
    asked: frozenset[int],
    terms: TermTable,
) -> Plan:
    """The plan of a rule whose body is joined in `order`; the conditions `asked` are evaluated on demand."""
    compiler = _Compiler(head, body, patterns, order, asked, terms)
    for place, position in enumerate(order):
        compiler.condition(place, position)
    compiler.project()
    return Plan(compiler.constants, tuple(compiler.steps))


class _Compiler:
    """Follows the columns of the rows through the steps."""

    def __init__(
        self,
        head: Atom,
        body: Sequence[Condition],
        patterns: Sequence[Pattern | None],
        order: Sequence[int],
        asked: frozenset[int],
        terms: TermTable,
    ) -> None:
        self.head = head
        self.body = body
        self.patterns = patterns
        self.order = order
        self.asked = asked
        self.terms = terms
        self.steps: list[Step] = []
        ground = dict.fromkeys(t for argument in self._built_arguments() for t in _ground_parts(argument))
        self.constants: Row = tuple(map(terms.intern, ground))
        self.columns: dict[Term, int] = {term: column for column, term in enumerate(ground)}
        self.width = len(ground)

    def condition(self, place: int, position: int) -> None:
        """The steps of one condition, the `place`-th in order."""
        condition = self.body[position]
        if isinstance(condition, Distinct):
            self.steps.append(Differ(self._column(condition.left), self._column(condition.right)))
            return
        if position in self.asked:
            self._ask(position)
        pattern = self._pattern(position)
        if not condition.positive:
            self.steps.append(Exclude(position, self._pick(pattern.variables)))
        elif all(v in self.columns for v in pattern.variables):
            self.steps.append(Require(position, self._pick(pattern.variables)))
        else:
            self._join(place, position, pattern)

    def project(self) -> None:
        """The last step."""
        self.steps.append(Project(self._pick(self.head.arguments)))

    def _join(self, place: int, position: int, pattern: Pattern) -> None:
        bound = tuple(i for i, v in enumerate(pattern.variables) if v in self.columns)
        key = key_of(tuple(self.columns[pattern.variables[i]] for i in bound))
        fresh = [v for v in pattern.variables if v not in self.columns]
        for variable in fresh:
            self.columns[variable] = self.width
            self.width += 1
        keep = self._columns_needed_after(place)
        self.steps.append(Join(position, bound, key, picker(keep) if keep is not None else None))

    def _columns_needed_after(self, place: int) -> tuple[int, ...] | None:
        """The columns to keep, and the layout changed to it; None when all are needed."""
        later = [self.body[p] for p in self.order[place + 1 :]]
        needed = {*self.head.variables(), *(v for condition in later for v in condition.variables())}
        kept = {t: c for t, c in self.columns.items() if is_ground(t) or t in needed}
        if len(kept) == self.width:
            return None
        self.columns = {term: column for column, term in enumerate(kept)}
        self.width = len(kept)
        return tuple(kept.values())

    def _ask(self, position: int) -> None:
        """Ask by the arguments that are bound by now, and for nothing more than those."""
        atom = literal_at(self.body, position).atom
        bound = tuple(i for i, a in enumerate(atom.arguments) if all(v in self.columns for v in variables(a)))
        key = self._pick(atom.arguments[i] for i in bound)
        self.steps.append(Ask(position, atom.relation, bound, key, self._pattern(position).access))

    def _pattern(self, position: int) -> Pattern:
        pattern = self.patterns[position]
        assert pattern is not None  # only a disequality has none
        return pattern

    def _pick(self, picked: Iterable[Term]) -> Pick:
        return picker(tuple(map(self._column, picked)))

    def _column(self, term: Term) -> int:
        """The column that holds `term`, built first if it must be."""
        if term not in self.columns:
            assert isinstance(term, Compound)  # variables are bound and constants present
            arguments = tuple(map(self._column, term.arguments))
            functor = self.terms.functor(term.functor, len(arguments))
            self.steps.append(Build(functor, picker(arguments)))
            self.columns[term] = self.width
            self.width += 1
        return self.columns[term]

    def _built_arguments(self) -> Iterator[Term]:
        """Every term that a step may have to produce from a row."""
        yield from self.head.arguments
        for position, condition in enumerate(self.body):
            if isinstance(condition, Distinct):
                yield from (condition.left, condition.right)
            elif position in self.asked:
                yield from condition.atom.arguments


def _ground_parts(term: Term) -> Iterator[Term]:
    """The largest ground terms in `term`."""
    if is_ground(term):
        yield term
    elif isinstance(term, Compound):
        for argument in term.arguments:
            yield from _ground_parts(argument)
