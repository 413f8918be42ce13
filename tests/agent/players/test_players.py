import math
from dataclasses import replace

import pytest

from agent.players import mcts
from agent.players.base import Game, Turn
from agent.players.legal import LegalPlayer
from agent.players.mcts import MctsPlayer
from agent.players.random import RandomOptions, RandomPlayer
from agent.players.thinking import thinking_of
from reasoner.language.terms import Constant
from search import MonotonicClock, SearchOptions
from search.report import MoveReport, Report
from tests.agent.rules import STONES, machine
from tests.clocks import FakeClock

QUIET = """
(role r) (init (at 0)) (legal r a) (legal r b) (<= (next (at ?n)) (true (at ?m)) (does r a) (then ?m ?n))
(<= (next (at 0)) (does r b)) (<= terminal (true (at 9))) (<= (goal r 50) (true (at ?n)))
""" + " ".join(f"(then {n} {n + 1})" for n in range(9))
"""A game of one role that no search solves at once."""


def turn(seconds=5.0, **more):
    clock = MonotonicClock()
    return Turn(clock.now() + seconds, clock, **more)


class Improving(Game):
    """A game whose machine is replaced at the first chance."""

    improved = 0

    def improve(self, _wait=0.0):
        self.improved += 1
        if self.improved > 1:
            return False
        self._machine, old = machine(STONES), self.machine
        self._state = self.machine.state(old.facts(self.state))
        return True


def test_the_legal_player_plays_its_first_legal_move():
    game = Game(machine(STONES), 0)
    assert str(LegalPlayer().play(game, turn())) == "(take 1)"


def test_the_random_player_repeats_itself_with_the_same_seed_and_plays_everything():
    game = Game(machine(STONES), 0)
    players = [RandomPlayer(RandomOptions(7)) for _ in range(2)]
    drawn = [[str(player.play(game, turn())) for _ in range(30)] for player in players]
    assert drawn[0] == drawn[1]
    assert set(drawn[0]) == {"(take 1)", "(take 2)"}


def play_stones(game, player, opponent_takes):
    """The texts of our moves of one match, where the opponent always takes the same number."""
    player.start(game, turn(0.0))
    ours = []
    while not game.machine.terminal(game.state):
        move = player.play(game, turn())
        player.ponder(game, turn(0.05))
        theirs = [m for m in game.machine.legal(game.state)[1] if str(m) in ("noop", f"(take {opponent_takes})")]
        joint = (move, theirs[0] if theirs else game.machine.legal(game.state)[1][0])
        game._state = game.machine.next(game.state, joint)
        player.moved(game, joint)
        ours.append(str(move))
    return ours


def test_the_search_wins_a_won_game_also_on_a_machine_that_changes_below_it():
    """Nine stones, one or two at a time: who is left with a multiple of three loses; the second player wins."""
    for kind in (Game, Improving):
        game = kind(machine(STONES.replace("(init (turn first))", "(init (turn second))")), 0)
        play_stones(game, MctsPlayer(SearchOptions(seed=1, simulations=300)), 1)
        assert game.machine.goal(game.state)[0] == 100


def test_the_search_offers_moves_while_it_thinks_and_takes_up_a_better_machine():
    offered = []
    game = Improving(machine(STONES), 0)
    player = MctsPlayer(SearchOptions(seed=1, max_steps=5))
    move = player.play(game, Turn(1.0, FakeClock(0.001, 0.0), offer=offered.append))
    assert move in game.legal
    assert game.improved > 1 or player._search.solved
    assert all(one in game.legal for one in offered)


class Building(Game):
    """A game whose faster machine comes when it was asked for so often, or is given up then."""

    def __init__(self, machine, role, looks, comes=True):
        super().__init__(machine, role)
        self.looks, self.comes, self.waited = looks, comes, 0.0

    @property
    def building(self):
        return self.looks > 0

    def improve(self, wait=0.0):
        self.looks -= 1
        self.waited += wait
        return self.comes and self.looks == 0


class GivesUp:
    """A search to which every simulation is too long for the time there is."""

    made, solved, forced, lesson = 0, False, False, None

    def __init__(self, *_):
        GivesUp.made += 1

    def think(self, deadline, stop, interrupted=None):
        pass


@pytest.mark.parametrize("comes", [True, False])
def test_a_finished_search_waits_for_the_faster_machine_during_its_turn(comes, monkeypatch):
    monkeypatch.setattr(mcts, "Search", GivesUp)
    monkeypatch.setattr(GivesUp, "made", 0)
    game = Building(machine(STONES), 0, looks=9, comes=comes)
    MctsPlayer(SearchOptions())._think(game, turn(1e6))
    assert game.looks == 0
    assert GivesUp.made == (2 if comes else 1)  # the one after is of the faster machine


@pytest.mark.parametrize("comes", [True, False])
def test_before_the_match_and_on_the_others_time_nothing_is_searched_until_the_build_ends(comes, monkeypatch):
    monkeypatch.setattr(mcts, "Search", GivesUp)
    for method, until in ((MctsPlayer.start, 1e6), (MctsPlayer.ponder, math.inf)):
        monkeypatch.setattr(GivesUp, "made", 0)
        game = Building(machine(STONES), 0, looks=9, comes=comes)
        method(MctsPlayer(SearchOptions()), game, turn(until))
        assert (game.looks, GivesUp.made) == (0, 1)
        late = Building(machine(STONES), 0, looks=9, comes=comes)
        method(MctsPlayer(SearchOptions()), late, turn(0.0))
        assert GivesUp.made == 1


def test_with_a_fixed_number_of_simulations_no_machine_is_waited_for(monkeypatch):
    monkeypatch.setattr(mcts, "Search", GivesUp)
    game = Building(machine(STONES), 0, looks=9)
    MctsPlayer(SearchOptions(simulations=5)).ponder(game, turn(math.inf))
    MctsPlayer(SearchOptions(simulations=5)).start(game, turn(1e6))
    assert game.waited == 0


def test_a_game_of_one_role_leaves_its_build_time_between_slices():
    for rules, waits in ((QUIET, True), (STONES, False)):
        game = Building(machine(rules), 0, looks=10**6)
        MctsPlayer(SearchOptions(seed=1)).play(game, turn(2.0, interrupted=lambda game=game: game.waited > 0))
        assert (game.waited > 0) == waits


def test_a_better_circuit_is_taken_up_as_long_as_a_new_search_can_come_further_in_the_turn(monkeypatch):
    monkeypatch.setattr(mcts, "CircuitMachine", object)  # any machine is a circuit
    clock = FakeClock(time=0.0)
    game, player = Improving(machine(STONES), 0), MctsPlayer(SearchOptions(seed=1))

    def think(until, deadline):
        """A turn of one slice."""
        more = iter([True])

        def one(*_):
            clock.time = until
            return next(more, False)

        monkeypatch.setattr(player, "_slice", one)
        player._think(game, Turn(deadline, clock))

    think(3.0, deadline=4.0)
    assert game.improved == 0
    think(3.5, deadline=8.0)
    assert game.improved == 1


def test_the_search_stops_when_interrupted_and_reports():
    game = Game(machine(STONES), 0)
    player = MctsPlayer(SearchOptions(seed=1))
    assert player.report() == {}
    player.ponder(game, turn(interrupted=lambda: True))
    player.play(game, turn(0.2))
    assert set(player.report()) >= {"simulations", "playouts", "seconds", "nodes", "value"}


def test_a_player_that_must_not_ponder_does_nothing_on_the_others_time():
    game = Game(machine(STONES), 0)
    player = MctsPlayer(SearchOptions(ponder=False))
    player.ponder(game, turn())
    assert player.report() == {}


def test_the_move_to_be_played_is_reported_first_and_named():
    moves = [MoveReport(Constant(name), visits, 50.0, False) for name, visits in (("a", 9), ("b", 5), ("c", 2))]
    report = Report(9, 9, 0.1, 9, tuple(moves), (), False, 0)
    told = thinking_of(report, Constant("c"))
    assert [move["move"] for move in told["moves"]] == ["c", "a", "b"]
    assert told["best"] == "c"
    assert "best" not in thinking_of(report)


def test_the_lines_are_told_only_if_the_first_begins_with_the_move_to_be_played():
    a, b = ((Constant(name),) for name in "ab")
    report = Report(9, 9, 0.1, 9, (MoveReport(a[0], 9, 50.0, False),), (a, b), False, 0, variations=((a, b), (b,)))
    assert thinking_of(report, a[0])["lines"] == [[["a"], ["b"]], [["b"]]]
    assert "lines" not in thinking_of(report, b[0])
    assert "lines" not in thinking_of(replace(report, variations=((a,),)), a[0])


def test_a_report_contains_the_subgames_if_there_are_any():
    report = Report(9, 9, 0.1, 9, (), (), False, 0, factors="parallel: 2 subgames")
    assert thinking_of(report)["factors"] == "parallel: 2 subgames"
    assert "factors" not in thinking_of(replace(report, factors=""))


def test_a_report_contains_the_results_of_the_solvers():
    report = Report(9, 9, 0.1, 9, (), (), True, 0, solvers=("breadth first: 9 states",))
    assert thinking_of(report)["solvers"] == ["breadth first: 9 states"]
    assert "solvers" not in thinking_of(replace(report, solvers=()))


def test_the_value_of_a_position_is_reported_once_it_says_something():
    moves = (MoveReport(Constant("a"), 15, 70.0, False), MoveReport(Constant("b"), 4, 30.0, False))
    few = Report(19, 19, 1.0, 20, moves, (), solved=False, unevaluated=0)
    assert "value" not in thinking_of(few)
    assert thinking_of(replace(few, solved=True))["value"] == 70
    assert "value" not in thinking_of(replace(few, solved=True, moves=()))
    more = (*moves, MoveReport(Constant("c"), 1, 0.0, False))
    assert thinking_of(replace(few, moves=more))["value"] == 70
