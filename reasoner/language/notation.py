"""Detect the notation of a text, KIF or infix, from its first word, the only position where they always differ.

KIF begins with a parenthesis, or with a word and white space. Infix begins with a name directly followed by `(`, or
with a word and one of infix's signs. White space between a name and its `(` is infix if KIF has no such text: after a
keyword that needs arguments, or before a list with a comma or with a sign of infix after it.
Comments before the first word are skipped, including comments of other languages.
"""

from __future__ import annotations

import re

from reasoner.language.keywords import ARITIES

_SKIPPED = re.compile(r"(?:[\s\ufeff]++|(?:[;%]|//|--(?=[\s-])|#(?![|(]))[^\r\n]*+|/\*(?:[^*]++|\*(?!/))*+\*/)*+")
_NESTED = re.compile(r"#\||\|#")
_WORD = re.compile(r"[^\s();%]+")
_SIGN = re.compile(r"\s*(?::-|::|==>|[&|#⇐∧\u2228])")
_SPACED = re.compile(r"\s*(\w+)\s+\(\s*-?\w+\s*([(),])")
_SIGNED = re.compile(r"\s*\w+\s*\([^()]*(?:\([^()]*\)[^()]*)*\)\s*(?::-|::|[⇐&|∧\u2228])")
_BRACKETED = re.compile(
    r"\[\s*(?:\(\s*)?(?:<=[\s\[(]|\w+(?:\s+\??\w+)+\s*\]|(\w+)\s+(?:[\w?\[{]|\((?!\s*-?\w+\s*[(),])))"
)
_STATEMENT = re.compile(r":-|::|⇐|^¬|\w\(")


def is_infix(text: str) -> bool:
    """Whether `text` (rules, a term or a query) is in infix; empty text and a single word are KIF. Linear time."""
    start = _start(text)
    word = _WORD.match(text, start)
    if word is None or word[0] == "<=":
        return False
    if text.startswith("[", start):
        return not _bracketed_kif(text, start)
    if text.startswith("(", word.end()) or _SIGN.match(text, word.end()):
        return True
    if _STATEMENT.search(word[0]) or _bare_start(text, word.end()):
        return True
    return _spaced(text, start) or _spaced(text, word.end())


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


def _bracketed_kif(text: str, start: int) -> bool:
    """Whether the `[` at `start` begins a statement of KIF that is written in brackets, as in ``[role x]``."""
    found = _BRACKETED.match(text, start)
    return found is not None and (found[1] is None or bool(ARITIES.get(found[1].lower())))


def _spaced(text: str, start: int) -> bool:
    """Whether a name, white space and the arguments of infix are at `start`."""
    found = _SPACED.match(text, start)
    if found is None:
        return False
    return bool(ARITIES.get(found[1].lower())) or found[2] == "," or _SIGNED.match(text, start) is not None


def _bare_start(text: str, start: int) -> bool:
    """Whether a text that begins with a bare word, such as ``terminal``, continues in infix."""
    return re.compile(r"\s*[a-z]\w*(?:\(|\s*(?::[:-]|⇐))").match(text, start) is not None
