"""Self-play brings home whole games, as they were played."""

from __future__ import annotations

import numpy as np
import pytest

from reasoner.batch import Batch
from reasoner.rules.chance import is_chance
from search.errors import StudyError
from search.network.storage import Model, to_bytes
from search.study.probe import probe
from search.study.selfplay import SelfPlay, SelfPlayJob, _filled_in, machine_of, play_games
from search.study.vocabulary import numbering
from tests.search.study.games import rules, untrained

pytestmark = pytest.mark.long  # self-play on kernels that only studies need


def job(name="ticTacToe", **given):
    return SelfPlayJob(rules(name), None, **{"games": 12, "simulations": 8, **given})


@pytest.mark.parametrize("name", ["ticTacToe", "trio", "goofspiel", "diceRace", "lightsOut"])
def test_every_position_is_one_that_play_reaches_with_its_legal_moves_and_result(name):
    machine, games = machine_of(rules(name)), play_games(job(name))
    own = numbering(Batch(machine, 1))
    assert games.count >= 12
    for number in np.unique(games.game):
        rows = np.flatnonzero(games.game == number)
        assert (np.diff(games.ply[rows]) > 0).all()
        assert len(np.unique(games.results[rows], axis=0)) == 1
    assert ((games.values >= 0) & (games.values <= 1)).all()
    for row in range(0, len(games), 5):
        bits = np.unpackbits(games.observations[row], count=len(own.vocabulary.facts))
        facts = [fact for fact, bit in zip(own.vocabulary.facts, bits, strict=True) if bit]
        state = machine.state(facts)
        for role, shares in enumerate(games.policies):
            first, end = shares.starts[row], shares.starts[row + 1]
            moves = {str(own.vocabulary.moves[role][move]) for move in shares.moves[first:end]}
            legal = {str(move) for move in machine.legal(state)[role]}
            chooses = len(legal) > 1 and not is_chance(machine.roles[role])
            assert moves == (legal if chooses else set())
            assert not moves or np.isclose(shares.shares[first:end].sum(), 1, atol=1e-2)


def test_a_seed_gives_the_same_games():
    machine = machine_of(rules("ticTacToe"))
    first, second, other = (SelfPlay(machine).play(job(seed=seed)) for seed in (4, 4, 5))
    assert first.to_bytes() == second.to_bytes()
    assert first.to_bytes() != other.to_bytes()


def test_games_in_progress_continue_in_the_next_job_and_begin_anew_if_their_openings_would_differ():
    player, alone = (SelfPlay(machine_of(rules("connectFour"))) for _ in range(2))
    player.play(job("connectFour", games=60, seed=1))
    going = [len(plies) for plies in player._plies]
    assert any(going)
    again = player.play(job("connectFour", games=1, seed=2))
    assert len(again) > 1
    player.play(job("connectFour", games=1, seed=3, opening=0))
    assert player.play(job("connectFour", games=40, seed=3, opening=0)).ply.min() == 0
    assert alone.play(job("connectFour", games=1, seed=2)).to_bytes() != again.to_bytes()


def test_the_first_games_of_a_process_begin_at_different_distances_from_their_ends():
    player = SelfPlay(machine_of(rules("connectFour")))
    ends = [player.play(job("connectFour", games=1, seed=seed)) for seed in range(2)]
    assert min(len(games) for games in ends) < 10
    assert sum(map(bool, player._plies)) > 0
    assert max(map(len, player._plies)) < 20


def test_a_network_in_its_stored_form_takes_part():
    vocabulary = numbering(Batch(machine_of(rules("ticTacToe")), 1)).vocabulary
    network = to_bytes(Model(untrained(vocabulary), 1.0, 1.0))
    games = play_games(SelfPlayJob(rules("ticTacToe"), network, 12, simulations=8))
    assert games.to_bytes() != play_games(job()).to_bytes()


def test_of_two_roles_that_share_all_points_one_value_tells_the_other():
    values = np.array([[0.25, np.nan], [np.nan, np.nan]], np.float32)
    assert _filled_in(values, np.array([[1, 0], [0, 1]], np.float32)).tolist() == [[0.25, 0.75], [0, 1]]
    assert _filled_in(values, np.array([[1, 1], [0, 1]], np.float32)).tolist() == [[0.25, 1], [0, 1]]


def test_games_that_are_all_given_up_are_an_empty_result():
    found = SelfPlay(machine_of(rules("ticTacToe"))).play(job(max_steps=1, games=2, early=0, opening=0))
    assert (len(found), found.count) == (0, 0)


@pytest.mark.parametrize(
    "moves",
    [
        "(legal a x) (legal b y)",  # forced
        "(legal a x) (legal a y) (<= (legal b z) (true never))",  # nobody can move
        "(legal a x) (legal b y) (role random) (legal random h) (legal random t)",
    ],
)
def test_rules_in_which_no_player_has_a_choice_are_refused(moves: str):
    text = f"(role a) (role b) (init s) {moves} (<= (next t) (true s)) (<= terminal (true t)) (goal a 0) (goal b 100)"
    with pytest.raises(StudyError, match="no player has a choice"):
        probe(machine_of(text))
