"""The clock run ahead."""

import numpy as np

from agent.gamemaster.games import find_game
from search.factoring import factor
from search.subgames.plan.counter_schedule import CounterSchedule, certain, ending_signals, of_literals, run
from tests.search.subgames.plan.games import machine_of


def ran(name):
    circuit = machine_of(find_game(name).text).circuit
    looked = []
    running = run(circuit, factor(circuit).counter, circuit.initial.astype(np.uint8), looked.append)
    try:
        while True:
            next(running)
    except StopIteration as done:
        return done.value, looked


def test_a_counter_of_steps_ends_the_game_at_a_time_that_is_known():
    times, looked = ran("jointButtons")
    assert (times.last, len(looked)) == (7, 8)


def test_without_a_clock_there_is_one_setting_for_ever():
    times, _ = ran("fusedButtons")
    assert (times.last, len(times.settings), times.index(1000)) == (None, 1, 0)


def test_a_clock_that_comes_round_has_a_setting_at_any_time():
    times = CounterSchedule(((0,), (1,), (2,)), again=1)
    assert [times.index(time) for time in range(7)] == [0, 1, 2, 1, 2, 1, 2]


def test_what_is_certain_holds_whatever_is_open():
    circuit = machine_of(find_game("bestButtons").text).circuit
    nothing = certain(circuit, {})
    assert of_literals(nothing, circuit.legal).tolist() == [1] * len(circuit.legal)
    assert of_literals(nothing, np.array([circuit.terminal], np.int32)).tolist() == [2]


def test_a_group_that_is_all_on_ends_the_whole_where_any_does():
    circuit = machine_of(find_game("bestButtons").text).circuit
    signals = tuple(literal for subgame in factor(circuit).subgames for literal in subgame.terminal)
    assert all(any(each) for each in ending_signals(circuit, signals))
