"""An evaluation that would not end is stopped, and the message names the limit and the relation."""

import pickle

import pytest

from reasoner.errors import LimitError, TermError
from reasoner.language.terms import Compound, Constant
from reasoner.relational.bytecode.assemble import Room
from reasoner.relational.limits import MAX_TERM_DEPTH, EvaluationLimits
from reasoner.relational.machine import RelationalMachine
from reasoner.rules.read import read_program

GAME = "(role me) (init (x 0)) (legal me wait) (goal me 0) (<= (next (x ?n)) (true (x ?n))) (<= terminal (big ?n))\n"
DIGITS = " ".join(f"(d {i})" for i in range(10))
STRINGS = f"{DIGITS} (<= (string nil)) (<= (string (on ?d ?s)) (d ?d) (string ?s))"
LIMITS = EvaluationLimits(small_facts=100, large_facts=1_000, max_facts=5_000)


def machine(rules, limits=LIMITS, **options):
    return RelationalMachine(read_program(GAME + rules)[0], limits, **options)


def terminal(rules, limits=LIMITS, **options):
    game = machine(rules, limits, **options)
    return game.terminal(game.initial())


@pytest.mark.parametrize(
    ("rules", "message", "limit"),
    [
        ("(big 0) (<= (big (s ?n)) (big ?n))", f"builds terms nested more than {MAX_TERM_DEPTH} deep", "depth"),
        ("(big 0) (<= (big (s ?n ?n)) (big ?n))", "builds terms of more than 10000 words", "size"),
        ("(bit 0) (bit 1) (big nil) (<= (big (on ?b ?n)) (big ?n) (bit ?b))", "grows past 5000 facts", "facts"),
    ],
)
def test_a_relation_that_grows_for_ever_is_named_with_its_limit(rules, message, limit):
    with pytest.raises(LimitError, match=f"big/1 {message}") as fault:
        terminal(rules)
    assert fault.value.limit == limit


def test_a_product_of_relations_that_nothing_joins():
    body = " ".join(f"(d ?{v})" for v in "abcdefghij")
    with pytest.raises(LimitError, match=r"big/1 grows past 5000 facts"):
        terminal(f"{DIGITS} (<= (big (all ?a ?b ?c ?d ?e ?f ?g ?h ?i ?j)) {body})")


def test_too_much_time(monkeypatch):
    monkeypatch.setattr("reasoner.relational.bytecode.compile.FIRST_BUDGET", 1_000_000)
    monkeypatch.setattr("reasoner.relational.bytecode.interpreter.BUDGET", 1_000)  # steps between looks at the clock
    now = [0.0, 0.0]  # seconds, and what each look at the clock adds

    def clock():
        now[0] += now[1]
        return now[0]

    rules = "(bit 0) (bit 1) (big nil) (<= (big (on ?b ?n)) (big ?n) (bit ?b))"
    game = machine(rules, EvaluationLimits(small_facts=100, large_facts=100, max_seconds=30), clock=clock)
    state = game.initial()
    now[1] = 20.0
    with pytest.raises(LimitError, match=r"big/1 took more than 30 s") as fault:
        game.terminal(state)
    assert fault.value.limit == "time"


def test_what_does_not_depend_on_the_endless_relation_is_still_answered():
    game = machine("(big 0) (<= (big (s ?n)) (big ?n))")
    state = game.initial()
    for _ in range(2):
        with pytest.raises(LimitError):
            game.terminal(state)
        assert game.goal(state) == (0,)
        assert len(game.legal(state)[0]) == 1
        state = game.next(state, ["wait"])


def test_a_relation_too_large_as_a_whole_is_evaluated_where_it_is_asked_for():
    rules = f"""{STRINGS}
    (<= (big ?n) (true (x ?n)) (string (on 1 (on 2 (on 3 nil)))) (not (string (on 1 (on x nil)))))"""
    assert terminal(rules)


def test_a_view_over_a_relation_on_demand_is_evaluated_on_demand():
    rules = f"""{STRINGS}
    (<= (doubled ?s (on ?d (on ?d ?s))) (string ?s) (d ?d))
    (<= (big ?n) (true (x ?n)) (doubled (on 7 nil) (on 3 (on 3 ?rest))))"""
    assert terminal(rules)


def test_a_question_past_the_limits_leaves_the_next_one_as_it_was():
    rules = f"""{STRINGS}
    (<= (big ?n) (true (x ?n)) (string (on 1 (on 2 (on 3 nil)))))"""
    game = machine(rules)
    state = game.initial()
    assert game.terminal(state)
    with pytest.raises(LimitError, match="string/1"):
        game.query(state, "(string ?s)")
    assert game.terminal(game.next(state, ["wait"]))


def test_a_query_has_the_limits_too():
    game = machine(" ".join(f"(d {i})" for i in range(20)))
    with pytest.raises(LimitError, match="the query"):
        game.query(game.initial(), "(d ?a) (d ?b) (d ?c) (d ?e)")
    assert len(game.query(game.initial(), "(d ?a) (d ?b)")) == 400


def test_a_fact_that_is_too_deep_is_no_state():
    fact = Constant("a")
    for _ in range(250):
        fact = Compound("f", (fact,))
    with pytest.raises(TermError, match="200 in depth"):
        machine("", EvaluationLimits(max_term_depth=200)).state([fact])


def test_a_counter_in_unary_is_played_for_as_many_steps_as_terms_may_be_deep():
    """The terms are also written, hashed, compared and sent to another process."""
    rules = """(role me) (init (x z)) (<= (legal me (to (s ?n))) (true (x ?n))) (<= (next (x ?n)) (does me (to ?n)))
    (goal me 0) (<= terminal (true y))"""
    game, other = (RelationalMachine(read_program(rules)[0]) for _ in range(2))
    state = game.initial()
    for _ in range(MAX_TERM_DEPTH - 2):  # `to` and `x` are functions, too
        ((move,),) = game.legal(state)
        state = game.next(state, [move])
    assert str(move).count("(s") == MAX_TERM_DEPTH - 2
    (fact,) = game.facts(state)
    again = pickle.loads(pickle.dumps(fact))
    assert {fact} == {again} == other.facts(other.state([again]))
    state = game.next(state, game.legal(state)[0])
    with pytest.raises(LimitError, match=f"{MAX_TERM_DEPTH} in depth"):
        game.legal(state)


def test_a_long_chain_of_relations_is_no_deep_recursion():
    links = "".join(f"(<= (r{i} ?x) (r{i + 1} ?x))" for i in range(400))
    assert terminal(f"{links} (<= (r400 ?x) (true (x ?x))) (<= (big ?x) (r0 ?x))")


def test_a_long_chain_of_relations_on_demand_is_evaluated():
    links = "".join(f"(<= (r{i} ?x) (r{i + 1} ?x))" for i in range(200))
    limits = EvaluationLimits(small_facts=0, large_facts=0)
    assert terminal(f"{links} (<= (r200 ?x) (true (x ?x))) (<= (big ?x) (true (x ?x)) (r0 ?x))", limits)


def test_a_rule_with_more_variables_than_the_interpreter_has_room_for_is_refused_by_its_line(monkeypatch):
    monkeypatch.setattr("reasoner.relational.bytecode.writer.Room", lambda: Room(last_register=20))
    names, row = " ".join(f"?v{n}" for n in range(21)), " ".join("a" * 21)
    with pytest.raises(LimitError, match=r"a rule of relation big/1 in line 2 has too many variables"):
        terminal(f"(wide {row}) (<= (big 1) (wide {names}) (not (narrow {names}))) (<= (narrow {row}) (true none))")
