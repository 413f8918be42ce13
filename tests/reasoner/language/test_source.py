from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from reasoner.diagnostics import Span
from reasoner.language.source import Source


def test_lines_end_with_any_of_the_three_line_ends():
    source = Source("a\nb\r\nc\rd")
    assert [source.span(source.text.index(c)) for c in "abcd"] == [Span(line, 1) for line in (1, 2, 3, 4)]


@given(st.text(alphabet="ab\r\n", max_size=30), st.data())
def test_line_and_column_agree_with_walking_the_text(text: str, data: st.DataObject):
    offset = data.draw(st.integers(0, len(text)))
    assert Source(text).span(offset) == _walked(text, offset)


def _walked(text: str, offset: int) -> Span:
    line, start, i = 1, 0, 0
    while i < offset:
        ending = 2 if text[i : i + 2] == "\r\n" else 1 if text[i] in "\r\n" else 0
        if ending == 2 and i + 1 == offset:
            break
        i += max(1, ending)
        if ending:
            line, start = line + 1, i
    return Span(line, offset - start + 1)
