"""What a search compiles, it compiles before the first match: a worker that compiles misses its clock."""

import subprocess
import sys

import pytest

pytestmark = [pytest.mark.timeout(300), pytest.mark.long]  # what it starts may compile

PROGRAM = """
import gc
import sys
import reasoner
from numba.core.dispatcher import Dispatcher
from agent.gamemaster.games import bundled_game
from search import MonotonicClock, Search, SearchOptions
from search.warm import warm_up, warm_up_first

def compiled():
    found = [one for one in gc.get_objects() if isinstance(one, Dispatcher)]
    return {(one.py_func.__module__, one.py_func.__name__, str(kind)) for one in found for kind in one.overloads}

everything, *games = sys.argv[1:]
(warm_up if everything == "all" else warm_up_first)()
before = compiled()
for game in games:
    machine, clock = reasoner.load(bundled_game(game).text, "circuit"), MonotonicClock()
    search = Search(machine, 0, machine.initial(), SearchOptions(), clock)
    search.think(clock.now() + 0.5)
    print(sorted(compiled() - before))
"""


def _compiled_later(*arguments):
    command = [sys.executable, "-c", PROGRAM, *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=240, check=True).stdout


def test_games_inside_a_game_are_found_and_searched_with_what_was_compiled_before():
    games = ("jointButtons", "multipleTicTacToe", "fusedButtons", "eightPuzzle", "hanoi", "lightsOut")
    assert _compiled_later("all", *games) == 6 * "[]\n"


def test_a_first_match_in_turn_needs_nothing_of_what_is_put_off():
    assert _compiled_later("first", "connectFour", "breakthrough") == 2 * "[]\n"
