"""The bundled games that people know, against what is known of them: how many games of some length there are.

Chess: perft results of the positions that chess programs are tested with (chessprogramming.org, Perft Results).
Checkers: perft of English draughts, in which a chain of jumps is one move. Reversi: 4, 12, 56, 244, 1396.
Amazons: 2,176 first turns. Kalah: counted by a small program below, which knows nothing of GDL.
"""

from __future__ import annotations

from itertools import product

import pytest

from agent.gamemaster.games import bundled_game
from tests.machines import built

pytestmark = pytest.mark.long  # counts of games at depth

BUILD_GATES = 60_000


@pytest.fixture
def machines():
    """Circuits of the games, by name."""
    return lambda name: built(bundled_game(name).text)


def perft(machine, state, depth):
    """The number of sequences of joint moves."""
    if machine.terminal(state):
        return 0
    joints = list(product(*machine.legal(state)))
    return len(joints) if depth == 1 else sum(perft(machine, machine.next(state, joint), depth - 1) for joint in joints)


def turns(machine, state, depth):
    """The number of sequences of turns: what a player does until the other is to move counts once."""
    if depth == 0:
        return 1
    if machine.terminal(state):
        return 0

    def mover(state):
        return next(str(fact) for fact in machine.facts(state) if str(fact).startswith("(control"))

    total = 0
    for joint in product(*machine.legal(state)):
        after = machine.next(state, joint)
        total += turns(machine, after, depth - (mover(after) != mover(state)))
    return total


@pytest.mark.parametrize("name", ["chess", "checkers", "reversi", "hex", "fiveInARow", "mancala", "amazons"])
def test_it_has_a_circuit_of_some_ten_thousand_gates(machines, name):
    machine = machines(name)
    assert machine.engine == "circuit"
    assert machine.sizes.gates < BUILD_GATES


def test_reversi_has_as_many_games_as_are_known(machines):
    machine = machines("reversi")
    assert [perft(machine, machine.initial(), depth) for depth in range(1, 6)] == [4, 12, 56, 244, 1396]


def test_checkers_has_as_many_games_as_are_known(machines):
    machine = machines("checkers")
    assert [turns(machine, machine.initial(), depth) for depth in range(1, 6)] == [7, 49, 302, 1469, 7361]


def test_amazons_has_as_many_first_turns_as_are_known(machines):
    machine = machines("amazons")
    assert [perft(machine, machine.initial(), depth) for depth in (1, 2)] == [80, 2176]


def test_hex_and_five_in_a_row_begin_with_any_cell(machines):
    assert perft(machines("hex"), machines("hex").initial(), 2) == 81 * 80
    assert perft(machines("fiveInARow"), machines("fiveInARow").initial(), 2) == 169 * 168


START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"
POSITIONS = {
    START: [20, 400, 8902],
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -": [48, 2039],
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - -": [14, 191, 2812, 43238],
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq -": [6, 264, 9467],
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ -": [44, 1486],
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - -": [46, 2079],
    "8/8/8/2k5/2pP4/8/B7/4K3 b - d3": [8],  # in passing would uncover a check on the slanted line
    "8/8/8/8/k1pP3R/8/8/4K3 b - d3": [6],  # in passing would take both pawns off the row
}
SIDES = {"K": "white short", "Q": "white long", "k": "black short", "q": "black long"}


def position(machine, fen):
    """The state that a chess position in Forsyth-Edwards notation names."""
    board, mover, castling, passing = fen.split()
    facts = ["(quiet 0)", f"(control {'white' if mover == 'w' else 'black'})"]
    facts += [f"(may_castle {SIDES[right]})" for right in castling if right in SIDES]
    facts += [f"(passing {passing[0]} {passing[1]})"] if passing != "-" else []
    for row, line in zip("87654321", board.split("/"), strict=True):
        cells = [piece for letter in line for piece in ([""] * int(letter) if letter.isdigit() else [letter])]
        for column, piece in zip("abcdefgh", cells, strict=True):
            colour = "w" if piece.isupper() else "b"
            facts.append(f"(cell {column} {row} {colour + piece.lower() if piece else 'empty'})")
    return machine.state(facts)


@pytest.mark.parametrize("fen", POSITIONS)
def test_chess_has_as_many_games_as_are_known(machines, fen):
    machine, counts = machines("chess"), POSITIONS[fen]
    state = position(machine, fen)
    assert [perft(machine, state, depth) for depth in range(1, len(counts) + 1)] == counts


def test_the_first_chess_position_is_the_initial_state(machines):
    machine = machines("chess")
    assert machine.facts(position(machine, START)) == machine.facts(machine.initial())


@pytest.mark.parametrize(
    ("fen", "goals"),
    [
        ("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq -", (0, 100)),  # the fool's mate
        ("7k/5Q2/6K1/8/8/8/8/8 b - -", (50, 50)),  # stalemate
    ],
)
def test_mate_wins_and_stalemate_draws(machines, fen, goals):
    machine = machines("chess")
    state = position(machine, fen)
    assert machine.terminal(state)
    assert machine.goal(state) == goals


def kalah(depth, pits=(4,) * 6, rival=(4,) * 6):
    """The number of sequences of `depth` moves: the player's six pits, the rival's, each in the order of sowing."""
    if not any(pits) or not any(rival):
        return 0
    total = 0
    for chosen in (place for place in range(6) if pits[place]):
        places = [*pits, 0, *rival]
        seeds, places[chosen], at = places[chosen], 0, chosen
        for _ in range(seeds):
            at = (at + 1) % 13
            places[at] += 1
        if at < 6 and places[at] == 1 and places[12 - at]:
            places[at] = places[12 - at] = 0
        own, other = tuple(places[:6]), tuple(places[7:])
        total += 1 if depth == 1 else kalah(depth - 1, own, other) if at == 6 else kalah(depth - 1, other, own)
    return total


def test_mancala_has_as_many_games_as_a_small_program_counts(machines):
    machine = machines("mancala")
    for depth in range(1, 7):
        assert perft(machine, machine.initial(), depth) == kalah(depth)


def test_no_seed_of_mancala_is_ever_lost(machines):
    import random

    machine, chance = machines("mancala"), random.Random(3)
    for _ in range(30):
        state = machine.initial()
        while not machine.terminal(state):
            state = machine.next(state, [chance.choice(moves) for moves in machine.legal(state)])
            words = [str(fact).strip("()").split() for fact in machine.facts(state)]
            assert sum(int(word[-1]) for word in words if word[0] in ("cell", "store")) == 48
