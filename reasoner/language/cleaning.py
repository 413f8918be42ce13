"""Clean the text of a rulesheet for the grammars: each character that is not part of the rules becomes a blank.

Offsets are therefore preserved. Comments of other languages and unusual white space are accepted with a warning.
Outside comments, invisible characters and U+FFFD (which replaces undecodable bytes) are refused.
"""

from __future__ import annotations

import re
import unicodedata

from reasoner.diagnostics import Diagnostic, Severity
from reasoner.language.comments import Comment, comments
from reasoner.language.compared_literals import refuse_compared_literals
from reasoner.language.confusables import refuse_brackets, refuse_confusables
from reasoner.language.limits import ReadLimits
from reasoner.language.report import FaultReport
from reasoner.language.scan import check_text, refuse, scan_infix
from reasoner.language.separators import with_joined_bodies
from reasoner.language.source import Source

_VISIBLE = re.compile(r"[^\r\n]")
_LOST = "\ufffd"
_ODD = re.compile(r"[\x85\xa0\xad\u061c\u1680\u180e\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff\ufffd]")


def rules_source(text: str, limits: ReadLimits) -> Source:
    """Return the cleaned source of a rulesheet. Raises RulesError with located faults."""
    source = Source(text)
    check_text(source, limits)
    cleaning = _Cleaning(source)
    cursor = 0
    for comment in comments(source):
        cleaning.keep(cursor, comment.start)
        cleaning.drop(comment)
        cursor = comment.end
    cleaning.keep(cursor, len(text))
    source = Source(text, "".join(cleaning.pieces), cleaning.report.diagnostics())
    refuse_confusables(source)
    if not source.infix:
        refuse_brackets(source)
        return source
    scan_infix(source, limits)  # refuse a text that is too long before steps that need memory
    refuse_compared_literals(source)
    return with_joined_bodies(source)


class _Cleaning:
    def __init__(self, source: Source) -> None:
        self._source = source
        self.pieces: list[str] = []
        self.report = FaultReport(source)

    def keep(self, start: int, end: int) -> None:
        """Add text that is not a comment."""
        text = self._source.text[start:end]
        for found in _ODD.finditer(text):
            if start + found.start() > 0 or found[0] != "\ufeff":
                self._note_odd(found[0], start + found.start())
        self.pieces.append(_ODD.sub(" ", text))

    def drop(self, comment: Comment) -> None:
        """Add a comment as blanks."""
        text = self._source.text[comment.start : comment.end]
        if (lost := text.find(_LOST)) >= 0:
            self.warn(
                "lost-byte-in-comment",
                "U+FFFD in this comment replaces bytes that are not UTF-8",
                "Save the rulesheet as plain text (UTF-8).",
                comment.start + lost,
                1,
            )
        if not comment.own:
            own, other = ("%", "in KIF with `;`") if self._source.infix else (";", "in infix with `%`")
            word = text[:2].rstrip()
            self.warn(
                "foreign-comment",
                f"`{word}` begins a comment in other languages and is read as one; other players do not accept it",
                f"Begin each line of a comment with `{own}`, {other}.",
                comment.start,
                len(word),
            )
        self.pieces.append(_VISIBLE.sub(" ", text))

    def _note_odd(self, character: str, offset: int) -> None:
        name = f"U+{ord(character):04X} ({unicodedata.name(character, 'next line').lower()})"
        if character == _LOST:
            message, fix = "U+FFFD replaces bytes that are not UTF-8", "Save the rulesheet as plain text (UTF-8)."
            refuse(self._source, offset, "lost-byte", message, fix)
        if not character.isspace():
            message = f"the character {name} is invisible and not allowed in rules"
            refuse(self._source, offset, "invisible-character", message, "Remove it, or write a plain space.")
        message = f"{name} is read as a space; other players do not read it so"
        self.warn("odd-space", message, "Write a plain space.", offset, 1)

    def warn(self, code: str, message: str, fix: str, offset: int, length: int) -> None:
        """Record a warning for a place that is not read as written."""
        self.report.add(Diagnostic(Severity.WARNING, code, message, fix, self._source.span(offset, length)))
