"""Many games at once are the games that the machine plays one by one."""

from pathlib import Path

import numpy as np
import pytest

from reasoner import load
from reasoner.batch import STAY, Batch
from reasoner.compilation import BuildLimits
from reasoner.errors import IllegalMoveError, StateError
from reasoner.lanes.emitters import EMITTERS, why_not
from tests.machines import built

GAMES = Path(__file__).parents[3] / "games"
NAMES = ("ticTacToe", "diceRace", "jointTicTacToe", "trio", "hanoi", "goofspiel", "lightCycles")
"""Of two roles in turn, with chance, of two at once, of three, of one."""


@pytest.fixture(scope="module")
def machines():
    return {name: built(GAMES / f"{name}.kif") for name in NAMES}


def assert_shows(batch, machine, game):
    """A batch reports of each of its games what the relational machine computes for its state."""
    state = batch.states[game].tobytes()
    twin = machine.relational
    seen = twin.state(machine.facts(state))
    facts = {fact for fact, true in zip(batch.facts, batch.observation[game], strict=True) if true}
    assert facts | set(machine.circuit.always) == twin.facts(seen)
    for own, legal, recorded in zip(batch.moves, batch.legal, twin.legal(seen), strict=True):
        assert tuple(own[i] for i in np.flatnonzero(legal[game])) == recorded
    assert tuple(None if goal < 0 else goal for goal in batch.values()[game].tolist()) == twin.goal(seen)


@pytest.mark.parametrize("name", NAMES)
def test_random_play_is_legal_and_leads_where_the_rules_lead(machines, name):
    machine = machines[name]
    twin = machine.relational
    played = Batch(machine, 3, seed=1).rollout(25)
    for game in range(3):
        state = twin.initial()
        for step in range(25):
            here = played.states[step, game].tobytes()
            assert machine.facts(here) == twin.facts(state)
            joint = [own[move] for own, move in zip(machine.circuit.moves, played.moves[step, game], strict=True)]
            state = twin.next(state, joint)  # raises on what is not legal
            assert played.terminal[step, game] == twin.terminal(state)
            assert played.ended[step, game] == (twin.terminal(state) or not all(twin.legal(state)))
            if played.ended[step, game]:
                assert tuple(None if g < 0 else g for g in played.goals[step, game].tolist()) == twin.goal(state)
                state = twin.initial()


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("games", [1, 65, 513])
def test_every_game_of_a_batch_is_shown_as_the_rules_have_it(machines, name, games):
    batch = Batch(machines[name], games, seed=2)
    rng = np.random.default_rng(3)
    for _ in range(7):
        chosen = [(rng.random(legal.shape) * legal).argmax(1) for legal in batch.legal]
        batch.step(np.stack(chosen, 1))
    for game in {0, games // 2, games - 1}:
        assert_shows(batch, machines[name], game)


def test_a_seed_gives_the_same_games_however_many_threads_there_are(machines):
    one, several = (Batch(machines["ticTacToe"], 2000, seed=5, threads=threads) for threads in (1, 3))
    for _ in range(9):
        for batch in (one, several):
            batch.step(np.full((2000, 2), -1))
        assert np.array_equal(one.states, several.states)
        assert np.array_equal(one.goals, several.goals)
    a, b = one.rollout(20), several.rollout(20)
    assert np.array_equal(a.moves, b.moves)
    assert np.array_equal(a.goals, b.goals)
    assert not np.array_equal(Batch(machines["ticTacToe"], 2000, seed=6).rollout(20).moves, a.moves)


def test_a_move_given_is_made_where_another_role_draws(machines):
    batch = Batch(machines["jointTicTacToe"], 600, seed=1)
    mine = np.flatnonzero(batch.legal[0][0])[2]
    actions = np.full((600, 2), -1)
    actions[::2, 0] = mine
    batch.step(actions)
    marks = {str(fact): column for column, fact in enumerate(batch.facts)}
    changed = batch.observation != Batch(machines["jointTicTacToe"], 600).observation
    assert len(np.unique(batch.hashes()[::2])) < len(np.unique(batch.hashes())) <= len(marks) ** 2
    assert changed.any(axis=1).all()


def test_a_game_that_is_to_stay_stays_while_others_continue(machines):
    batch = Batch(machines["jointTicTacToe"], 600, seed=1)
    before = batch.states.copy()
    actions = np.full((600, 2), -1)
    actions[::3, 1] = STAY
    batch.step(actions)
    stayed = (batch.states == before).all(axis=1)
    assert stayed[::3].all()
    assert stayed.sum() == 200


@pytest.mark.parametrize("again", [True, False])
def test_a_game_that_is_over_restarts_or_waits_for_reset(machines, again):
    machine = machines["ticTacToe"]
    batch = Batch(machine, 700, seed=1, again=again)
    while not batch.ended.any():
        batch.step(np.full((700, 2), -1))
    over = batch.ended.copy()
    assert (batch.goals[over].sum(axis=1) == 100).all()
    assert (batch.goals[~over] == -1).all()
    first = np.frombuffer(machine.initial(), np.uint8)
    assert (batch.states[over] == first).all() == again
    kept = batch.states[over].copy()
    batch.step(np.full((700, 2), -1))
    assert np.array_equal(batch.states[over], kept) != again
    if not again:
        assert batch.ended[over].all()
        batch.reset(over)
        assert (batch.states[over] == first).all()
        assert not batch.ended[over].any()


def test_a_wrong_action_is_reported_with_its_game_and_the_legal_moves_and_no_game_is_stepped(machines):
    batch = Batch(machines["ticTacToe"], 600)
    actions = np.full((600, 2), -1)
    actions[555] = [3, 3]
    before = batch.states.copy()
    with pytest.raises(
        IllegalMoveError, match=r"game 555: action 3 \(\S.*\) is not a legal move of nought; legal: \d+ noop"
    ):
        batch.step(actions)
    assert np.array_equal(batch.states, before)
    actions[555] = [-1, 1_000]
    with pytest.raises(IllegalMoveError, match="game 555: action 1000 is not a legal move of nought"):
        batch.step(actions)


@pytest.mark.parametrize("action", [2**32, 2**32 - 1, np.uint64(2**64 - 1)])
@pytest.mark.parametrize("wrong", ["raise", "random"])
def test_an_action_that_does_not_fit_is_not_cut_to_another_one(machines, action, wrong):
    """The low bits of these numbers are the legal action 0 or the -1 of a random move."""
    batch = Batch(machines["ticTacToe"], 2, wrong=wrong)
    before = batch.states.copy()
    actions = np.array([[0, 9], [action, 9]], type(action) if isinstance(action, np.uint64) else np.int64)
    if wrong == "random":
        batch.step(actions)
        assert not np.array_equal(batch.states, before)
        return
    with pytest.raises(IllegalMoveError, match=f"game 1: action {action} is not a legal move of cross"):
        batch.step(actions)
    assert np.array_equal(batch.states, before)


@pytest.mark.parametrize("action", [0.9, float("nan"), -1.0, True])
def test_an_action_of_another_type_is_refused(machines, action):
    """Cut to an integer, 0.9 would play the action 0."""
    batch = Batch(machines["hanoi"], 2)
    before = batch.states.copy()
    with pytest.raises(IllegalMoveError, match=r"actions must be integers, not (float64|bool)"):
        batch.step(np.full((2, 1), action))
    assert np.array_equal(batch.states, before)


def test_a_wrong_action_is_replaced_where_that_is_wanted(machines):
    batch = Batch(machines["ticTacToe"], 600, seed=1, wrong="random")
    actions = np.full((600, 2), 77)
    batch.step(actions)
    assert (actions == 77).all()
    assert (batch.states != Batch(machines["ticTacToe"], 1).states).any(axis=1).all()


def test_states_are_set_copied_and_hashed(machines):
    machine = machines["ticTacToe"]
    batch = Batch(machine, 600, seed=1)
    for _ in range(3):
        batch.step(np.full((600, 2), -1))
    states, hashes = batch.states.copy(), batch.hashes()
    assert len(np.unique(hashes)) == len(np.unique(states, axis=0))
    other = Batch(machine, 600, seed=9)
    other.put(states)
    assert np.array_equal(other.states, states)
    assert np.array_equal(other.hashes(), hashes)
    other.put([machine.initial()], [7])
    assert other.states[7].tobytes() == machine.initial()
    assert np.array_equal(other.states[8:], states[8:])
    other.put(states[[3, 5]], [5, 3])
    assert np.array_equal(other.states[[5, 3]], states[[3, 5]])
    twin = batch.copy()
    for each in (batch, twin):
        each.step(np.full((600, 2), -1))
    assert np.array_equal(batch.states, twin.states)
    assert not np.array_equal(batch.states, states)


def test_a_state_that_is_over_is_seen_when_it_is_set(machines):
    machine = machines["ticTacToe"]
    marks = [f"(cell {r} {c} {'x' if r == 1 else 'b'})" for r in (1, 2, 3) for c in (1, 2, 3)]
    over = machine.state([*marks, "(control nought)"])
    batch = Batch(machine, 2, again=False)
    batch.put([over], [1])
    assert batch.ended.tolist() == [False, True]
    assert batch.goals.tolist() == [[-1, -1], [100, 0]]


def test_games_begin_with_the_state_that_is_given(machines):
    machine = machines["ticTacToe"]
    state = machine.next(machine.initial(), ["(mark 2 2)", "noop"])
    batch = Batch(machine, 5, seed=1, start=state)
    assert {row.tobytes() for row in batch.states} == {state}
    while not batch.ended.any():
        batch.step(np.full((5, 2), -1))
    assert {row.tobytes() for row in batch.states[batch.ended]} == {state}


@pytest.mark.parametrize("name", NAMES)
def test_games_are_played_to_their_ends(machines, name):
    batch = Batch(machines[name], 700, seed=1, again=False)
    batch.step(np.full((700, len(batch.roles)), -1))
    batch.finish()
    assert batch.ended.all()
    assert np.array_equal(batch.goals, batch.values())
    for game in (0, 699):
        assert machines[name].terminal(batch.states[game].tobytes())


@pytest.mark.parametrize("emitter", EMITTERS)
@pytest.mark.parametrize("name", ["ticTacToe", "diceRace"])
def test_a_game_begun_again_continues_like_one_that_was_put_there(name, emitter):
    """Its lanes are not evaluated again: they get what that came to once."""
    if reason := why_not(emitter):
        pytest.skip(reason)
    machine = load(GAMES / f"{name}.kif", "circuit", BuildLimits(emitter=emitter))
    batch, begun = Batch(machine, 600, seed=3), False
    for _ in range(40):
        batch.step(np.full((600, len(batch.roles)), -1))
        begun |= batch.ended.any()
        other = Batch(machine, 600, again=False)
        other.put(batch.states)
        assert all(map(np.array_equal, batch.legal, other.legal))
        moves = np.stack([legal.argmax(1) for legal in batch.legal], 1)
        twin = batch.copy()
        for each in (twin, other):
            each.step(moves)
        going = ~twin.ended
        assert np.array_equal(twin.states[going], other.states[going])
        assert np.array_equal(twin.goals, other.goals)
    assert begun


def test_outcomes_give_every_position_the_end_of_its_game(machines):
    played = Batch(machines["ticTacToe"], 40, seed=1).rollout(30)
    outcomes = played.outcomes()
    for game in range(40):
        ends = np.flatnonzero(played.ended[:, game])
        for step in range(30):
            after = ends[ends >= step]
            expected = played.goals[after[0], game].tolist() if len(after) else [-1, -1]
            assert outcomes[step, game].tolist() == expected
    assert played.bits().shape == (30, 40, played.facts)


def test_numpy_hands_the_arrays_on_without_a_copy(machines):
    batch = Batch(machines["ticTacToe"], 100)
    for array in (batch.observation, *batch.legal, batch.ended, batch.goals):
        assert np.shares_memory(np.from_dlpack(array), array)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (lambda m: Batch(m.relational, 3), "a Batch needs a machine with a circuit"),
        (lambda m: Batch(m, 3).step([[0, 0]]), "must be \\(games, roles\\), \\(3, 2\\)"),
        (lambda m: Batch(m, 3).put([m.initial()]), "1 states for 3 games"),
        (lambda m: Batch(m, 3, start=m.state(["(cell 1 1 x)", "(cell 1 1 o)"])), "cannot represent this state"),
        (lambda m: Batch(m, 3, start=m.initial() + b"\0"), "not a state of this machine: it has 5 bytes instead of 4"),
    ],
)
def test_impossible_arguments_are_refused_with_a_reason(machines, given, message):
    with pytest.raises(StateError, match=message):
        given(machines["ticTacToe"])


def test_an_empty_list_selects_no_game():
    """An empty list of indices, as a filter may leave it, is neither an error nor all games."""
    batch = Batch(built(GAMES / "ticTacToe.kif"), 3)
    batch.step(np.full(batch.goals.shape, -1))
    before = batch.states.copy()
    batch.reset([])
    batch.put(before[:0], [])
    assert np.array_equal(batch.states, before)
