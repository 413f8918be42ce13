"""Matches of the search with subgames against the same search without."""

from agent.gamemaster.games import find_game
from bench.factoring.__main__ import machine_of
from bench.factoring.versus import APART, WHOLE, played, result
from search.subgames.compound import CompoundSearch


def test_a_match_is_played_to_its_end_by_one_search_that_splits_and_one_that_does_not(monkeypatch):
    splits = []
    look = CompoundSearch.look
    monkeypatch.setattr(CompoundSearch, "look", lambda self, end: (look(self, end), splits.append(self._split)))
    assert sorted(played(machine_of(find_game("nim").text), [APART, WHOLE], 0.05)) == [0, 100]
    assert any(split is not None for split in splits)


def test_a_result_is_told_from_the_side_of_the_search_that_splits():
    assert result("nim", 0, 0.02) in ("won", "lost")
