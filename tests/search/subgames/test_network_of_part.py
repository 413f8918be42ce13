"""A network evaluates a subgame as it evaluates the whole game, also after moves of the whole game."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from itertools import accumulate
from math import inf

import numpy as np
import pytest

from reasoner.circuit.circuit import Circuit
from search.native.search import NativeSearch
from search.network import Network
from search.network.storage import Model
from search.options import SearchOptions
from search.search import Search
from search.subgames.compound import CompoundSearch
from search.subgames.network_of_part import PartNetwork
from search.subgames.restricted_circuit import unpacked
from search.subgames.subgame_search import SubgameSearch
from tests.clocks import FakeClock
from tests.search.network.nets import board_network_for, network_by_hand, network_for
from tests.search.subgames.games import compiled, cones, plays

COMPOUND = ["bestButtons", "jointButtons", "hodgepodge", "nim"]
WIDTHS = 24, 8


def mixed(network: Network) -> Network:
    """The same network with its roles and facts in another order, and without one fact, which counts for nothing."""
    order = np.random.default_rng(2).permutation(len(network.facts))[1:]
    rolled = [*range(1, len(network.roles)), 0]
    return replace(
        network,
        facts=tuple(network.facts[i] for i in order),
        fact_rows=network.fact_rows[order],
        roles=tuple(network.roles[i] for i in rolled),
        moves=tuple(network.moves[i] for i in rolled),
        policy=tuple(network.policy[i] for i in rolled),
        value=(np.ascontiguousarray(network.value[0][:, rolled]), network.value[1][rolled]),
    )


def seen(network: Network, circuit: Circuit, bits: np.ndarray) -> np.ndarray:
    """Which of the network's facts are true, given those of a circuit's bases that are."""
    true = {*circuit.always, *(fact for fact, held in zip(circuit.bases, bits, strict=True) if held)}
    return np.array([[fact in true for fact in network.facts]], np.uint8)


@pytest.mark.parametrize("name", COMPOUND)
def test_a_part_is_said_to_be_worth_what_the_whole_is_said_to_be_worth(name: str) -> None:
    machine = compiled(name)
    circuit = machine.circuit
    network = mixed(network_for(circuit, WIDTHS, 1))
    roles = [network.roles.index(role) for role in circuit.roles]
    for part in cones(name):
        asked = PartNetwork(Model(network, 0.5, 1.0), circuit, part)
        assert asked.knows
        for state, _, _ in plays(machine, seed=4):
            own = asked.at(state).network
            bits = unpacked(state, len(circuit.bases))
            whole = network.forward(seen(network, circuit, bits))
            said = own.forward(seen(own, part.circuit, bits[part.bases]))
            assert own.roles == tuple(circuit.roles)
            assert said.values[0] == pytest.approx(whole.values[0, roles], abs=1e-5)


@pytest.mark.parametrize("name", COMPOUND)
def test_a_class_of_moves_has_the_mean_of_their_logits_and_as_many_shares_as_moves(name: str) -> None:
    machine = compiled(name)
    circuit, state = machine.circuit, machine.initial()
    assert isinstance(state, bytes)
    network = mixed(network_for(circuit, WIDTHS, 1))
    bits = unpacked(state, len(circuit.bases))
    said = network.forward(seen(network, circuit, bits))
    whole = [said.logits[network.roles.index(role)][0] for role in circuit.roles]
    starts = [*accumulate(map(len, circuit.moves), initial=0)]
    logits = np.zeros(starts[-1])
    for role, (start, own) in enumerate(zip(starts, circuit.moves, strict=False)):
        places = {move: i for i, move in enumerate(network.moves[network.roles.index(circuit.roles[role])])}
        logits[start : start + len(own)] = [whole[role][places[move]] for move in own]
    for part in cones(name):
        own = PartNetwork(Model(network, 0.5, 1.0), circuit, part).at(state).network
        here = own.forward(seen(own, part.circuit, bits[part.bases]))
        wanted = [np.mean(logits[list(members)]) + np.log(len(members)) for members in part.members]
        assert np.concatenate(here.logits, axis=1)[0] == pytest.approx(wanted, abs=1e-4)


@pytest.mark.parametrize("name", COMPOUND)
def test_a_part_of_a_board_is_said_to_be_worth_the_same_and_so_is_a_class_of_one_move(name: str) -> None:
    machine = compiled(name)
    circuit, state = machine.circuit, machine.initial()
    assert isinstance(state, bytes)
    network = board_network_for(circuit, 5, 2, 8, 1)
    bits = unpacked(state, len(circuit.bases))
    whole = network.forward(seen(network, circuit, bits))
    logits = np.concatenate(whole.logits, axis=1)[0]
    for part in cones(name):
        own = PartNetwork(Model(network, 0.5, 1.0), circuit, part).at(state).network
        said = own.forward(seen(own, part.circuit, bits[part.bases]))
        assert said.values[0] == pytest.approx(whole.values[0], abs=1e-5)
        for logit, members in zip(np.concatenate(said.logits, axis=1)[0], part.members, strict=True):
            if len(members) == 1:
                assert logit == pytest.approx(logits[members[0]], abs=1e-4)


def test_moves_that_the_network_does_not_know_have_no_part_in_a_class() -> None:
    circuit = compiled("jointButtons").circuit
    network = network_by_hand(circuit, [0.5] * len(circuit.roles), lambda _: 2.0)
    none = replace(
        network,
        moves=tuple(own[:0] for own in network.moves),
        policy=tuple((rows[:0], bias[:0]) for rows, bias in network.policy),
    )
    part = cones("jointButtons")[0]
    own = PartNetwork(Model(none, 0.5, 1.0), circuit, part).at(bytes(-(-len(circuit.bases) // 8))).network
    assert all(not bias.any() and not rows.any() for rows, bias in own.policy)


def test_a_network_that_knows_no_fact_of_a_part_says_so() -> None:
    circuit = compiled("jointButtons").circuit
    first, second = cones("jointButtons")[:2]
    network = network_for(circuit, WIDTHS, 1)
    kept = [i for i, fact in enumerate(network.facts) if fact not in set(first.circuit.bases)]
    less = replace(network, facts=tuple(network.facts[i] for i in kept), fact_rows=network.fact_rows[kept])
    assert not PartNetwork(Model(less, 0.5, 1.0), circuit, first).knows
    assert PartNetwork(Model(less, 0.5, 1.0), circuit, second).knows


def noted(search: NativeSearch) -> np.ndarray:
    """What a search has been told of its position by its network, and whatever stands before it."""
    assert search._fitted is not None
    return search._fitted.noted(search._numbering.packed(search._state, search._legal))


def has_simulated(search: SubgameSearch) -> bool:
    return search.report().simulations > 0


def test_searches_of_subgames_ask_of_the_position_that_the_whole_is_in() -> None:
    machine, clock = compiled("hodgepodge"), FakeClock()
    studied = Model(network_for(machine.circuit, WIDTHS, 3), 1.0, 1.0)
    state = machine.initial()
    options = SearchOptions(memory_mib=32, threads=1)
    search = Search(machine, 0, state, options, clock, studied)
    compound = search._thinker
    assert isinstance(compound, CompoundSearch)
    compound.look(inf)
    assert compound._locals
    begun = list(compound._locals)
    for _ in range(2):
        joint = [own[0] for own in machine.legal(state)]
        state = machine.next(state, joint)
        assert isinstance(state, bytes)
        search.advance(joint, state)
        assert compound._locals == begun  # else this proves nothing
        for each in begun:
            anew = SubgameSearch(each.cone, machine, 0, state, options, clock, studied)
            anew._search._enter(each.cone.state(state))
            assert np.array_equal(noted(each._search), noted(anew._search))


def test_a_subgame_is_searched_by_what_the_network_says() -> None:
    machine, clock = compiled("hodgepodge"), FakeClock()
    network = network_by_hand(machine.circuit, [0.9, *[0.1] * (len(machine.roles) - 1)])
    options = SearchOptions(memory_mib=32, threads=1)
    search = Search(machine, 0, machine.initial(), options, clock, Model(network, 1.0, 1.0))
    compound = search._thinker
    assert isinstance(compound, CompoundSearch)
    compound.look(inf)
    assert compound._locals
    for each in compound._locals:
        each.think(inf, partial(has_simulated, each))
        open_moves = [move.value for move in each.report().moves if not move.proven and move.visits]
        assert open_moves
        assert open_moves == pytest.approx([90.0] * len(open_moves), abs=5)
