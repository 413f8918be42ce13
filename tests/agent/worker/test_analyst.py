"""Positions looked into for people, with a fake channel and players around them."""

# ruff: noqa: ARG002 the players have the signatures of what they stand for

import pytest

from agent.players.base import Player
from agent.settings import load_settings
from agent.worker.analyst import Analyst
from agent.worker.worker_messages import Examine, Position, RefereeFailed, Think
from reasoner.rules.read import read_program
from search.clock import MonotonicClock
from tests.agent.rules import ALIKE, STONES
from tests.agent.worker.test_session import FakeChannel

MUTE = (
    "(role a) (init (at 1)) (<= (legal a go) (true (at 1))) (<= (next (at 2)) (true (at 1)))"
    " (<= terminal (true (at 3))) (goal a 100)"
)


class Tells(Player):
    """Thinks what position it is in, and for how many simulations it may."""

    def __init__(self):
        self.simulations = self.facts = None

    def limit(self, simulations):
        self.simulations = simulations

    def start(self, game, turn):
        self.facts = sorted(map(str, game.machine.facts(game.state)))

    def thinking(self):
        return {"facts": self.facts, "simulations": self.simulations}


class Raises(Player):
    def start(self, game, turn):
        raise ValueError("no")


def analyst(rules=STONES, player=Tells):
    settings = load_settings(environment={}, flags={"worker.engine": "relational"})
    program, _ = read_program(rules)
    channel = FakeChannel()
    return Analyst(program, settings, player, channel, MonotonicClock()), channel


def test_positions_follow_each_other_and_the_first_tells_what_helps_to_draw():
    one, _ = analyst()
    first = one.examine(Examine(0, facts=[]))
    assert (first.step, first.opposed, first.kinds, first.legal[0]) == (0, True, [], ["(take 1)", "(take 2)"])
    second = one.examine(Examine(1, 0, ["(take 2)", "noop"]))
    assert (second.step, second.joint, second.facts) == (1, ("(take 2)", "noop"), ["(heap 7)", "(turn second)"])
    lone = one.examine(Examine(2, 1, ["(take 1)"]))  # the only role that has a choice
    assert lone.facts == ["(heap 6)", "(turn first)"]
    assert one.examine(Examine(3, 1, ["(take 9)", "noop"])) == RefereeFailed(
        "these moves are not legal in that position"
    )


def test_another_role_is_to_move_where_one_fact_says_so_and_nowhere_else():
    one, _ = analyst()
    one.examine(Examine(0, facts=[]))
    passed = one.examine(Examine(1, 0))
    assert (passed.step, passed.joint, passed.facts) == (0, (), ["(heap 9)", "(turn second)"])
    alike, _ = analyst(ALIKE)
    alike.examine(Examine(0, facts=[]))
    assert isinstance(alike.examine(Examine(1, 0)), RefereeFailed)


def test_roles_that_choose_at_the_same_time_are_reported():
    first = analyst(ALIKE)[0].examine(Examine(0, facts=[]))
    assert first.kinds == ["simultaneous moves"]


@pytest.mark.parametrize("facts", [["(at 2)"], ["(at"], ["(at ?x)"]])
def test_what_is_no_position_is_refused_with_a_reason_and_asked_about_again(facts):
    one, _ = analyst(MUTE)
    refused = one.examine(Examine(0, facts=facts))
    assert isinstance(refused, RefereeFailed)
    assert refused.reason
    assert isinstance(one.examine(Examine(0, facts=[])), Position)


def test_a_position_is_thought_about_once_and_then_no_more():
    one, channel = analyst()
    one.examine(Examine(0, facts=[]))
    one.examine(Examine(1, facts=["(heap 3)", "(turn second)"]))
    assert one.patience is None
    one.think(Think(1, 1, 9.0, 40))
    assert one.patience == 0
    one.go_on()
    first, told = channel.events
    engine = {"engine": "relational", "building": False, "missing": ""}
    assert first.figures == {**engine, "role": 1}  # before the player has thought at all
    figures = {
        "facts": ["(heap 3)", "(turn second)"],
        "simulations": 40,
        **engine,
        "done": True,
        "role": 1,
    }
    assert (told.step, told.figures) == (1, figures)
    assert one.patience is None
    one.think(Think(1, 1, 9.0))
    one.think(Think(None))
    assert one.patience is None


def test_an_end_is_nothing_to_think_about_and_no_move_follows_it():
    one, _ = analyst()
    end = one.examine(Examine(0, facts=["(heap 0)", "(turn first)"]))
    assert (end.terminal, end.goals, end.legal) == (True, [0, 100], [])
    one.think(Think(0, 0, 9.0))
    assert one.patience is None
    assert isinstance(one.examine(Examine(1, 0, ["noop", "noop"])), RefereeFailed)


def test_a_failing_player_ends_the_search_and_the_next_position_is_searched_again():
    one, channel = analyst(player=Raises)
    one.examine(Examine(0, facts=[]))
    for _ in range(2):
        one.think(Think(0, 0, 9.0))
        one.go_on()
    assert [event.figures.get("done", False) for event in channel.events] == [False, True] * 2


def test_a_message_that_waits_ends_the_thinking_without_a_last_word():
    one, channel = analyst()
    one.examine(Examine(0, facts=[]))
    one.think(Think(0, 0, 9.0))
    channel.waiting = lambda: True
    one.go_on()
    assert [event.step for event in channel.events] == [0, 0]
    assert channel.events[1].figures["done"] is False
