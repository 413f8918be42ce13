"""Lanes that prefer moves make legal ones: those that win, else those that meet a threat, else any."""

from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reasoner import load
from reasoner.lanes import play
from reasoner.lanes.lane_graph import LEGAL, PREFER
from reasoner.lanes.rows import LANES, WORDS, aligned
from tests.machines import built
from tests.shared import SHARED, needs_shared

GAMES = Path(__file__).parents[4] / "games"


def drawn_moves(machine, state):
    """What PREFER draws in all lanes for a state: per role how often each move; and whether it says that one wins."""
    program, code = machine.program, machine.program.code.load()
    lanes = play.lanes(program, code)
    values = aligned(code.rows)
    play.seed_generators(values, lanes.random, 7)
    held = machine.facts(state)
    bits = np.array([fact in held for fact in machine.circuit.bases], np.uint8)
    play.load(values, bits, np.full(WORDS, play.ALL))
    play.section(values, lanes, LEGAL)
    play.section(values, lanes, PREFER)
    rows = values.reshape(-1, WORDS)
    counts = [int(np.bitwise_count(rows[1 + lanes.bases + move]).sum()) for move in range(lanes.moves)]
    won = rows[lanes.won >> 1, 0] ^ (play.ALL if lanes.won & 1 else play.ZERO)
    edges = np.cumsum([0, *map(len, machine.circuit.moves)]).tolist()
    its = zip(machine.circuit.moves, edges, strict=False)
    return [dict(zip(own, counts[start : start + len(own)], strict=True)) for own, start in its], bool(won & play.ONE)


def agree(machine, seed, steps=40):
    """Follow a random game and hold what is drawn against what the rules say."""
    random, state = Random(seed), machine.initial()
    best = [
        max(int(value) for who, value, _ in machine.circuit.goals if who == role) for role in range(len(machine.roles))
    ]
    while not machine.terminal(state) and steps:
        legal = machine.legal(state)
        counts, won = drawn_moves(machine, state)
        for role, own in enumerate(legal):
            made = {move for move, count in counts[role].items() if count}
            assert made <= set(own)
            assert sum(counts[role].values()) == LANES
        choosing = [role for role, own in enumerate(legal) if len(own) > 1]
        if len(choosing) == 1:
            winning = set(winning_moves(machine, state, choosing[0], best))
            assert won == bool(winning)
            if winning:
                made = {move for move, count in counts[choosing[0]].items() if count}
                assert made == winning
        state, steps = machine.next(state, [random.choice(own) for own in legal]), steps - 1


def winning_moves(machine, state, role, best):
    legal = machine.legal(state)
    for move in legal[role]:
        joint = [own[0] for own in legal]
        joint[role] = move
        following = machine.next(state, joint)
        if machine.terminal(following) and machine.goal(following)[role] == best[role]:
            yield move


@pytest.mark.parametrize("name", ["ticTacToe", "connectFour", "breakthrough"])
def test_moves_are_legal_and_win_where_one_can(name):
    machine = built(GAMES / f"{name}.kif")
    assert machine.program.decisive
    for seed in range(3):
        agree(machine, seed)


class Twin:
    """What lanes should draw where both roles have the same moves, each with the same place: by another engine."""

    def __init__(self, game):
        self.game = game

    def wins(self, state, role):
        """The moves that win at once for a role whose turn it is."""
        legal = self.game.legal(state)
        for move in legal[role]:
            following = self.game.next(state, [move if r == role else own[0] for r, own in enumerate(legal)])
            if self.game.terminal(following) and self.game.goal(following)[role] == 100:
                yield move

    def passed(self, state):
        """The same position, with the other to move."""
        one, other = (f"(control {name})" for name in self.game.roles)
        swap = {one: other, other: one}
        return self.game.state([swap.get(fact, fact) for fact in map(str, self.game.facts(state))])

    def preferred(self, state, role):
        """Moves that win, else those that take the place with which the other would win, else all; and which it is."""
        if own := set(self.wins(state, role)):
            return own, "win"
        if threats := set(self.wins(self.passed(state), 1 - role)):
            return threats, "defence"
        return set(self.game.legal(state)[role]), "any"

    def states(self, seed, most=30):
        """Of random play, with who is to move, where that is a choice."""
        random, state = Random(seed), self.game.initial()
        while not self.game.terminal(state) and most:
            legal = self.game.legal(state)
            if choosing := [role for role, own in enumerate(legal) if len(own) > 1]:
                yield state, choosing[0]
            state, most = self.game.next(state, [random.choice(own) for own in legal]), most - 1


@pytest.fixture(scope="module", params=["ticTacToe", "connectFour"])
def twins(request):
    path = GAMES / f"{request.param}.kif"
    return Twin(load(path, engine="relational")), built(path)


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 2**32 - 1))
def test_lanes_draw_winning_moves_else_defences_else_any_as_a_twin_finds_them(twins, seed):
    twin, machine = twins
    for state, role in twin.states(seed):
        wanted, _ = twin.preferred(state, role)
        counts, _ = drawn_moves(machine, machine.state(twin.game.facts(state)))
        assert {move for move, count in counts[role].items() if count} == wanted


def test_the_twin_sees_wins_and_defences_and_neither(twins):
    """Else the test above would hold nothing."""
    twin, _ = twins
    seen = {twin.preferred(state, role)[1] for seed in range(3) for state, role in twin.states(seed)}
    assert seen == {"win", "defence", "any"}


@pytest.mark.long  # larger games
@needs_shared
@pytest.mark.parametrize("name", ["pentago", "cephalopodMicro", "3pConnectFour"])
def test_shared_games_with_phases_slots_and_several_roles_agree(name):
    machine = load(SHARED / "games" / f"{name}.kif", engine="circuit")
    assert machine.program.decisive
    for seed in range(2):
        agree(machine, seed, steps=80)
