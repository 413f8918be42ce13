"""Detect the notation of a text, KIF or infix, from its first word, the only position where they always differ.

KIF begins with a parenthesis, or with a word and white space. Infix begins with a name directly followed by `(`, or
with a word and one of infix's signs. Comments before the first word are skipped, including comments of other languages.
"""

from __future__ import annotations

import re

_SKIPPED = re.compile(r"(?:[\s\ufeff]++|(?:[;%]|//|--(?=[\s-])|#(?![|(]))[^\r\n]*+|/\*(?:[^*]++|\*(?!/))*+\*/)*+")
_NESTED = re.compile(r"#\||\|#")
_WORD = re.compile(r"[^\s();%]+")
_SIGN = re.compile(r"\s*(?::-|::|==>|[&|#⇐∧\u2228])")
_STATEMENT = re.compile(r":-|::|⇐|^¬|\w\(")


def is_infix(text: str) -> bool:
    """Whether `text` (rules, a term or a query) is in infix; empty text and a single word are KIF. Linear time."""
    start = _start(text)
    word = _WORD.match(text, start)
    if word is None or word[0] == "<=":
        return False
    if text.startswith("(", word.end()) or _SIGN.match(text, word.end()):
        return True
    return text.startswith("[", word.start()) or bool(_STATEMENT.search(word[0]) or _bare_start(text, word.end()))


def _start(text: str) -> int:
    """The offset of the first word of a text."""
    start, depth = 0, 0
    while (skipped := _SKIPPED.match(text, start)) and text.startswith("#|", skipped.end()):
        start, depth = skipped.end(), 0
        for mark in _NESTED.finditer(text, start):
            depth += 1 if mark[0] == "#|" else -1
            start = mark.end()
            if not depth:
                break
        else:
            return len(text)
    return skipped.end() if skipped else start


def _bare_start(text: str, start: int) -> bool:
    """Whether a text that begins with a bare word, such as ``terminal``, continues in infix."""
    return re.compile(r"\s*[a-z]\w*(?:\(|\s*(?::[:-]|⇐))").match(text, start) is not None
