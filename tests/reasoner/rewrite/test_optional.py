"""Materialization, pass by pass: the result, its explanation, and unchanged play."""

from __future__ import annotations

from itertools import combinations

import pytest

from reasoner.language.terms import Compound, Term
from reasoner.relational.machine import RelationalMachine
from reasoner.rewrite.drop_useless import drop_useless, explain_useless
from reasoner.rewrite.keep_views import explain_kept, keep, keep_views
from reasoner.rewrite.optional import ALL, OPTIONAL, chosen
from reasoner.rewrite.passes import PASSES, Pass, rewrite
from reasoner.rewrite.store_statics import explain_stored, store_statics
from reasoner.rewrite.unfold import explain_unfolded, unfold
from reasoner.rules.program import Program
from reasoner.rules.read import read_program
from tests.reasoner.rewrite.games import play_together
from tests.reasoner.rules.sheets import unchecked
from tests.shared import SHARED, needs_shared

KJH = """
role(r) index(1) index(2) index(3)
init(g(X,Y)) :- index(X) & index(Y)
init(f(X)) :- index(X)
k(X,Y) :- true(g(X,Y)) & j(Y)
j(Y) :- true(g(Y,Z)) & h(Z)
h(Z) :- true(f(Z))
legal(r,take(X,Y)) :- k(X,Y)
legal(r,noop)
next(g(X,Y)) :- true(g(X,Y)) & ~does(r,take(X,Y))
next(f(Z)) :- true(f(Z)) & ~taken(Z)
taken(Z) :- does(r,take(Z,Z))
next(log(Z)) :- does(r,take(Z,Z))
terminal :- ~some
some :- k(X,Y)
goal(r,50)
"""


def texts(program: Program) -> list[str]:
    return list(map(str, program.rules))


def test_the_second_example_of_the_chapter_is_unfolded():
    chapter = "base(e(X,Y)) :- g(X,Y) init(e(a,b)) next(l(X)) :- next(e(X,Y)) & g(Y,X) next(e(X,Y)) :- g(X,Y)"
    assert texts(unfold(unchecked(chapter))) == ["(<= (next (l ?X)) (g ?X ?Y) (g ?Y ?X))"]
    assert explain_unfolded(unchecked(chapter)) == ("e/2: read only through (<= (next (e ?X ?Y)) (g ?X ?Y))",)


@pytest.mark.parametrize(
    ("rules", "unfolded"),
    [
        (
            "next(l(X)) :- next(e(X,Y)) & next(e(Y,X)) next(e(A,Y)) :- g(A,Y)",
            ["(<= (next (l ?X)) (g ?X ?Y) (g ?Y ?X))"],
        ),
        ("next(l(X)) :- next(e(X,b)) next(e(a,Y)) :- g(Y,X)", ["(<= (next (l a)) (g b ?X'))"]),
        ("next(l(X)) :- next(e(X,b)) next(e(Y,c)) :- g(Y)", []),
        ("next(l(X)) :- next(e(X)) next(e(X)) :- next(d(X)) next(d(X)) :- p(X)", ["(<= (next (l ?X)) (p ?X))"]),
    ],
)
def test_unfolding_unifies_renames_apart_and_continues(rules: str, unfolded: list[str]):
    assert texts(unfold(unchecked(rules))) == unfolded


@pytest.mark.parametrize(
    "rules",
    [
        "next(l(X)) :- next(e(X)) next(e(X)) :- p(X) next(e(X)) :- q(X)",
        "next(l(X)) :- next(e(X)) & true(e(X)) next(e(X)) :- p(X)",
        "next(l(X)) :- p(X) & ~next(e(X)) next(e(X)) :- p(X)",
        "next(l(X)) :- next(e(X)) next(e(X)) :- next(e(X)) & p(X)",
        "next(l(X)) :- next(e(X)) next(e(X)) :- p(X) next(Y) :- q(Y)",
    ],
)
def test_a_base_relation_with_other_readers_is_not_unfolded(rules: str):
    assert unfold(unchecked(rules)) == unchecked(rules)


def test_a_view_is_kept_if_a_top_down_reasoner_visits_fewer_facts():
    program = read_program(KJH)[0]
    kept = texts(keep_views(program))
    assert "(<= (legal r (take ?X ?Y)) (true (kept k ?X ?Y)))" in kept
    assert "(<= (next (kept k ?X ?Y)) (next (g ?X ?Y)) (next (kept j ?Y)))" in kept
    assert "(<= (next (kept j ?Y)) (next (g ?Y ?Z)) (after h ?Z))" in kept
    assert "(<= (after h ?Z) (next (f ?Z)))" in kept
    assert "(init (kept j 1))" in kept
    assert [line.split(":")[0] for line in explain_kept(program)] == ["j/1", "k/2"]


def test_one_view_can_be_kept_alone_as_in_the_chapter():
    kept = texts(keep(read_program(KJH)[0], (("j", 1),)))
    assert "(<= (k ?X ?Y) (true (g ?X ?Y)) (true (kept j ?Y)))" in kept
    assert not any(rule.startswith("(<= (j ") for rule in kept)


def test_a_view_that_is_the_same_in_all_states_is_stored():
    program = unchecked(
        "role(r) n(1) n(2) p(X,Y) :- n(X) & n(Y) & distinct(X,Y) q(X) :- p(X,Y) & true(f(Y)) terminal :- q(1)"
    )
    assert [rule for rule in texts(store_statics(program)) if "p" in rule.split()[0]] == ["(p 1 2)", "(p 2 1)"]
    assert explain_stored(program) == ("p/2: the same in all states, 2 rows",)
    endless = unchecked("role(r) n(1) n(f(X)) :- n(X) terminal :- n(1)")
    assert store_statics(endless) == endless


def test_facts_that_no_key_property_depends_on_are_dropped():
    program = read_program(KJH)[0]
    assert set(texts(program)) - set(texts(drop_useless(program))) == {"(<= (next (log ?Z)) (does r (take ?Z ?Z)))"}
    assert explain_useless(program) == ("log/1: no move, goal or end depends on it",)
    unknown = unchecked("role(r) init(X) :- p(X) next(q) :- true(q) terminal :- true(z)")
    assert drop_useless(unknown) == unknown


def test_passes_are_switched_on_and_off_singly():
    assert chosen() == PASSES
    others = [one.name for one in PASSES if one.name != "split_bodies"]
    assert [one.name for one in chosen(["unfold"], ["split_bodies"])] == ["unfold", *others]
    assert chosen([one.name for one in OPTIONAL]) == ALL
    with pytest.raises(ValueError, match="Did you mean unfold"):
        chosen(["unfild"])


def visible(machine: RelationalMachine, state: object) -> set[Term]:
    names = {fact: fact.functor if isinstance(fact, Compound) else str(fact) for fact in machine.facts(state)}
    return {fact for fact, name in names.items() if " " not in name}


def plays_the_same(program: Program, passes: tuple[Pass, ...], games: int = 2, steps: int = 12) -> None:
    """Random games have the same moves, goals, ends and facts, less the facts that are useless."""
    useless = any(one.name == "drop_useless" for one in passes)
    machines = RelationalMachine(rewrite(program, passes).program), RelationalMachine(program)
    play_together(*machines, games, steps, visible, set.issubset if useless else set.__eq__)


CHOICES = [some for count in range(1, len(OPTIONAL) + 1) for some in combinations(OPTIONAL, count)]


@pytest.mark.parametrize("passes", CHOICES, ids=lambda passes: "+".join(one.name for one in passes))
def test_every_choice_of_passes_plays_the_example_as_it_is_written(passes: tuple[Pass, ...]):
    plays_the_same(read_program(KJH)[0], passes, games=3)
    plays_the_same(read_program(KJH)[0], (*passes, *PASSES), games=3)


@pytest.mark.long  # public games
@needs_shared
@pytest.mark.parametrize("passes", [*((one,) for one in OPTIONAL), ALL], ids=[*(one.name for one in OPTIONAL), "all"])
@pytest.mark.parametrize("game", ["ticTacToe", "breakthrough", "checkers", "hanoi", "pentago"])
def test_passes_play_public_games_as_they_are_written(game: str, passes: tuple[Pass, ...]):
    text = (SHARED / "games" / f"{game}.kif").read_text(encoding="utf-8", errors="replace")
    plays_the_same(read_program(text)[0], passes, steps=8)
