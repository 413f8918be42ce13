"""Rulesheets that links name."""

import pytest

from agent.page import sheets
from agent.page.errors import PageError
from agent.page.sheets import Sheet, Sheets


def test_the_same_rules_have_one_key_and_others_another():
    """A link that is copied twice keeps the rules once."""
    kept = Sheets()
    key = kept.keep(Sheet("nim", "(role me)"))
    assert kept.keep(Sheet("nim", "(role me)")) == key
    assert kept.keep(Sheet("nim", "(role you)")) != key
    assert kept.get(key) == Sheet("nim", "(role me)")


def test_the_oldest_leaves_and_what_is_asked_for_stays(monkeypatch):
    """However many links strangers make, the memory is bounded, and a link in use lives."""
    monkeypatch.setattr(sheets, "MAX_SHEETS", 2)
    kept = Sheets()
    first, second = (kept.keep(Sheet("nim", f"(role r{number})")) for number in range(2))
    kept.get(first)
    third = kept.keep(Sheet("nim", "(role r2)"))
    assert [kept.get(key).rules for key in (first, third)] == ["(role r0)", "(role r2)"]
    with pytest.raises(PageError, match="no longer stored"):
        kept.get(second)


def test_all_together_are_bounded_by_their_characters(monkeypatch):
    """A few large rulesheets weigh as much as many small ones."""
    monkeypatch.setattr(sheets, "MAX_CHARACTERS", 10)
    kept = Sheets()
    first, second = kept.keep(Sheet("a", "x" * 6)), kept.keep(Sheet("b", "y" * 6))
    assert kept.get(second).rules == "y" * 6
    for refused in (lambda: kept.get(first), lambda: kept.keep(Sheet("c", "z" * 11))):
        with pytest.raises(PageError):
            refused()
