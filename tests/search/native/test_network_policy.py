"""The native search with a studied network: what it says of leaves and moves, and that proofs stay exact."""

from __future__ import annotations

from math import inf
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from reasoner.kernels import kernel
from reasoner.kernels.memory import address
from reasoner.lanes.machine import CircuitMachine
from reasoner.machine import State
from search import MonotonicClock, Search, SearchOptions
from search.errors import NetworkError
from search.native.cost_model import MAX_NETWORK_BATCHES, MIN_NETWORK_BATCHES, Costs
from search.native.layout import THREAD
from search.native.search import NativeSearch
from search.native.selection import select
from search.native.tree import Tree
from search.network import Network
from search.network.compiled_network import FPU_REDUCTION, CompiledNetwork
from search.network.storage import Model
from search.options import FIXED_PLAYOUTS
from tests.search.helpers import after, value
from tests.search.native.rulesheets import BEST_ANSWER, DICE, STUCK, machine
from tests.search.native.test_kernels import a_turn, proof, some_rules
from tests.search.network.nets import network_by_hand, network_for

FORMS = [(0.0, 1.0), (0.5, 0.0), (0.5, 1.0), (1.0, 0.0), (1.0, 1.0)]
"""Weights of values and of priors."""


def searched(
    game: CircuitMachine, network: Network, form: tuple[float, float], role: int = 0, state: State = None, **given: Any
) -> NativeSearch:
    """A search with a network that has not thought yet."""
    begin = game.initial() if state is None else state
    options = SearchOptions(**{"threads": 1, "memory_mib": 64, "seed": 1} | given)
    return NativeSearch(game, role, begin, options, MonotonicClock(), Model(network, *form))


def thought(*args: Any, **given: Any) -> NativeSearch:
    search = searched(*args, **given)
    search.think(inf)
    return search


def looked(search: NativeSearch, looks: int) -> NativeSearch:
    """The search after some slices."""
    left = iter(range(looks))
    search.think(inf, lambda: next(left, None) is None)
    return search


def drawn(rules: str, seed: int = 1) -> tuple[CircuitMachine, Network]:
    """A game, and a network for it that knows nothing."""
    game = machine(rules)
    return game, network_for(game.circuit, [16, 8], seed)


def test_priors_that_know_the_move_find_it_in_a_few_simulations() -> None:
    """After a corner only the centre does not lose; without priors so few simulations do not see it."""
    game = machine("ticTacToe")
    state = after(game, "(mark 1 1)")
    network = network_by_hand(game.circuit, [0.5, 0.5], lambda move: 4.0 if move == "(mark 2 2)" else 0.0)
    seeds = range(6)
    options = [SearchOptions(simulations=12, threads=1, memory_mib=16, seed=seed) for seed in seeds]
    plain = [NativeSearch(game, 1, state, each, MonotonicClock()) for each in options]
    told = [searched(game, network, (0.5, 1.0), 1, state, simulations=12, seed=seed) for seed in seeds]
    for search in (*plain, *told):
        search.think(inf)
    assert {str(search.best()) for search in told} == {"(mark 2 2)"}
    assert {str(search.best()) for search in plain} != {"(mark 2 2)"}


@pytest.mark.parametrize(("weight", "expected"), [(0.0, 50), (0.25, 60), (0.5, 70), (1.0, 90)])
@pytest.mark.parametrize("prior", [0.0, 1.0])
def test_a_leaf_is_worth_its_playouts_and_what_the_network_says_by_its_weight(
    weight: float, expected: float, prior: float
) -> None:
    """Playouts are cut after two steps here, and count 50 for both."""
    game = machine("connectFour")
    network = network_by_hand(game.circuit, [0.9, 0.1])
    search = thought(game, network, (weight, prior), simulations=300, max_steps=2)
    assert {round(move.value) for move in search.report().moves} == {expected}
    assert (search.report().playouts == 0) == (weight == 1)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("rules", ["connectFour", "goofspiel", "diceRace", "breakthrough"])
def test_as_many_simulations_are_made_as_allowed_and_all_are_visits(rules: str, form: tuple[float, float]) -> None:
    game, network = drawn(rules)
    first, second = (thought(game, network, form, simulations=500).report() for _ in range(2))
    assert first.simulations == sum(move.visits for move in first.moves) == 500
    assert first.moves == second.moves


@pytest.mark.parametrize("form", FORMS)
def test_whatever_a_network_says_proofs_are_exact(form: tuple[float, float]) -> None:
    drawn_game = thought(*drawn("ticTacToe"), form, simulations=150_000)
    assert drawn_game.solved
    assert {(move.value, move.proven) for move in drawn_game.report().moves} == {(50.0, True)}
    nim = thought(*drawn("nim"), form, simulations=60_000)
    assert nim.solved
    assert value(nim.report(), str(nim.best())) == 100
    dice = thought(*drawn(DICE), form, simulations=500)
    assert (value(dice.report(), "high"), value(dice.report(), "low")) == (pytest.approx(95), pytest.approx(10))
    assert str(thought(*drawn(BEST_ANSWER), form, simulations=2_000).best()) == "b"
    assert value(thought(*drawn(STUCK), form, simulations=200).report(), "stop") == 80


@pytest.mark.parametrize("form", [(0.5, 1.0), (1.0, 1.0)])
@pytest.mark.parametrize("rules", ["connectFour", "goofspiel", "diceRace"])
def test_recycling_keeps_what_the_network_said_of_every_state_and_move(rules: str, form: tuple[float, float]) -> None:
    search = looked(searched(*drawn(rules), form, max_nodes=2_000), 10)
    check_notes(search)
    search._engine.tree.record[0]["full"] = 1
    search._engine.make_room()
    check_notes(search)
    before = search.report()
    search.think(inf, lambda: search.report().simulations > before.simulations + 100)
    check_notes(search)


def check_notes(search: NativeSearch) -> None:
    """Every state has the values that the plain forward pass gives it, and every edge its prior, if any."""
    tree, numbering, fitted = search._engine.tree, search._numbering, search._fitted
    assert fitted is not None
    circuit, network = numbering.machine.circuit, fitted.network
    count = tree.count("node_count")
    shown = np.unpackbits(tree.words[1:count, : numbering.state_words].view(np.uint8), axis=1, bitorder="little")
    said = network.forward(shown[:, : circuit.searched])
    logits = np.concatenate(said.logits, axis=1)
    noted = np.ascontiguousarray(tree.words[1:count, numbering.width :]).view(np.float32)[:, : len(circuit.roles)]
    open_or_closed = tree.nodes["kind"][1:count] != 5
    assert noted[open_or_closed] == pytest.approx(said.values[open_or_closed], abs=1e-4)
    opened = [node for node in range(1, count) if tree.nodes[node]["count"]] if len(tree.priors) else []
    for node in opened:
        first, end = int(tree.nodes[node]["first"]), int(tree.nodes[node]["first"] + tree.nodes[node]["count"])
        moves = tree.edges["move"][first:end]
        for role in range(len(circuit.roles)):
            own = (moves >= numbering.starts[role]) & (moves < numbering.starts[role + 1])
            raised = np.exp(logits[node - 1, moves[own]])
            priors = raised / max(raised.sum(), 1e-30)
            # pytest.approx(priors, rel=1e-2, abs=1e-4), of thousands of nodes
            assert (np.abs(tree.priors[first:end][own] - priors) <= np.maximum(1e-2 * priors, 1e-4)).all()


def test_without_a_network_there_is_no_memory_for_priors_and_none_is_reported() -> None:
    game = machine("connectFour")
    search = NativeSearch(game, 0, game.initial(), SearchOptions(simulations=50), MonotonicClock())
    search.think(inf)
    assert len(search._engine.tree.priors) == 0
    assert search._engine.tree.words.shape[1] == search._numbering.width
    assert search.report().network == ""


def test_a_search_reports_how_it_uses_a_network_and_refuses_one_of_another_game() -> None:
    game, network = drawn("connectFour")
    for factoring in (True, False):
        options = SearchOptions(factoring=factoring, memory_mib=16)
        search = Search(game, 0, game.initial(), options, MonotonicClock(), Model(network, 0.5, 1.5))
        assert search.report().network == "weight 0.5, prior 1.5"
    other = network_for(machine("breakthrough").circuit, [8], seed=1)
    with pytest.raises(NetworkError, match="roles white, black; this one has red, yellow"):
        Search(game, 0, game.initial(), SearchOptions(), MonotonicClock(), Model(other, 0.5, 1.0))


@kernel
def selected(trees: NDArray[Any], rules: NDArray[Any], threads: NDArray[Any], node: int) -> tuple[int, int]:
    return select(trees[0], rules[0], threads[0], node)


EDGES = st.fixed_dictionaries(
    {
        "visits": st.integers(0, 50),
        "pending_visits": st.integers(0, 5),
        "share": st.floats(0, 1),
        "prior": st.floats(0.01, 1),
        "proven": st.booleans(),
    }
)


@settings(max_examples=40)
@given(st.lists(EDGES, min_size=1, max_size=12), st.floats(0.1, 3), st.floats(0.1, 0.9))
def test_the_edge_taken_is_the_one_of_the_highest_bound_by_priors(given: list[Any], prior: float, said: float) -> None:
    game = machine("ticTacToe")
    network = network_by_hand(game.circuit, [said, 1 - said])
    fitted = CompiledNetwork(Model(network, 0.5, prior), game.circuit, 1, 2)
    tree = Tree(2 + fitted.words, 2, joint=False, branching=8, max_nodes=200, memory_mib=8, priors=True)
    rules = some_rules(network=address(fitted.record))
    priors = np.array([each["prior"] for each in given])
    priors /= priors.sum()
    edges = [
        {
            "visits": each["visits"],
            "pending_visits": each["pending_visits"],
            "total": each["share"] * each["visits"],
            "proof": proof(tree, [each["share"], 1 - each["share"]]) if each["proven"] else 0,
        }
        for each in given
    ]
    node = a_turn(tree, edges)
    first = int(tree.nodes[node]["first"])
    tree.nodes[node]["visits"] = sum(edge["visits"] for edge in edges)
    tree.priors[first : first + len(edges)] = priors
    tree.words[node] = fitted.noted(np.zeros(2, np.uint64))
    visited = [edge for edge in edges if edge["visits"]]
    mean = (said + sum(edge["total"] for edge in visited)) / (1 + sum(edge["visits"] for edge in visited))
    unknown = mean - FPU_REDUCTION * np.sqrt(sum(p for p, edge in zip(priors, edges, strict=True) if edge["visits"]))
    weight, bounds, best_known = prior * np.sqrt(max(tree.nodes[node]["visits"], 1)), [], 0.0
    for p, each, edge in zip(priors, given, edges, strict=True):
        tries = edge["visits"] + edge["pending_visits"]
        mean = edge["total"] / tries if tries else unknown
        bounds.append(-inf if each["proven"] else mean + weight * p / (1 + tries))
        best_known = max(best_known, each["share"] if each["proven"] else 0.0)
    found, passed = selected(tree.record, rules, np.zeros(1, THREAD), node)
    if max(bounds) == -inf:
        return  # a node whose edges are all proven is proven itself, so that nobody asks what was passed
    assert bounds[found - first] == pytest.approx(max(bounds), abs=1e-4)
    if abs(best_known - max(bounds)) > 1e-4:
        assert (passed > 0) == (best_known > max(bounds))


def test_where_no_leaf_is_played_out_few_descents_are_in_flight_at_a_time() -> None:
    """They are chosen without what the others will bring; where a sweep is dear beside the rest, there are more."""
    alone = looked(searched(*drawn("connectFour"), (1.0, 1.0)), 10)._engine.thread_lanes[0]
    both = looked(searched(*drawn("connectFour"), (0.5, 1.0)), 10)._engine.thread_lanes[0]
    assert MIN_NETWORK_BATCHES <= alone.record["max_batches"] <= MAX_NETWORK_BATCHES < both.record["max_batches"]
    costs = Costs(plays=False, sweep=1e-6)
    pending = []
    for rest in (0.0, 1e-6, 1e-7, 1e-8):
        costs.rest = rest
        pending.append(costs.pending_batches())
    assert pending == [MIN_NETWORK_BATCHES, MIN_NETWORK_BATCHES, 20, MAX_NETWORK_BATCHES]


def test_the_more_a_network_counts_the_fewer_playouts_has_a_leaf() -> None:
    costs = Costs(update=2e-5, playout=2e-6)
    assert [costs.playouts_per_leaf(share) for share in (1.0, 0.4, 0.12, 0.01)] == [25, 10, 3, 1]
    alone, mixed = (searched(*drawn("connectFour"), (weight, 1.0)) for weight in (0.0, 0.75))
    fixed = [int(each._engine.thread_lanes[0].record["playouts_per_leaf"]) for each in (alone, mixed)]
    assert fixed == [FIXED_PLAYOUTS, FIXED_PLAYOUTS / 4]
