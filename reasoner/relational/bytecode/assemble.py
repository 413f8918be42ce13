"""Write the code of a rule whose body has a given join order (`layout` describes the instructions).

Conditions become nested loops and tests. A failed test continues at the innermost loop that binds one of its variables
(backjumping). After the row of the head is entered, the code continues at the innermost loop that binds a variable of
the head: further iterations of the loops inside it would only find the same row again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from reasoner.errors import LimitError
from reasoner.language.terms import Compound, Term, Variable, is_ground, variables
from reasoner.relational.bytecode import layout
from reasoner.relational.bytecode.units import written_as
from reasoner.relational.limits import named
from reasoner.rules.program import Atom, Condition, Distinct, Literal, Relation, Rule, is_positive

OUTSIDE = -1
"""The loop depth of terms that no loop binds."""

Columns = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Demand:
    """A demand: the relation is evaluated for given values (the key) in some of its columns."""

    number: int
    answers: Relation  # contains at least the rows with the requested key
    columns: Columns


@dataclass(frozen=True, slots=True)
class Room:
    """The range of free registers and of free loop counters (slots) for code."""

    register: int = 0
    slot: int = 0
    last_register: int = layout.VARIABLES // 2  # higher registers are reserved for relations on demand
    last_slot: int = layout.SLOTS // 2


@dataclass(frozen=True, slots=True)
class Numbers:
    """The numbers that code uses for relations, terms and demands."""

    relation: Callable[[Relation], int]
    index: Callable[[Relation, Columns], int]
    functor: Callable[[str, int], int]
    constant: Callable[[Term], int]  # the register that contains a ground term
    on_demand: Callable[[Relation], bool]  # whether a relation is evaluated on demand only
    demand: Callable[[Relation, Columns], Demand]


@dataclass
class _Loop:
    step: int  # address of its next iteration


class Assembly:
    """The code of one rule, written for the address `start`; execution continues at the address after the code.

    Raises LimitError if the rule has too many variables or conditions.
    """

    def __init__(self, rule: Rule, numbers: Numbers, start: int, room: Room) -> None:
        self.rule = rule
        self.numbers = numbers
        self.start = start
        self.code: list[int] = []
        self._loops: list[_Loop] = []
        self._registers: dict[Term, int] = {}
        self._depths: dict[Term, int] = {}  # of variables: the loop that binds each
        self._room = room
        self._used = room.register
        self._ends: list[int] = []  # positions of the jump addresses to the end
        self._known_checked = False

    def assemble(self, order: Sequence[int], delta: int | None = None) -> list[int]:
        """Return the code that joins the body in this order; the condition at `delta` reads new rows only."""
        for relation in {c.atom.relation: None for c in self._positive() if c is not self._at(delta)}:
            if not self.numbers.on_demand(relation):
                self._write(layout.FILLED, self.numbers.relation(relation), self._target(OUTSIDE))
        for place, position in enumerate(order):
            later = [self.rule.body[p] for p in order[place + 1 :]]
            self._skip_known(later, place)
            self._condition(self.rule.body[position], later, position == delta)
        self._emit()
        for at in self._ends:
            self.code[at] = self.start + len(self.code)
        return self.code

    def _positive(self) -> list[Literal]:
        return [c for c in self.rule.body if is_positive(c)]

    def _at(self, position: int | None) -> Condition | None:
        return None if position is None else self.rule.body[position]

    def _condition(self, condition: Condition, later: list[Condition], new_only: bool) -> None:
        if isinstance(condition, Distinct):
            left, right = self._built(condition.left), self._built(condition.right)
            self._write(layout.DIFFER, left, right, self._target(self._depth(condition.variables())))
        elif condition.positive:
            self._literal(condition.atom, later, new_only)
        else:
            self._negation(condition.atom)

    def _skip_known(self, later: list[Condition], place: int) -> None:
        """Test whether the head's row exists already, before loops that bind no variable of the head."""
        head = self.rule.head
        if self._known_checked or place == 0 or any(v not in self._registers for v in head.variables()):
            return
        self._known_checked = True
        loops = any(is_positive(c) and any(v not in self._registers for v in c.variables()) for c in later)
        if loops and all(isinstance(a, Variable) or is_ground(a) for a in head.arguments):
            keys = [self._register(a) for a in head.arguments]
            columns = tuple(range(len(keys)))
            self._test(layout.ABSENT, head.relation, columns, keys, self._target(self._depth(head.variables())))

    def _negation(self, atom: Atom) -> None:
        fail = self._target(self._depth(atom.variables()))
        missing: list[int] = []
        found = self._built if self.numbers.on_demand(atom.relation) else lambda term: self._found(term, missing)
        keys = [found(argument) for argument in atom.arguments]
        columns = tuple(range(len(keys)))
        self._test(layout.ABSENT, self._evaluated(atom.relation, columns, keys), columns, keys, fail)
        for at in missing:  # a compound that does not exist is in no row
            self.code[at] = self._here()

    def _literal(self, atom: Atom, later: list[Condition], new_only: bool) -> None:
        needed = {*self.rule.head.variables(), *(v for c in later for v in c.variables())}
        columns, keys, rest = [], [], []
        found = self._built if self.numbers.on_demand(atom.relation) else self._found  # may not exist yet
        for column, argument in enumerate(atom.arguments):
            if all(v in self._registers for v in variables(argument)) and not new_only:
                columns.append(column)
                keys.append(found(argument))
            elif not (isinstance(argument, Variable) and argument not in needed and _once(argument, atom)):
                rest.append((column, argument))
        bound = [v for c in columns for v in variables(atom.arguments[c])]
        relation = self._evaluated(atom.relation, tuple(columns), keys)
        if not rest:
            self._test(layout.MEMBER, relation, tuple(columns), keys, self._target(self._depth(bound)))
            return
        self._loop(relation, tuple(columns), keys, self._depth(bound), rest, new_only)

    def _evaluated(self, relation: Relation, columns: Columns, keys: list[int]) -> Relation:
        """Return the relation to read; for a relation on demand, write the ASK that evaluates it for these keys."""
        if not self.numbers.on_demand(relation):
            return relation
        demand = self.numbers.demand(relation, columns)
        asked = [key for column, key in zip(columns, keys, strict=True) if column in demand.columns]
        self._write(layout.ASK, demand.number, len(asked), *asked)
        return demand.answers

    def _loop(
        self,
        relation: Relation,
        columns: Columns,
        keys: list[int],
        depth: int,
        rest: list[tuple[int, Term]],
        new_only: bool,
    ) -> None:
        """Write a loop over the rows with these keys; the loop binds the columns `rest`."""
        before, slot = len(self._loops) - 1, self._room.slot + len(self._loops)
        if slot >= self._room.last_slot:
            raise self._too_large("conditions")
        pairs, opened = [], []
        for column, argument in rest:
            register = self._new()
            pairs += [column, register]
            opened.append((argument, register))
        if keys:
            index = self.numbers.index(relation, columns)
            self._write(layout.PROBE, slot, index, self._target(depth), len(keys), *keys)
            at, step = self._here() - len(keys), self._here()
            self._write(layout.NEXT, slot, index, at, self._target(before), len(rest), *pairs)
        else:
            number = self.numbers.relation(relation)
            self._write(layout.DELTA if new_only else layout.SCAN, slot, number)
            step = self._here()
            self._write(layout.STEP, slot, number, self._target(before), len(rest), *pairs)
        self._loops.append(_Loop(step))
        for argument, register in opened:
            self._bind(argument, register)

    def _bind(self, term: Term, register: int) -> None:
        """Match a term with the contents of a register, binding its variables."""
        here = len(self._loops) - 1
        if isinstance(term, Variable) and term not in self._registers:
            self._registers[term], self._depths[term] = register, here
        elif isinstance(term, Variable) or is_ground(term):
            self._write(layout.SAME, register, self._register(term), self._target(here))
        else:
            assert isinstance(term, Compound)
            inner = [self._new() for _ in term.arguments]
            functor = self.numbers.functor(term.functor, len(inner))
            self._write(layout.OPEN, register, functor, self._target(here), len(inner), *inner)
            for argument, place in zip(term.arguments, inner, strict=True):
                self._bind(argument, place)

    def _test(self, op: int, relation: Relation, columns: Columns, keys: list[int], fail: int) -> None:
        if columns:
            self._write(op, self.numbers.index(relation, columns), fail, len(keys), *keys)
        else:
            self._write(layout.FILLED if op == layout.MEMBER else layout.EMPTY, self.numbers.relation(relation), fail)

    def _emit(self) -> None:
        head = self.rule.head
        keys = [self._built(argument) for argument in head.arguments]
        then = self._target(self._depth(head.variables()))
        self._write(layout.EMIT, self.numbers.relation(head.relation), then, len(keys), *keys)

    def _register(self, term: Term) -> int:
        return self._registers[term] if isinstance(term, Variable) else self.numbers.constant(term)

    def _found(self, term: Term, missing: list[int] | None = None) -> int:
        """Return the register of a term with bound variables; write tests that fail if a compound does not exist."""
        if isinstance(term, Variable) or is_ground(term):
            return self._register(term)
        assert isinstance(term, Compound)
        inner = [self._found(argument, missing) for argument in term.arguments]
        register = self._new()
        fail = 0 if missing is not None else self._target(self._depth(variables(term)))
        if missing is not None:
            missing.append(len(self.code) + 3)
        self._write(layout.FIND, register, self.numbers.functor(term.functor, len(inner)), fail, len(inner), *inner)
        return register

    def _built(self, term: Term) -> int:
        """Return the register of a term with bound variables; write code that creates missing compounds."""
        if isinstance(term, Variable) or is_ground(term):
            return self._register(term)
        assert isinstance(term, Compound)
        inner = [self._built(argument) for argument in term.arguments]
        register = self._new()
        self._write(layout.MAKE, register, self.numbers.functor(term.functor, len(inner)), len(inner), *inner)
        return register

    def _depth(self, terms: Iterable[Variable]) -> int:
        return max((self._depths[v] for v in terms), default=OUTSIDE)

    def _target(self, depth: int) -> int:
        """Return the address of a loop's next iteration; for OUTSIDE, the end of the code, which is filled in later."""
        return self._loops[depth].step if depth != OUTSIDE else OUTSIDE

    def _write(self, *words: int) -> None:
        jump = layout.JUMP_OPERAND.get(words[0])
        if jump is not None and words[jump] == OUTSIDE:
            self._ends.append(len(self.code) + jump)
        self.code += words

    def _here(self) -> int:
        return self.start + len(self.code)

    @property
    def used(self) -> tuple[int, int]:
        """Return the first register and the first loop counter that are free after this code."""
        return self._used, self._room.slot + len(self._loops)

    def _new(self) -> int:
        self._used += 1
        if self._used > self._room.last_register:
            raise self._too_large("variables and functions")
        return self._used - 1

    def _too_large(self, what: str) -> LimitError:
        span = self.rule.span
        where = f" in line {span.line}" if span else ""
        relation = named(written_as(self.rule.head.relation))
        return LimitError(f"a rule of {relation}{where} has too many {what} to be evaluated: split it", "rules")


def _once(variable: Variable, atom: Atom) -> bool:
    return sum(v == variable for v in atom.variables()) == 1
