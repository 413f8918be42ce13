"""An evaluation is mixed into the values of playouts with the weight that results of self-play speak for."""

from __future__ import annotations

import numpy as np
import pytest

from reasoner.lanes.machine import CircuitMachine
from search import Search, SearchOptions
from search.minimax.learning import Evaluation
from search.minimax.lesson import Lesson
from search.minimax.mixing import MAX_WEIGHT, leaf_model, mixing_weight
from search.minimax.search import MinimaxSearch
from search.minimax.start_learning import StartLearning
from search.native.search import NativeSearch
from tests.search.minimax.test_minimax import BREAKTHROUGH, built, lesson_of_breakthrough, ticking

OPTIONS = SearchOptions(threads=1, memory_mib=32, seed=1)


def positions_of(machine: CircuitMachine, count: int) -> np.ndarray:
    """Positions of random games.  # [count, B]."""
    rng, found = np.random.default_rng(1), []
    while len(found) < count:
        state = machine.initial()
        while not machine.terminal(state):
            found.append(machine.bits(state)[: machine.circuit.searched])
            state = machine.next(state, tuple(own[rng.integers(len(own))] for own in machine.legal(state)))
    return np.array(found[:count])


def ahead(machine: CircuitMachine, weight: float) -> Evaluation:
    """How many pieces the first role has more than the second one, times a weight."""
    facts = [*machine.circuit.bases][: machine.circuit.searched]
    own = np.array([str(fact).endswith("white)") - 1.0 * str(fact).endswith("black)") for fact in facts])
    pieces = np.array([str(fact).startswith("(cell ") for fact in facts])
    return Evaluation(weight * own * pieces, 0.1, np.zeros(0))


def results(values: np.ndarray, seed: int) -> np.ndarray:
    return (np.random.default_rng(seed).random(len(values)) < values).astype(np.float32)


def test_the_network_has_the_values_of_the_evaluation():
    machine = built(BREAKTHROUGH)
    bits, evaluation = positions_of(machine, 50), ahead(machine, 0.4)
    model = leaf_model(machine, evaluation, 0.3)
    values = 1 / (1 + np.exp(-(bits @ evaluation.weights + evaluation.bias)))
    answers = model.network.forward(bits).values
    assert answers[:, 0] == pytest.approx(values, abs=1e-5)
    assert answers[:, 1] == pytest.approx(1 - values, abs=1e-5)
    assert (model.weight, model.prior) == (0.3, 0.0)


def test_an_evaluation_that_gives_the_results_gets_more_weight_than_a_wrong_one():
    machine = built(BREAKTHROUGH)
    bits, right = positions_of(machine, 1000), ahead(machine, 1.0)
    ended = results(1 / (1 + np.exp(-(bits @ right.weights + right.bias))), 2)
    assert mixing_weight(machine, right, bits, ended, 1e6, 1) == MAX_WEIGHT
    assert mixing_weight(machine, ahead(machine, -1.0), bits, ended, 1e6, 1) < 0.1


def test_few_ended_games_or_slow_playouts_give_no_weight():
    machine = built(BREAKTHROUGH)
    bits, right = positions_of(machine, 1000), ahead(machine, 1.0)
    assert mixing_weight(machine, right, bits, np.full(1000, -1, np.float32), 1e6, 1) == 0
    assert mixing_weight(machine, right, bits, np.ones(1000, np.float32), 100.0, 1) == 0


def mixing() -> Lesson:
    return lesson_of_breakthrough()._replace(playouts=1e12, weight=0.3)


def test_a_search_by_playouts_uses_the_evaluation_and_reports_its_facts():
    machine = built(BREAKTHROUGH)
    search = Search(machine, 0, machine.initial(), OPTIONS, ticking(), lesson=mixing())
    assert not isinstance(search._thinker, MinimaxSearch)
    search.think(0.5)
    assert search.best() in machine.legal(machine.initial())[0]
    report = search.report()
    assert report.playouts > 0
    assert not report.network
    weights = {str(each.fact): each.weight for each in report.evaluation}
    assert all(weight > 0 for fact, weight in weights.items() if fact.endswith("white)"))
    joint = tuple(own[0] for own in machine.legal(machine.initial()))
    after = machine.next(machine.initial(), joint)
    search.advance(joint, after)
    assert {each.fact for each in search.report().evaluation} <= set(machine.facts(after))


def test_an_evaluation_of_little_weight_is_not_used():
    machine = built(BREAKTHROUGH)
    search = Search(machine, 0, machine.initial(), OPTIONS, ticking(), lesson=mixing()._replace(weight=0.05))
    search.think(0.2)
    assert not search.report().evaluation


@pytest.mark.long
def test_what_was_learned_gets_its_weight_before_the_first_move():
    machine, clock = built(BREAKTHROUGH), ticking()
    learning = StartLearning(machine, OPTIONS, clock)
    other = NativeSearch(machine, 0, machine.initial(), OPTIONS, clock)
    learning.run(other, clock.now() + 6.0, None)
    assert learning.finished
    assert learning.lesson is not None
    assert 0 <= learning.lesson.weight <= MAX_WEIGHT
    assert ("mix it" in learning.lesson.text("white")) == learning.lesson.mixes
