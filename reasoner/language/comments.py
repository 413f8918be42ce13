"""Find comments in a rulesheet, including comments of other languages, so that no rule inside a comment has effect.

    #| … |#   /* … */      anywhere; `#| … |#` may be nested
    // …                   anywhere
    # …   -- …   % …       in KIF between two statements
    # …   -- …             in infix at the start of a line
    # …   -- …   ; …       in infix at the start of the text, or just after the `.` of a statement
    ## …  ;; …             in infix anywhere

In all other positions these signs may be parts of names or of the notation, so they do not begin a comment.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from reasoner.language.scan import refuse
from reasoner.language.source import Source

_TOKEN = {
    False: re.compile(r"\s+|;[^\r\n]*|[()]|(?:#\||/\*|//|#|--|%)|(?:\|#|\*/)(?![^\s()])|[^\s();#/%|*-]+|."),
    True: re.compile(r"\s+|%[^\r\n]*|#\||/\*|//|\|#|\*/|##|#|;;|;|--|\.|[^\s%#/|*;.-]+|."),
}  # key: whether the text is infix
_OWN = {False: re.compile(r";[^\r\n]*"), True: re.compile(r"%[^\r\n]*")}
_SUSPECT = {
    False: re.compile(r"#|--|%|/[/*]|\*/"),
    True: re.compile(r"(?:\A|[\r\n.])[ \t]*(?:#|--)|##|#\||\|#|/[/*]|\*/|;"),
}
"""Patterns that match in every text that may contain comments of other languages."""
_BLOCK = {"#|": re.compile(r"#\||\|#"), "/*": re.compile(r"\*/")}
_CLOSING = {"|#": "#|", "*/": "/*"}
_LINE = re.compile(r"[^\r\n]*")


HOW_TO_COMMENT = "A comment begins with `;` in KIF, and with `%` in infix."
"""The fix for a sign that begins a comment in other languages only."""

COMMENT_SIGNS = frozenset({"#", "##", "--", "%", "%%", "//"})
"""Words that begin a comment in other languages."""


class Comment(NamedTuple):
    """The range of a comment; `own`: it is a comment of the notation, not of another language."""

    start: int
    end: int
    own: bool


def comments(source: Source) -> Iterator[Comment]:
    """Yield every comment of a rulesheet, in order. Raises RulesError if a comment has no end or no beginning."""
    own = _OWN[source.infix]
    if _SUSPECT[source.infix].search(own.sub(_blank, source.text)):
        return _looked_for(source)
    return (Comment(found.start(), found.end(), own=True) for found in own.finditer(source.text))


def _blank(comment: re.Match[str]) -> str:
    return " " * len(comment[0])


def _looked_for(source: Source) -> Iterator[Comment]:
    """Yield the comments, by a scan of all signs that may begin or end one."""
    text, cursor = source.text, 0
    state, token, own = _State(source.infix), _TOKEN[source.infix], "%" if source.infix else ";"
    while found := token.match(text, cursor):
        sign, start, cursor = found[0], found.start(), found.end()
        opens = state.opens(text, start)
        if sign[0] == own and len(sign) > 1:
            yield Comment(start, cursor, own=True)
            continue
        if sign in _BLOCK and opens:
            cursor = _end_of_block(source, start, sign)
        elif sign in _CLOSING:
            message, fix = (
                f"this `{sign}` closes no comment",
                f"Remove it, or begin the comment with `{_CLOSING[sign]}`.",
            )
            refuse(source, start, "open-comment", message, fix)
        elif opens and (sign == "//" or state.begins(sign, start == 0 or text[start - 1] in "\r\n")):
            cursor = _end_of_line(text, start)
        else:
            state.pass_over(sign)
            continue
        yield Comment(start, cursor, own=False)


class _State:
    """Scanner state: in KIF the depth of parentheses, in infix whether a statement has just ended."""

    def __init__(self, infix: bool) -> None:
        self._infix, self._depth, self._fresh = infix, 0, True

    def opens(self, text: str, start: int) -> bool:
        """Whether a comment may begin here: in infix anywhere, in KIF where a word begins."""
        return self._infix or start == 0 or text[start - 1].isspace() or text[start - 1] in "()"

    def begins(self, sign: str, at_line_start: bool) -> bool:
        """Whether a sign begins a comment up to the end of the line."""
        if not self._infix:
            return self._depth == 0 and sign in ("#", "--", "%")
        if sign in ("##", ";;") or (self._fresh and sign == ";"):
            return True
        return sign in ("#", "--") and (self._fresh or at_line_start)

    def pass_over(self, sign: str) -> None:
        self._depth += (sign == "(") - (sign == ")")
        if not sign.isspace():
            self._fresh = sign == "." or (self._fresh and sign == "\ufeff")


def _end_of_line(text: str, start: int) -> int:
    line = _LINE.match(text, start)
    return line.end() if line else start


def _end_of_block(source: Source, start: int, sign: str) -> int:
    """Return the end of the block comment that begins at `start`. Raises RulesError if there is none."""
    depth = int(sign == "/*")
    for mark in _BLOCK[sign].finditer(source.text, start + 2 * depth):
        depth += 1 if mark[0] == sign else -1
        if depth == 0:
            return mark.end()
    closing = "*/" if sign == "/*" else "|#"
    return refuse(source, start, "open-comment", "this comment has no end", f"Write `{closing}` where it ends.")
