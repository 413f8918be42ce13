"""A match's session with fakes around it: no process, no pipe, a build that ends when the test says so."""

# ruff: noqa: ARG002 the fakes have the signatures of what they stand for

import asyncio
from dataclasses import replace
from types import SimpleNamespace
from typing import ClassVar

import pytest
from structlog.testing import capture_logs

from agent.gamemaster.games import find_game
from agent.players.base import Player
from agent.players.legal import LegalPlayer
from agent.protocol.messages import Start
from agent.settings import load_settings
from agent.worker import engines
from agent.worker.engines import Engines
from agent.worker.session import Session
from agent.worker.start_rules import RefusalError
from agent.worker.worker_messages import (
    OPENING,
    Answered,
    Applied,
    Begin,
    Choose,
    Offered,
    PlayerFailed,
    Ready,
    Reported,
    Seen,
    Thought,
)
from reasoner import load
from reasoner.compilation import BuildLimits, CircuitBuild
from reasoner.errors import LimitError
from reasoner.loading import playing
from reasoner.machine import Sizes
from reasoner.relational.machine import RelationalMachine
from reasoner.rules.read import read_program
from search.clock import MonotonicClock
from tests.agent.rules import BROKEN, STONES, WAITING, machine, reached
from tests.reasoner.test_percepts import BOXES
from tests.search.information.sheets import BLIND_TIC_TAC_TOE

START = Start("m", "first", STONES, 1.0, 1.0)


class FakeChannel:
    """Keeps what is told to the server."""

    def __init__(self):
        self.events = []

    def send(self, event):
        self.events.append(event)

    def waiting(self):
        return False

    def moves(self):
        return [event.move for event in self.events if isinstance(event, Answered)]


class FakeBuild:
    """A build that is ready, or fails, when the test says so; waiting for it is a request to be ready."""

    made: ClassVar[list] = []

    def __init__(self, *asked):
        self.asked = asked
        self.done = self.fails = self.cancelled = False
        self.baseline = None
        self.made.append(self)

    def ready(self):
        return self.done

    def baseline_code(self, wait=0.0):
        self.done = self.done or wait > 0
        return self.baseline

    def result(self, timeout=None):
        if self.fails:
            raise LimitError("too large", limit="gates")
        self.done = True

    def cancel(self):
        self.cancelled = True


class FakeCircuit(RelationalMachine):
    engine = "circuit"
    sizes = Sizes(1, 2, 3)

    def __init__(self, _circuit, relational):
        super().__init__(relational.program)


class Reports(Player):
    """Plays its last legal move and remembers what it was told."""

    def __init__(self):
        self.told = []

    def play(self, game, turn):
        self.told.append(f"play on {game.machine.engine}")
        return game.legal[-1]

    def moved(self, game, joint):
        self.told.append(f"moved {' '.join(map(str, joint))}")

    def changed(self, game):
        self.told.append(f"changed to {game.machine.engine}")


@pytest.fixture(autouse=True)
def fake_build(monkeypatch):
    monkeypatch.setattr(engines, "CircuitBuild", FakeBuild)
    monkeypatch.setattr(engines, "playing", FakeCircuit)
    FakeBuild.made = []
    return lambda: FakeBuild.made[-1]


def session(environment=None, joints=(), answered=None, player=None, **changes):
    command = Begin(replace(START, **changes), 0.0, joints, answered)
    made = SimpleNamespace(player=player or Reports(), channel=FakeChannel())
    settings = load_settings(environment=environment or {})
    made.session = Session(command, made.player, settings, made.channel, MonotonicClock())
    made.session.start(command)
    return made


def play(made, joint, number=1, *, repeated=False, apply=True, within=30.0):
    deadline = MonotonicClock().now() + within
    command = Choose(number, deadline, apply=apply, joint=joint, repeated=repeated, sent=number - 1)
    made.session.play(command)


def play_all(made, *messages):
    """PLAY messages with these moves or percepts."""
    for number, joint in enumerate(messages, 1):
        play(made, joint, number)


def test_the_position_is_told_for_the_journal_every_few_turns(monkeypatch):
    monkeypatch.setattr("agent.worker.match_game.RECORD_EVERY", 2)
    made = session()
    play_all(made, None, ("(take 2)", "noop"), ("noop", "(take 1)"), ("(take 2)", "noop"))
    told = [event.position for event in made.channel.events if isinstance(event, Applied)]
    game = machine(STONES)
    state = game.next(game.next(game.initial(), ("(take 2)", "noop")), ("noop", "(take 1)"))
    facts = sorted(map(str, game.facts(state)))
    assert [one and sorted(one) for one in told] == [None, None, None, facts, None]


ROUND = """
(role a) (init (at 0)) (init open) (turn 0 1) (turn 1 2) (turn 2 0) (way 0 x) (way 1 x) (way 2 y)
(<= (legal a ?m) (true (at ?p)) (way ?p ?m))
(<= (next (at ?q)) (true (at ?p)) (turn ?p ?q))
(<= (next open) (true open))
(<= terminal (not (true open)))
(goal a 100)
"""


def test_a_position_that_was_a_wrong_guess_is_told_again():
    """After a gap, x fits at once; the next message shows that an x was missed before it."""
    made = session(rules=ROUND, role="a")
    play_all(made, None, *[("x",), ("x",), ("y",)] * 5)
    made.session.play(Choose(17, MonotonicClock().now() + 30.0, True, ["x"], False, gap=True))
    play(made, ("y",), 18)
    told = [event.position for event in made.channel.events if isinstance(event, Applied)]
    assert list(map(sorted, told[-2:])) == [["(at 1)", "open"], ["(at 0)", "open"]]


def test_a_legal_move_is_offered_before_the_player_hears_of_the_moves_or_is_asked():
    made = session()
    play(made, None)
    kinds = [type(event) for event in made.channel.events]
    assert kinds == [Seen, Applied, Offered, Ready, Applied, Offered, Seen, Answered, Thought, Reported]
    assert made.channel.events[2] == Offered(OPENING, "(take 1)")
    assert made.channel.events[5] == Offered(1, "(take 1)")
    assert made.channel.moves() == ["(take 2)"]


def test_a_late_copy_of_an_older_message_changes_nothing():
    made = session()
    messages = [("(take 2)", "noop"), ("noop", "(take 1)"), ("(take 1)", "noop")]
    play_all(made, None, *messages)
    play(made, ("(take 2)", "noop"), 5)
    assert made.session._turns.joints == messages
    made.session._answer_time -= 2  # the play clock has passed: the message after (noop (take 1 or 2)) is new
    play(made, ("(take 2)", "noop"), 6)
    assert made.session._turns.joints == [*messages, None, ("(take 2)", "noop")]


class Unsayable:
    def __str__(self):
        raise ValueError("no text")


@pytest.mark.parametrize("error", [asyncio.CancelledError, KeyboardInterrupt, GeneratorExit, None])
def test_a_move_is_answered_whatever_a_player_raises_or_returns(error):
    """In the same process: the exception of a cancelled task is none of `Exception`."""
    made = session()

    def odd(*_):
        if error is not None:
            raise error
        return Unsayable()

    made.player.play = made.player.ponder = odd
    play(made, None)
    made.session.ponder()
    assert made.channel.moves() == ["(take 1)"]
    assert any(isinstance(event, PlayerFailed) for event in made.channel.events)


class Swaps(Reports):
    """Takes the other role, to look at its moves, and does not give it back."""

    def play(self, game, turn):
        game.role = 1 - game.role
        return super().play(game, turn)


def test_a_player_cannot_take_another_role():
    """The legal moves, from which every answer is taken, are those of the role of the match."""
    made = session(player=Swaps())
    play_all(made, None, ("(take 1)", "noop"))
    assert made.channel.moves() == ["(take 1)", "noop"]
    assert made.session._game.role == 0


class Misdefined(Player):
    """Methods without the parameters that they are called with, and figures that are none."""

    def start(self):
        pass

    def play(self, game, turn):
        return game.legal[-1]

    def moved(self):
        pass

    def ponder(self):
        pass

    def stop(self):
        pass

    def report(self):
        return 7

    def thinking(self):
        return 7


def test_a_failure_names_the_method_also_where_none_of_its_lines_has_run():
    with capture_logs() as entries:
        made = session(player=Misdefined())
        play_all(made, None, ("(take 2)", "noop"))
        made.session.ponder()
        made.session.stop()
    failed = [entry for entry in entries if entry["event"] == "the player failed"]
    told = ["thinking", "report"]
    assert [entry["during"] for entry in failed] == ["start", *told, "moved", *told, "ponder", "stop"]
    places = {entry["during"]: entry["place"] for entry in failed}
    lines = {name: getattr(Misdefined, name).__code__.co_firstlineno for name in places}
    assert places == {name: f"test_session.py:{line}" for name, line in lines.items()}


def test_a_circuit_that_becomes_ready_is_taken_up_between_turns(fake_build):
    made = session()
    play(made, None)
    fake_build().done = True
    made.session.ponder()
    play(made, ["(take 2)", "noop"], 2)
    assert made.player.told == [
        "play on relational",
        "changed to circuit",
        "moved (take 2) noop",
        "play on circuit",
    ]
    assert made.channel.moves() == ["(take 2)", "noop"]
    assert made.session.patience is None or made.session.patience == 0.0


def engines_told(made):
    """The engine figures that the page receives, once for each change."""
    figures = [event.figures for event in made.channel.events if isinstance(event, Thought)]
    return [(one["engine"], one["building"], one["missing"]) for one in figures]


def test_the_engine_is_told_when_it_changes_whatever_the_player_tells(fake_build):
    """A person who waits for the circuit must learn that it is there while the player thinks of nothing."""
    made = session()
    made.session.ponder()
    made.session.ponder()
    assert engines_told(made) == [("relational", True, "")]
    fake_build().done = True
    made.session.ponder()
    assert engines_told(made)[1:] == [("circuit", False, "")]


def test_why_no_circuit_comes_is_reported(fake_build):
    """A game without a circuit must not be shown as one whose circuit is being built."""
    made = session()
    fake_build().done = fake_build().fails = True
    made.session.ponder()
    assert engines_told(made) == [("relational", False, "too large")]


def test_a_first_circuit_plays_until_the_better_one_comes(fake_build):
    made = session()
    fake_build().baseline = "baseline code"
    made.session.ponder()
    assert made.session.patience is not None  # it still looks for a better one
    play(made, None)
    fake_build().done = True
    made.session.ponder()
    assert made.player.told == ["changed to circuit", "play on circuit", "changed to circuit"]
    assert made.session.patience is None


def test_a_first_circuit_plays_on_where_no_better_one_can_be_built(fake_build):
    made = session()
    fake_build().baseline = "baseline code"
    made.session.ponder()
    fake_build().done = fake_build().fails = True
    made.session.ponder()
    play(made, None)
    assert made.player.told == ["changed to circuit", "play on circuit"]


def test_a_first_circuit_is_played_also_where_it_is_met_only_when_the_better_one_has_failed(fake_build):
    made = session()
    fake_build().baseline = "baseline code"
    fake_build().done = fake_build().fails = True
    made.session.ponder()
    play(made, None)
    assert made.player.told == ["changed to circuit", "play on circuit"]


def test_a_build_that_fails_leaves_the_relational_engine(fake_build):
    made = session()
    fake_build().done = fake_build().fails = True
    made.session.ponder()
    play(made, None)
    assert made.player.told == ["play on relational"]
    assert made.session.patience == 0.0


def test_a_build_that_ends_just_after_it_was_waited_for_is_not_lost(fake_build):
    made = session()
    build = fake_build()
    build.baseline = "baseline code"
    assert made.session._game.improve()

    def too_late(_):
        build.done = True
        raise LimitError("the circuit is not built yet", limit="time")

    build.result = too_late
    assert not made.session._game.improve(0.01)
    del build.result
    assert made.session._game.improve()


def test_where_the_relational_engine_gives_up_the_circuit_is_waited_for(monkeypatch):
    made = session()
    play(made, None)

    def gives_up(*_):
        raise LimitError("too many facts", limit="facts")

    monkeypatch.setattr(made.session._turns.machine, "next", gives_up)
    play(made, ["(take 2)", "noop"], 2)
    assert made.player.told[1:] == ["changed to circuit", "moved (take 2) noop", "play on circuit"]
    assert made.channel.moves() == ["(take 2)", "noop"]


def test_where_no_engine_can_tell_the_match_is_refused(fake_build, monkeypatch):
    def gives_up(*_):
        raise LimitError("too many facts", limit="facts")

    monkeypatch.setattr(RelationalMachine, "initial", gives_up)
    with pytest.raises(LimitError):
        session()
    assert fake_build().cancelled


def test_a_setting_lets_rules_ask_for_the_state_to_come():
    rules = START.rules + " (<= (next soon) (next late)) (<= (next late) (role first))"
    with pytest.raises(RefusalError):
        session(rules=rules)
    session({"GGP_AGENT_RULES_LENIENT": "true"}, rules=rules)


def test_rewritings_that_are_set_reach_the_build(fake_build):
    session({"GGP_AGENT_RULES_REWRITINGS": "keep_views,store_statics"})
    assert fake_build().asked[1].rewritings == ("keep_views", "store_statics")
    session()
    assert fake_build().asked[1].rewritings == ()


def told_in_a_match(environment):
    """What a match of three moves told, and its machine."""
    made = session(environment, rules=find_game("ticTacToe").text, role="cross")
    for number, joint in enumerate([None, ["(mark 1 1)", "noop"], ["noop", "(mark 2 2)"]], 1):
        play(made, joint, number)
    made.session.stop()
    events = [each for each in made.channel.events if isinstance(each, Seen | Answered | Applied)]
    return events, made.session._engines.machine


def test_a_match_on_rewritten_rules_is_told_as_the_rulesheet_has_it(monkeypatch):
    monkeypatch.setattr(engines, "CircuitBuild", CircuitBuild)
    monkeypatch.setattr(engines, "playing", playing)
    ours = {"GGP_AGENT_WORKER_ENGINE": "circuit", "GGP_AGENT_RULES_REWRITINGS": "keep_views"}
    told, machine = told_in_a_match(ours)
    assert machine.circuit.kept == (("line", 1),)
    assert told == told_in_a_match({"GGP_AGENT_WORKER_ENGINE": "relational"})[0]


def test_the_relational_engine_plays_if_no_build_process_can_start(monkeypatch):
    def refuse(*_):
        raise LimitError("no process", limit="process")

    monkeypatch.setattr(engines, "CircuitBuild", refuse)
    made = session()
    play(made, None)
    assert made.player.told == ["play on relational"]
    with pytest.raises(LimitError):
        session({"GGP_AGENT_WORKER_ENGINE": "circuit"})


def test_rules_in_error_and_unknown_roles_are_refused():
    with pytest.raises(RefusalError, match="the rules have errors"):
        session(rules=BROKEN)
    with pytest.raises(RefusalError, match="their roles are first, second"):
        session(role="third")
    assert FakeBuild.made == []
    session(role="FIRST")


def test_a_session_that_takes_the_place_of_a_lost_one_continues_where_that_was():
    made = session(joints=[["(take 1)", "noop"], ["noop", "(take 2)"]], answered="(take 2)")
    play(made, ["noop", "(take 2)"], repeated=True)
    assert made.channel.moves() == ["(take 2)"]  # the same message again: answered before, and not asked again
    assert made.player.told == []


PICKED = """
; Second picks a number, which first says; then second may pass.
(role first) (role second) (init (turn second)) (number 1) (number 2) (number 3)
(<= (legal second (pick ?n)) (true (turn second)) (number ?n))
(<= (legal second pass) (true said))
(<= (legal second noop) (true (picked ?n)))
(<= (legal first noop) (not (true (picked 1))) (not (true (picked 2))) (not (true (picked 3))))
(<= (legal first (say ?n)) (true (picked ?n)))
(<= (next (picked ?n)) (does second (pick ?n)))
(<= (next said) (does first (say ?n)))
(<= terminal (true over))
(<= (next over) (does second pass))
(goal first 50) (goal second 50)
"""


@pytest.mark.parametrize("number", [1, 2, 3])
def test_a_process_that_begins_late_finds_the_moves_that_were_missed(number):
    """It gave up at half of the clock, and answered from the position before the last message."""
    joints = [None, [f"(say {number})", "noop"]]
    made = session(rules=PICKED, role="second", joints=joints)
    play(made, joints[-1], 2, apply=False, within=0.0)
    assert made.channel.moves() == ["pass"]


def test_a_process_that_cannot_find_the_known_position_gives_no_move_of_another_one():
    """The server keeps its moves and the fallback process, whose answers are legal, until other moves are legal."""
    made = session(joints=[["(take 1)", "noop"], ["(take 1)", "noop"]], role="second")
    assert not [event for event in made.channel.events if isinstance(event, Applied | Ready | Offered)]
    play(made, ["(take 1)", "noop"], 2, apply=False)
    assert made.channel.moves() == []
    play(made, ["noop", "(take 1)"], 3)
    assert len(made.channel.moves()) == 1


def test_the_end_of_a_match_ends_its_build(fake_build):
    made = session()
    made.session.stop()
    assert fake_build().cancelled


def test_a_match_of_gdl_ii_is_played_by_what_is_known():
    made = session(rules=BOXES, role="seeker")
    play_all(made, ("observed 0", "NIL"), ("observed 1", "wait", "(does seeker wait)"))
    assert made.channel.moves() == ["wait", "(look 3)"]
    applied = [event for event in made.channel.events if isinstance(event, Applied)]
    assert [(event.keep, len(event.added)) for event in applied] == [(0, 0), (0, 1), (1, 1)]


def test_a_match_of_gdl_ii_is_gone_on_with_from_what_was_observed():
    joints = (("observed 0", "NIL"), ("observed 1", "wait", "(does seeker wait)"))
    made = session(rules=BOXES, role="seeker", joints=joints, answered=None)
    made.session.play(Choose(2, made.session._clock.now() + 5, False, joints[-1], False))
    assert made.channel.moves() == ["(look 3)"]


def test_nil_in_mid_match_starts_it_again_and_the_player_hears_of_it():
    made = session()
    play_all(made, None, ["(take 2)", "noop"], None)
    assert made.channel.moves() == ["(take 2)", "noop", "(take 2)"]
    assert made.player.told[-2:] == ["changed to relational", "play on relational"]


def test_nil_in_mid_match_of_gdl_ii_starts_what_is_known_again():
    made = session(rules=BOXES, role="seeker")
    play_all(made, None, ("(does seeker wait)",), None, ("(does seeker wait)",))
    assert made.channel.moves() == ["wait", "(look 3)"] * 2
    assert made.session._game.observed.belief.alive


def test_a_position_of_gdl_ii_is_shown_as_our_role_knows_it():
    made = session({"GGP_AGENT_PAGE_ENABLED": "true"}, rules=BOXES, role="seeker")
    play_all(made, ("observed 0", "NIL"), ("observed 1", "wait", "(does seeker wait)"))
    assert [event.facts for event in made.channel.events if isinstance(event, Seen)][-1] == ["(step 2)"]


def test_percepts_may_come_where_joint_moves_stand():
    made = session(rules=BOXES, role="seeker")
    play_all(made, None, ("(DOES SEEKER WAIT)",))
    assert made.channel.moves() == ["wait", "(look 3)"]
    assert made.session._game.observed.belief.alive
    assert len(made.session._game.observed.belief.now.states) == 3


def test_a_first_list_of_percepts_means_that_the_first_message_was_lost():
    made = session(rules=BOXES, role="seeker")
    play_all(made, ("(does seeker wait)",))
    assert made.channel.moves() == ["(look 3)"]
    assert made.session._game.observed.belief.turns == 1


def test_no_percepts_at_all_are_a_joint_move_that_was_not_seen():
    made = session(rules=BOXES, role="rival")
    play_all(made, None, ())
    assert len(made.session._game.observed.belief.now.states) == 3


def test_rules_with_sees_are_played_in_sight_of_all_where_joint_moves_come():
    made = session(rules=BOXES, role="seeker")
    play_all(made, None, ("wait", "sleep", "(hide 2)"))
    assert made.session._game.observed is None
    assert "(prize 2)" in map(str, made.session._game.machine.facts(made.session._game.state))


def test_a_joint_move_that_is_repeated_is_not_read_as_percepts():
    """A manager that sends joint moves repeats a message; its move of another role is illegal by now."""
    made = session(rules=BOXES, role="seeker")
    play_all(made, None, ("wait", "sleep", "(hide 2)"))
    first = made.channel.moves()[-1]
    play(made, ("wait", "sleep", "(hide 2)"), 3, repeated=True)
    assert made.channel.moves()[-1] == first
    assert made.session._game.observed is None
    assert made.session._turns.joints == [("wait", "sleep", "(hide 2)")]


def test_the_first_joint_move_is_kept_by_the_next_process():
    """The first message alone can be percepts of nothing, so the new process stayed in the initial position."""
    made = session(rules=BOXES, role="seeker", joints=(("observed 0 asked", "NIL"), ("wait", "sleep", "(hide 2)")))
    play(made, ("wait", "sleep", "(hide 2)"), 2, apply=False)
    assert made.session._turns.joints == [("wait", "sleep", "(hide 2)")]
    assert made.channel.moves() == ["(look 3)"]


@pytest.mark.parametrize("misread", [False, True])
def test_joint_moves_of_hidden_information_are_understood_after_the_first_one_was_lost(misread):
    """They were read as percepts from then on, although no percepts are like them."""
    first = ("observed 1 asked", "noop", "(x y)", "z") if misread else ("observed 0 asked", "NIL")
    made = session(rules=BLIND_TIC_TAC_TOE, role="o", joints=[("observed 0 asked", "NIL"), first][1 - misread :])
    play(made, ("noop", "(mark 1 1)"))
    play(made, ("(mark 3 3)", "noop"), 2)
    assert made.session._game.observed is None
    assert made.channel.moves()[0] == "noop"
    assert made.channel.moves()[1].startswith("(mark")
    assert made.channel.moves()[1] != "(mark 1 1)"


LOOKOUT = """
; Left and right take turns to walk on; who does not walk stays, and sees that it may stay.
(role left) (role right) (init (turn left)) (init (at left 0)) (init (at right 0)) (follows 0 1) (follows 1 2)
(<= (legal ?r stay) (role ?r))
(<= (legal ?r walk) (true (turn ?r)) (true (at ?r ?n)) (follows ?n ?m))
(<= (next (turn left)) (true (turn right)))
(<= (next (turn right)) (true (turn left)))
(<= (next (at ?r ?n)) (true (at ?r ?n)) (not (does ?r walk)))
(<= (next (at ?r ?m)) (true (at ?r ?n)) (does ?r walk) (follows ?n ?m))
(<= (sees ?r stay) (does ?r stay))
(<= (sees ?r walk) (does ?r walk))
(<= terminal (true (at ?r 2)))
(<= (goal ?r 100) (true (at ?r 2)))
(<= (goal ?r 0) (role ?r) (not (true (at ?r 2))))
"""


def test_one_percept_is_not_the_lone_move_of_the_role_that_has_a_choice():
    made = session(rules=LOOKOUT, role="right")
    play_all(made, None, ("stay",))
    assert made.channel.moves() == ["stay", "walk"]
    assert len(made.session._game.observed.belief.now.states) == 2  # left stayed or walked


def test_a_list_with_a_term_twice_is_a_joint_move():
    """Right sees that it stays, if both stay: the whole match was read as percepts."""
    made = session(rules=LOOKOUT, role="right")
    play_all(made, None, ("stay", "stay"))
    assert made.session._turns.joints == [("stay", "stay")]


def test_the_same_percepts_after_two_answers_are_two_turns():
    made = session(rules=LOOKOUT, role="left")
    for number, joint in enumerate((None, ("walk",), ("stay",), ("stay",)), 1):
        repeated = number == 4
        made.session.play(Choose(number, made.session._clock.now() + 5, True, joint, repeated))
    assert made.session._game.observed.belief.turns == 3


def test_percepts_that_no_process_has_applied_are_those_after_the_answer_that_was_sent_before_them():
    """The last answer was taken for our move before all of them, and a false history was kept."""
    begin = Begin(replace(START, rules=LOOKOUT, role="left"), 0.0, [["walk"], ["stay"]], "walk", 2, ["walk", "stay"])
    made = SimpleNamespace(channel=FakeChannel())
    made.session = Session(begin, Reports(), load_settings(environment={}), made.channel, MonotonicClock())
    made.session.start(begin)
    known = [("observed 1 asked", "walk", "walk"), ("observed 2 asked", "stay", "stay")]
    assert [tuple(item) for item in made.session._items] == known
    made.session.play(Choose(3, made.session._clock.now() + 5, True, ["stay"], False, own="stay"))
    assert tuple(made.session._items[-1]) == ("observed 3 asked", "stay", "stay")  # not our late "walk"


@pytest.mark.parametrize(("sent", "states"), [(0, 2), (1, 1)])
def test_after_a_gap_our_move_is_known_only_if_somebody_got_it(sent, states):
    """The manager puts another move in the place of an answer that comes too late, or never."""
    made = session(rules=STONES, role="first")
    play(made, None)
    told = Choose(2, MonotonicClock().now() + 5, True, ["noop", "(take 1)"], False, gap=True, sent=sent)
    made.session.play(told)
    assert len(made.session._turns.states) == states


def test_the_same_percepts_that_no_move_can_bring_now_are_the_same_message():
    """After its walk, left cannot walk at once, so it cannot see this again."""
    made = session(rules=LOOKOUT, role="left")
    play_all(made, None, ("walk",))
    play(made, ("walk",), 3, repeated=True)
    play(made, ("stay",), 4)
    assert made.channel.moves() == ["walk", "stay", "stay", "walk"]
    assert made.session._game.observed.belief.alive
    assert made.session._game.observed.belief.turns == 2


TOLD = "(<= (sees ?p (did ?p2 ?m)) (role ?p) (does ?p2 ?m) )"


@pytest.mark.parametrize(
    "told",
    [
        ("(DID FIRST (TAKE 1))", "(DID SECOND NOOP)"),
        ("observed 1", "(take 1)", "(did second noop)", "(did first (take 1))"),
    ],
)
def test_percepts_that_tell_every_move_are_a_joint_move(told):
    made = session(rules=STONES + TOLD)
    play_all(made, None, told)
    assert made.session._game.observed is None
    assert "(heap 8)" in map(str, made.session._game.machine.facts(made.session._game.state))
    assert "moved (take 1) noop" in made.player.told


@pytest.mark.parametrize("waits", [False, True])
def test_a_turn_number_that_is_left_out_shows_a_lost_message_although_every_move_is_told(waits):
    """Also to a process that begins later and hears of it in the moves so far."""
    first, later = ("observed 0", "NIL"), ("observed 2", "wait", "(did a wait)")
    rules = WAITING + "(<= (sees ?p (did ?q ?m)) (role ?p) (does ?q ?m))"
    begin = [first, None, later] if waits else ()
    made = session(rules=rules, role="a", player=LegalPlayer(), joints=begin, answered="wait" if waits else None)
    if not waits:
        play(made, first)
        made.session.play(Choose(2, MonotonicClock().now() + 30.0, True, later, False, gap=True))
    assert str(made.session._game.state) == str(reached(made.session._game.machine, [("wait",), ("wait",)]))


def test_our_answer_before_a_lost_message_was_probably_made():
    """Here `x` has tried a square; a later process learns it from the moves so far."""
    made = session(rules=BLIND_TIC_TAC_TOE, role="x", player=LegalPlayer())
    play(made, ("observed 0", "NIL"))
    (answered,) = made.channel.moves()
    play(made, ("observed 2", "noop", "yourTurn"), 2)
    known = (("observed 0", "NIL"), ("observed 1 missed", answered), ("observed 2", "noop", "yourTurn"))
    assert made.channel.moves()[1].startswith("(mark ")
    applied = [event.added for event in made.channel.events if isinstance(event, Applied)]
    assert tuple(item for added in applied for item in added) == known
    later = session(rules=BLIND_TIC_TAC_TOE, role="x", joints=known)
    for each in (made, later):
        assert answered not in map(str, each.session._game.legal)
        assert len(each.session._game.legal) == 8


def test_a_hidden_game_is_played_without_a_search_until_its_kernels_are_compiled(fake_build, monkeypatch):
    kept = []
    monkeypatch.setattr(engines, "rest_kept", lambda: bool(kept))
    made = session(rules=BOXES, role="seeker")
    fake_build().done = True
    made.session.play(Choose(1, made.session._clock.now() + 5, True, ("observed 0", "NIL"), False))
    assert made.session._game.unready
    assert made.session._game.machine.engine == "relational"
    kept.append(True)
    made.session.ponder()
    assert not made.session._game.unready
    assert made.session._game.machine.engine == "circuit"


def test_a_match_started_during_compilation_is_built_when_the_other_process_has_finished(fake_build, monkeypatch):
    compiled = []
    monkeypatch.setattr(engines, "first_ready", lambda: bool(compiled))
    made = session()
    play(made, None)
    made.session.ponder()
    assert FakeBuild.made == []
    assert made.session.patience is not None  # it still looks for a circuit
    compiled.append(True)
    made.session.ponder()
    fake_build().done = True
    made.session.ponder()
    assert made.player.told == ["play on relational", "changed to circuit"]


@pytest.mark.usefixtures("fake_build")
def test_a_circuit_that_is_waited_for_has_its_kernels_waited_for_first(monkeypatch):
    """As where the relational engine cannot evaluate the rules; else the match would be refused at once."""
    looks = []
    monkeypatch.setattr(engines, "first_ready", lambda: len(looks) > 3 or looks.append(None))
    made = Engines(read_program(STONES)[0], load_settings(environment={}))
    assert FakeBuild.made == []
    assert made.upgrade(60.0)
    assert len(looks) == 4


def test_a_circuit_for_a_player_that_does_not_search_takes_only_time_that_nobody_needs(fake_build):
    session()
    assert fake_build().asked[1].niceness == engines.NICENESS
    session(player=LegalPlayer())
    assert fake_build().asked[1].niceness == engines.IDLE_NICENESS == 19


@pytest.mark.usefixtures("fake_build")
def test_a_machine_that_the_player_takes_while_it_ponders_is_told():
    class Waits(Reports):
        def ponder(self, game, turn):
            game.improve(1.0)

    made = session(player=Waits())
    made.session.ponder()
    assert made.channel.events[-1].figures["engine"] == "circuit"


def test_percepts_that_an_earlier_process_never_took_in_are_applied_by_the_next_one():
    """They come as the messages had them, also an empty list; in a game that hides nothing that says nothing."""
    made = session(rules=LOOKOUT, role="right", joints=[[]], answered="stay")
    assert made.session._game.observed.belief.turns == 1
    made = session(joints=[[]])
    assert made.session._turns.made == 0


@pytest.mark.parametrize(("engine", "told"), [("circuit", {"lanes": "portable"}), ("relational", {})])
def test_figures_tell_which_code_a_circuit_has(engine, told):
    machine = load(START.rules, engine, BuildLimits(emitter="portable"))
    assert engines.lanes_of(machine) == told


FORK = """
(role r) (init (at s)) (edge s a p1) (edge p1 a p2) (edge p2 b p3) (edge p3 c p4) (edge p4 d p5) (edge p5 e p6)
(edge p1 b q1) (edge q1 d q2) (edge q2 z q3) (<= (legal r ?m) (true (at ?x)) (edge ?x ?m ?y)) (goal r 100)
(<= (next (at ?y)) (true (at ?x)) (does r ?m) (edge ?x ?m ?y)) (<= terminal (true (at p6)))
"""


def test_a_later_process_finds_the_second_of_two_losses_again():
    """Of the moves a a b c d e, the second a and c were lost; only the first loss has a gap in the list of moves."""
    begin = Begin(replace(START, rules=FORK, role="r"), 30.0, [["a"], None, ["b"], ["d"], ["e"]], None, 6)
    one = Session(begin, LegalPlayer(), load_settings(environment={}), FakeChannel(), MonotonicClock())
    one.start(begin)
    assert not one._behind
    assert [str(fact) for fact in one._turns.machine.facts(one._turns.state)] == ["(at p6)"]


@pytest.mark.parametrize(
    ("rules", "role", "told"),
    [(STONES, "second", [["(take 1)", "noop"]]), (BLIND_TIC_TAC_TOE, "x", [[], ["yourTurn"]])],
    ids=["plain", "percepts"],
)
def test_a_message_that_came_twice_before_the_process_began_is_one_turn(rules, role, told):
    """A later process took the second one for a new turn, with a lost one before it."""
    start = replace(START, rules=rules, role=role)
    own = ["(mark 1 1)", "noop", None][-len(told) - 1 :]
    found = []
    for items, again in ((told, [False] * len(told)), ([*told, told[-1]], [*[False] * len(told), True])):
        begin = Begin(start, 30.0, items, None, len(items) + 1, own[: len(items)], again)
        one = Session(begin, LegalPlayer(), load_settings(environment={}), FakeChannel(), MonotonicClock())
        one.start(begin)
        found.append((list(one._items), one._game.legal))
    assert found[0] == found[1]
