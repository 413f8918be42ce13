"""Checks of keywords in heads, in bodies and as facts; checks of connectives without parts."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain, islice

from reasoner.language.expressions import spelled
from reasoner.language.literals import Atom
from reasoner.language.report import MAX_OF_A_KIND, FaultReport
from reasoner.language.terms import CONSTANT, Variable, is_ground, shape_of
from reasoner.rules.formulas import Conjunction, Disjunction, Formula, Statement
from reasoner.rules.sheet import Sheet, located, word_of


def check_heads(sheet: Sheet, report: FaultReport) -> None:
    """Check that no head is `true` or `does`, that `role` has only facts, and that facts contain no variables."""
    head: Statement | None = None  # the last other statement, if the conditions after it are probably its body
    statements = sheet.statements
    for before, statement, after in zip((None, *statements), statements, (*statements[1:], None), strict=False):
        if statement.head.atom.name in _GIVEN:
            if not (head and before and _is_condition(before) and _is_condition(statement)):
                _refuse_given(statement, head, report)
            continue
        head = statement if after and _is_condition(after) and _may_lack_body(statement) else None
        if statement.head.atom.name == "role" and statement.body:
            report.error(
                "role-not-fact",
                "a `role` must be a fact, not a rule",
                "State each role: (role NAME).",
                word_of(statement.head),
            )
        if not statement.body and not head:
            _check_fact(statement, report)


_GIVEN = {
    "true": "Use `init` or `next` for facts of the state",
    "does": "Use `legal` for possible moves",
}


def _is_condition(statement: Statement) -> bool:
    """Whether a statement is a literal that occurs in bodies only."""
    return statement.head.atom.name in _GIVEN and not statement.arrow


def _may_lack_body(statement: Statement) -> bool:
    """Whether a fact is probably the head of a rule: it has an arrow or a variable, or is usually derived."""
    usual = statement.head.atom.name in ("legal", "next", "goal", "terminal")
    return not statement.body and (usual or statement.arrow or any(statement.head.atom.variables()))


def _refuse_given(statement: Statement, head: Statement | None, report: FaultReport) -> None:
    """Report a head with `true` or `does`; a literal without a rule may be a condition of the fact `head` before it."""
    name = statement.head.atom.name
    fix = f"{_GIVEN[name]}, or choose another relation name."
    if _is_condition(statement):
        shown = "HEAD"
        if head:
            shown = f"({head.head.atom.name} …)" if head.head.atom.arguments else head.head.atom.name
        fix = f"Write it into the rule if it is a condition: (<= {shown} ({name} …)). {_GIVEN[name]}."
    message = f"`{name}` is given by the state of the game and cannot be {'derived' if statement.body else 'stated'}"
    report.error("forbidden-head", message, fix, word_of(statement.head))


def _check_fact(statement: Statement, report: FaultReport) -> None:
    variable = next(statement.head.atom.variables(), None)
    if variable is not None:
        report.error(
            "variable-in-fact",
            f"the fact {statement.head.atom} contains the variable {variable}",
            f"Write a rule whose body binds {variable}, or replace {variable} by a constant.{_small(variable, report)}",
            located(str(variable), statement.head.source),
        )
    elif statement.arrow:
        report.warn(
            "empty-body",
            "a rule with an empty body is a fact",
            f"Write {statement.head.atom} alone.",
            statement.source,
        )


def _small(variable: Variable, report: FaultReport) -> str:
    """Return advice for infix: a name with a capital letter is a variable, but a constant may be meant."""
    if not report.source.infix or not variable.name[0].isupper():
        return ""
    return f" A constant begins with a small letter: {variable.name[0].lower()}{variable.name[1:]}."


def check_bodies(sheet: Sheet, report: FaultReport) -> None:
    """Check that `init` and `next` are in heads only; warn about `base`, `input` and `sees` in bodies."""
    for use in sheet.uses:
        name = use.sentence.atom.name
        if name == "next" and sheet.lenient and shape_of(use.sentence.atom.arguments[0]) is not None:
            report.warn(
                "next-in-body",
                "`next` in a body is read as a view of the next state; other players refuse this rule",
                "Write the conditions of the `next` rule instead, or move them to a relation that both rules use.",
                word_of(use.sentence),
            )
        elif name in ("init", "next"):
            report.error(
                "forbidden-in-body",
                f"`{name}` cannot be used in a body",
                "Use `true` for facts of the state, or move common conditions to a relation.",
                word_of(use.sentence),
            )
        elif name in ("base", "input", "sees"):
            report.warn(
                "declaration-in-body",
                f"`{name}` is a declaration; in a body it is an ordinary relation",
                "Use another relation in the body.",
                word_of(use.sentence),
            )


def check_percepts(sheet: Sheet, report: FaultReport) -> None:
    """Inform that `sees` makes a game of imperfect information (GDL-II)."""
    statements = sheet.heads.get(("sees", 2), ())
    if statements:
        report.warn(
            "gdl-ii",
            "each role sees only its percepts if the game manager supports GDL-II, otherwise the whole state",
            "If this is intended, ignore the message.",
            word_of(statements[0].head),
        )


def check_roles(sheet: Sheet, report: FaultReport) -> None:
    """Check that no role is stated twice."""
    for statement in sheet.heads.get(("role", 1), ()):
        role = statement.head.atom.arguments[0]
        if is_ground(role) and sheet.roles[role] is not statement.head:
            report.warn("duplicate-role", f"the role {role} is stated twice", "Remove one.", statement.head.source)


_ONE = {
    "role": "one role",
    "init": "one fact",
    "true": "one fact",
    "next": "one fact",
    "base": "one fact",
    "legal": "one move",
    "does": "one move",
    "input": "one move",
}


def check_lists(sheet: Sheet, report: FaultReport) -> None:
    """Warn about infix lists in place of roles, facts or moves: each is a single term, where several may be meant."""
    if not report.source.infix:
        return
    asked = (use.sentence for use in sheet.uses)
    lists = (s for s in chain((s.head for s in sheet.statements), asked) if s.atom.name in _ONE and _lists(s.atom))
    for sentence in islice(lists, MAX_OF_A_KIND):
        name = sentence.atom.name
        report.warn(
            "list-as-one",
            f"the list in `{name}` is {_ONE[name]}, not several",
            f"Write `{name}` once for each element of the list.",
            word_of(sentence),
        )


def _lists(atom: Atom) -> bool:
    return bool(atom.arguments) and shape_of(atom.arguments[-1]) in (("cons", 2), ("nil", CONSTANT))


_EMPTY = {"(or": "false", "(and": "true"}


def check_empty(sheet: Sheet, report: FaultReport) -> None:
    """Check that each `or` and each `and` has at least one part."""
    for statement in sheet.statements:
        _check_parts(statement.body, report)


def _check_parts(parts: Iterable[Formula], report: FaultReport) -> None:
    for part in parts:
        if isinstance(part, Disjunction | Conjunction):
            word = spelled(part.source).lower()
            if not part.parts and word in _EMPTY:
                value = _EMPTY[word]
                report.warn(
                    "empty-connective", f"`{word[1:]}` without parts is always {value}", "Remove it.", part.source
                )
            _check_parts(part.parts, report)
