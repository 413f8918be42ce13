"""Scan untrusted text in linear time before parsing: size, characters, balance and depth of parentheses.

KIF text that passes cannot fail in the grammar, and does not nest deeper than later recursive stages allow.
"""

from __future__ import annotations

import re
from typing import NoReturn

from reasoner.diagnostics import Diagnostic, Severity
from reasoner.errors import RulesError
from reasoner.language.limits import ReadLimits
from reasoner.language.source import Source

_COMMENT = re.compile(r";[^\r\n]*")
_PARENTHESIS = re.compile(r"[()]")
_INFIX_COMMENT = re.compile(r"%[^\r\n]*")
_RULE_OR_PARENTHESIS = re.compile(r"\(\s*<=(?=[\s(])|[()]")
_INFIX_TOKEN = re.compile(r"[()\[\],]|[^ \t\r\n\f\v()\[\],]+")
_BRACKET = re.compile(r"[()\[\]]")
_OPENING = {")": "(", "]": "["}
_TOKEN = re.compile(r"[()]|[^ \t\r\n\f\v()]+")
_NOT_TEXT = re.compile(r"[\x00-\x08\x0e-\x1f\x7f\ud800-\udfff]")


def scan(source: Source, limits: ReadLimits) -> None:
    """Raise RulesError with one located fault if the text cannot be parsed under `limits`."""
    check_text(source, limits)
    bare = _COMMENT.sub(_blank, source.read)
    _check_tokens(source, bare, limits)
    _check_parentheses(source, bare, limits)


def scan_infix(source: Source, limits: ReadLimits) -> None:
    """Check infix text as `scan` checks KIF; faults of syntax are left to the infix grammar."""
    check_text(source, limits)
    bare = _INFIX_COMMENT.sub(_blank, source.read)
    _check_tokens(source, bare, limits, _INFIX_TOKEN)
    _check_parentheses(source, bare, limits, _BRACKET)


def check_text(source: Source, limits: ReadLimits) -> None:
    """Refuse text that is too long or contains control characters."""
    if len(source.text) > limits.max_characters:
        refuse(
            Source(source.text[: limits.max_characters + 1]),
            limits.max_characters,
            "too-long",
            f"the text is longer than {limits.max_characters} characters",
            "Raise the limit if the rules are really that long.",
        )
    if match := _NOT_TEXT.search(source.text):
        refuse(
            source,
            match.start(),
            "not-text",
            f"character U+{ord(match[0]):04X} does not belong in a text of rules",
            "Save the rulesheet as plain text (UTF-8); this looks like a binary file.",
        )


def _check_tokens(source: Source, bare: str, limits: ReadLimits, token: re.Pattern[str] = _TOKEN) -> None:
    if len(bare) <= limits.max_tokens:
        return
    for count, match in enumerate(token.finditer(bare)):
        if count >= limits.max_tokens:
            refuse(
                source,
                match.start(),
                "too-long",
                f"the text has more than {limits.max_tokens} words and parentheses",
                "Raise the limit if the rules are really that long.",
            )


def _check_parentheses(source: Source, bare: str, limits: ReadLimits, bracket: re.Pattern[str] = _PARENTHESIS) -> None:
    opened: list[int] = []
    for match in bracket.finditer(bare):
        if match[0] in "([":
            opened.append(match.start())
            if len(opened) > limits.max_depth:
                refuse(
                    source,
                    match.start(),
                    "too-deep",
                    f"parentheses are nested more than {limits.max_depth} deep",
                    "Close the lists before this one, or build the term in several rules.",
                )
        elif opened and bare[opened[-1]] == _OPENING[match[0]]:
            opened.pop()
        else:
            refuse(
                source,
                match.start(),
                "unmatched-parenthesis",
                f"this `{match[0]}` closes nothing",
                "Remove it, or open the list it should close.",
            )
    if opened:
        _refuse_rule_inside(source, bare)
        _refuse_open(source, opened)


def _refuse_rule_inside(source: Source, bare: str) -> None:
    """Refuse the first rule that contains the start of another rule: the missing `)` belongs to the outer rule."""
    opened: list[int] = []
    rules: list[int] = []  # the offsets in `opened` at which a rule begins
    for match in _RULE_OR_PARENTHESIS.finditer(bare):
        if match[0] == ")":
            if opened and rules[-1:] == [opened.pop()]:
                rules.pop()
            continue
        if match[0] != "(" and rules:
            line = source.span(match.start()).line
            message = f"this `(` is never closed: another rule begins inside, at line {line}"
            refuse(source, rules[-1], "unmatched-parenthesis", message, "Close it before the other rule begins.")
        opened.append(match.start())
        if match[0] != "(":
            rules.append(match.start())


def _refuse_open(source: Source, opened: list[int]) -> None:
    opening = source.text[opened[0]]
    closing = ")" if opening == "(" else "]"
    missing = f"{len(opened)} `{closing}` missing" if len(opened) > 1 else f"one `{closing}` missing"
    refuse(
        source,
        opened[0],
        "unmatched-parenthesis",
        f"this `{opening}` is never closed ({missing} at the end)",
        "Close it where its list should end.",
    )


def _blank(comment: re.Match[str]) -> str:
    return " " * len(comment[0])


def refuse(source: Source, offset: int, code: str, message: str, fix: str) -> NoReturn:
    """Raise RulesError with one fault."""
    raise RulesError([Diagnostic(Severity.ERROR, code, message, fix, source.span(offset))])
