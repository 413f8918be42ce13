"""Source text of a rulesheet, with the line and column of every character."""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cached_property

from reasoner.diagnostics import LINE_END, Diagnostic, Span
from reasoner.language.notation import is_infix

_INFIX_WORD = re.compile(r"\w+|:-|::|==>|\S")


class Source:
    """Text and its lines. Lines end with LF, CR LF or CR; lines and columns count from 1.

    `read` is the cleaned text for the grammars, of the same length; `remarks` are warnings about the differences.
    """

    def __init__(self, text: str, read: str | None = None, remarks: tuple[Diagnostic, ...] = ()) -> None:
        self.text = text
        self.read = text if read is None else read
        self.remarks = remarks

    @cached_property
    def infix(self) -> bool:
        """Whether the text is infix; otherwise it is KIF."""
        return is_infix(self.text)

    def word_at(self, offset: int) -> str:
        """The word or sign of infix that begins at `offset`."""
        found = _INFIX_WORD.match(self.text, offset)
        return found[0] if found else ""

    @cached_property
    def _starts(self) -> list[int]:
        return [0, *(match.end() for match in LINE_END.finditer(self.text))]

    def span(self, offset: int, length: int = 1) -> Span:
        """The span of `length` characters from `offset`."""
        line = bisect_right(self._starts, offset)
        return Span(line, offset - self._starts[line - 1] + 1, max(1, length))
