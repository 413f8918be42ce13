"""What the relational machine does beyond the conformance test."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from reasoner.errors import StateError
from reasoner.language.parse import read_term
from reasoner.machine import Sizes
from reasoner.relational.machine import RelationalMachine
from reasoner.rules.read import read_program
from tests.conformance import RACE, TOWER, shown


def machine(text):
    return RelationalMachine(read_program(text)[0])


def test_the_machine_reports_its_engine_and_sizes():
    assert machine(RACE).engine == "relational"
    assert machine(RACE).sizes == Sizes(0, 0, 0)


def test_a_value_that_is_no_number_is_no_goal():
    game = machine("(role me) (legal me wait) (<= terminal (true over)) (v many) (<= (goal me ?x) (v ?x))")
    assert game.goal(game.initial()) == (None,)


def test_a_goal_may_be_a_number_that_the_rules_do_not_name():
    game = machine(
        "(role me) (legal me wait) (init (score 0)) (<= terminal (true over)) (<= (goal me ?x) (true (score ?x)))"
    )
    assert game.goal(game.initial()) == (0,)
    assert game.goal(game.state([read_term("(score 57)")])) == (57,)


def test_facts_that_no_rule_makes_are_played_where_a_variable_may_stand_for_them():
    rules = "(role me) (legal me wait) (init (at 0)) (goal me 0) (<= (next ?fact) (true ?fact))"
    game = machine(rules + "(<= terminal (true (odd ?x)))")
    for facts in (["(odd 1)", "(even (of 2))"], ["(at 1)", "bare"]):
        state = game.state(map(read_term, facts))
        assert game.terminal(state) == ("(odd 1)" in facts)
        assert set(map(str, game.facts(game.next(state, ["wait"])))) == set(facts)
        assert len(game.query(state, "(true ?fact)")) == len(facts)


def test_a_near_name_is_offered_for_an_unknown_relation():
    game = machine(RACE)
    with pytest.raises(StateError, match=r"no relation les with 2 arguments.*did you mean less"):
        game.query(game.initial(), "(les ?a ?b)")


def test_a_fact_of_the_state_that_is_asked_for_without_true_is_explained():
    game = machine("(role me) (legal me wait) (init (at a 1)) (goal me 0) (<= terminal (true (at ?x 2)))")
    with pytest.raises(StateError, match=r"no relation at with 2 arguments.*ask for \(true \(at … …\)\)"):
        game.query(game.initial(), "(at ?x ?n)")


def test_relations_that_the_normal_form_made_are_not_in_the_vocabulary():
    ways = " ".join(f"(or (a{i}) (b{i}))" for i in range(8))
    text = f"(role me) (legal me wait) (goal me 0) (<= terminal {ways}) " + " ".join(f"a{i}" for i in range(8))
    game = machine(text)
    assert game.terminal(game.initial())
    with pytest.raises(StateError) as fault:
        game.query(game.initial(), "(either ?x)")
    assert "either 1" not in str(fault.value)


def test_a_query_may_use_static_relations_init_and_nested_terms():
    game = machine(TOWER)
    state = game.state(["(tower (on red (on blue ground)))"])
    assert shown(game.query(state, "(init ?f)")) == ["?f=(tower ground)"]
    assert shown(game.query(state, "(true (tower (on ?top ?rest)))")) == ["?top=red ?rest=(on blue ground)"]
    assert shown(game.query(state, "(true (tower (on ?a ?r))) (block ?a) (not (high (on ?a ?r)))")) == []


@pytest.mark.parametrize(
    ("fact", "said"),
    [
        ("(at left 9)", "makes the fact (at left 9): 9 is none of 0, 1, 2, 3"),
        ("(unheard of)", "(unheard of) is none of (at …), (clock …)"),
        ("(true (clock 0))", "(true (clock 0)) is none of (at …), (clock …)"),
    ],
)
def test_a_written_fact_that_no_rule_can_make_is_no_state(fact, said):
    with pytest.raises(StateError) as fault:
        machine(RACE).state(["(clock 0)", fact])
    assert said in str(fault.value)


def test_where_terms_grow_without_end_any_fact_may_be_written():
    game = machine("(role r) (init (p 0)) (legal r go) (goal r 1) (<= (next (p (s ?x))) (true (p ?x))) (<= terminal q)")
    assert game.facts(game.state(["(p 9)"]))


def test_a_game_asked_about_more_states_than_it_keeps_gives_the_same_answers():
    game = machine(RACE)
    states = [game.state([f"(clock {i % 4})", read_term(f"(unheard {i})")]) for i in range(48)]
    first = [(game.terminal(s), game.legal(s)) for s in states]
    assert first == [(game.terminal(s), game.legal(s)) for s in states]


def test_the_nth_playout_does_not_depend_on_how_many_are_played():
    game = machine(RACE)
    few, many = (game.playouts(game.initial(), count, seed=3) for count in (5, 30))
    assert many.goals[:5].tolist() == few.goals.tolist()


def test_threads_may_ask_at_once():
    game = machine(RACE)
    with ThreadPoolExecutor(4) as pool:
        played = list(pool.map(lambda seed: game.playouts(game.initial(), 10, seed).goals.tolist(), range(8)))
    assert played == [game.playouts(game.initial(), 10, seed).goals.tolist() for seed in range(8)]


@pytest.mark.parametrize("wrong", [None, b"", b"\x01\x02", "state", 5])
def test_a_value_that_is_no_state_of_the_engine_is_refused(wrong):
    """A circuit's state, for example, raises StateError; its bytes are not read as numbers of facts."""
    game = machine(RACE)
    for call in (game.facts, game.legal, game.terminal, game.goal, lambda state: game.playouts(state, 1, 1)):
        with pytest.raises(StateError, match="not a state of this machine"):
            call(wrong)
