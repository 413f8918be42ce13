"""Features that an expert would write are generated from rules alone: found by their values, not by their names."""

from __future__ import annotations

from functools import cache
from math import inf
from pathlib import Path
from time import monotonic

import numpy as np
import pytest

from reasoner import load
from reasoner.machine import Machine
from search.features.generate import POSITIONS, Generated, generate_features, sampled
from tests.clocks import FakeClock
from tests.machines import built
from tests.shared import SHARED, needs_shared

GAMES = Path(__file__).resolve().parents[3] / "games"

SMALL_OTHELLO = """
(role ink) (role chalk) (enemy ink chalk) (enemy chalk ink)
(init (turn ink)) (init (disc b2 chalk)) (init (disc c3 chalk)) (init (disc b3 ink)) (init (disc c2 ink))
(file a) (file b) (file c) (file d)
(along a1 b1) (along b1 c1) (along c1 d1) (along a2 b2) (along b2 c2) (along c2 d2)
(along a3 b3) (along b3 c3) (along c3 d3) (along a4 b4) (along b4 c4) (along c4 d4)
(across a1 a2) (across a2 a3) (across a3 a4) (across b1 b2) (across b2 b3) (across b3 b4)
(across c1 c2) (across c2 c3) (across c3 c4) (across d1 d2) (across d2 d3) (across d3 d4)
(<= (beside east ?s ?t) (along ?s ?t)) (<= (beside west ?s ?t) (along ?t ?s))
(<= (beside north ?s ?t) (across ?s ?t)) (<= (beside south ?s ?t) (across ?t ?s))
(<= (square ?s) (beside ?w ?s ?t))
(<= (filled ?s) (true (disc ?s ?who)))
(<= (vacant ?s) (square ?s) (not (filled ?s)))
(<= (caught ?w ?s ?who) (true (disc ?s ?foe)) (enemy ?who ?foe) (beside ?w ?s ?t) (true (disc ?t ?who)))
(<= (caught ?w ?s ?who) (true (disc ?s ?foe)) (enemy ?who ?foe) (beside ?w ?s ?t) (caught ?w ?t ?who))
(<= (playable ?who ?s) (vacant ?s) (beside ?w ?s ?t) (caught ?w ?t ?who))
(<= (mobile ?who) (playable ?who ?s))
(<= (legal ?who (put ?s)) (true (turn ?who)) (playable ?who ?s))
(<= (legal ?who skip) (true (turn ?who)) (not (mobile ?who)))
(<= (legal ?who wait) (enemy ?who ?foe) (true (turn ?foe)))
(<= (swept ?w ?t) (does ?who (put ?s)) (beside ?w ?s ?t) (caught ?w ?t ?who))
(<= (swept ?w ?t) (swept ?w ?s) (beside ?w ?s ?t) (true (turn ?who)) (caught ?w ?t ?who))
(<= (altered ?s) (swept ?w ?s))
(<= (altered ?s) (does ?who (put ?s)))
(<= (next (disc ?s ?who)) (true (turn ?who)) (altered ?s))
(<= (next (disc ?s ?who)) (true (disc ?s ?who)) (not (altered ?s)))
(<= (next (turn ?who)) (enemy ?who ?foe) (true (turn ?foe)))
(<= active (mobile ?who))
(<= terminal (not active))
(<= (goal ?who 50) (role ?who))
"""
"""Othello with four files, straight lines only, and other words than the shared sheets."""

DOMAIN_THEORY = """
(<= (owns x ?s) ({own} {first}))
(<= (owns o ?s) ({own} {second}))
(<= (adjacent ?s ?d ?t) {step})
(<= (heading ?d) {step})
(<= (blank ?s) {blank})
(<= (span ?s ?s ?d ?p) (owns ?p ?s) (heading ?d))
(<= (span ?s ?e ?d ?p) (owns ?p ?s) (adjacent ?s ?d ?t) (span ?t ?e ?d ?p))
"""
"""The relations of Fawcett's theory of Othello: `owns`, `neighbor` and `span`."""

GRID_THEORY = """
(<= (owns x (at ?m ?n)) (true (cell ?m ?n {first})))
(<= (owns o (at ?m ?n)) (true (cell ?m ?n {second})))
(<= (adjacent (at ?m ?n) ?d (at ?k ?l)) {step})
(<= (heading ?d) {step})
(<= (blank (at ?m ?n)) {blank})
(<= (span ?s ?s ?d ?p) (owns ?p ?s) (heading ?d))
(<= (span ?s ?e ?d ?p) (owns ?p ?s) (adjacent ?s ?d ?t) (span ?t ?e ?d ?p))
"""

OWNS = [("(owns x ?a)", ["?a"]), ("(owns o ?a)", ["?a"])]
SPANS = [  # the features of figures 1 and 3 of Kaneko, Yamaguchi and Kawai, and the same for the other player
    ("(span ?a ?b ?c o) (adjacent ?b ?c ?d) (owns x ?d)", ["?a", "?b", "?c"]),
    ("(span ?a ?b ?c x) (adjacent ?b ?c ?d) (owns o ?d)", ["?a", "?b", "?c"]),
]
NEIGHBOURS = [
    ("(blank ?a) (adjacent ?a ?c ?b) (owns x ?b)", ["?a"]),
    ("(blank ?a) (adjacent ?a ?c ?b) (owns o ?b)", ["?a"]),
]
MOVES = [("(blank ?e) (adjacent ?e ?c ?a) (span ?a ?b ?c o) (adjacent ?b ?c ?d) (owns x ?d)", ["?e"])]

OTHELLOS = {
    "small": DOMAIN_THEORY.format(
        own="true", first="(disc ?s ink)", second="(disc ?s chalk)", step="(beside ?d ?s ?t)", blank="(vacant ?s)"
    ),
    "bundled": GRID_THEORY.format(
        first="black", second="white", step="(step ?d ?m ?n ?k ?l)", blank="(true (cell ?m ?n empty))"
    ),
    "reversi": GRID_THEORY.format(
        first="black", second="red", step="(nextCellInDir ?m ?n ?d ?k ?l)", blank="(empty ?m ?n)"
    ),
    "othello-comp2007": GRID_THEORY.format(
        first="black", second="red", step="(nextcell ?d ?m ?n ?k ?l)", blank="(cellopen ?m ?n)"
    ),
}


def rules(name: str) -> str:
    if name == "small":
        return SMALL_OTHELLO
    if name == "bundled":
        return (GAMES / "reversi.kif").read_text()
    assert SHARED is not None
    return (SHARED / "games" / f"{name}.kif").read_text()


@cache
def generated(text: str) -> tuple[Machine, Generated]:
    machine = load(text, "relational")
    return machine, generate_features(machine)


def missing(text: str, theory: str | None, wanted: list[tuple[str, list[str]]]) -> list[str]:
    """Return the features whose values in the sampled positions no generated feature has."""
    machine, found = generated(text)
    other = load(text, "relational", theory=theory)
    values = other.counts([other.state(machine.facts(state)) for state in found.states], wanted)
    assert (values.min(axis=0) < values.max(axis=0)).all()
    known = {column.tobytes() for column in found.values.T}
    return [feature[0] for feature, column in zip(wanted, values.T, strict=True) if column.tobytes() not in known]


@pytest.mark.parametrize(
    "game",
    [
        "small",
        pytest.param("bundled", marks=pytest.mark.long),
        pytest.param("reversi", marks=[needs_shared, pytest.mark.long]),
        pytest.param("othello-comp2007", marks=[needs_shared, pytest.mark.long]),
    ],
)
def test_the_features_of_othello_in_the_founding_paper_are_generated_from_its_rules(game: str) -> None:
    assert missing(rules(game), OTHELLOS[game], [*OWNS, *SPANS, *NEIGHBOURS, *MOVES]) == []


LINES_WITHOUT_ONE = [
    ("(true (cell ?a 1 x)) (true (cell ?a 3 x))", ["?a"]),
    ("(true (cell 1 ?a o)) (true (cell 2 ?a o))", ["?a"]),
]
WINNING_MOVES = [("(true (cell ?a 2 x)) (true (cell ?a 3 x)) (legal cross (mark ?a 1))", ["?a"])]
THREE_OF_FOUR = [
    (
        "(step ?w ?a ?b ?c ?d) (true (cell ?c ?d red)) (step ?w ?c ?d ?e ?f) (true (cell ?e ?f red))"
        " (step ?w ?e ?f ?g ?h) (true (cell ?g ?h red))",
        ["?w", "?a", "?b"],
    )
]
CAPTURES = [("(legal white (move ?a ?b ?c ?d)) (true (cell ?c ?d black))", ["?a", "?b", "?c", "?d"])]


@pytest.mark.parametrize(
    ("game", "wanted"),
    [
        ("ticTacToe", [*LINES_WITHOUT_ONE, *WINNING_MOVES]),
        pytest.param("connectFour", THREE_OF_FOUR, marks=pytest.mark.long),
        ("breakthrough", CAPTURES),
    ],
)
def test_lines_without_one_cell_and_captures_are_generated(game: str, wanted: list[tuple[str, list[str]]]) -> None:
    assert missing((GAMES / f"{game}.kif").read_text(), None, wanted) == []


def test_no_feature_is_constant_or_repeats_another_one() -> None:
    _, found = generated(SMALL_OTHELLO)
    assert len(np.unique(found.values, axis=1).T) == len(found.features) == len(set(found.features)) > 50
    assert (found.values.min(axis=0) < found.values.max(axis=0)).all()


def test_the_same_seed_gives_the_same_features_on_both_engines() -> None:
    assert generate_features(built(SMALL_OTHELLO)).features == generated(SMALL_OTHELLO)[1].features
    assert len(generate_features(load(SMALL_OTHELLO, "relational"), 1).states) == POSITIONS


def test_the_values_are_those_that_lanes_count() -> None:
    _, found = generated(SMALL_OTHELLO)
    machine = built(SMALL_OTHELLO)
    some = found.features[::7]
    assert machine.compile_counts(some) is not None
    states = sampled(machine, 1, inf, monotonic)
    slow = load(SMALL_OTHELLO, "relational")
    values = slow.counts([slow.state(machine.facts(state)) for state in states], some)
    assert (machine.counts(states, some) == values).all()


DEEP = (
    "(role a) (init (n 0)) (<= (legal a (go ?x)) (far ?x)) (<= (next (n (s ?x))) (true (n ?x)) (does a ?m))"
    + """
(<= (far ?x) (true (n ?x))) (<= (far (s ?x)) (far ?x) (true (n ?y)) (smaller ?x 0)) (smaller 0 0)
(<= terminal (true (n (s (s (s (s 0))))))) (<= (goal a 100) (true (n ?x)))
"""
)


def test_rules_that_build_ever_larger_terms_give_features() -> None:
    _, found = generated(DEEP)
    assert any("far" in feature.conjunction for feature in found.features)


@pytest.mark.long
def test_the_number_of_candidates_of_a_large_rulesheet_and_the_time_are_bounded() -> None:
    cells = " ".join(f"(init (at {n} free)) (near {n} {n + 1})" for n in range(300))
    chains = " ".join(
        f"(<= (chain{n} ?x ?z) (chain{n - 1} ?x ?y) (near ?y ?z) (true (at ?z free)) (distinct ?x ?z))"
        for n in range(1, 400)
    )
    rules = f"""
    (role a) (role b) {cells} (<= (chain0 ?x ?x) (true (at ?x free))) {chains}
    (<= (legal ?r (take ?x)) (role ?r) (chain2 ?x ?y)) (<= (next (at ?x ?r)) (does ?r (take ?x)))
    (<= (next (at ?x free)) (true (at ?x free)) (not (taken ?x))) (<= (taken ?x) (does ?r (take ?x)))
    (<= terminal (not full)) (<= full (chain399 ?x ?y)) (<= (goal ?r 50) (role ?r))
    """
    found = generate_features(load(rules, "relational"), seconds=2.0, clock=FakeClock(1e-3, 0.0).now)
    assert len(found.features) < 1_000
    assert found.candidates < 10_000
