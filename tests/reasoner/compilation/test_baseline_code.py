"""Baseline code plays the same game as the optimised circuit, and as the rules say."""

from pathlib import Path
from threading import Event

import numpy as np
import pytest

from reasoner.compilation.limits import BuildLimits
from reasoner.compilation.stages import build_circuit
from reasoner.lanes.machine import CircuitMachine
from reasoner.relational.machine import RelationalMachine
from reasoner.rules.read import read_program
from tests.machines import SOME

GAMES = Path(__file__).parents[3] / "games"
EMITTERS = (None, "portable")


def machines(path, emitter):
    """The machine of the baseline code, that of the optimised circuit, and the relational one."""
    program, _ = read_program(path.read_text())
    relational, baselines = RelationalMachine(program), []
    built = build_circuit(
        program, BuildLimits(emitter=emitter, baseline_from_gates=0), lambda _: None, baselines.append
    )
    return CircuitMachine(baselines[0], relational), CircuitMachine(built, relational), relational


@pytest.mark.parametrize("path", SOME)
def test_it_agrees_with_the_rules_about_states(path):
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
def test_its_random_games_have_the_same_lengths_and_goals(emitter):
    first, better, _ = machines(GAMES / "breakthrough.kif", emitter)
    ours, theirs = (machine.playouts(machine.initial(), 4096, seed=5) for machine in (first, better))
    for mine, other in ((ours.lengths, theirs.lengths), (ours.goals[:, 0], theirs.goals[:, 0])):
        error = np.hypot(mine.std(), other.std()) / np.sqrt(len(mine))
        assert abs(mine.mean() - other.mean()) < 4 * error


def test_it_has_no_decisive_moves():
    first, better, _ = machines(GAMES / "ticTacToe.kif", None)
    assert (first.program.decisive, better.program.decisive > 0) == (0, True)


def test_it_is_emitted_while_the_circuit_is_optimised():
    program, _ = read_program((GAMES / "ticTacToe.kif").read_text())
    optimizing, waited = Event(), []

    def progress(stage):
        if stage == "optimize":
            optimizing.set()

    build_circuit(program, BuildLimits(baseline_from_gates=0), progress, lambda _: waited.append(optimizing.wait(30.0)))
    assert waited == [True]


def test_an_error_in_it_stops_the_build():
    def refuse(_):
        raise ConnectionError

    program, _ = read_program((GAMES / "ticTacToe.kif").read_text())
    with pytest.raises(ConnectionError):
        build_circuit(program, BuildLimits(baseline_from_gates=0), lambda _: None, refuse)


def test_it_is_emitted_before_the_optimised_circuit_where_no_thread_can_start(monkeypatch):
    def refuse(*_):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr("threading.Thread.start", refuse)
    program, _ = read_program((GAMES / "ticTacToe.kif").read_text())
    stages = []
    build_circuit(program, BuildLimits(baseline_from_gates=0), stages.append, lambda _: stages.append("baseline"))
    assert stages.index("baseline") < stages.index("optimize")
