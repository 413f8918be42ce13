"""A subgame explored by itself."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.gamemaster.games import find_game
from reasoner.circuit.circuit import Circuit
from search.factoring import factor
from search.subgames.plan.bit_packing import words_for
from search.subgames.plan.exploration import COUNT, ILLEGAL, OVER, Exploration, Rules, distinct
from search.subgames.plan.projection import cut_out, signals
from tests.search.subgames.plan.games import machine_of


def explored(circuit: Circuit, count: int, depth: int = 1 << 30) -> Exploration:
    words = words_for(count)
    found = Exploration(circuit, count, Rules(np.zeros((2, words), np.uint64), depth))
    while found.grow(100, 1 << 30):
        pass
    return found


def parts_of(name: str):
    circuit = machine_of(find_game(name).text).circuit
    found = factor(circuit)
    for subgame in found.subgames:
        read_of = signals(circuit, subgame, found.counter)
        yield cut_out(circuit, circuit, subgame, found.counter, circuit.initial, read_of), read_of, subgame


@pytest.mark.parametrize("name", ["jointButtons", "bestButtons"])
def test_three_lights_have_eight_states_and_all_are_found(name):
    for part, read_of, _ in parts_of(name):
        found = explored(part.circuit, len(read_of))
        assert (found.count, found.complete) == (8, True)


def test_states_go_over_where_the_whole_goes_in_the_bases_of_a_subgame():
    machine = machine_of(find_game("fusedButtons").text)
    terms = machine.circuit.moves[0]
    for part, read_of, _ in parts_of("fusedButtons"):
        found, bits = explored(part.circuit, len(read_of)), np.unpackbits
        state, rng = machine.initial(), np.random.default_rng(1)
        for _ in range(5):
            here = found.number(bits(np.frombuffer(state, np.uint8), count=part.width)[part.bases])
            number = int(rng.integers(len(part.members)))
            move = terms[part.members[number][0]]
            state = machine.next(state, (move,))
            there = found.number(bits(np.frombuffer(state, np.uint8), count=part.width)[part.bases])
            assert found.space.following[here, number] == there


def test_states_beyond_the_depth_are_not_gone_on_from():
    part, read_of, _ = next(iter(parts_of("jointButtons")))
    found = explored(part.circuit, len(read_of), depth=2)
    count = int(found.space.counts[COUNT])
    steps, following = found.space.steps[:count], found.space.following[:count]
    assert steps.max() == 2
    assert (following[steps == 2] == OVER).all()
    assert (following[steps < 2] >= 0).all()


def test_a_class_is_illegal_where_no_move_of_it_is_legal():
    part, read_of, _ = next(iter(parts_of("multipleButtons")))
    found = explored(part.circuit, len(read_of))
    assert not (found.space.following[: found.count] == ILLEGAL).any()


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2)), min_size=1, max_size=40))
def test_distinct_rows_are_numbered_and_told(rows):
    given_rows = np.array(rows, np.uint64)
    vector, words = distinct(given_rows)
    assert (words[vector] == given_rows).all()
    assert len(words) == len(set(rows))
