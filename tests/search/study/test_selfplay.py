"""Self-play brings home whole games, as they were played."""

from __future__ import annotations

import numpy as np
import pytest

from reasoner.batch import Batch
from search.network.storage import Studied, to_bytes
from search.study.selfplay import SelfPlayJob, Table, machine_of, play_games
from search.study.shape import fresh_network, shape_for
from search.study.vocabulary import numbering
from tests.search.study.games import rules


def job(name="ticTacToe", **given):
    return SelfPlayJob(rules(name), None, **{"games": 40, "simulations": 8, "playouts": 1, "slots": 32, **given})


@pytest.mark.parametrize("name", ["ticTacToe", "trio", "goofspiel", "diceRace", "lightsOut"])
def test_every_position_is_one_that_play_reaches_with_its_legal_moves_and_result(name):
    table = Table(machine_of(rules(name)), 32)
    games = table.play(job(name))
    batch = Batch(table.machine, 1)
    own = numbering(batch)
    wanted = {str(fact) for fact in table.machine.facts(table.machine.initial())}
    assert games.count >= 40
    for number in np.unique(games.game):
        rows = np.flatnonzero(games.game == number)
        assert (np.diff(games.ply[rows]) == 1).all()
        assert len(np.unique(games.results[rows], axis=0)) == 1
    for row in range(0, len(games), 7):
        bits = np.unpackbits(games.observations[row], count=len(own.vocabulary.facts))
        facts = [fact for fact, bit in zip(own.vocabulary.facts, bits, strict=True) if bit]
        state = table.machine.state(facts)
        for role, shares in enumerate(games.policies):
            first, end = shares.starts[row], shares.starts[row + 1]
            moves = {str(own.vocabulary.moves[role][move]) for move in shares.moves[first:end]}
            legal = {str(move) for move in table.machine.legal(state)[role]}
            assert moves in (legal, set())
            assert not moves or np.isclose(shares.shares[first:end].sum(), 1, atol=1e-2)
    assert wanted


def test_a_seed_gives_the_same_games():
    first, second = (Table(machine_of(rules("ticTacToe")), 32).play(job(seed=4)) for _ in range(2))
    assert first.to_bytes() == second.to_bytes()


def test_games_under_way_go_on_in_the_next_job():
    table = Table(machine_of(rules("ticTacToe")), 32)
    first, second = table.play(job(games=10)), table.play(job(games=100, seed=1))
    assert set(first.game.tolist()).isdisjoint(second.game.tolist())
    plies = [second.ply[second.game == number] for number in np.unique(second.game)]
    assert all(own[0] == 0 for own in plies)  # also what was played in the first job is there


def test_a_network_in_its_stored_form_evaluates_positions():
    text = rules("ticTacToe")
    vocabulary = numbering(Batch(machine_of(text), 1)).vocabulary
    network = fresh_network(vocabulary, shape_for(vocabulary), 0)
    games = play_games(SelfPlayJob(text, to_bytes(Studied(network, 1.0, 1.0)), 40, simulations=8, slots=32))
    assert games.count >= 40
