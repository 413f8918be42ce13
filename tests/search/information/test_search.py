"""The search plays by what it knows, and values finding out."""

from __future__ import annotations

import math

import pytest

from reasoner import load
from reasoner.language.parse import read_term
from search.belief.belief import Belief
from search.belief.state_set import Observation
from search.clock import MonotonicClock
from search.information.search import InformationSearch
from tests.clocks import FakeClock
from tests.reasoner.test_percepts import BOXES

ASK = """
; The prize is left or right; who asks first knows, who guesses at once does not; guessing after asking is worth less.
(role seeker) (role random) (side left) (side right) (init begin)
(<= (legal random (hide ?s)) (side ?s) (true begin))
(<= (legal random noop) (not (true begin)))
(<= (legal seeker wait) (true begin))
(<= (legal seeker (take ?s)) (side ?s) (not (true begin)))
(<= (legal seeker ask) (not (true begin)) (not (true requested)))
(<= (next (prize ?s)) (does random (hide ?s)))
(<= (next (prize ?s)) (true (prize ?s)))
(<= (next requested) (does seeker ask))
(<= (next requested) (true requested))
(<= (next (taken ?s)) (does seeker (take ?s)))
(<= (sees seeker (prize ?s)) (does seeker ask) (true (prize ?s)))
(<= terminal (true (taken ?s)))
(<= right (true (taken ?s)) (true (prize ?s)))
(<= (goal seeker 100) right (not (true requested)))
(<= (goal seeker 80) right (true requested))
(<= (goal seeker 0) (not right))
(goal random 0)
"""


def searched(belief: Belief, games: int, seed: int = 1, *, mixes: bool = False) -> InformationSearch:
    """A search of so many games."""
    search = InformationSearch(belief, MonotonicClock(), seed, mixes=mixes)
    search.think(math.inf, lambda: search.simulations >= games)
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


COIN = """
; A coin is hidden left or right and sought unseen; found left it is worth twice what it is worth right.
(role hider) (role seeker) (hand left) (hand right) (init hiding)
(<= (legal hider (hide ?h)) (hand ?h) (true hiding))
(<= (legal hider noop) (not (true hiding)))
(<= (legal seeker noop) (true hiding))
(<= (legal seeker (open ?h)) (hand ?h) (not (true hiding)))
(<= (next (coin ?h)) (does hider (hide ?h)))
(<= (next (found ?h)) (does seeker (open ?h)) (true (coin ?h)))
(<= (next missed) (does seeker (open ?h)) (not (true (coin ?h))))
(<= (sees ?r (opened ?h)) (role ?r) (does seeker (open ?h)))
(<= terminal (true (found ?h))) (<= terminal (true missed))
(<= (goal seeker 100) (true (found left))) (<= (goal hider 0) (true (found left)))
(<= (goal seeker 50) (true (found right))) (<= (goal hider 50) (true (found right)))
(<= (goal seeker 0) (true missed)) (<= (goal hider 100) (true missed))
"""


@pytest.mark.parametrize("role", [0, 1])
def test_a_search_that_mixes_plays_now_this_now_that_where_only_a_mixture_is_right(role: int):
    machine, chosen = load(COIN, "circuit"), set[str]()
    for seed in range(16):
        belief = Belief(machine, role, seed)
        if role == 1:
            belief.observe(Observation(read_term("noop"), frozenset()))
        chosen.add(str(searched(belief, 2_000, seed, mixes=True).best()).split()[1])
    assert chosen == {"left)", "right)"}


def test_games_of_an_opening_that_rarely_show_what_we_saw_begin_later():
    text = BOXES.replace("(hide ?b)) (box ?b)", "(hide ?b ?n)) (box ?b) (number ?n)").replace(
        "(hide ?b))", "(hide ?b ?n))"
    )
    text += " ".join(f"(number {n})" for n in range(20)) + "(<= (sees seeker (told ?n)) (does random (hide ?b ?n)))"
    belief = Belief(load(text, "circuit"), 0)
    belief.observe(Observation(read_term("wait"), frozenset(map(read_term, ("(does seeker wait)", "(told 3)")))))
    assert InformationSearch(belief, MonotonicClock(), mixes=True)._opening.back == 1
    search = searched(belief, 500, mixes=True)
    assert search._opening.back == 0
    assert str(search.best()).startswith("(look")


LEADS = """
; Chance says who leads, and tells nobody. Who leads takes one of two things; waiting is for who does not.
(role me) (role other) (role random) (player me) (player other) (thing good) (thing bad) (init begin)
(<= (legal random (lead ?r)) (player ?r) (true begin))
(<= (legal random noop) (not (true begin)))
(<= (legal ?r noop) (player ?r) (not (true (leads ?r))))
(<= (legal ?r (take ?t)) (true (leads ?r)) (thing ?t))
(<= (next (leads ?r)) (does random (lead ?r)))
(<= (next (took ?r ?t)) (does ?r (take ?t)))
(sees me nothing)
(<= terminal (true (took ?r ?t)))
(<= (goal me 50) (true (took me good)))
(<= (goal me 0) (true (took me bad)))
(<= (goal me 60) (true (took other ?t)))
(goal other 50) (goal random 0)
"""


@pytest.mark.parametrize("engine", ["relational", "circuit"])
def test_who_may_lead_asks_for_what_a_leader_does_best(engine: str):
    belief = Belief(load(LEADS, engine), 0)
    belief.observe(Observation(read_term("noop"), frozenset({read_term("nothing")})))
    search = searched(belief, 1_000)
    values = {str(told.move): told.value for told in search.report().moves}
    assert values["noop"] > values["(take good)"]
    assert str(search.best()) == "(take good)"


ENDLESS = """
; Nothing ends but by both moving at once, which nobody does at random in a lifetime.
(role me) (role other) (side left) (side right)
(<= (legal ?r (go ?a ?b ?c ?d ?e ?f)) (role ?r) (side ?a) (side ?b) (side ?c) (side ?d) (side ?e) (side ?f))
(<= (next over) (true never))
(<= (sees ?r (did ?q)) (role ?r) (role ?q))
(<= terminal (true over))
(<= (goal ?r 50) (role ?r))
"""


@pytest.mark.parametrize("engine", ["relational", "circuit"])
def test_games_without_an_end_are_given_up_when_time_is_over(engine: str):
    belief, clock = Belief(load(ENDLESS, engine), 0), FakeClock(1.0, 0.0)  # each look takes a second
    search = InformationSearch(belief, clock, 1)
    search.think(5.0, latest=20.0)
    assert clock.time < 30
    assert search.simulations == 0
    assert search.best() in belief.favourites()
