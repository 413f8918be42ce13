"""Rulesheets that links name."""

import pytest

from agent.page import sheets
from agent.page.errors import PageError
from agent.page.requests import asker
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
    monkeypatch.setattr(sheets, "MAX_EACH", 10)
    kept = Sheets()
    first, second = kept.keep(Sheet("a", "x" * 6)), kept.keep(Sheet("b", "y" * 6))
    assert kept.get(second).rules == "y" * 6
    for refused in (lambda: kept.get(first), lambda: kept.keep(Sheet("c", "z" * 11))):
        with pytest.raises(PageError):
            refused()


def test_the_address_that_stores_most_loses_its_own_first(monkeypatch):
    """A stranger who stores one text after the other drops nobody else's links."""
    monkeypatch.setattr(sheets, "MAX_SHEETS", 4)
    kept, keys = Sheets(), {}
    for sender, texts in (("honest", "a"), ("stranger", "123456789"), ("third", "c")):
        token = asker.set(sender)
        keys |= {text: kept.keep(Sheet("nim", text)) for text in texts}
        asker.reset(token)
    assert [kept.get(keys[text]).rules for text in "a89c"] == list("a89c")


def test_one_long_text_counts_as_many_and_stays_itself(monkeypatch):
    monkeypatch.setattr(sheets, "MAX_CHARACTERS", 100)
    kept = Sheets()
    short = kept.keep(Sheet("a", "x" * 30))
    token = asker.set("stranger")
    first, second = kept.keep(Sheet("b", "y" * 60)), kept.keep(Sheet("c", "z" * 60))
    asker.reset(token)
    assert [len(kept.get(key).rules) for key in (short, second)] == [30, 60]
    with pytest.raises(PageError):
        kept.get(first)
