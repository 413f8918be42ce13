"""What a search compiles, it compiles before the first match: a worker that compiles misses its clock."""

import subprocess
import sys

import pytest

pytestmark = [pytest.mark.timeout(300), pytest.mark.long]  # what it starts may compile

COMPILED = """
import gc
import sys
from numba.core.dispatcher import Dispatcher
from agent.gamemaster.games import bundled_game

def compiled():
    found = [one for one in gc.get_objects() if isinstance(one, Dispatcher)]
    return {(one.py_func.__module__, one.py_func.__name__, str(kind)) for one in found for kind in one.overloads}
"""
SEARCHES = f"""{COMPILED}
import reasoner
from search import MonotonicClock, Search, SearchOptions
from search.warm import warm_up, warm_up_first

everything, *games = sys.argv[1:]
(warm_up if everything == "all" else warm_up_first)()
before = compiled()
for game in games:
    machine, clock = reasoner.load(bundled_game(game).text, "circuit"), MonotonicClock()
    search = Search(machine, 0, machine.initial(), SearchOptions(), clock)
    search.think(clock.now() + (1.5 if everything == "all" else 0.5))  # long enough for the solver beside the tree
    print(sorted(compiled() - before))
"""
SUBGAME_SOLVERS = f"""{COMPILED}
import reasoner
from search.factoring import factor
from search.puzzle.subgame_solver import SubgameSolver
from search.subgames.restricted_circuit import residual
from search.subgames.split_detector import Split
from search.warm import warm_up

warm_up()
before = compiled()
for game in sys.argv[1:]:
    machine = reasoner.load(bundled_game(game).text, "circuit")
    part = residual(machine.circuit, machine.initial())
    state = machine.circuit.initial[: machine.circuit.searched]
    solver = SubgameSolver(machine, Split(part, factor(part.circuit)), state, 2**24)
    while not solver.done:
        solver.turn(-1)
    print(solver.progress, sorted(compiled() - before))
"""
BUILDS = f"""{COMPILED}
from reasoner.compilation import BuildLimits
from reasoner.compilation.stages import build_circuit
from reasoner.compilation.warm import warm_up
from reasoner.rules.read import read_program

warm_up()
before = compiled()
for game in sys.argv[1:]:
    build_circuit(read_program(bundled_game(game).text)[0], BuildLimits(), lambda _: None)
    print(sorted(compiled() - before))
"""


def _compiled_later(program, *arguments):
    command = [sys.executable, "-c", program, *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=240, check=True).stdout


def test_subgames_are_found_and_searched_with_what_was_compiled_before():
    games = ("jointButtons", "multipleTicTacToe", "fusedButtons", "eightPuzzle", "hanoi", "lightsOut")
    assert _compiled_later(SEARCHES, "all", *games) == 6 * "[]\n"


def test_subgames_of_a_puzzle_are_solved_with_what_was_compiled_before():
    assert _compiled_later(SUBGAME_SOLVERS, "allButtons") == "4 of 4 subgames in 24 moves []\n"


def test_a_first_match_in_turn_needs_nothing_of_what_is_put_off():
    assert _compiled_later(SEARCHES, "first", "connectFour", "breakthrough") == 2 * "[]\n"


def test_the_solver_beside_the_tree_needs_nothing_new():
    assert _compiled_later(SEARCHES, "all", "connectFour", "reversi") == 2 * "[]\n"


def test_the_build_of_a_first_match_finds_all_that_it_calls_compiled():
    assert _compiled_later(BUILDS, "ticTacToe", "connectFour", "breakthrough") == 3 * "[]\n"
