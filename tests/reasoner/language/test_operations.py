from __future__ import annotations

import pytest

from reasoner.errors import RulesError
from reasoner.relational.machine import RelationalMachine
from reasoner.rules.read import read_program

LIGHTS = """
role(left) role(right)
base(on(X)) :- index(X)
action(push(X)) :- index(X)
index(1) index(2) index(3)
init(on(1)) init(control(left))
legal(push(X)) :- index(X)
push(X) :: ~on(X) ==> on(X)
push(X) :: on(X) ==> ~on(X)
push(X) :: turn
turn :: control(left) ==> ~control(left) & control(right)
turn :: control(right) ==> ~control(right) & control(left)
goal(left,100) :- on(2) & ~dark
dark :- ~on(1) & ~on(3)
terminal :- on(1) & on(2) & on(3)
"""


def machine(text: str) -> RelationalMachine:
    return RelationalMachine(read_program(text)[0])


def facts(game: RelationalMachine, state: object) -> set[str]:
    return set(map(str, game.facts(state)))


def legal(game: RelationalMachine, state: object) -> list[list[str]]:
    return [list(map(str, moves)) for moves in game.legal(state)]


def after(game: RelationalMachine, *joints: list[str]) -> object:
    state = game.initial()
    for joint in joints:
        state = game.next(state, joint)
    return state


def test_only_the_role_in_control_acts_and_the_others_pass():
    game = machine(LIGHTS)
    assert legal(game, game.initial()) == [["(push 1)", "(push 2)", "(push 3)"], ["noop"]]
    second = after(game, ["push(2)", "noop"])
    assert legal(game, second) == [["noop"], ["(push 1)", "(push 2)", "(push 3)"]]


def test_an_operation_adds_deletes_and_calls_others_and_the_rest_stays():
    game = machine(LIGHTS)
    assert facts(game, game.initial()) == {"(on 1)", "(control left)"}
    assert facts(game, after(game, ["(push 2)", "noop"])) == {"(on 1)", "(on 2)", "(control right)"}
    assert facts(game, after(game, ["(push 1)", "noop"])) == {"(control right)"}


def test_a_goal_that_is_not_stated_is_0():
    game = machine(LIGHTS)
    assert game.goal(game.initial()) == (0, 0)
    assert game.goal(after(game, ["(push 2)", "noop"])) == (100, 0)


def test_what_is_added_wins_over_what_is_deleted():
    game = machine("role(a) init(p) legal(m) m :: ~p & p & q goal(a,1) :- role(a) terminal :- q")
    assert facts(game, after(game, ["m"])) == {"p", "q"}


def test_without_control_the_one_role_acts():
    game = machine("role(a) init(p) legal(m) m :: p ==> ~p goal(a,1) :- role(a) terminal :- ~p")
    assert legal(game, game.initial()) == [["m"]]
    assert game.terminal(after(game, ["m"]))


def test_a_relation_named_like_a_keyword_of_plain_gdl_is_renamed():
    game = machine(
        "role(a) init(at(1)) next(1,2) next(2,3) legal(m) goal(a,1) :- role(a) terminal :- at(3) "
        "m :: at(X) & next(X,Y) ==> ~at(X) & at(Y)"
    )
    assert facts(game, after(game, ["m"])) == {"(at 2)"}


def test_a_view_that_is_also_a_fact_of_the_state_holds_either_way():
    game = machine("role(a) lit(1) init(go) legal(m) m :: lit(2) goal(a,1) :- role(a) terminal :- lit(1) & lit(2)")
    assert not game.terminal(game.initial())
    assert game.terminal(after(game, ["m"]))


def test_legal_can_be_asked_in_a_body():
    game = machine("role(a) init(p) legal(m) :- p m :: p ==> ~p goal(a,1) :- role(a) terminal :- ~any any :- legal(X)")
    assert not game.terminal(game.initial())
    assert game.terminal(after(game, ["m"]))


def test_a_move_may_be_called_action():
    rules = (
        "role(a) init(p) legal(action) :- p action :: p ==> ~p goal(a,1) :- role(a) terminal :- ~p any(X) :- legal(X)"
    )
    game = machine(rules)
    assert legal(game, game.initial()) == [["action"]]
    assert [str(*answer.values()) for answer in game.query(game.initial(), "(any ?x)")] == ["action"]
    assert game.terminal(after(game, ["action"]))


def test_init_can_be_asked_in_bodies_and_conditions_and_is_the_same_in_every_state():
    extra = "home(X) :- init(on(X)) push(X) :: init(on(X)) ==> ~on(2) lost :- init(on(1)) & ~on(1)"
    game = machine(LIGHTS.replace("init(on(1))", "init(on(X)) :- same(X,1) & index(X)") + extra)
    assert facts(game, game.initial()) == {"(on 1)", "(control left)"}
    lit = after(game, ["push(2)", "noop"])
    dark = game.next(lit, ["noop", "push(1)"])
    assert (len(game.query(lit, "(lost)")), len(game.query(dark, "(lost)"))) == (0, 1)
    assert facts(game, dark) == {"(control left)"}
    assert [str(*answer.values()) for answer in game.query(dark, "(home ?x)")] == ["1"]


def test_arithmetic_is_a_table_over_the_integers_of_the_rules():
    game = machine(
        "role(a) init(n(3)) legal(m) goal(a,0) :- role(a) terminal :- n(10) "
        "m :: n(X) & plus(X,2,1,Y) & minus(Y,1,Z) & less(X,Y) & leq(Z,9) ==> ~n(X) & n(Y) & times(1)"
    )
    assert facts(game, after(game, ["m"])) == {"(n 6)", "(times 1)"}
    assert facts(game, after(game, ["m"], ["m"], ["m"])) == {"(n 9)", "(times 1)"}


def test_comparisons_hold_only_for_integers_in_their_order():
    rules = (
        "role(a) index(0) index(1) index(2) index(3) init(n(2)) legal(m(X)) :- index(X) & n(N) & {} "
        "m(X) :: n(N) ==> ~n(N) & n(X) goal(a,0) :- role(a) terminal :- n(0)"
    )
    allowed = {
        "leq(X,N)": ["(m 0)", "(m 1)", "(m 2)"],
        "less(X,N)": ["(m 0)", "(m 1)"],
        "less(0,X)": ["(m 1)", "(m 2)", "(m 3)"],
        "~leq(X,N)": ["(m 3)"],
        "less(0,X) & leq(X,N)": ["(m 1)", "(m 2)"],
    }
    for condition, moves in allowed.items():
        program, diagnostics = read_program(rules.format(condition))
        game = RelationalMachine(program)
        assert legal(game, game.initial()) == [moves], condition
        assert "empty-connective" not in {diagnostic.code for diagnostic in diagnostics}


def test_arithmetic_on_several_terms_can_be_negated():
    game = machine(
        "role(a) index(1) index(2) index(3) init(n(6)) goal(a,0) :- role(a) terminal :- n(1) "
        "legal(m(X)) :- index(X) & n(N) & ~plus(1,2,X,N) m(X) :: n(N) ==> ~n(N) & n(1)"
    )
    assert legal(game, game.initial()) == [["(m 1)", "(m 2)"]]


COUNT = """
role(a) role(b) init(cell(1,a)) init(cell(2,b)) init(cell(3,a)) init(control(a)) index(1) index(2) index(3)
base(cell(X,R)) :- index(X) & role(R)
legal(take(X)) :- index(X)
take(X) :: control(R) & cell(X,S) ==> ~cell(X,S) & cell(X,R)
goal(R,N) :- countofall(X,cell(X,R),N)
total(N) :- countofall(c(X,R),cell(X,R),N)
terminal :- countofall(X,cell(X,b),0)
"""


def test_countofall_counts_for_each_value_of_the_variables_it_shares():
    game = machine(COUNT)
    start = game.initial()
    assert game.goal(start) == (2, 1)
    assert not game.terminal(start)
    assert [str(n) for answer in game.query(start, "total(N)") for n in answer.values()] == ["3"]
    end = after(game, ["take(2)", "noop"])
    assert game.goal(end) == (3, 0)
    assert game.terminal(end)


def test_countofall_is_0_for_a_bound_value_that_has_no_possible_instance():
    rules = (
        "role(a) index(1) index(2) index(3) init(edge(1,2)) init(edge(1,3)) goal(a,1) :- role(a) "
        "terminal :- ~edge(1,2) legal(m(X)) :- index(X) & {} "
        "m(X) :: index(X) & countofall(Y,edge(X,Y),N) ==> ~edge(1,2) & degree(N)"
    )
    allowed = {
        "countofall(Y,edge(X,Y),N) & less(N,2)": ["(m 2)", "(m 3)"],
        "countofall(Y,edge(X,Y),0)": ["(m 2)", "(m 3)"],
        "~countofall(Y,edge(X,Y),0)": ["(m 1)"],
        "countofall(Y,edge(X,Y),2)": ["(m 1)"],
    }
    for condition, moves in allowed.items():
        game = machine(rules.format(condition))
        assert legal(game, game.initial()) == [moves], condition
        assert facts(game, after(game, [moves[0]])) == {"(edge 1 3)", f"(degree {2 if moves == ['(m 1)'] else 0})"}


@pytest.mark.parametrize(
    ("extra", "code"),
    [
        ("wait :: p ~q & ~r", "no-statement"),
        ("wait :: (X) ==> p", "variable-as-condition"),
        ("p(X) :- ~go wait :: p(1) ==> go", "unbound-variable"),
        ("init(p(1)) wait :: p(X) ==> delete(p(X)) & go", "fact-in-effect"),
        ("init(p(1)) p(2) wait :: p(X) ==> ~p(X) & go", "fact-without-init"),
        ("init(p(1)) wait :: p(X) ==> p(X) & ~p(X)", "contradiction"),
    ],
)
def test_statements_that_the_interpreter_skips_are_a_warning(extra: str, code: str):
    text = f"role(a) legal(wait) terminal :- go goal(a,1) :- role(a) init(start) {extra}"
    assert code in {diagnostic.code for diagnostic in read_program(text)[1]}


@pytest.mark.parametrize("extra", ["seen(R) :- last(R)", "init(last(p(2)))", "wait :: last(X) ==> ~last(X)"])
def test_a_fact_that_contains_a_fact_of_the_state_and_is_read_or_stated_is_no_mistake(extra: str):
    rules = "role(a) legal(wait) terminal :- go goal(a,1) :- role(a) init(p(1)) wait :: p(X) ==> last(p(X)) & go"
    text = f"{rules} {extra}"
    assert "fact-in-effect" not in {diagnostic.code for diagnostic in read_program(text)[1]}


def test_an_unbound_role_of_a_goal_is_every_role():
    game = machine("role(a) role(b) init(control(a)) legal(m) m :: go goal(R,50) :- ~go terminal :- go")
    assert game.goal(game.initial()) == (50, 50)
    assert game.goal(after(game, ["m", "noop"])) == (0, 0)


def test_legal_with_one_argument_in_plain_gdl_belongs_to_the_only_role():
    text = (
        "role(w) index(1) {} init(p(1)) legal(a(X)) :- index(X) next(q) :- does({}a(1)) terminal :- true(q) goal({},1)"
    )
    game = machine(text.format("", "w,", "w"))
    assert legal(game, game.initial()) == [["(a 1)"]]
    assert game.terminal(after(game, ["a(1)"]))
    with pytest.raises(RulesError, match="`legal` takes 2 arguments"):
        read_program(text.format("role(b)", "w,", "w"))
