"""Rulesheets as games of OpenSpiel, our players as its bots, and its search as our player."""

import math
import pickle

import numpy as np
import pytest

from agent.environments.game_batch import machine_of_sheet, sheet_of
from agent.errors import SpecError
from agent.players.base import Game, Turn
from agent.players.spec import player_factory
from reasoner import load
from reasoner.errors import IllegalMoveError, StateError
from search import MonotonicClock
from tests.agent.environments.games import GAMES

pyspiel = pytest.importorskip("pyspiel", reason="the extra openspiel is not installed")

from agent.environments.bots import PlayerBot  # noqa: E402 after what is skipped without the extra
from agent.environments.spiel import SpielGame, spiel_game  # noqa: E402 after what is skipped without the extra
from agent.environments.spiel_names import meant, spelled  # noqa: E402 after what is skipped without the extra
from agent.gamemaster.errors import SeatError  # noqa: E402 after what is skipped without the extra

Dynamics = pyspiel.GameType.Dynamics


@pytest.mark.parametrize("game", GAMES)
def test_openspiels_own_test_of_random_play_passes(game):
    loaded = pyspiel.load_game(f"ggp(rules={game})")
    pyspiel.random_sim_test(loaded, num_sims=2, serialize=False, verbose=False)
    pyspiel.random_sim_test(loaded, num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize(
    ("game", "dynamics"),
    [("connectFour", Dynamics.SEQUENTIAL), ("hanoi", Dynamics.SEQUENTIAL), ("goofspiel", Dynamics.SIMULTANEOUS)],
)
def test_roles_that_take_turns_make_a_sequential_game(game, dynamics):
    assert pyspiel.load_game(f"ggp(rules={game})").get_type().dynamics == dynamics


def test_chance_moves_with_equal_chances_after_everybody():
    state = pyspiel.load_game("ggp(rules=diceRace)").new_initial_state()
    while not state.is_chance_node():
        if state.is_simultaneous_node():
            state.apply_actions([state.legal_actions(player)[0] for player in range(state.num_players())])
        else:
            state.apply_action(state.legal_actions()[0])
    outcomes = state.chance_outcomes()
    assert len(outcomes) > 1
    assert {chance for _, chance in outcomes} == {1 / len(outcomes)}


def test_returns_are_differences_where_that_is_asked_for():
    game = pyspiel.load_game("ggp(rules=ticTacToe,zero_sum=true)")
    state = game.new_initial_state()
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[0])
    assert game.get_type().utility == pyspiel.GameType.Utility.ZERO_SUM
    assert state.returns() == [1.0, -1.0]


def test_openspiels_exact_solver_finds_a_fork():
    from open_spiel.python.algorithms import minimax

    state = pyspiel.load_game("ggp(rules=ticTacToe,zero_sum=true)").new_initial_state()
    for text in ("(mark 1 1)", "(mark 2 2)", "(mark 3 3)", "(mark 1 3)"):
        state.apply_action(state.string_to_action(text))
    value, _ = minimax.alpha_beta_search(state.get_game(), state=state, maximizing_player_id=0)
    assert value == 1


def test_our_player_is_a_bot_that_beats_random_play():
    from open_spiel.python.algorithms import evaluate_bots
    from open_spiel.python.bots import uniform_random

    game = pyspiel.load_game("ggp(rules=connectFour)")
    bots = [
        PlayerBot(0, "mcts:simulations=300,seed=1", 60),
        uniform_random.UniformRandomBot(1, np.random.RandomState(1)),
    ]
    results = [evaluate_bots.evaluate_bots(game.new_initial_state(), bots, np.random.RandomState(i)) for i in range(3)]
    assert np.mean(results, axis=0)[0] > 0.9


@pytest.mark.parametrize("player", [-1, 2])
def test_a_bot_refuses_a_player_that_the_game_lacks(player):
    """A negative number would otherwise play for another player."""
    state = pyspiel.load_game("ggp(rules=ticTacToe)").new_initial_state()
    with pytest.raises(ValueError, match=f"no player {player}: this game has 2, counted from 0"):
        PlayerBot(player, "legal").step(state)


@pytest.mark.parametrize(("game", "role"), [("ticTacToe", 0), ("goofspiel", 1), ("lightCycles", 0)])
def test_openspiels_search_is_a_player(game, role):
    player = player_factory("openspiel:mcts,simulations=40,seed=1")()
    offered = []
    match = Game(machine_of_sheet(sheet_of(game)), role)
    move = player.play(match, Turn(math.inf, MonotonicClock(), offer=offered.append))
    assert move in match.legal
    assert offered[-1] == move
    assert len(offered) == 2


def test_without_a_circuit_openspiels_search_plays_a_legal_move():
    match = Game(load(NIM, "relational"), 0)
    assert player_factory("openspiel:mcts")().play(match, Turn(0, MonotonicClock())) in match.legal


def test_openspiels_search_chooses_for_each_role_that_asks_it_in_turn():
    """As one player does for all roles of an environment, here in a simultaneous choice."""
    machine, player = load(THREE, "circuit"), player_factory("openspiel:mcts,simulations=160,seed=1")()
    moves = [str(player.play(Game(machine, role), Turn(math.inf, MonotonicClock()))) for role in (2, 0, 1)]
    assert moves == ["4", "2", "3"]


THREE = """
(role two) (role three) (role four)
(has two 1) (has two 2) (has three 1) (has three 2) (has four 1) (has four 2)
 (has three 3) (has four 3) (has four 4) (best two 2) (best three 3) (best four 4)
(<= (legal ?r ?m) (role ?r) (has ?r ?m)) (<= (base (good ?r)) (role ?r)) (base over)
(<= (next (good ?r)) (does ?r ?m) (best ?r ?m)) (next over) (<= terminal (true over))
(<= (goal ?r 100) (true (good ?r))) (<= (goal ?r 0) (role ?r) (not (true (good ?r))))
"""
NIM = "(role a) (legal a x) (legal a y) (next done) (<= terminal (true done)) (goal a 100)"


@pytest.mark.parametrize(
    ("spec", "said"),
    [("openspiel:ismcts", "supported .*: openspiel:mcts"), ("openspiel:mcts,simulation=3", "did you mean simulations")],
)
def test_a_specification_that_names_no_bot_is_refused(spec, said):
    with pytest.raises(SpecError, match=said):
        player_factory(spec)


def test_a_game_of_three_has_no_difference():
    with pytest.raises(ValueError, match="zero_sum needs two players"):
        SpielGame({"rules": "trio", "zero_sum": True})


@pytest.mark.parametrize("action", [9, 9999, 2**40, -7])
def test_a_refused_action_changes_nothing(action):
    """Of a role that waits, of no role, or no number of an action at all: the next legal one is taken."""
    state = pyspiel.load_game("ggp(rules=ticTacToe)").new_initial_state()
    before = str(state)
    with pytest.raises(IllegalMoveError, match=f"action {action}.*not a legal move of cross; legal: 0 .mark 1 1."):
        state.apply_action(action)
    assert (state.current_player(), str(state), state.history()) == (0, before, [])
    state.apply_action(0)
    assert state.current_player() == 1


@pytest.mark.parametrize(
    ("actions", "said"),
    [
        ([0], "got 1 actions: give one action for each of the 2 players"),
        ([0, 0, 0], "got 3 actions"),
        ([0, 99], "action 99 is not a legal move of right"),
        ([-1, 0], "action -1 is not a legal move of left"),
    ],
)
def test_refused_joint_actions_change_nothing(actions, said):
    """As many actions as players, each legal, or none is taken."""
    state = pyspiel.load_game("ggp(rules=goofspiel)").new_initial_state()
    with pytest.raises(IllegalMoveError, match=said):
        state.apply_actions(actions)
    assert state.is_simultaneous_node()
    state.apply_actions([0, 0])


def test_an_action_for_several_and_actions_for_one_say_what_to_call():
    """The error names the call that a position needs."""
    state = pyspiel.load_game("ggp(rules=goofspiel)").new_initial_state()
    with pytest.raises(IllegalMoveError, match="call apply_actions with one action for each of the 2 players"):
        state.apply_action(0)
    turns = pyspiel.load_game("ggp(rules=ticTacToe)").new_initial_state()
    with pytest.raises(IllegalMoveError, match="call apply_action with"):
        turns.apply_actions([0, 9])


@pytest.mark.parametrize("game", ["ticTacToe", "goofspiel"])
def test_nothing_is_taken_after_the_end(game):
    """An ended game says so."""
    state = pyspiel.load_game(f"ggp(rules={game})").new_initial_state()
    while not state.is_terminal():
        if state.is_simultaneous_node():
            state.apply_actions([state.legal_actions(player)[0] for player in range(state.num_players())])
        else:
            state.apply_action(state.legal_actions()[0])
    for apply in (lambda: state.apply_action(0), lambda: state.apply_actions([0, 0])):
        with pytest.raises(IllegalMoveError, match="the game is over"):
            apply()


def test_players_actions_and_chances_that_there_are_not_are_said():
    """No bare IndexError, and no answer about somebody else."""
    state = pyspiel.load_game("ggp(rules=ticTacToe)").new_initial_state()
    with pytest.raises(StateError, match="unknown player 7: give 0 to 1"):
        pyspiel.load_game("ggp(rules=goofspiel)").new_initial_state().legal_actions(7)
    with pytest.raises(StateError, match="unknown action 9999 of player 0: give 0 to 9"):
        state.action_to_string(0, 9999)
    with pytest.raises(StateError, match="chance does not move here"):
        state.chance_outcomes()


ODD = ["a,b.kif", "a(1).kif", "a=1,recall.kif", "a(1.kif", "a)1.kif", "100%25 ü.kif", "a b;c.kif", "12", "true"]


@pytest.mark.parametrize("name", ODD)
def test_a_rulesheet_of_any_name_is_loaded_and_loaded_again_by_what_its_game_is_called(name, tmp_path, monkeypatch):
    """By a string of OpenSpiel's, by a dict, by `str(game)` and by a pickle."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / name).write_text(NIM)
    for given in ((f"ggp(rules={name})",), (f"ggp(rules={tmp_path / name},recall=3)",), ("ggp", {"rules": name})):
        game = pyspiel.load_game(*given)
        assert str(pyspiel.load_game(str(game))) == str(game)
        state = pickle.loads(pickle.dumps(game.new_initial_state()))
        assert state.legal_actions() == [0, 1]


def test_a_changed_rulesheet_is_another_game_and_states_of_the_game_before_keep_their_rules(tmp_path):
    file = tmp_path / "pile.kif"
    file.write_text(NIM)
    before = spiel_game(file).new_initial_state()
    file.write_text(NIM + "(legal a z)")
    assert spiel_game(file).new_initial_state().legal_actions() == [0, 1, 2]
    assert pickle.loads(pickle.dumps(before)).legal_actions() == [0, 1]


def test_a_rulesheet_is_also_given_as_a_path(tmp_path):
    file = tmp_path / "pile.kif"
    file.write_text(NIM)
    assert str(spiel_game(file)) == str(spiel_game(str(file)))


def test_a_name_that_is_there_as_it_stands_is_meant(tmp_path):
    """A file may be called as another one is spelled."""
    (tmp_path / "a%2Cb.kif").write_text(NIM)
    assert meant(f"{tmp_path}/a%2Cb.kif") == f"{tmp_path}/a%2Cb.kif"
    assert meant(spelled(f"{tmp_path}/a%2Cb.kif")) == f"{tmp_path}/a%2Cb.kif"


def test_what_openspiel_says_of_other_games_and_parameters_stays():
    """Only what names a game of ours is read here."""
    for text in ("ggp(rules=ticTacToe,speed=3)", "no_game(rules=a,b)"):
        with pytest.raises(pyspiel.SpielError, match="Unknown"):
            pyspiel.load_game(text)
    assert pyspiel.load_game("tic_tac_toe").num_players() == 2
    assert pyspiel.load_game("tic_tac_toe", {}).num_players() == 2


def test_two_roles_of_chance_are_refused(tmp_path):
    """OpenSpiel has one chance player."""
    (tmp_path / "two.kif").write_text(NIM + "(role random) (role RANDOM) (legal random x) (legal RANDOM x)")
    with pytest.raises(SeatError, match="one chance player"):
        pyspiel.load_game("ggp", {"rules": str(tmp_path / "two.kif")})


def test_a_parameter_that_the_game_does_not_have_is_refused():
    with pytest.raises(ValueError, match="unknown parameter 'theory': give some of rules, zero_sum"):
        SpielGame({"rules": "ticTacToe", "theory": 5})
