"""Refuse characters that look like a sign of the notation, such as the full-width parentheses of Japanese keyboards.

In KIF also brackets and braces in place of parentheses, as in ``[role x]``.

Read as written, a fact in such parentheses is two names in KIF. A name of KIF may contain any character, so only
characters that look like a sign between names or before a variable are refused there; infix has no use for any of them.
"""

from __future__ import annotations

import re
import unicodedata

from reasoner.diagnostics import Diagnostic, Severity
from reasoner.errors import RulesError
from reasoner.language.infix import sign_fix
from reasoner.language.notation import is_infix
from reasoner.language.scan import refuse
from reasoner.language.source import Source

_SIGNS = frozenset("()[],.:;?!~&|#%<>=-+*/'\"`{}")
_INFIX_SIGNS = frozenset("()[],.:!~&|#%-")
_LIKE = {
    "(": "\u3014\u3010",
    ")": "\u3015\u3011",
    ",": "\u3001\ufe51\uff64\u201a\u060c",
    ".": "\u3002\uff61",
    ";": "\u061b",
    ":": "\u2236",
    "?": "\u061f",
    "~": "\u301c\u223c",
    "-": "\u2010\u2011\u2012\u2013\u2014\u2015\u2212",
    "|": "\u2223\u2502\u00a6",
    "'": "\u2018\u2019",
    '"': "\u201c\u201d\u201e\u00ab\u00bb",
    "<=": "\u2264\u2a7d\u2266\u27f8",
    "!=": "\u2260",
}
"""Characters that resemble a sign, and have no compatibility mapping to it in Unicode (form NFKC)."""

_SIGN_OF = {character: sign for sign, characters in _LIKE.items() for character in characters}
_OPENING = re.compile(r"(?<![^\s()])([\[{])(?![^\s()]*[\]}])")
_CLOSING = re.compile(r"(?<![^\s()])[^\s()\[\]{}]*+([\]}])[\]}]*+(?![^\s()])")
_NOT_ASCII = re.compile(r"[^\x00-\x7f]")


def refuse_confusables(source: Source) -> None:
    """Raise RulesError with the first place of each character outside comments that looks like a sign."""
    if source.read.isascii():
        return
    found: dict[str, Diagnostic] = {}
    infix = is_infix(_NOT_ASCII.sub(lambda character: _sign(character[0])[:1] or character[0], source.text))
    for character in _NOT_ASCII.finditer(source.read):
        fix = None if character[0] in found else _fix(_sign(character[0]), source.read, character.start(), infix)
        if fix:
            found[character[0]] = _diagnostic(character[0], fix, source, character.start())
    if found:
        raise RulesError(list(found.values()))


def refuse_brackets(source: Source) -> None:
    """Raise RulesError with the first bracket or brace of a KIF text that is in place of a parenthesis.

    A name may contain them, as `[]` or `:]`; no name begins with a bracket that it does not close.
    """
    bracket = _OPENING.search(source.read)
    if bracket is None and source.read.count("(") > source.read.count(")"):
        bracket = _CLOSING.search(source.read)
    if bracket:
        message = f"`{bracket[1]}` is not a parenthesis: KIF has only round ones"
        refuse(source, bracket.start(1), "foreign-bracket", message, "Write `(` and `)` around each list.")


def _sign(character: str) -> str:
    """Return the signs of ASCII that a character looks like; an empty text for others."""
    mapped = unicodedata.normalize("NFKC", character)
    return _SIGN_OF.get(character, mapped if mapped in _SIGNS else "")


def _fix(sign: str, text: str, offset: int, infix: bool) -> str | None:
    """Return what to type for a character that looks like `sign`; None if the character may be part of a name."""
    if not sign or infix:
        other = sign not in _INFIX_SIGNS and sign_fix(sign)
        return (other or f"Type `{sign}`.") if sign else None
    if sign in ("<", "=", "<="):
        return "Type `<=`." if text[max(0, offset - 9) : offset].rstrip().endswith(("(", "(<", "(\uff1c")) else None
    if sign == "?":
        return "Type `?`." if text[max(0, offset - 1) : offset].strip() in ("", "(", ")") else None
    return {",": "Type a space: KIF has no commas.", ";": "Type `;`.", "(": "Type `(`.", ")": "Type `)`."}.get(sign)


def _diagnostic(character: str, fix: str, source: Source, offset: int) -> Diagnostic:
    name = unicodedata.name(character).lower()
    message = f"`{character}` is the character U+{ord(character):04X} ({name}), not `{_sign(character)}`"
    return Diagnostic(Severity.ERROR, "confusable-character", message, fix, source.span(offset))
