"""What the gates say of a move is what playing it shows."""

import warnings
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reasoner.circuit.decisive import decisive_moves
from reasoner.circuit.exclusive_pairs import exclusive_pairs
from reasoner.circuit.graph import FALSE
from reasoner.lanes.alternating_roles import take_turns
from reasoner.lanes.tactics.preferred_moves import in_turn
from tests.machines import built
from tests.shared import SHARED, needs_shared

GAMES = Path(__file__).parents[3] / "games"
BOARDS = ("ticTacToe", "connectFour", "breakthrough", "trio", "multipleTicTacToe")


class Gates:
    """A game, and what is known of its moves in a state."""

    def __init__(self, game):
        self.machine = built(game)
        circuit = self.circuit = self.machine.circuit
        turns = take_turns(circuit)
        exclusive = (*turns.exclusive, *exclusive_pairs(circuit))
        self.known = decisive_moves(circuit, in_turn(turns), lambda: exclusive, 500_000)
        self.best = [max(value for who, value, _ in circuit.goals.tolist() if who == role) for role in self.roles]
        self.number = [
            {move: start + i for i, move in enumerate(own)}
            for own, start in zip(circuit.moves, np.cumsum([0, *map(len, circuit.moves)]), strict=False)
        ]

    @property
    def roles(self):
        return range(len(self.machine.roles))

    def values(self, state):
        """The value of each node of the circuit and of the gates beyond it."""
        circuit, known = self.circuit, self.known
        held = self.machine.facts(state)
        bits = [False, *(fact in held for fact in circuit.bases), *[False] * len(circuit.legal)]
        operands = (np.concatenate((circuit.left, known.left)), np.concatenate((circuit.right, known.right)))
        for a, b in np.array(operands).T.tolist():
            bits.append((bits[a >> 1] ^ (a & 1)) and (bits[b >> 1] ^ (b & 1)))
        return bits

    def after(self, state, role, move):
        joint = [own[0] for own in self.machine.legal(state)]
        joint[role] = move
        return self.machine.next(state, joint)

    def wins(self, state, role, move):
        """Whether the move wins, by playing it; no other role has a choice."""
        following = self.after(state, role, move)
        return self.machine.terminal(following) and self.machine.goal(following)[role] == self.best[role]

    def loses(self, state, role, move):
        """Whether somebody else wins at once after the move."""
        following = self.after(state, role, move)
        if self.machine.terminal(following):
            return False
        others = [(other, own) for other, own in enumerate(self.machine.legal(following)) if other != role]
        return any(self.wins(following, other, answer) for other, own in others for answer in own)


def positions(gates, seed, most=60):
    """States of random play in which one role has a choice."""
    machine, random, state = gates.machine, Random(seed), gates.machine.initial()
    while not machine.terminal(state) and most:
        legal = machine.legal(state)
        choosing = [role for role, own in enumerate(legal) if len(own) > 1]
        if len(choosing) == 1:
            yield state, choosing[0], legal[choosing[0]]
        state, most = machine.next(state, [random.choice(own) for own in legal]), most - 1


@pytest.fixture(scope="module", params=BOARDS)
def gates(request):
    return Gates(GAMES / f"{request.param}.kif")


@settings(max_examples=5, deadline=None)
@given(seed=st.integers(0, 2**32 - 1))
def test_a_move_is_said_to_win_exactly_where_it_does(gates, seed):
    if gates.known is None:
        pytest.skip("no move of this game wins alone")
    for state, role, legal in positions(gates, seed):
        bits = gates.values(state)
        for move in legal:
            literal = int(gates.known.wins[gates.number[role][move]])
            assert (bits[literal >> 1] ^ (literal & 1)) == gates.wins(state, role, move)


@pytest.mark.parametrize("name", ["ticTacToe", "connectFour", "breakthrough"])
def test_where_another_threatens_to_win_no_move_but_a_defence_prevents_it(name):
    gates = Gates(GAMES / f"{name}.kif")
    met = 0
    for seed in range(4):
        for state, role, legal in positions(gates, seed):
            bits = gates.values(state)
            threats = [
                int(gates.known.wins[number]) for own in gates.number[1 - role : 2 - role] for number in own.values()
            ]
            if not any(bits[literal >> 1] ^ (literal & 1) for literal in threats):
                continue
            for move in legal:
                literal = int(gates.known.defends[gates.number[role][move]])
                if not bits[literal >> 1] ^ (literal & 1) and not gates.wins(state, role, move):
                    met += 1
                    assert gates.loses(state, role, move)
    assert met


FOUR = "(four ?player)"
NOT_BOTH = "(other ?player ?rival) (four ?player) (not (four ?rival))"
ABOVE = "(<= (next (cell ?column ?over b)) (above ?row ?over) (true (cell ?column ?row b)))"
"""Above an empty cell is another, which goes without saying; but so it seems that any move may empty a cell."""


@pytest.mark.parametrize("won", [FOUR, NOT_BOTH])
def test_in_connect_four_only_the_threatened_column_is_a_defence(won):
    rules = (GAMES / "connectFour.kif").read_text()
    goal = f"(<= (goal ?player 100)\n    {FOUR})"
    assert goal in rules
    gates, met = Gates(rules.replace(goal, goal.replace(FOUR, won))), 0
    for state, role, legal in (one for seed in range(3) for one in positions(gates, seed)):
        bits = gates.values(state)
        for move in legal:
            defence = int(gates.known.defends[gates.number[role][move]])
            threat = int(gates.known.wins[gates.number[1 - role][move]])
            assert (bits[defence >> 1] ^ (defence & 1)) == (bits[threat >> 1] ^ (threat & 1))
            met += bits[threat >> 1] ^ (threat & 1)
    assert met


def test_what_a_move_may_make_true_is_no_defence_against_its_being_true():
    gates, met = Gates((GAMES / "connectFour.kif").read_text() + ABOVE), 0
    for state, role, legal in (one for seed in range(3) for one in positions(gates, seed)):
        bits = gates.values(state)
        for move in legal:
            threat = int(gates.known.wins[gates.number[1 - role][move]])
            if bits[threat >> 1] ^ (threat & 1):
                defence = int(gates.known.defends[gates.number[role][move]])
                assert bits[defence >> 1] ^ (defence & 1)
                met += 1
    assert met


def test_a_goal_that_ends_the_game_is_asked_for_without_the_end():
    known = Gates(GAMES / "connectFour.kif").known
    assert len(known.left) < 1_200  # 6,642 with the end, and where a stone above or below was a defence


def test_what_depends_on_a_simultaneous_choice_is_not_said_to_win():
    gates = Gates(GAMES / "goofspiel.kif")
    assert gates.known is None or not gates.known.wins.any()


def test_gates_past_the_limit_are_not_made():
    circuit = built(GAMES / "connectFour.kif").circuit
    assert decisive_moves(circuit, [], tuple, 10) is None


@pytest.mark.long  # larger games
@needs_shared
@pytest.mark.parametrize("name", ["knightThrough", "3pConnectFour", "sheepAndWolf"])
def test_shared_games_agree_too(name):
    gates = Gates(SHARED / "games" / f"{name}.kif")
    for state, role, legal in positions(gates, 7):
        bits = gates.values(state)
        for move in legal:
            literal = int(gates.known.wins[gates.number[role][move]])
            assert (bits[literal >> 1] ^ (literal & 1)) == gates.wins(state, role, move)


def test_a_role_that_never_has_a_move_causes_no_warning_of_numpy():
    rules = """
    (role random) (role a) (role b) (init (s 2)) (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (init (c random))
    (legal random m0) (legal random (mv 1)) (<= (legal random noop) (not (true (c random))))
    (<= (legal a m0) (true (s 1))) (<= (legal b m0) (not (true (f))))
    (<= (next (f)) (does random (mv 1))) (<= (next (f)) (does b (mv 1))) (<= (next (h b ?m)) (does b ?m))
    (<= terminal (true (s 0))) (<= (goal random 0) (true (s 0))) (<= (goal random 25) (true (s 1)))
    (<= (goal random 50) (true (s 2))) (<= (goal random 75) (true (s 3))) (<= (goal random 100) (true (s 4)))
    (<= (goal a 100) (true (f))) (<= (goal a 0) (not (true (f))))
    (<= (goal b 100) (true (f))) (<= (goal b 0) (not (true (f))))
    """
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert len(Gates(rules).number[1]) == 0


DIAMONDS = """
(role r) (role s) (init (control r)) (kind x) (kind y) (kind z)
(<= (next (control s)) (true (control r))) (<= (next (control r)) (true (control s)))
(<= (legal ?r (set ?k ?i)) (true (control ?r)) (succ ?i ?j) (kind ?k))
(<= (legal ?r (step ?i)) (true (control ?r)) (t ?i))
(<= (legal ?r (left ?i)) (true (control ?r)) (a ?i)) (<= (legal ?r (right ?i)) (true (control ?r)) (b ?i))
(<= (legal ?r noop) (role ?r) (not (true (control ?r))))
(<= (next (on ?k ?i)) (does ?r (set ?k ?i))) (<= (next (on ?k ?i)) (true (on ?k ?i)))
(<= (t 0) (true (on z 0)))
(<= (goal r 100) (true (control s))) (<= (goal r 0) (true (control r)))
(<= (goal s 100) (true (control r))) (<= (goal s 0) (true (control s)))
"""
ANY = "(<= (a ?i) (t ?i)) (<= (a ?i) (true (on x ?i))) (<= (b ?i) (t ?i)) (<= (b ?i) (true (on y ?i)))"
ANY_AFTER = "(<= (t ?j) (succ ?i ?j) (a ?i)) (<= (t ?j) (succ ?i ?j) (b ?i))"
ALL = "(<= (a ?i) (t ?i) (not (true (on x ?i)))) (<= (b ?i) (t ?i) (not (true (on y ?i))))"
ALL_AFTER = "(<= (t ?j) (succ ?i ?j) (a ?i) (b ?i))"
LEVELS = 28


@pytest.mark.parametrize("rules", [ANY + ANY_AFTER, ALL + ALL_AFTER])
def test_each_condition_is_visited_once_however_many_paths_lead_to_it(rules):
    """The ends, and the moves, depend on chains of diamonds: 2 ** LEVELS paths, which no build would ever visit."""
    levels = " ".join(f"(succ {i} {i + 1})" for i in range(LEVELS))
    gates = Gates(f"{DIAMONDS} {rules} {levels} (<= terminal (t {LEVELS}))")
    for state, role, legal in positions(gates, seed=1, most=6):
        bits = gates.values(state)
        for move in legal:
            literal = int(gates.known.wins[gates.number[role][move]]) if gates.known is not None else FALSE
            assert (bits[literal >> 1] ^ (literal & 1)) <= gates.wins(state, role, move)
