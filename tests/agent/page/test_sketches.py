"""Sketches of bundled games: positions that show what the game is about."""

from agent.page.history import MatchLog
from agent.page.sketches import _picture
from agent.worker.worker_messages import Position


def sketched(facts, *later):
    """The sketch of a game with this first position and these positions of a random game."""
    sample = [([], facts), *((["(press a)"], one) for one in later)]
    first = Position(0, [], facts, False, None, sample=sample)
    log = MatchLog("m", "m", 0.0, 0.0, 0.0, ("robot",))
    log.may_hold(first)
    log.take(first, 0.0)
    return _picture(log, first)


def test_a_first_position_of_counters_alone_gives_way_to_one_that_shows_something():
    shown = sketched(["(step 0)"], ["(step 1)"], ["(step 2)", "(lit p)"])
    assert shown["others"] == {"lit": [["p"]]}
    shown = sketched(["(step 0)", "(lit q)"], ["(step 1)", "(lit p)"])
    assert shown["others"] == {"lit": [["q"]]}


def test_a_game_of_counters_alone_is_shown_by_its_first_position():
    assert list(map(tuple, sketched(["(step 0)"], ["(step 1)"])["counters"])) == [("step", "0")]
