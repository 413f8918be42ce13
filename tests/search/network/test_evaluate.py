"""Networks in kernels against `Network.forward`, by which every answer is computed unit by unit."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reasoner.circuit.circuit import Circuit
from reasoner.kernels import kernel
from reasoner.kernels.memory import address
from reasoner.kernels.scalars import int64
from reasoner.language.terms import Constant, Term
from search.errors import NetworkError
from search.native.tree import pack, words_for
from search.network import Network
from search.network.compiled_network import CompiledNetwork
from search.network.evaluate import evaluate_all, logit_at
from search.network.storage import Model
from tests.search.native.rulesheets import machine
from tests.search.network.nets import board_network_for, network_for


@kernel
def logits_of(networks, words, out):
    """The logits of all moves in a state that has been evaluated, written to `out`."""
    for move in range(len(out)):
        out[move] = logit_at(networks[0], words.ctypes.data, int64(move))


def circuit() -> Circuit:
    return machine("ticTacToe").circuit


def words() -> tuple[int, int]:
    """Those of a state, and those of it and of its legal moves."""
    return words_for(circuit().searched), words_for(circuit().searched) + words_for(len(circuit().legal))


def fitted(network: Network) -> CompiledNetwork:
    return CompiledNetwork(Model(network, 0.5, 1.0), circuit(), *words())


def asked(one: CompiledNetwork, observations: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Values [N, R] and logits [N, M] by the kernels; observations [N, searched]."""
    state_words, shown = words()
    rows = np.zeros((len(observations), shown + one.words), np.uint64)
    for row, observation in zip(rows, observations, strict=True):
        row[:state_words] = pack(observation)
        row[state_words:shown] = pack(np.ones(len(circuit().legal), np.uint8))  # every move is legal
    addresses = address(rows) + np.arange(len(rows), dtype=np.int64) * rows.strides[0]
    work = one.work(len(rows))
    evaluate_all(one.record, work.record, address(addresses), len(rows))
    logits = np.zeros((len(rows), len(circuit().legal)))
    for row, out in zip(rows, logits, strict=True):
        logits_of(one.record, row, out)
    return rows[:, shown:].view(np.float32)[:, : len(circuit().roles)], logits


@settings(max_examples=40)
@given(
    seed=st.integers(0, 99),
    widths=st.lists(st.integers(1, 70), min_size=1, max_size=4),
    positions=st.integers(1, 70),
    density=st.sampled_from([0.0, 0.3, 1.0]),
)
def test_kernels_say_what_the_plain_forward_pass_says(
    seed: int, widths: list[int], positions: int, density: float
) -> None:
    network = network_for(circuit(), widths, seed)
    rng = np.random.default_rng(seed)
    observations = (rng.random((positions, circuit().searched)) < density).astype(np.uint8)
    said = network.forward(observations)
    values, logits = asked(fitted(network), observations)
    assert values == pytest.approx(said.values, abs=1e-4)
    assert logits == pytest.approx(np.concatenate(said.logits, axis=1), rel=1e-3, abs=1e-3)


@settings(max_examples=60)
@given(
    seed=st.integers(0, 999),
    cells=st.integers(1, 20),
    layers=st.integers(1, 4),
    hidden=st.integers(1, 70),
    positions=st.integers(1, 70),
)
def test_kernels_say_of_a_board_what_the_plain_forward_pass_says(
    seed: int, cells: int, layers: int, hidden: int, positions: int
) -> None:
    network = board_network_for(circuit(), cells, layers, hidden, seed)
    rng = np.random.default_rng(seed)
    observations = rng.integers(0, 2, (positions, circuit().searched)).astype(np.uint8)
    said = network.forward(observations)
    values, logits = asked(fitted(network), observations)
    assert network.board is not None
    slots = network.board.slots
    assert values == pytest.approx(said.values, abs=1e-4)
    wanted = np.concatenate(said.logits, axis=1)
    assert logits[:, :slots] == pytest.approx(wanted[:, :slots], rel=1e-3, abs=1e-3)
    assert not logits[:, slots:].any()


def test_facts_and_moves_are_found_by_their_terms_and_those_unknown_count_for_nothing() -> None:
    whole = network_for(circuit(), [8, 8], seed=1)
    observation = np.random.default_rng(1).integers(0, 2, (1, circuit().searched)).astype(np.uint8)
    values, logits = asked(fitted(whole), observation)
    order = np.random.default_rng(2).permutation(len(whole.facts))
    facts: tuple[Term, ...] = (*(whole.facts[i] for i in order), Constant("strange"))
    rows = np.concatenate([whole.fact_rows[order], np.ones((1, 8), np.float32)])
    moves = tuple((*own[::-1], Constant("strange")) for own in whole.moves)
    policy = tuple((np.concatenate([w[::-1], w[:1]]), np.concatenate([b[::-1], b[:1]])) for w, b in whole.policy)
    turned = dataclasses.replace(whole, facts=facts, fact_rows=rows, moves=moves, policy=policy)
    same_values, same_logits = asked(fitted(turned), observation)
    assert same_values == pytest.approx(values, abs=1e-6)
    assert same_logits == pytest.approx(logits, abs=1e-4)
    fewer = dataclasses.replace(
        whole,
        moves=tuple(own[1:] for own in whole.moves),
        policy=tuple((w[1:], b[1:]) for w, b in whole.policy),
    )
    _, missing = asked(fitted(fewer), observation)
    assert missing[0, 0] == 0
    assert missing[0, 1] == pytest.approx(logits[0, 1])


def test_roles_in_another_order_keep_their_values() -> None:
    whole = network_for(circuit(), [8], seed=3)
    observation = np.ones((1, circuit().searched), np.uint8)
    values, logits = asked(fitted(whole), observation)
    swapped = dataclasses.replace(
        whole,
        roles=whole.roles[::-1],
        moves=whole.moves[::-1],
        value=(np.ascontiguousarray(whole.value[0][:, ::-1]), whole.value[1][::-1].copy()),
        policy=whole.policy[::-1],
    )
    same_values, same_logits = asked(fitted(swapped), observation)
    assert same_values == pytest.approx(values)
    assert same_logits == pytest.approx(logits)


@pytest.mark.parametrize("wrong", [np.nan, np.inf, -np.inf, 1e30])
def test_weights_that_are_no_usable_numbers_are_refused(wrong: float) -> None:
    network = network_for(circuit(), [8, 8], seed=1)
    for array in (network.fact_rows, network.hidden[0][0], network.value[1], network.policy[1][1]):
        before = array.flat[0]
        array.flat[0] = wrong
        with pytest.raises(NetworkError, match="train it again"):
            fitted(network)
        array.flat[0] = before
    fitted(network)


def test_weights_that_could_make_sums_infinite_are_refused() -> None:
    """Each weight is small enough, but many layers of a board multiply them."""
    network = board_network_for(circuit(), cells=9, layers=16, hidden=8, seed=1)
    fitted(network)
    assert network.board is not None
    layers = tuple((np.full_like(weights, 1e4), bias) for weights, bias in network.board.layers)
    with pytest.raises(NetworkError, match="train it again"):
        fitted(dataclasses.replace(network, board=dataclasses.replace(network.board, layers=layers)))


@pytest.mark.parametrize("layers", [0, 3])
def test_no_unit_is_above_the_largest(layers: int) -> None:
    """The bound holds for every observation, with a board and without."""
    dense = network_for(circuit(), [32, 16, 16], seed=4)
    network = board_network_for(circuit(), cells=9, layers=layers, hidden=16, seed=4) if layers else dense
    observations = np.random.default_rng(4).integers(0, 2, (500, len(network.facts))).astype(np.uint8)
    found = network.activations(observations)
    most = max(float(units.max()) for units in (found.units, found.cells) if units is not None)
    assert most <= network.largest_unit() < 1e9


def test_a_network_of_another_game_is_refused_with_what_does_not_fit() -> None:
    network = network_for(circuit(), [8], seed=1)
    with pytest.raises(NetworkError, match="roles left, x; this one has cross, nought: study this game"):
        fitted(dataclasses.replace(network, roles=(Constant("left"), Constant("x"))))
    strange = tuple(Constant(f"f{i}") for i in range(len(network.facts)))
    with pytest.raises(NetworkError, match="knows no fact of this game; its first is f0"):
        fitted(dataclasses.replace(network, facts=strange))
