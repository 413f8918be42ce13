"""The search plays by what it knows, and values finding out."""

from __future__ import annotations

import pytest

from reasoner import load
from reasoner.language.parse import read_term
from search.belief.belief import Belief, Observation
from search.clock import MonotonicClock
from search.information.search import InformationSearch
from tests.reasoner.test_percepts import BOXES

ASK = """
; The prize is left or right; who asks first knows, who guesses at once does not; guessing after asking is worth less.
(role seeker) (role random) (side left) (side right) (init begin)
(<= (legal random (hide ?s)) (side ?s) (true begin))
(<= (legal random noop) (not (true begin)))
(<= (legal seeker wait) (true begin))
(<= (legal seeker (take ?s)) (side ?s) (not (true begin)))
(<= (legal seeker ask) (not (true begin)) (not (true asked)))
(<= (next (prize ?s)) (does random (hide ?s)))
(<= (next (prize ?s)) (true (prize ?s)))
(<= (next asked) (does seeker ask))
(<= (next asked) (true asked))
(<= (next (taken ?s)) (does seeker (take ?s)))
(<= (sees seeker (prize ?s)) (does seeker ask) (true (prize ?s)))
(<= terminal (true (taken ?s)))
(<= right (true (taken ?s)) (true (prize ?s)))
(<= (goal seeker 100) right (not (true asked)))
(<= (goal seeker 80) right (true asked))
(<= (goal seeker 0) (not right))
(goal random 0)
"""


def searched(belief: Belief, games: int) -> InformationSearch:
    """A search of so many games."""
    search = InformationSearch(belief, MonotonicClock())
    while search.simulations < games:
        search.think(0.0)
    return search


@pytest.mark.parametrize("engine", ["relational", "circuit"])
def test_asking_is_worth_what_can_be_done_with_the_answer(engine: str):
    belief = Belief(load(ASK, engine), 0)
    belief.observe(Observation(read_term("wait"), frozenset()))
    search = searched(belief, 1_000)
    assert str(search.best()) == "ask"
    values = {str(told.move): told.value for told in search.report().moves}
    assert values["ask"] > 65  # 80 where it is then taken where it lies
    assert values["(take left)"] == pytest.approx(50, abs=15)


def test_what_was_seen_is_used():
    belief = Belief(load(ASK, "circuit"), 0)
    belief.observe(Observation(read_term("wait"), frozenset()))
    belief.observe(Observation(read_term("ask"), frozenset({read_term("(prize right)")})))
    assert str(searched(belief, 300).best()) == "(take right)"


def test_others_are_thought_to_play_for_their_own_goals():
    text = BOXES.replace("(goal rival 50)", "(<= (goal rival 100) (true found)) (<= (goal rival 0) (not (true found)))")
    belief = Belief(load(text, "circuit"), 1)
    assert str(searched(belief, 100).best()) == "sleep"


def test_a_search_without_time_has_a_legal_move():
    belief = Belief(load(ASK, "circuit"), 0)
    assert str(InformationSearch(belief, MonotonicClock()).best()) == "wait"
