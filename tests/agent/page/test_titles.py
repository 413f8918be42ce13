"""How pasted rules are called."""

import pytest

from agent.page.titles import LONGEST, PASTED, title_of


@pytest.mark.parametrize(
    ("rules", "name", "title"),
    [
        ("(role me)", "", PASTED),
        ("(role me)", "my game.kif", "my game"),
        ("; Six stones. Who takes the last wins.\n(role me)", "", "Six stones"),
        ("\n\n% Nim in infix\nrole(me)", "", "Nim in infix"),
        ("; ======\n(role me)", "", PASTED),
        ("; === Nim ===\n(role me)", "heaps.gdl", "heaps"),
        (";;; --- Nim --- \n(role me)", "", "Nim"),
        ("; a\x00b\tc\u202e d\n(role me)", "", "a b c d"),
        ("(role me)", PASTED, PASTED),
    ],
)
def test_rules_are_called_as_their_file_or_by_their_first_comment(rules, name, title):
    """Two pasted games must be told apart in the history, by what their author called them."""
    assert title_of(rules, name) == title


def test_a_title_is_short_whatever_its_comment_says():
    """It stands in lists and headings."""
    assert len(title_of(f"; {'x' * 10_000}\n(role me)")) == LONGEST
