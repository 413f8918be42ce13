"""What a search compiles, it compiles before the first match: a worker that compiles misses its clock."""

import subprocess
import sys

PROGRAM = """
import gc
import reasoner
from numba.core.dispatcher import Dispatcher
from agent.gamemaster.games import bundled_game
from search import MonotonicClock, Search, SearchOptions, warm_up

def compiled():
    found = [one for one in gc.get_objects() if isinstance(one, Dispatcher)]
    return {(one.py_func.__module__, one.py_func.__name__, str(kind)) for one in found for kind in one.overloads}

warm_up()
before = compiled()
for game in ("jointButtons", "multipleTicTacToe", "fusedButtons", "eightPuzzle", "hanoi", "lightsOut"):
    machine, clock = reasoner.load(bundled_game(game).text, "circuit"), MonotonicClock()
    search = Search(machine, 0, machine.initial(), SearchOptions(), clock)
    search.think(clock.now() + 2)
    print(sorted(compiled() - before))
"""


def test_games_inside_a_game_are_found_and_searched_with_what_was_compiled_before():
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, timeout=240, check=True)
    assert done.stdout == 6 * "[]\n"
