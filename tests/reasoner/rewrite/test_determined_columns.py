"""Columns that a rule determines are removed from large views, and play is unchanged."""

import pytest

from reasoner.compilation import BuildLimits
from reasoner.compilation.stages import build_circuit
from reasoner.lanes.machine import CircuitMachine
from reasoner.relational.machine import RelationalMachine
from reasoner.rewrite import determined_columns as determining
from reasoner.rewrite.determined_columns import determine_columns
from reasoner.rewrite.passes import rewrite
from reasoner.rules.read import read_program
from tests.reasoner.rewrite.games import play_together
from tests.reasoner.rewrite.guards import GUARDS


@pytest.fixture
def everything_is_large(monkeypatch):
    monkeypatch.setattr(determining, "MIN_ROWS", 0)
    monkeypatch.setattr(determining, "MIN_OTHER_ROWS", 0)


@pytest.fixture
def program():
    return read_program(GUARDS)[0]


def rules_of(program, relation):
    return [str(rule) for rule in program.rules if rule.head.name.startswith(relation)]


@pytest.mark.usefixtures("everything_is_large")
def test_the_mover_and_the_square_of_its_king_are_removed_as_columns(program):
    after = determine_columns(program).program
    (selector,) = rules_of(after, "selector 0")
    assert "(true (control " in selector
    assert " king)" in selector
    (selected,) = rules_of(after, "selected 1")
    assert selected.startswith("(<= (selected 1 threatened ?x ?y) (selector 0 ")


@pytest.mark.usefixtures("everything_is_large")
def test_rules_of_one_head_share_their_common_conditions(program):
    after = determine_columns(program).program
    (moves,) = [rule for rule in rules_of(after, "legal") if "(goes " in rule]
    assert moves.endswith("(joined 0 ?y))")
    assert "(true (cell ?x ?p))" not in moves  # `goes` implies it
    free, hostile = rules_of(after, "joined 0")
    assert "(free ?y)" in free
    assert "(hostile ?y ?r)" in hostile
    assert "(true (control ?r))" in hostile


@pytest.mark.usefixtures("everything_is_large")
def test_conditions_that_local_variables_connect_to_a_view_are_joined_separately(program):
    jumps = [rule for rule in rules_of(determine_columns(program).program, "legal") if "(jump " in rule]
    assert len(jumps) == 1
    assert "(joined " in jumps[0]
    assert "shield" not in jumps[0]


def test_a_program_without_large_views_stays_as_it_is(program):
    assert determine_columns(program).program is program
    assert not rewrite(program).at_most_one


@pytest.mark.usefixtures("everything_is_large")
def test_random_play_meets_the_same_moves_ends_and_goals(program):
    twin, machine = RelationalMachine(program), RelationalMachine(determine_columns(program).program)
    assert play_together(twin, machine, 40) > 300


@pytest.mark.usefixtures("everything_is_large")
def test_the_circuit_plays_as_the_rules_do_also_from_a_state_with_two_kings(program):
    twin = RelationalMachine(program)
    machine = CircuitMachine(build_circuit(program, BuildLimits(), lambda _: None), twin)
    assert play_together(twin, machine, 20) > 150
    two = ["(cell 1 wk)", "(cell 7 wk)", "(cell 2 bg)", "(cell 4 wg)", "(cell 5 bk)", "(control white)", "(turn 3)"]
    assert machine.legal(machine.state(two)) == twin.legal(twin.state(two))
