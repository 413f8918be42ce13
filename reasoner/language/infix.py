"""Parse infix text to the expressions that the equivalent KIF has, so that later stages handle one form only.

    p(X) :- q(X) & ~r        (<= (p ?X) (q ?X) (not r))
    a :: p ==> q & ~p        (:: a p (and q (not p)))        an operation; `language/operations.py` gives it a meaning
    X # a | p                (or (distinct ?X a) p)
    [a,b]   a!b              (cons a (cons b nil))   (cons a b)
    f()   f                  (f)   f

Each `_` becomes a separate variable; its name contains its offset, and cannot occur in infix. The offset of an
expression is the offset of its first character.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import NoReturn, cast

from lark import Lark, Token, Transformer
from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken

from reasoner.language.builtins import HOW_TO_COMPUTE
from reasoner.language.comments import HOW_TO_COMMENT
from reasoner.language.expressions import Expression, Group, Word
from reasoner.language.limits import ReadLimits
from reasoner.language.scan import refuse, scan_infix
from reasoner.language.source import Source

OPERATION = "::"
"""The first word of an operation: ``(:: ACTION CONDITION EFFECT)``; without a condition it is ``(and)``."""

_WORD = re.compile(r"\w+")


Parts = Sequence[Expression]
"""The matched children of a grammar rule."""


class _Expressions(Transformer[Token, tuple[Expression, ...]]):
    """Builds expressions during parsing, so that lark does not build a parse tree."""

    def NAME(self, token: Token) -> Word:  # noqa: N802 - lark calls the method that is named like the terminal
        return Word(token.value, _offset(token))

    def VARIABLE(self, token: Token) -> Word:  # noqa: N802 - lark calls the method named like the terminal
        return _word(token.value, _offset(token))

    def FLAT(self, token: Token) -> Group:  # noqa: N802 - lark calls the method named like the terminal
        start = _offset(token)
        return Group(tuple(_word(m[0], start + m.start()) for m in _WORD.finditer(token.value)), start)

    def call(self, children: Parts) -> Group:
        return Group(tuple(children), children[0].offset)

    def list(self, children: Parts) -> Expression:
        offset = _offset(children[0])
        chain: Expression = Word("nil", offset)
        for item in reversed(children[1:]):
            chain = _group("cons", item.offset, item, chain)
        return chain

    def pair(self, children: Parts) -> Group:
        return _group("cons", children[0].offset, *children)

    def difference(self, children: Parts) -> Group:
        return _group("distinct", children[0].offset, *children)

    def negation(self, children: Parts) -> Group:
        return _group("not", _offset(children[0]), children[1])

    def conjunction(self, children: Parts) -> Group:
        return _group("and", children[0].offset, *children)

    def disjunction(self, children: Parts) -> Group:
        return _group("or", children[0].offset, *children)

    def rule(self, children: Parts) -> Group:
        head, body = children
        return _group("<=", head.offset, head, *conditions(body))

    def operation(self, children: Parts) -> Group:
        action, first, *more = children
        if more:
            return _group(OPERATION, action.offset, action, first, more[1])
        return _group(OPERATION, action.offset, action, _group("and", action.offset), first)

    def start(self, children: Parts) -> tuple[Expression, ...]:
        return tuple(children)


def _offset(token: Expression | Token) -> int:
    return cast(int, cast(Token, token).start_pos)


def _word(text: str, offset: int) -> Word:
    if text == "_":
        return Word(f"?_:{offset}", offset)
    return Word(f"?{text}" if text[0] == "_" or "A" <= text[0] <= "Z" else text, offset)


def _group(name: str, offset: int, *items: Expression) -> Group:
    return Group((Word(name, offset), *items), offset)


def conditions(body: Expression) -> tuple[Expression, ...]:
    """Return the parts of a conjunction; for any other body, the body as the only part."""
    if isinstance(body, Group) and body.items and isinstance(body.items[0], Word) and body.items[0].text == "and":
        return body.items[1:]
    return (body,)


@cache
def _parser() -> Lark:
    grammar = Path(__file__).with_name("infix.lark").read_text(encoding="utf-8")
    return Lark(grammar, parser="lalr", lexer="basic", transformer=_Expressions(), maybe_placeholders=False)


def parse_infix(source: Source, limits: ReadLimits) -> tuple[Expression, ...]:
    """The expressions of a text, in order. Raises RulesError with one located fault."""
    scan_infix(source, limits)
    try:
        found = cast(tuple[Expression, ...], _parser().parse(unwrapped(source.read)))
    except UnexpectedInput as fault:
        _refuse_syntax(source, fault)
    _check_depth(source, found, limits.max_depth)
    return found


def unwrapped(text: str) -> str:
    """Blank out a byte order mark, and the brackets of a list around all rules, as in a START message."""
    bare = text.lstrip("\ufeff \t\r\n\f\v")
    if not bare.startswith("["):
        return " " * (text[:1] == "\ufeff") + text.removeprefix("\ufeff")
    inner = bare.rstrip(" \t\r\n\f\v.")
    return " " * (len(text) - len(bare) + 1) + (inner[1:-1] if inner.endswith("]") else bare[1:])


_NO_ARITHMETIC = "There is no arithmetic: use a table, such as succ(1,2), in a condition."
_FOREIGN = (
    (re.compile(r"\\\+"), "Write `~` for not."),
    (re.compile(r"(?:\\==?|!=|=/=|/=|<>)"), "Write `#` for distinct: X # Y."),
    (re.compile(r":-\s*(?:dynamic|discontiguous|use_module|module|table)\b"), "Remove it: GDL has no directives."),
    (re.compile(r"\*?->"), "There is no if-then: write two rules."),
    (re.compile(r"<=|<-|<--|:=|←"), "A rule is HEAD :- LITERAL & ~LITERAL."),
    (re.compile(r"==?(?![=><])"), "Replace one term by the other in the whole rule; `#` means distinct."),
    (re.compile(r"=>"), "A rule is HEAD :- LITERAL & ~LITERAL, an operation ACTION :: CONDITION ==> EFFECT."),
    (re.compile(r":(?![:-])"), "A rule is HEAD :- LITERAL & ~LITERAL, an operation ACTION :: CONDITION ==> EFFECT."),
    (re.compile(r"(?<=[a-z_])-(?=[A-Za-z_])"), "Write `_` in names."),
    (re.compile(r"(?<=\w)-(?=\w)"), _NO_ARITHMETIC),
    (re.compile(r"[{}]"), "There are no sets: write one fact for each element."),
    (re.compile(r"--"), HOW_TO_COMMENT),
    (re.compile(r"#"), f"`#` stands between two terms: X # Y. {HOW_TO_COMMENT}"),
    (re.compile(r"[<>+*/]|=<|-(?!\w)"), _NO_ARITHMETIC),
    (re.compile(r";"), f"Write `|` for or. {HOW_TO_COMMENT}"),
    (re.compile(r"!"), "Write `~` for not; there is no cut."),
    (re.compile(r"\?"), "A variable begins with a capital letter."),
    (re.compile(r"[\"'`]"), "Write names without quotes."),
    (re.compile(r"(?<=&)&|(?<=\|)\|"), "Write one sign."),
    (re.compile(r","), "`&` joins conditions, also in parentheses."),
    (re.compile(r"==>"), "An operation is ACTION :: CONDITION ==> EFFECT; `&` joins its conditions."),
)
"""Constructs of other languages, with the fix for each."""
_KIF = re.compile(r"[ \t]*\([ \t]*(?:<=|[a-z]\w*[ \t]+[(?\w])")
"""The beginning of a statement in KIF, at the beginning of a line."""


def sign_fix(text: str, offset: int = 0) -> str | None:
    """Return the fix for a sign of other languages; None for other text."""
    return next((fix for sign, fix in _FOREIGN if sign.match(text, offset)), None)


def _capital_name(text: str, offset: int) -> str | None:
    """Return the word with a capital first letter before the parenthesis at `offset`, or before the open one there."""
    start = offset
    if text[offset : offset + 1] != "(":
        level = 1
        while level and start > 0 and text[start - 1] != "\n":
            start -= 1
            level += (text[start] == ")") - (text[start] == "(")
    name = re.search(r"\b[A-Z]\w*\Z", text[text.rfind("\n", 0, start) + 1 : start])
    return name[0] if name and text[start : start + 1] == "(" else None


def _refuse_syntax(source: Source, fault: UnexpectedInput) -> NoReturn:
    offset = fault.pos_in_stream or 0
    foreign = offset - source.read.startswith("!=", offset - 1) if offset else offset  # `!` alone is a sign
    meant = sign_fix(source.read, foreign)
    if meant == _NO_ARITHMETIC and "::" in source.read:
        meant = HOW_TO_COMPUTE
    if _KIF.match(source.read, source.read.rfind("\n", 0, offset) + 1):
        meant = "This statement is in KIF, and the text begins in infix: write all in one notation."
    if name := _capital_name(source.read, offset):
        meant = (
            f"{name} is a variable: the name of a relation or function begins with a small letter, {name.lower()}(…)."
        )
    if isinstance(fault, UnexpectedToken) and fault.token.type == "$END":
        shown, fix = f"the text ends after this `{source.word_at(offset)}`, within a statement", "Write the rest of it."
    elif isinstance(fault, UnexpectedCharacters):
        shown, fix = f"`{source.text[offset]}` means nothing in infix rules", meant or "Remove or replace it."
    else:
        shown = f"`{source.word_at(offset)}` does not belong here"
        fix = meant or "Check what stands before it: a rule is HEAD :- LITERAL & ~LITERAL, a term NAME(TERM,TERM)."
    refuse(source, offset, "syntax", shown, fix)


def _check_depth(source: Source, expressions: tuple[Expression, ...], most: int) -> None:
    """Refuse deep lists and chains of `~` and `!`: they nest without parentheses, and later stages recurse."""
    level: list[Expression] = list(expressions)
    for _ in range(most + 2):
        level = [item for group in level if isinstance(group, Group) for item in group.items]
        if not level:
            return
    refuse(
        source,
        level[0].offset,
        "too-deep",
        f"terms are nested more than {most} deep, lists item by item",
        "Use a shorter list, or build the term in several rules.",
    )
