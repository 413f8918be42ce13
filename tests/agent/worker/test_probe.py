"""What a referee finds out of a game by playing it."""

from agent.gamemaster.games import bundled_game
from agent.worker.probe import MAX_FACTS, STEPS, sample
from reasoner import load


def test_games_are_played_from_the_beginning_to_their_ends_and_again():
    machine = load(bundled_game("ticTacToe").text, engine="relational")
    seen = sample(machine, 1)
    begun = [facts for joint, facts in seen.positions if not joint]
    assert len(begun) > 1
    assert all(facts == begun[0] for facts in begun)
    assert len(seen.positions) <= STEPS
    assert sum(len(facts) for _, facts in seen.positions) <= MAX_FACTS


def test_a_clock_that_has_run_down_leaves_what_was_seen():
    times = iter(range(1000))
    machine = load(bundled_game("ticTacToe").text, engine="relational")
    assert sample(machine, 1, clock=lambda: float(next(times))).positions == []
