"""What slots make of bases is what their moves make, told apart; and it is given up where that takes too many gates."""

from collections import defaultdict

import pytest

from reasoner.circuit.graph import FALSE
from reasoner.compilation import BuildLimits
from reasoner.compilation.stages import build_circuit
from reasoner.lanes.choice_plan import choices_of
from reasoner.lanes.step.effect_slots import effect_slots
from reasoner.lanes.step.move_effects import effects
from reasoner.lanes.step.slot_values import slot_values
from reasoner.lanes.step.state_logic import StateLogic
from reasoner.rules.read import read_program
from tests.reasoner.lanes.step.test_random_step import SLIDERS


@pytest.fixture
def sliders():
    """The logic of a small game of pieces, what its moves make, and its slots."""
    circuit = build_circuit(read_program(SLIDERS)[0], BuildLimits(), lambda _: None).circuit
    logic = StateLogic(circuit, choices_of(circuit))
    made = effects(logic)
    return logic, made, effect_slots(logic, made)


def of_move(made, move, base):
    """What a move makes of a base."""
    its = slice(made.begin[move], made.end[move])
    differing = dict(zip(made.bases[its].tolist(), made.values[its].tolist(), strict=True))
    return differing.get(base, int(made.default[base]))


def where_told(logic, told, value):
    """A value where the move is made that `told` tells: of what excludes each other one is true."""
    if told & 1 or not (logic.is_base(told) and logic.is_base(value)):
        return value
    if told >> 1 == value >> 1:
        return (value & 1) ^ 1
    return value & 1 if (value >> 1) - 1 in logic.circuit.excluded_by((told >> 1) - 1) else value


def twin(logic, slot, values):
    """The literal of what a slot makes of a base, from what its moves make of it."""
    if len(set(values)) == 1:
        return values[0]
    by_value = defaultdict(list)
    for told, value in zip(slot.told, values, strict=True):
        by_value[where_told(logic, told, value)].append(told)
    graph = logic.graph
    return graph.any(graph.and_(value, graph.any(told)) for value, told in by_value.items() if value != FALSE)


def test_values_are_those_of_a_slow_twin_gate_by_gate(sliders):
    logic, made, slots = sliders
    values = slot_values(logic, slots, made, 100_000)
    gates = len(logic.graph)
    for number, slot in enumerate(slots):
        changed = {b for move in slot.moves for b in made.bases[made.begin[move] : made.end[move]].tolist()}
        for base in range(len(made.default)):
            assert (number in values[base]) == (base in changed)
            if base in changed:
                assert values[base][number] == twin(logic, slot, [of_move(made, move, base) for move in slot.moves])
    assert len(logic.graph) == gates  # equal gates are one
    assert any(len(slot.moves) > 1 for slot in slots)


def test_where_too_many_gates_say_it_there_are_none(sliders):
    logic, made, slots = sliders
    assert slot_values(logic, slots, made, -1) is None
