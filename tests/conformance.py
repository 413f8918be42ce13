"""What every state machine must pass: `CHECKS`, each a function of a factory from rules text to a machine.

A test of a machine parametrises over them::

    @pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
    def test_conforms(check):
        check(lambda text: MyMachine(read_program(text)[0]))

`agree` walks two machines of one game side by side, for a machine and its slow twin.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import numpy as np
import pytest

from reasoner.errors import IllegalMoveError, StateError, TermError
from reasoner.language.parse import read_term
from reasoner.language.terms import Compound, Constant, Variable
from reasoner.machine import Machine

Factory = Callable[[str], Machine]

RACE = """
; Two runners choose at once; who chooses alone steps on. Roles are given last and not in the order of their names.
(init (at left 0)) (init (at right 0)) (init (clock 0))
(next-number 0 1) (next-number 1 2) (next-number 2 3)
(<= (legal ?r (step ?n)) (role ?r) (pace ?n) (not (true (clock 3))))
(pace 0) (pace 1)
(<= (next (at ?r ?m)) (true (at ?r ?n)) (next-number ?n ?m) (does ?r (step 1)) (alone ?r))
(<= (next (at ?r ?n)) (true (at ?r ?n)) (or (not (alone ?r)) (does ?r (step 0))))
(<= (alone ?r) (distinct ?r ?s) (does ?r (step ?n)) (does ?s (step ?m)) (distinct ?n ?m))
(<= (next (clock ?m)) (true (clock ?n)) (next-number ?n ?m))
(<= terminal (true (clock 3)))
(<= (ahead ?r) (true (at ?r ?n)) (true (at ?s ?m)) (less ?m ?n))
(<= (less ?a ?b) (next-number ?a ?b))
(<= (less ?a ?c) (less ?a ?b) (next-number ?b ?c))
(<= (goal ?r 100) (ahead ?r))
(<= (goal ?r 0) (ahead ?s) (role ?r) (distinct ?r ?s))
(role right) (role left)
"""

TOWER = """
; One builder, terms in terms: a tower is (on top rest). The goal is unknown at first and double on the way.
(role builder)
(init (tower ground))
(block red) (block blue)
(<= (legal builder (put ?b)) (block ?b) (true (tower ?t)) (not (high ?t)))
(<= (legal builder clear) (true (tower (on ?b ?t))))
(<= (next (tower (on ?b ground))) (does builder (put ?b)) (true (tower ground)))
(<= (next (tower (on ?b (on ?a ground)))) (does builder (put ?b)) (true (tower (on ?a ground))))
(<= (next (tower ground)) (does builder clear))
(<= (high (on ?a (on ?b ?t))) (true (tower (on ?a (on ?b ?t)))))
(<= terminal (true (tower (on ?a (on ?a ?t)))))
(<= (goal builder 50) (true (tower (on ?a ?t))))
(<= (goal builder 100) (true (tower (on red (on ?a ?t)))))
(<= (goal builder ?n) (true (tower (on blue (on red ground)))) (number ?n))
(number 50)
"""

WORTH = """
; The goal is a word, a number, or a number in two ways. The game never ends, as no rule of its end can hold.
(role waiter) (init (worth little)) (init (worth 30))
(legal waiter wait) (legal waiter work)
(<= (next (worth 50)) (does waiter wait))
(<= (next (worth 050)) (does waiter wait))
(<= (next (worth 50)) (does waiter work))
(<= (next (worth 51)) (does waiter work))
(<= (goal waiter ?n) (true (worth ?n)))
(same a a) (<= terminal (distinct ?x ?x) (same ?x ?x))
"""

GAMES = (RACE, TOWER)


def check_roles_stand_in_the_order_of_the_rules(factory: Factory) -> None:
    assert factory(RACE).roles == ("right", "left")


def check_initial_facts_are_those_of_init(factory: Factory) -> None:
    machine = factory(RACE)
    assert set(map(str, machine.facts(machine.initial()))) == {"(at left 0)", "(at right 0)", "(clock 0)"}


def check_states_are_equal_and_hash_alike_when_their_facts_are_equal(factory: Factory) -> None:
    machine = factory(RACE)
    first = machine.next(machine.initial(), ["(step 0)", "(step 0)"])
    second = machine.next(machine.initial(), ["(step 1)", "(step 1)"])
    assert first == second
    assert len({first, second, machine.initial()}) == 2


def check_legal_moves_are_sorted_by_text_and_the_same_each_time(factory: Factory) -> None:
    for text in GAMES:
        for machine, state in walk(factory(text), seed=1):
            legal = machine.legal(state)
            assert legal == machine.legal(state) == tuple(tuple(sorted(moves, key=str)) for moves in legal)


def check_simultaneous_moves_act_together(factory: Factory) -> None:
    machine = factory(RACE)
    state = machine.next(machine.initial(), ["(step 1)", "(step 0)"])
    assert set(map(str, machine.facts(state))) == {"(at left 0)", "(at right 1)", "(clock 1)"}


def check_moves_may_be_text_or_terms(factory: Factory) -> None:
    machine = factory(RACE)
    one, nought = Compound("step", (Constant("1"),)), "( STEP  0 )".replace("STEP", "step")
    assert machine.next(machine.initial(), [one, nought]) == machine.next(machine.initial(), ["(step 1)", "(step 0)"])


def check_an_illegal_move_is_refused_and_named(factory: Factory) -> None:
    machine = factory(RACE)
    with pytest.raises(IllegalMoveError, match=r"\(step 2\).*left.*\(step 0\)"):
        machine.next(machine.initial(), ["(step 1)", "(step 2)"])


def check_a_wrong_number_of_moves_is_refused(factory: Factory) -> None:
    machine = factory(RACE)
    with pytest.raises(IllegalMoveError):
        machine.next(machine.initial(), ["(step 1)"])


def check_text_that_is_no_ground_term_is_refused(factory: Factory) -> None:
    machine = factory(RACE)
    for text in ["(step", ")", "", "(step ?n)", "a b"]:
        with pytest.raises(TermError):
            machine.next(machine.initial(), ["(step 1)", text])
        with pytest.raises(TermError):
            machine.state([text])


def check_facts_and_back_give_the_same_state(factory: Factory) -> None:
    for text in GAMES:
        for machine, state in walk(factory(text), seed=2):
            facts = machine.facts(state)
            assert machine.state(facts) == state
            assert machine.state(map(str, facts)) == state


def check_a_state_that_no_play_reaches_can_be_asked_about(factory: Factory) -> None:
    machine = factory(RACE)
    state = machine.state(["(at left 3)", "(at right 1)", "(clock 0)", read_term("(unheard of)")])
    assert set(map(str, machine.facts(state))) == {"(at left 3)", "(at right 1)", "(clock 0)", "(unheard of)"}
    assert machine.goal(state) == (0, 100)
    assert not machine.terminal(state)


def check_the_empty_state_can_be_asked_about(factory: Factory) -> None:
    machine = factory(TOWER)
    state = machine.state([])
    assert machine.facts(state) == frozenset()
    assert machine.legal(state) == ((),)
    assert machine.goal(state) == (None,)


def check_a_goal_is_none_where_the_rules_give_none_or_several(factory: Factory) -> None:
    machine = factory(TOWER)
    state = machine.initial()
    assert machine.goal(state) == (None,)
    state = machine.next(state, ["(put red)"])
    assert machine.goal(state) == (50,)
    assert machine.goal(machine.next(state, ["(put blue)"])) == (50,)  # given twice, but the same
    assert machine.goal(machine.next(state, ["(put red)"])) == (None,)


def check_goals_are_numbers_whose_spelling_does_not_matter(factory: Factory) -> None:
    machine = factory(WORTH)
    state = machine.initial()
    assert machine.goal(state) == (30,)
    assert machine.goal(machine.next(state, ["wait"])) == (50,)
    assert machine.goal(machine.next(state, ["work"])) == (None,)
    played = machine.playouts(state, 20, seed=1, max_steps=1)
    assert set(played.goals[:, 0].tolist()) == {0.0, 50.0}


def check_a_game_whose_end_cannot_be_goes_on(factory: Factory) -> None:
    machine = factory(WORTH)
    assert not machine.terminal(machine.initial())
    assert machine.playouts(machine.initial(), 3, seed=1, max_steps=2).lengths.tolist() == [2] * 3


def check_terminal_is_asked_of_the_state_alone(factory: Factory) -> None:
    machine = factory(TOWER)
    state = machine.next(machine.next(machine.initial(), ["(put red)"]), ["(put red)"])
    assert machine.terminal(state)
    assert not machine.terminal(machine.next(state, ["clear"]))


def check_queries_answer_with_substitutions_sorted_by_text(factory: Factory) -> None:
    machine = factory(RACE)
    state = machine.state(["(at left 2)", "(at right 1)", "(clock 1)"])
    assert shown(machine.query(state, "(true (at ?who ?n))")) == ["?who=left ?n=2", "?who=right ?n=1"]
    assert shown(machine.query(state, "(ahead ?r)")) == ["?r=left"]
    assert shown(machine.query(state, "(less ?a 2)")) == ["?a=0", "?a=1"]
    assert shown(machine.query(state, "(legal left ?m)")) == ["?m=(step 0)", "?m=(step 1)"]


def check_queries_may_be_conjunctions_with_negation(factory: Factory) -> None:
    machine = factory(RACE)
    state = machine.state(["(at left 2)", "(at right 1)", "(clock 1)"])
    assert shown(machine.query(state, "(not (ahead ?r)) (role ?r)")) == ["?r=right"]
    assert shown(machine.query(state, "(true (at ?r ?n)) (next-number ?n ?m) (distinct ?m 2)")) == ["?r=left ?n=2 ?m=3"]


def check_a_ground_query_answers_yes_or_no(factory: Factory) -> None:
    machine = factory(RACE)
    assert machine.query(machine.initial(), "(less 0 3)") == ({},)
    assert machine.query(machine.initial(), "(less 3 0)") == ()
    assert machine.query(machine.initial(), "terminal") == ()


def check_a_query_is_refused_when_unsafe_unknown_or_about_moves(factory: Factory) -> None:
    machine = factory(RACE)
    with pytest.raises(TermError):
        machine.query(machine.initial(), "(not (ahead ?r))")
    with pytest.raises(TermError):
        machine.query(machine.initial(), "(ahead ?r")
    with pytest.raises(StateError, match="ahead"):
        machine.query(machine.initial(), "(aheed ?r)")
    with pytest.raises(StateError, match="1"):
        machine.query(machine.initial(), "(ahead left 1)")
    with pytest.raises(StateError, match="move"):
        machine.query(machine.initial(), "(does left ?m)")


def check_playouts_are_repeated_by_their_seed(factory: Factory) -> None:
    machine = factory(RACE)
    first, again = (machine.playouts(machine.initial(), 20, seed=7) for _ in range(2))
    other = machine.playouts(machine.initial(), 20, seed=8)
    assert np.array_equal(first.goals, again.goals)
    assert not np.array_equal(first.goals, other.goals)


def check_playouts_end_where_the_game_does(factory: Factory) -> None:
    machine = factory(RACE)
    played = machine.playouts(machine.initial(), 50, seed=1)
    assert played.goals.shape == (50, 2)
    assert played.goals.dtype == np.float32
    assert played.lengths.tolist() == [3] * 50
    assert played.finished.all()
    assert set(map(tuple, played.goals.tolist())) == {(0.0, 0.0), (100.0, 0.0), (0.0, 100.0)}


def check_playouts_stop_at_the_step_limit(factory: Factory) -> None:
    machine = factory(RACE)
    played = machine.playouts(machine.initial(), 5, seed=1, max_steps=2)
    assert played.lengths.tolist() == [2] * 5
    assert not played.finished.any()


def check_playouts_from_the_end_make_no_move(factory: Factory) -> None:
    machine = factory(RACE)
    played = machine.playouts(machine.state(["(clock 3)", "(at left 1)", "(at right 0)"]), 3, seed=1)
    assert played.lengths.tolist() == [0] * 3
    assert played.goals.tolist() == [[0.0, 100.0]] * 3


CHECKS: tuple[Callable[[Factory], None], ...] = tuple(
    check for name, check in list(globals().items()) if name.startswith("check_")
)
"""Every check of this file, in its order."""


def walk(machine: Machine, seed: int, steps: int = 10):
    """The machine with each state of one random play."""
    random, state = Random(seed), machine.initial()
    for _ in range(steps):
        yield machine, state
        legal = machine.legal(state)
        if machine.terminal(state) or not all(legal):
            return
        state = machine.next(state, [random.choice(moves) for moves in legal])


def agree(machine, twin, seed: int, steps: int) -> None:
    """Assert that two machines of one game answer the same along a random play."""
    random = Random(seed)
    state, other = machine.initial(), twin.initial()
    assert machine.roles == twin.roles
    for _ in range(steps):
        assert machine.facts(state) == twin.facts(other)
        assert machine.terminal(state) == twin.terminal(other)
        assert machine.goal(state) == twin.goal(other)
        legal = machine.legal(state)
        assert legal == twin.legal(other)
        if machine.terminal(state) or not all(legal):
            return
        joint = [random.choice(moves) for moves in legal]
        state, other = machine.next(state, joint), twin.next(other, joint)


def shown(answers) -> list[str]:
    """Answers of a query as text."""
    return [" ".join(f"{Variable(v.name)}={term}" for v, term in answer.items()) for answer in answers]
