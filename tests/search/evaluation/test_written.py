"""Features that a person wrote: their terms count in every state what the relational engine counts."""

from __future__ import annotations

import random

import numpy as np
import pytest

from reasoner.errors import StateError, TermError
from search.evaluation.written import written
from tests.search.native.rulesheets import machine

FEATURES = [
    ("(true (cell ?x ?y b))", ["?x", "?y"]),
    ("(true (cell ?x ?y cross)) (not (true (control cross)))", ["?x"]),
    ("(true (cell ?x ?y ?m)) (true (cell ?x ?z ?m)) (distinct ?y ?z)", ["?x", "?m"]),
    ("(true (cell ?x ?y x)) (true (cell ?y ?x o))", []),
    ("(role ?r) (true (control ?r))", ["?r"]),
]


@pytest.mark.parametrize(("conjunction", "counted"), FEATURES)
def test_terms_count_what_the_relational_engine_counts(conjunction: str, counted: list[str]) -> None:
    game, chance = machine("ticTacToe"), random.Random(1)
    feature, state = written(game, "f", conjunction, counted, None), game.initial()
    while not game.terminal(state):
        state = game.next(state, [chance.choice(own) for own in game.legal(state)])
        assert isinstance(state, bytes)
        bits = np.unpackbits(np.frombuffer(state, np.uint8))
        true = [any(all(bits[at >> 1] != at & 1 for at in way) for way in term) for term in feature.terms]
        assert sum(true) == game.count(state, conjunction, counted)


def test_what_depends_on_the_state_otherwise_is_refused_with_a_hint() -> None:
    with pytest.raises(StateError, match="use facts instead"):
        written(machine("ticTacToe"), "f", "(legal cross ?m)", ["?m"], None)
    with pytest.raises(TermError, match=r"\?z"):
        written(machine("ticTacToe"), "f", "(true (cell ?x ?y b))", ["?z"], None)
