"""A first program plays the same game as the better one, and as the rules say."""

from pathlib import Path
from threading import Event

import numpy as np
import pytest

from reasoner.compilation.limits import BuildLimits
from reasoner.compilation.stages import build_circuit
from reasoner.lanes.machine import CircuitMachine
from reasoner.relational.machine import RelationalMachine
from reasoner.rules.read import read_program
from tests.machines import BUNDLED

GAMES = Path(__file__).parents[3] / "games"
EMITTERS = (None, "portable")


def machines(path, emitter):
    """The machine of a first program, that of the better one, and the relational one."""
    program, _ = read_program(path.read_text())
    relational, drafts = RelationalMachine(program), []
    built = build_circuit(program, BuildLimits(emitter=emitter, draft_from=0), lambda _: None, drafts.append)
    return CircuitMachine(drafts[0], relational), CircuitMachine(built, relational), relational


@pytest.mark.parametrize("path", BUNDLED)
def test_it_says_of_states_what_the_rules_say(path):
    first, better, relational = machines(path, None)
    random = np.random.default_rng(3)
    state = first.initial()
    for _ in range(30):
        facts = first.facts(state)
        for other in (better, relational):
            same = other.state(facts)
            assert first.legal(state) == other.legal(same)
            assert first.terminal(state) == other.terminal(same)
            assert not first.terminal(state) or first.goal(state) == other.goal(same)
        if first.terminal(state):
            break
        joint = [moves[random.integers(len(moves))] for moves in first.legal(state)]
        state = first.next(state, joint)
        assert first.facts(state) == relational.facts(relational.next(relational.state(facts), joint))


@pytest.mark.parametrize("emitter", EMITTERS)
def test_its_random_games_are_as_long_and_as_good_as_those_of_the_better_one(emitter):
    first, better, _ = machines(GAMES / "breakthrough.kif", emitter)
    ours, theirs = (machine.playouts(machine.initial(), 4096, seed=5) for machine in (first, better))
    for mine, other in ((ours.lengths, theirs.lengths), (ours.goals[:, 0], theirs.goals[:, 0])):
        error = np.hypot(mine.std(), other.std()) / np.sqrt(len(mine))
        assert abs(mine.mean() - other.mean()) < 4 * error


def test_it_knows_no_moves_that_win_at_once():
    first, better, _ = machines(GAMES / "ticTacToe.kif", None)
    assert (first.program.decisive, better.program.decisive > 0) == (0, True)


def test_it_is_made_while_the_better_one_is_being_made():
    program, _ = read_program((GAMES / "ticTacToe.kif").read_text())
    optimizing, waited = Event(), []

    def progress(stage):
        if stage == "optimize":
            optimizing.set()

    build_circuit(program, BuildLimits(draft_from=0), progress, lambda _: waited.append(optimizing.wait(30.0)))
    assert waited == [True]


def test_what_stops_it_stops_the_build():
    def refuse(_):
        raise ConnectionError

    program, _ = read_program((GAMES / "ticTacToe.kif").read_text())
    with pytest.raises(ConnectionError):
        build_circuit(program, BuildLimits(draft_from=0), lambda _: None, refuse)


def test_it_is_made_before_the_better_one_where_no_thread_can_be_had(monkeypatch):
    def refuse(*_):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr("threading.Thread.start", refuse)
    program, _ = read_program((GAMES / "ticTacToe.kif").read_text())
    stages = []
    build_circuit(program, BuildLimits(draft_from=0), stages.append, lambda _: stages.append("drafted"))
    assert stages.index("drafted") < stages.index("optimize")
