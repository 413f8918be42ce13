"""Parse expressions as statements: the meaning of each list at the top level of a rulesheet and in a body."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from reasoner.language.build import EMPTY, Builder, connective_of, has_name
from reasoner.language.comments import COMMENT_SIGNS, HOW_TO_COMMENT
from reasoner.language.expressions import Expression, Group, Word
from reasoner.language.keywords import connective
from reasoner.rules.checks.foreign_names import foreign_sign_fix
from reasoner.rules.formulas import (
    Conjunction,
    Disequality,
    Disjunction,
    Formula,
    Negation,
    Sentence,
    Statement,
    normal,
)


def rule_list(expressions: tuple[Expression, ...]) -> tuple[Expression, ...]:
    """Return the statements of a text; in a START message they are inside one list, which is removed."""
    if len(expressions) == 1 and isinstance(expressions[0], Group):
        items = expressions[0].items
        if items and isinstance(items[0], Group):
            return items
    return expressions


def read_statements(expressions: Sequence[Expression], builder: Builder) -> tuple[Statement, ...]:
    """Return the statements, with bodies in negation normal form. Invalid statements are reported and omitted."""
    statements = (_statement(expression, builder) for expression in expressions)
    return tuple(statement for statement in statements if statement is not None)


def _statement(expression: Expression, builder: Builder) -> Statement | None:
    word, items = connective_of(expression)
    if _refused_sign(expression, "a fact or a rule", builder) or _refused_pair(expression, builder):
        return None
    if word is None:
        head = Sentence(builder.atom(expression), expression)
        return Statement(head, (), expression, arrow=False) if has_name(expression) else None
    if word != "<=":
        builder.report.error(
            "connective-as-head",
            f"`{word}` is found where a fact or a rule is expected",
            "A statement is a fact or (<= HEAD BODY…); check the parentheses before it.",
            expression,
        )
        return None
    return _rule(expression, items, builder)


def _rule(expression: Expression, items: tuple[Expression, ...], builder: Builder) -> Statement | None:
    if not items:
        message = "the rule has no head"
        builder.report.error("headless-rule", message, "Write (<= HEAD BODY…).", expression)
        return None
    word, _ = connective_of(items[0])
    if word is not None:
        builder.report.error(
            "connective-as-head",
            f"`{word}` cannot be the head of a rule",
            "A head is a relation; put `not`, `or` and `distinct` into the body.",
            items[0],
        )
        return None
    head = Sentence(builder.atom(items[0]), items[0])
    body = tuple(normal(_formula(item, builder)) for item in _without_comments(items[1:], builder))
    if sum(map(_conditions, body)) > builder.limits.max_conditions:
        builder.report.error(
            "too-many-conditions",
            f"the body has more than {builder.limits.max_conditions} literals",
            "Split the rule into several, with a relation for each part.",
            expression,
        )
        return None
    return Statement(head, body, expression, arrow=True) if has_name(items[0]) else None


def _without_comments(items: tuple[Expression, ...], builder: Builder) -> Iterator[Expression]:
    """Yield the items of a body, without the words after a sign that begins a comment in other languages."""
    lines = (builder.report.source.span(item.offset).line for item in items)
    skipped = 0
    for item, line in zip(items, lines, strict=True):
        if line != skipped:
            yield item
        if isinstance(item, Word) and item.text in COMMENT_SIGNS:
            skipped = line


def _conditions(formula: Formula) -> int:
    """The number of literals in `formula`."""
    return sum(map(_conditions, formula.parts)) if isinstance(formula, Disjunction | Conjunction) else 1


def _formula(expression: Expression, builder: Builder) -> Formula:
    word, items = connective_of(expression)
    if word == "or":
        return Disjunction(tuple(_formula(item, builder) for item in items), expression)
    if word == "and":
        return Conjunction(tuple(_formula(item, builder) for item in items), expression)
    if word == "not" and len(items) == 1:
        return Negation(_formula(items[0], builder), expression)
    if word == "distinct" and len(items) == 2:
        return Disequality(builder.term(items[0]), builder.term(items[1]), expression)
    if word is not None:
        return _malformed(word, expression, builder)
    if _refused_sign(expression, "a literal", builder) or _refused_bare(expression, builder):
        return Conjunction((), expression)
    if isinstance(expression, Group) and expression.items and isinstance(expression.items[0], Group):
        return _list_of_literals(expression, builder)
    sentence = Sentence(builder.atom(expression), expression)
    return sentence if sentence.atom.relation != EMPTY else Conjunction((), expression)


def _list_of_literals(expression: Group, builder: Builder) -> Formula:
    """Report a list that begins with a list, unless a sign or connective in it is reported; read its literals."""
    if not any(isinstance(item, Word) and (_is_sign(item) or connective(item.text)) for item in expression.items):
        builder.report.error(
            "no-name",
            "the list begins with a list, not with the name of a relation or function",
            "Remove a `(`, or write the name first.",
            expression,
        )
    return Conjunction(tuple(_formula(item, builder) for item in expression.items), expression)


def _is_sign(word: Word) -> bool:
    """Whether a word is punctuation only."""
    return not any(c.isalnum() or c in "_?" for c in word.text)


def _refused_sign(expression: Expression, belonging: str, builder: Builder) -> bool:
    """Report a word of punctuation only, such as `,` or `&` of other notations, in place of a statement or literal."""
    if isinstance(expression, Group) or not _is_sign(expression):
        return False
    fix = foreign_sign_fix(expression.text) or (
        f"Remove it: nothing separates statements or literals in KIF. {HOW_TO_COMMENT}"
    )
    builder.report.error("sign-alone", f"`{expression.text}` is found where {belonging} is expected", fix, expression)
    return True


def _refused_bare(expression: Expression, builder: Builder) -> bool:
    """Report a connective that is written between literals, as in other languages, not around them."""
    word = connective(expression.text) if isinstance(expression, Word) else None
    if word is None:
        return False
    around = {"not": "(not LITERAL)", "distinct": "(distinct TERM TERM)", "<=": "(<= HEAD BODY…)"}
    builder.report.error(
        "connective-as-name",
        f"`{word}` is found where a literal is expected",
        f"Write {around.get(word, f'({word} LITERAL LITERAL)')}, around the literals it applies to.",
        expression,
    )
    return True


def _refused_pair(expression: Expression, builder: Builder) -> bool:
    """Report a list that begins with a list, such as a rule without its arrow."""
    if isinstance(expression, Word) or not expression.items or isinstance(expression.items[0], Word):
        return False
    builder.report.error(
        "no-name",
        "the list begins with a list, not with the name of a relation or function",
        "Remove a `(`, or write (<= HEAD BODY…) if a rule is meant.",
        expression,
    )
    return True


def _malformed(word: str, expression: Expression, builder: Builder) -> Formula:
    """Report a misused connective; return a placeholder so that reading can continue."""
    takes = {"not": "one literal", "distinct": "two terms"}.get(word)
    if takes:
        message, fix = f"`{word}` takes {takes}", f"Give it {takes}; check the parentheses."
    else:
        message, fix = f"`{word}` cannot be inside a body", "Close the previous rule."
    builder.report.error("malformed-connective", message, fix, expression)
    return Conjunction((), expression)
