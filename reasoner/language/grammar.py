"""Parse KIF text to expressions with offsets, with lark's LALR parser."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import cast

from lark import Lark, Token, Transformer

from reasoner.language.expressions import Expression, Group, Word
from reasoner.language.infix import parse_infix
from reasoner.language.limits import ReadLimits
from reasoner.language.scan import scan
from reasoner.language.source import Source

_WORD = re.compile(r"[^ \t\r\n\f\v()]+")


class _Expressions(Transformer[Token, tuple[Expression, ...]]):
    """Builds expressions during parsing, so that lark does not build a parse tree."""

    def WORD(self, token: Token) -> Word:  # noqa: N802 - lark calls the method that is named like the terminal
        return Word(token.value, cast(int, token.start_pos))

    def FLAT(self, token: Token) -> Group:  # noqa: N802 - lark calls the method named like the terminal
        offset = cast(int, token.start_pos)
        return Group(tuple(Word(w[0], offset + w.start()) for w in _WORD.finditer(token.value)), offset)

    def group(self, children: list[Expression]) -> Group:
        opened = cast(Token, children[0])
        return Group(tuple(children[1:]), cast(int, opened.start_pos))

    def start(self, children: list[Expression]) -> tuple[Expression, ...]:
        return tuple(children)


@cache
def _parser() -> Lark:
    grammar = Path(__file__).with_name("kif.lark").read_text(encoding="utf-8")
    return Lark(grammar, parser="lalr", lexer="basic", transformer=_Expressions(), maybe_placeholders=False)


def parse(source: Source, limits: ReadLimits) -> tuple[Expression, ...]:
    """The expressions of a text in either notation, in order. Raises RulesError with one located fault.

    In KIF, `scan` finds every fault before the grammar runs.
    """
    if source.infix:
        return parse_infix(source, limits)
    scan(source, limits)
    text = source.read
    if text.startswith("\ufeff"):
        text = " " + text[1:]
    return cast(tuple[Expression, ...], _parser().parse(text))
