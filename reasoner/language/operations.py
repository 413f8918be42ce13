"""Translate Stanford's newer language, which has operations, to plain GDL.

    mark(M,N) :: control(R) & p(N) ==> cell(M,N,R) & ~cell(M,N,b) & tick

A state is a set of facts without `true`. One role is in control. The operations of its action delete and add facts; a
fact that is both deleted and added is true. An operation may call other operations, as `tick` here. The translation
(`do …` and `deleted …` are relations, not facts of the state):

    (<= (do mark ?x ?y) (does ?r (mark ?x ?y)) (true (control ?r)))
    (<= (next (cell ?M ?N ?R)) (do mark ?M ?N) (true (control ?R)) (p ?N))
    (<= (deleted cell ?M ?N b) (do mark ?M ?N) (true (control ?R)) (p ?N))
    (<= (do tick) (do mark ?M ?N) (true (control ?R)) (p ?N))
    (<= (next (cell ?x ?y ?z)) (true (cell ?x ?y ?z)) (not (deleted cell ?x ?y ?z)))

A role that is not in control has only the move `noop`. A goal that no rule defines is 0. The translation maps
expressions to expressions and keeps their offsets, so that all checks work and report locations.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from reasoner.language.builtins import MAX_INTEGERS, chained, counting, integers, is_arithmetic, table
from reasoner.language.expressions import Expression, Group, Word, words
from reasoner.language.infix import OPERATION, conditions
from reasoner.language.keywords import connective
from reasoner.language.report import FaultReport
from reasoner.language.survey import Survey, constants, head_and_body, literal_shape, named, survey

PASS = "noop"
"""The move of a role that is not in control."""

_LEGAL = "action legal"  # not `legal action`: engines classify facts by names that begin with a keyword
_STATED = "goal stated"
_FIRST = "at first"
_ASKED = {("legal", 1): _LEGAL, ("init", 1): _FIRST}
"""Relations in bodies that are renamed, because plain GDL allows them in heads only or gives them another meaning."""

_ANY = "any constant"
_ROLE, _ACTION, _FACT = "?by-role", "?any-action", "?any-fact"  # no infix variable contains a hyphen


def in_plain_gdl(expressions: Sequence[Expression], report: FaultReport) -> tuple[Expression, ...]:
    """Return the statements of an infix rulesheet in plain GDL; faults are reported."""
    if any(named(expression, OPERATION) for expression in expressions):
        report.operations = True
        return tuple(_Translation(survey(expressions), report).statements(expressions))
    roles = {e.items[1] for e in expressions if isinstance(e, Group) and literal_shape(e) == ("role", 1)}
    return tuple(_of_one_role(e, *roles) for e in expressions) if len(roles) == 1 else tuple(expressions)


def _of_one_role(part: Expression, role: Expression) -> Expression:
    """Add the role to ``legal(a)``, ``input(a)`` and ``does(a)``, which may be omitted if only one role can act."""
    if isinstance(part, Word) or not part.items:
        return part
    if literal_shape(part) in (("legal", 1), ("input", 1), ("does", 1)):
        return Group((part.items[0], role, part.items[1]), part.offset)
    if isinstance(part.items[0], Word) and connective(part.items[0].text):
        return Group(tuple(_of_one_role(item, role) for item in part.items), part.offset)
    return part


class _Translation:
    def __init__(self, surveyed: Survey, report: FaultReport) -> None:
        self.survey = surveyed
        self.report = report
        self.at = 0  # the offset of the current statement
        self.uses: Counter[str] = Counter()  # uses of each word in the current statement
        self.tables: dict[str, int] = {}  # arithmetic relations in use, and the offset of the first use
        self.counts: list[Expression] = []  # rules for counting
        self.counted = 0
        self.sums = 0  # operations on several terms in a `not`
        self.negated = False  # whether the current condition is in a `not`
        self.body: Sequence[Expression] = ()  # of the current statement
        self.any_used = False

    def statements(self, expressions: Sequence[Expression]) -> Iterator[Expression]:
        for expression in expressions:
            self.at = expression.offset
            self.uses = Counter(word.text for word in words(expression))
            yield from self._statement(expression)
        yield from self.counts
        yield from self._arithmetic(expressions)
        if self.any_used:
            yield from (self._list(_ANY, name) for name in dict.fromkeys(constants(expressions)))
        self.at = self.survey.place
        yield from self._moves()
        yield from self._calls()
        yield from self._frame()
        if ("goal", 2) in self.survey.heads:
            yield self._rule(
                self._list("goal", _ROLE, "0"), self._list("role", _ROLE), self._not(self._list(_STATED, _ROLE))
            )

    def _statement(self, expression: Expression) -> Iterator[Expression]:
        if named(expression, OPERATION):
            assert isinstance(expression, Group)
            yield from self._operation(*expression.items[1:])
            return
        head, body = head_and_body(expression)
        shape = literal_shape(head)
        if shape is None:
            self._skip(expression)
            return
        self.body = body
        translated = (*self._translated(body), *self._bindings(head, body))
        argument = head.items[1] if isinstance(head, Group) and len(head.items) > 1 else head
        if not body and shape in self.survey.stated:
            self._warn_stated(head, shape[0])
        match shape:
            case ("action", 1):
                yield self._rule(self._list("input", _ROLE, argument), self._list("role", _ROLE), *translated)
                if shape not in self.survey.asked:
                    return
            case ("init", 1) if shape in self.survey.asked:
                yield self._rule(self._list(_FIRST, argument), *translated)
            case ("legal", 1):
                head = self._list(_LEGAL, argument)
            case ("goal", 2):
                yield self._rule(self._list(_STATED, argument), *translated)
        yield self._rule(self._renamed(head), *translated)

    def _skip(self, expression: Expression) -> None:
        self.report.warn(
            "no-statement",
            "this is neither a fact nor a rule and is skipped",
            "Check for a missing `&` or a misplaced parenthesis before it.",
            expression,
        )

    def _warn_stated(self, fact: Expression, name: str) -> None:
        self.report.warn(
            "fact-without-init",
            f"`{name}` is a fact of the state, and this one is stated without `init`: it holds in every state",
            "Write it in `init` if it holds in the initial state only.",
            fact,
        )

    # bodies

    def condition(self, part: Expression) -> Expression:
        """Translate a condition; a fact of the state becomes a ``true`` literal."""
        if isinstance(part, Word) and part.text in ("true", "false"):
            return Group((Word("and" if part.text == "true" else "or", part.offset),), part.offset)
        if isinstance(part, Word) and part.text.startswith("?"):
            return self._bare_variable(part)
        if any(named(part, word) for word in ("not", "and", "or")):
            assert isinstance(part, Group)
            outside, self.negated = self.negated, self.negated or named(part, "not")
            translated = tuple(map(self.condition, part.items[1:]))
            self.negated = outside
            return Group((part.items[0], *translated), part.offset)
        shape = literal_shape(part)
        if shape == ("same", 2) and shape not in self.survey.views and isinstance(part, Group):
            return self._not(Group((Word("distinct", part.offset), *part.items[1:]), part.offset))
        if shape is not None and shape not in self.survey.heads | self.survey.bases.keys() and isinstance(part, Group):
            if is_arithmetic(*shape):
                self.tables.setdefault(shape[0], part.offset)
                return self._chained(part)
            if shape == ("countofall", 3):
                return self._count(part)
        if shape in _ASKED and isinstance(part, Group):
            return Group((Word(_ASKED[shape], part.offset), *part.items[1:]), part.offset)
        if shape in self.survey.bases and shape not in self.survey.views:
            return Group((Word("true", part.offset), part), part.offset)
        return self._renamed(part)

    def _chained(self, part: Group) -> Expression:
        """Translate arithmetic; in a `not`, an operation on several terms becomes a relation."""
        chain = chained(part, part.offset)
        if chain is part or not self.negated:
            return chain
        self.sums += 1
        variables = dict.fromkeys(word.text for word in words(part) if word.text.startswith("?"))
        head = self._list(f"sum {self.sums}", *variables)
        self.counts.append(self._rule(head, *conditions(chain)))
        return head

    def _count(self, part: Group) -> Expression:
        """Translate ``countofall``: the number of different instances of a term that make a condition true."""
        _, term, condition, number = part.items
        own = Counter(word.text for word in words(part))
        inside = {word.text for word in words(term)}
        groups = {
            word.text: word
            for word in words(condition)
            if word.text.startswith("?") and word.text not in inside and self.uses[word.text] > own[word.text]
        }
        self.counted += 1
        by = tuple(groups.values())
        self.counts.append(self._rule(self._list(f"counted {self.counted}", *by, term), *self._conditions(condition)))
        self.counts += counting(self.counted, by, part.offset)
        count = self._list(f"count {self.counted}", *by, number)
        if not by or not groups.keys() <= self._bound_beside(part):
            return count
        empty = (self._not(self._list(f"groups {self.counted}", *by)), self._not(self._list("distinct", number, "0")))
        return self._list("or", count, self._list("and", *empty))  # values without any possible instance count 0

    def _bound_beside(self, part: Expression) -> set[str]:
        """Return the variables that literals of the current body other than `part` bind."""
        bound: set[str] = set()
        for other in self.body:
            if other is not part and isinstance(other, Group) and (shape := literal_shape(other)):
                bound |= {word.text for word in words(other.items[-1] if shape == ("countofall", 3) else other)}
        return {text for text in bound if text.startswith("?")}

    def _conditions(self, condition: Expression) -> tuple[Expression, ...]:
        return self._translated(conditions(condition))

    def _translated(self, body: Sequence[Expression]) -> tuple[Expression, ...]:
        return tuple(self.condition(part) for part in body if not (isinstance(part, Word) and part.text == "true"))

    def _arithmetic(self, expressions: Sequence[Expression]) -> Iterator[Expression]:
        numbers = integers(expressions, counts=self.counted > 0)
        for name, at in self.tables.items():
            if len(numbers) > MAX_INTEGERS:
                self.report.error(
                    "wide-arithmetic",
                    f"`{name}` ranges over {len(numbers)} integers; at most {MAX_INTEGERS} are computed",
                    "State a table of the results that the game needs.",
                    Word(name, at),
                )
            else:
                yield from table(name, numbers, at)

    def _bindings(self, head: Expression, body: Sequence[Expression]) -> Iterator[Expression]:
        """Yield literals for unbound head variables; Stanford's interpreter calls such relations with values."""
        bound = {word.text for part in body if literal_shape(part) for word in words(part)}
        role = head.items[1] if isinstance(head, Group) and literal_shape(head) == ("goal", 2) else None
        for variable in dict.fromkeys(w.text for w in words(head) if w.text.startswith("?") and w.text not in bound):
            known = isinstance(role, Word) and role.text == variable
            yield self._list("role" if known else _ANY, Word(variable, self.at))
            if not known:
                self._warn_unbound(Word(variable, next(w.offset for w in words(head) if w.text == variable)))

    def _warn_unbound(self, variable: Word) -> None:
        self.any_used = True
        self.report.warn(
            "unbound-variable",
            f"the variable {variable.text} of the head occurs in no positive literal: it stands for any constant",
            "Add a literal that gives it its values.",
            variable,
        )

    def _bare_variable(self, part: Word) -> Expression:
        self.report.warn(
            "variable-as-condition",
            f"the variable {part.text} alone is not a condition; it is read as false",
            "Write a literal; check for a misplaced parenthesis.",
            part,
        )
        return Group((Word("or", part.offset),), part.offset)

    def _renamed(self, literal: Expression) -> Expression:
        """Rename a relation of the game that has the name of a keyword of plain GDL."""
        name = self.survey.renamed.get(literal_shape(literal) or ("", 0))
        if name is None:
            return literal
        if isinstance(literal, Word):
            return Word(name, literal.offset)
        return Group((Word(name, literal.offset), *literal.items[1:]), literal.offset)

    # operations

    def _operation(self, action: Expression, condition: Expression, effect: Expression) -> Iterator[Expression]:
        if literal_shape(action) is None:
            self._skip(action)
            return
        self.body = (action, *conditions(condition))
        body = (self._prefixed("do", action), *self._conditions(condition))
        self._check_effect(effect)
        for part in conditions(effect):
            shape = literal_shape(part)
            if shape is not None:
                called = shape in self.survey.operations
                if not called and self.survey.wraps_fact(part):
                    self._warn_wrapped(part, shape[0])
                yield self._rule(self._prefixed("do", part) if called else self._list("next", part), *body)
            elif named(part, "not") and isinstance(part, Group) and literal_shape(part.items[1]):
                yield self._rule(self._deleted(part.items[1]), *body)
            else:
                self._refuse_effect(part)

    def _check_effect(self, effect: Expression) -> None:
        """Warn of a fact that the effect adds and deletes."""
        parts = list(conditions(effect))
        added = [[word.text for word in words(part)] for part in parts if literal_shape(part)]
        for part in parts:
            if named(part, "not") and isinstance(part, Group) and [w.text for w in words(part.items[1])] in added:
                self.report.warn(
                    "contradiction",
                    "this effect deletes a fact that it also adds, so the fact is in the next state",
                    "Correct one of the two facts, or remove the one that is not meant.",
                    part,
                )

    def _warn_wrapped(self, part: Expression, name: str) -> None:
        self.report.warn(
            "fact-in-effect",
            f"this effect adds a fact `{name}`, which no condition reads, and does not change the fact inside it",
            "Write `~p` to delete the fact `p`, and `p` to add it.",
            part,
        )

    def _refuse_effect(self, part: Expression) -> None:
        self.report.error(
            "malformed-effect",
            "an effect is a conjunction of facts to add, ~facts to delete and operations to call",
            "Write one operation for each case.",
            part,
        )

    def _deleted(self, fact: Expression) -> Expression:
        return self._list("deleted", fact) if self.survey.any_fact else self._prefixed("deleted", fact)

    def _moves(self) -> Iterator[Expression]:
        """Yield the `legal` and `input` rules of each role, from the one-argument `legal` and `control`."""
        if ("legal", 1) not in self.survey.heads:
            return
        yield self._rule(self._list("legal", _ROLE, _ACTION), self._in_control(), self._list(_LEGAL, _ACTION))
        if self.survey.has_control:
            if ("action", 1) in self.survey.heads:
                yield self._rule(self._list("input", _ROLE, PASS), self._list("role", _ROLE))
            yield self._rule(self._list("legal", _ROLE, PASS), self._list("role", _ROLE), self._not(self._in_control()))

    def _in_control(self) -> Expression:
        control = self._list("control", _ROLE)
        return self._list("true", control) if self.survey.has_control else self._list("role", _ROLE)

    def _calls(self) -> Iterator[Expression]:
        """Yield the rules that start the operation of the action of the role in control."""
        for name, count in self.survey.operations:
            if not self.survey.any_legal and (name, count) not in self.survey.legal:
                continue
            action = self._general(name, count)
            yield self._rule(self._prefixed("do", action), self._list("does", _ROLE, action), self._in_control())

    def _frame(self) -> Iterator[Expression]:
        """Yield the frame rules: a fact that is not deleted stays."""
        if self.survey.any_fact:
            yield self._kept(Word(_FACT, self.at), True)
            return
        for name, count in self.survey.bases:
            fact = self._general(name, count)
            yield self._kept(fact, (name, count) in self.survey.deleted)
            if (name, count) in self.survey.views:  # both a view and a fact of the state: true if either is true
                yield self._rule(fact, self._list("true", fact))

    def _kept(self, fact: Expression, deletable: bool) -> Expression:
        stays = (self._not(self._deleted(fact)),) if deletable else ()
        return self._rule(self._list("next", fact), self._list("true", fact), *stays)

    # making expressions

    def _list(self, *parts: str | Expression) -> Group:
        return Group(tuple(Word(p, self.at) if isinstance(p, str) else p for p in parts), self.at)

    def _not(self, part: Expression) -> Group:
        return self._list("not", part)

    def _rule(self, head: Expression, *body: Expression) -> Expression:
        return self._list("<=", head, *body) if body else head

    def _general(self, name: str, count: int) -> Expression:
        """Return a fact or action with a variable for each argument."""
        variables = tuple(Word(f"?any-{place}", self.at) for place in range(1, count + 1))
        return Group((Word(name, self.at), *variables), self.at) if count else Word(name, self.at)

    def _prefixed(self, prefix: str, term: Expression) -> Expression:
        """Return the atom for a fact or an action in an auxiliary relation, such as ``(do mark ?x ?y)``."""
        word = term if isinstance(term, Word) else term.items[0]
        assert isinstance(word, Word)
        arguments = () if isinstance(term, Word) else term.items[1:]
        return Group((Word(f"{prefix} {word.text}", word.offset), *arguments), term.offset)
