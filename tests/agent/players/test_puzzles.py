"""A match of one role is played to its end even if the solver's process fails."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from agent.players.base import Game, Turn
from agent.players.mcts import MctsPlayer
from reasoner.sat import solver
from search import MonotonicClock, SearchOptions
from search.native.search import NativeSearch
from search.puzzle import sat_solver
from tests.search.puzzle.games import Filling, machine_of

CHILDREN = {
    "ended": "",
    "never answers": "import time; time.sleep(3600)",
    "never takes what it is told, and is out of memory": "held = [bytearray(2**26) for _ in range(10**6)]",
    "says what is no answer": "import sys; sys.stdout.write('no answer'); sys.stdout.flush()",
}


@pytest.mark.parametrize("child", CHILDREN.values(), ids=list(CHILDREN))
def test_a_solver_that_is_lost_or_late_costs_a_match_no_move(
    child: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = tmp_path / "child.py"
    limit = "import resource; resource.setrlimit(resource.RLIMIT_AS, (2**29, 2**29))\n"
    script.write_text(limit + child)
    made = list[solver.Solver]()
    monkeypatch.setattr(sat_solver, "Solver", lambda *limits: made.append(solver.Solver(*limits)) or made[-1])
    monkeypatch.setattr(solver, "command", lambda _, *arguments: [sys.executable, str(script), *arguments])
    monkeypatch.setattr(NativeSearch, "think", lambda *_: None)  # it must not find the line
    cells = frozenset(range(6))
    machine, clock = machine_of(Filling(6, frozenset({(4, 5)}), cells, cells - {5}, cells).rules), MonotonicClock()
    game, player = Game(machine, 0), MctsPlayer(SearchOptions(memory_mib=64, threads=1, seed=1))
    player.start(game, Turn(clock.now() + 10, clock))
    while not machine.terminal(game.state):
        move = player.play(game, Turn(clock.now() + 2, clock))
        assert move in game.legal
        game._state = machine.next(game.state, (move,))
        player.moved(game, (move,))
    player.stop(game)
    assert made
    assert machine.goal(game.state) == (100,)
