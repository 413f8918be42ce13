from dataclasses import replace

import pytest

from agent.gamemaster.games import find_game
from agent.message_lines import encode
from agent.remote.search_messages import Found, decode
from reasoner import load
from search import MonotonicClock, Search, SearchOptions
from search.root.remote import RootStats, with_remote
from search.root.statistics import CHANCE, FORCED, JOINT, TURN, JointMoves, Proof, Statistics
from tests.machines import built

NOTHING = RootStats(0, 0, 0, 0.0, None, {}, {}, {})


class Others:
    """Searches elsewhere that have found what a test says."""

    def __init__(self, *arrived):
        self.arrived, self.positions, self.committed = list(arrived), [], []

    def go_to(self, facts, joint):
        self.positions.append((facts, joint))

    def commit(self, move):
        self.committed.append(move)

    def found(self):
        return self.arrived


def search(game, engine="circuit", others=None, simulations=60, **options):
    machine = built(find_game(game).text) if engine == "circuit" else load(find_game(game).text, engine=engine)
    settings = SearchOptions(simulations=simulations, **options)
    made = Search(machine, 0, machine.initial(), settings, MonotonicClock(), elsewhere=others)
    made.think(MonotonicClock().now() + 3600)
    return made


def visits(counts):
    return {str(report.move): report.visits for report in counts.report().moves}


@pytest.mark.parametrize("engine", ["circuit", "relational"])
@pytest.mark.parametrize("game", ["ticTacToe", "goofspiel", "lightsOut", "trio"])
def test_visits_of_all_searches_are_summed_whatever_machine_each_has(game, engine):
    other = search(game, "relational", seed=5)
    helped = search(game, engine, Others(other.root_stats(), other.root_stats()))
    one, two = visits(search(game, engine)), visits(other)
    assert visits(helped) == {move: one[move] + 2 * two[move] for move in one}
    assert helped.report().elsewhere == 2
    assert helped.report().simulations == search(game, engine).report().simulations + 2 * other.report().simulations


@pytest.mark.parametrize("game", ["ticTacToe", "goofspiel", "lightsOut"])
def test_the_move_to_play_is_that_of_all_together(game):
    helped = search(game)
    role, legal = helped._machine.roles[0], helped._machine.legal(helped._machine.initial())[0]
    for move in legal:
        found = replace(NOTHING, moves={role: {str(move): (10**6, 10.0**6, 1.0)}})
        assert search(game, others=Others(found), simulations=1).best() == move


def test_before_anything_is_found_here_what_others_found_is_played():
    other = search("ticTacToe")
    machine = built(find_game("ticTacToe").text)
    others = Others(other.root_stats())
    unthought = Search(machine, 0, machine.initial(), SearchOptions(), MonotonicClock(), elsewhere=others)
    assert unthought.best() == other.best()


def test_what_one_search_has_proven_holds_in_all():
    others = Others()
    helped = search("ticTacToe", others=others)
    moves = helped._machine.legal(helped._machine.initial())[0]
    assert not helped.solved
    win = Proof((1.0, 0.0), 3)
    others.arrived = [replace(NOTHING, proof=win, proofs={str(moves[4]): win})]
    assert helped.solved
    assert helped.best() == moves[4]


def test_a_move_proven_elsewhere_to_take_all_is_known_here():
    machine = built(find_game("goofspiel").text)
    legal = machine.legal(machine.initial())
    found = [replace(NOTHING, winning={machine.roles[1]: str(legal[1][1])})]
    both = with_remote(Statistics(0, 0.0), found, machine.roles, legal, chance=-1)
    assert both.moves.kind == JOINT
    assert both.winning == [None, 1]


def test_what_is_sent_of_a_move_proven_lost_is_finite():
    """JSON has no infinity, and the search in Python gives a lost move the lowest mean."""
    machine = load(find_game("ticTacToe").text, engine="relational")
    state = machine.initial()
    for _ in range(6):  # cross must stop a line of nought
        state = machine.next(state, [own[len(own) // 2] for own in machine.legal(state)])
    made = Search(machine, 0, state, SearchOptions(simulations=60), MonotonicClock())
    made.think(MonotonicClock().now() + 3600)
    assert made.root_stats().proofs
    assert decode(encode(Found(1, "other", made.root_stats()))).number == 1


def test_moves_that_are_not_legal_here_count_for_nothing():
    role = search("ticTacToe")._machine.roles[0]
    wrong = replace(NOTHING, moves={role: {"away": (99, 99.0, 1.0)}}, proofs={"away": Proof((1.0, 0.0), 1)})
    assert visits(search("ticTacToe", others=Others(wrong))) == visits(search("ticTacToe"))


def test_others_are_told_each_position_and_the_move_answered():
    others = Others()
    helped = search("ticTacToe", others=others)
    machine, state = helped._machine, helped._machine.initial()
    joint = tuple(own[0] for own in machine.legal(state))
    helped.commit(joint[0])
    after = machine.next(state, joint)
    helped.advance(joint, after)
    assert others.committed == [joint[0]]
    assert others.positions == [(machine.facts(state), None), (machine.facts(after), joint)]


@pytest.mark.parametrize(
    ("counts", "chance", "kind"), [((1, 1), -1, FORCED), ((3, 1), -1, TURN), ((1, 6), 1, CHANCE), ((3, 6), 1, JOINT)]
)
def test_kinds_of_states_are_known_before_any_descent(counts, chance, kind):
    legal = tuple(tuple(f"m{number}" for number in range(count)) for count in counts)
    assert JointMoves.of(legal, chance).kind == kind


@pytest.mark.parametrize("values", [(), (1.0,), (1.0, 0.0, 0.0)])
def test_a_proof_of_another_game_is_left_out(values):
    """A node of a cluster may run another program; its result must not end a turn in an error."""
    wrong = Proof(values, 1)
    for other in (replace(NOTHING, visits=9, proof=wrong), replace(NOTHING, visits=9, proofs={"(mark 1 1)": wrong})):
        helped = search("ticTacToe", others=Others(other))
        assert visits(helped) == visits(search("ticTacToe"))
        assert helped.best() in helped._machine.legal(helped._machine.initial())[0]
