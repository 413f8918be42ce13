"""A worker compiles nothing and loads nothing compiled: the process that it is forked from has done so."""

import subprocess
import sys

PROGRAM = """
import gc
import reasoner
from numba.core.dispatcher import Dispatcher
from agent.gamemaster.games import bundled_game

def compiled():
    return sum(len(found.overloads) for found in gc.get_objects() if isinstance(found, Dispatcher))

reasoner.warm_up_relational()
before = compiled()
machine = reasoner.load(bundled_game("connectFour").text, "relational")
state = machine.state(machine.facts(machine.initial()))
state = machine.next(state, [moves[0] for moves in machine.legal(state)])
machine.terminal(state), machine.goal(state), machine.playouts(state, count=1, seed=1)
print(before > 0, compiled() - before)
"""


def test_the_relational_engine_finds_everything_compiled_once_it_was_warmed_up():
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, timeout=120, check=True)
    assert done.stdout == "True 0\n"
