"""Turned positions are positions of the game, with the moves that are legal there."""

from __future__ import annotations

import numpy as np
import pytest

from reasoner.batch import Batch
from reasoner.language.terms import Term
from search.study.games import Games
from search.study.selfplay import SelfPlayJob, machine_of, play_games
from search.study.symmetry import Symmetry
from search.study.vocabulary import Vocabulary, numbering
from tests.search.study.games import rules


def positions(name: str) -> tuple[Games, Vocabulary, Symmetry]:
    games = play_games(SelfPlayJob(rules(name), None, 8, simulations=4))
    vocabulary = numbering(Batch(machine_of(rules(name)), 1)).vocabulary
    return games, vocabulary, Symmetry.of(rules(name), vocabulary)


def decoded(games: Games, vocabulary: Vocabulary, row: int) -> tuple[set[Term], list[set[Term]]]:
    """The facts of a position, and the moves that each role had to choose from."""
    bits = np.unpackbits(games.observations[row], count=len(vocabulary.facts))
    facts = {vocabulary.facts[place] for place in np.flatnonzero(bits)}
    moves = [
        {vocabulary.moves[role][move] for move in own.moves[own.starts[row] : own.starts[row + 1]]}
        for role, own in enumerate(games.policies)
    ]
    return facts, moves


@pytest.mark.parametrize(("name", "count"), [("ticTacToe", 8), ("breakthrough", 2), ("jointTicTacToe", 2)])
def test_in_turned_positions_the_turned_moves_are_those_that_are_legal(name: str, count: int) -> None:
    games, vocabulary, symmetry = positions(name)
    machine = machine_of(rules(name))
    assert len(symmetry) >= count
    for number in range(len(symmetry)):
        turned = symmetry.turned(games, number)
        for row in range(0, len(turned), 5):
            facts, moves = decoded(turned, vocabulary, row)
            legal = machine.legal(machine.state(facts))
            for own, possible in zip(moves, legal, strict=True):
                assert not own or own == set(possible)


def test_values_go_with_the_role_and_shares_with_the_move() -> None:
    games, vocabulary, symmetry = positions("ticTacToe")
    swapped = next(n for n in range(len(symmetry)) if symmetry._found.roles[n, 0] == 1)
    turned = symmetry.turned(games, swapped)
    assert np.array_equal(turned.results, games.results[:, ::-1])
    row = int(np.flatnonzero(np.diff(games.policies[0].starts))[0])
    assert not decoded(turned, vocabulary, row)[1][0]
    assert np.array_equal(turned.policies[1].shares, games.policies[0].shares)


def test_every_symmetry_is_drawn_and_a_game_without_any_stays_as_it_is() -> None:
    games, _, symmetry = positions("ticTacToe")
    rng = np.random.default_rng(3)
    drawn = {symmetry.drawn(games, rng).observations.tobytes() for _ in range(100)}
    assert len(drawn) == len(symmetry)
    other, _, none = positions("nim")
    if len(none) == 1:
        assert none.drawn(other, rng) is other
