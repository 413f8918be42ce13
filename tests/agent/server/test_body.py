"""Where a body ends that does not say so, or says it wrongly."""

import pytest

from agent.server import body
from agent.server.body import EndOfBody, balanced, bytes_of


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("(INFO)", True),
        (" ( INFO ) \r\n", True),
        ("(a (b) ; ( is no parenthesis\r\n)", True),
        ("(a ; )", False),
        ("info(", False),
        ("info()", True),
        ("INFO", False),
        ("(a) b", False),
        ("(a))", True),
    ],
)
def test_a_message_is_whole_when_its_last_parenthesis_closes_however_it_is_cut(text, whole):
    """A superfluous one ends it, too: more cannot mend it."""
    for size in (1, 3, 100):
        ending = EndOfBody()
        for start in range(0, len(text), size):
            ending.feed(text[start : start + size].encode())
        assert ending.whole == whole, size


def test_every_byte_of_a_body_is_looked_at_once(monkeypatch):
    """Byte by byte it costs no more than at once: what came before is never read again."""

    class Counting:
        looked = 0

        def finditer(self, data):
            Counting.looked += len(data)
            return mark.finditer(data)

    mark = body._MARK
    monkeypatch.setattr(body, "_MARK", Counting())
    text, ending = b"(" * 15_000 + b")" * 15_000, EndOfBody()
    for start in range(len(text)):
        ending.feed(text[start : start + 1])
    assert ending.whole
    assert Counting.looked == len(text)


@pytest.mark.parametrize("text", ["(a b)", "(ä)", "(a € b ü)", "(a \U0001f600 b ä)"])
def test_characters_are_counted_as_managers_in_java_count_them(text):
    characters = len(text.encode("utf-16-le")) // 2
    whole = text.encode()
    assert bytes_of(characters, whole + b" more") == len(whole)
    assert all(bytes_of(characters, whole[:size]) > size for size in range(len(whole)))
    assert balanced(whole)
