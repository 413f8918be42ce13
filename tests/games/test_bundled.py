"""Every bundled rulesheet is a valid, playable game."""

import pytest

from agent.cli.check import faults
from agent.gamemaster.games import bundled, described, find_game
from reasoner import load
from reasoner.language.terms import Variable

PLAYOUTS = 20
LARGE = ("amazons", "checkers", "chess", "fiveInARow", "hex", "mancala", "reversi")
"""Games that take long, of which one is played, so many steps of it."""
STEPS_OF_LARGE = 120
ROLES = {"diceRace": 3, "doors": 4, "trio": 3} | dict.fromkeys(("eightPuzzle", "hanoi", "lightsOut"), 1)
ROLES |= dict.fromkeys(("allButtons", "multipleButtons", "bestButtons", "fusedButtons", "jointButtons"), 1)


@pytest.fixture(scope="module", params=bundled())
def game(request):
    return find_game(request.param)


@pytest.fixture(scope="module")
def machine(game):
    return load(game.text, engine="relational")


def playouts(machine, large=False):
    """The states of some random games: the playouts of a machine are not trusted here."""
    import random

    rng = random.Random(1)
    for _ in range(1 if large else PLAYOUTS):
        path = [machine.initial()]
        while not machine.terminal(path[-1]):
            path.append(machine.next(path[-1], [rng.choice(moves) for moves in machine.legal(path[-1])]))
            if large and len(path) > STEPS_OF_LARGE:
                break
            assert large or len(path) < 100
        yield path


def test_it_has_no_faults_and_no_oddities(game):
    told = faults(game.text)
    assert [fault.code for fault in told] == (["gdl-ii"] if "(sees " in game.text else [])


def test_the_machine_reports_its_engine_and_sizes(game):
    assert len(described(game.text)) > 15


def test_it_has_its_number_of_roles(game, machine):
    assert len(machine.roles) == ROLES.get(game.name, 2)


def test_random_play_ends_with_one_goal_for_each_role(game, machine):
    for path in playouts(machine, game.name in LARGE):
        for goal in machine.goal(path[-1]):
            assert goal is not None
            assert 0 <= goal <= 100


def test_base_and_input_declare_all_that_happens(game, machine):
    answer = Variable("x")
    base = {found[answer] for found in machine.query(machine.initial(), "(base ?x)")}
    inputs = [
        {found[answer] for found in machine.query(machine.initial(), f"(input {role} ?x)")} for role in machine.roles
    ]
    for path in playouts(machine, game.name in LARGE):
        for state in path:
            assert machine.facts(state) <= base
        for state in path[:-1]:
            for legal, declared in zip(machine.legal(state), inputs, strict=True):
                assert legal
                assert set(legal) <= declared


def solution_length(machine):
    """Steps to a goal of 100 for a single role, by breadth first; states that differ in their step only are one."""

    def key(state):
        return frozenset(fact for fact in machine.facts(state) if not str(fact).startswith("(step "))

    seen, frontier, depth = set(), [machine.initial()], 0
    while frontier:
        following = []
        for state in frontier:
            if machine.terminal(state):
                if machine.goal(state) == (100,):
                    return depth
                continue
            for move in machine.legal(state)[0]:
                child = machine.next(state, [move])
                if key(child) not in seen:
                    seen.add(key(child))
                    following.append(child)
        frontier, depth = following, depth + 1
    return None


STEPS = [("eightPuzzle", 12), ("hanoi", 15), ("lightsOut", 5), ("bestButtons", 6)]


@pytest.mark.parametrize(("name", "steps"), STEPS)
def test_a_puzzle_can_be_solved_in_the_steps_its_comment_says(name, steps):
    text = find_game(name).text
    assert solution_length(load(text, engine="relational")) == steps
    written = {5: "five", 6: "six", 12: "12", 15: "15"}[steps]
    assert written in text[: text.index("(role")]


@pytest.mark.parametrize(
    "name", ["connectFour", "ticTacToe", "breakthrough", "nim", "goofspiel", "lightCycles", "trio"]
)
def test_a_contest_has_no_winner_at_the_beginning_and_is_won_by_one_or_none(name):
    machine = load(find_game(name).text, engine="relational")
    assert not machine.terminal(machine.initial())
    for path in playouts(machine):
        assert machine.goal(path[-1]).count(100) <= 1
