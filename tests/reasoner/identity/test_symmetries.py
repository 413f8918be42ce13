"""Symmetries of play: each maps positions, moves, goals and successors to those of the image."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import islice, product

import pytest

from agent.gamemaster.games import bundled, find_game
from reasoner.identity import Symmetries, symmetries
from reasoner.identity.symmetries import automorphisms
from reasoner.language.terms import Compound, Constant, Term
from reasoner.relational.machine import RelationalMachine
from reasoner.rules.domains import Domain, domains
from reasoner.rules.program import Program
from reasoner.rules.read import read_program
from tests.shared import SHARED, needs_shared

PUBLIC = (
    "breakthroughSmall",
    "chineseCheckers3",
    "ticTacToe",
    "pegEuro",
    "tictactoe_3player",
    "atariGo_7x7",
    "connectFour",
    "knightThrough",
    "3pConnectFour",
    "connectFourSimultaneous",
)

MOST = 20_000
"""Facts or moves of a game that is checked."""


def vocabulary(program: Program) -> tuple[list[Term], list[list[Term]]]:
    """The facts, and each role's moves, that the domains leave possible."""
    known = domains(program)
    facts = list(islice(_members(known["true", 1][0]), MOST))
    moves = list(islice(_members(known["does", 2][1]), MOST))
    return facts, [moves for _ in program.roles]


def _members(domain: Domain) -> Iterator[Term]:
    yield from map(Constant, sorted(domain.constants))
    for (functor, _), parts in sorted(domain.functions.items()):
        for arguments in product(*map(list, map(_members, parts))):
            yield Compound(functor, arguments)


def found_in(text: str, most: int = 16) -> tuple[Program, list[Term], list[list[Term]], Symmetries]:
    program = read_program(text)[0]
    facts, moves = vocabulary(program)
    return program, facts, moves, symmetries(program, facts, moves, most)


def counted(name: str) -> int:
    return len(found_in(find_game(name).text)[3])


def check(text: str, steps: int = 6) -> int:
    """Play at random, and hold every symmetry against the machine at each position; the number of symmetries."""
    program, facts, moves, found = found_in(text, 8)
    machine = RelationalMachine(program)
    places = {str(fact): number for number, fact in enumerate(facts)}
    numbers = [{str(move): number for number, move in enumerate(own)} for own in moves]
    rng = random.Random(2)
    state = machine.initial()
    for _ in range(steps if len(found) > 1 else 0):
        joint = [rng.choice(legal) for legal in machine.legal(state)]
        after = machine.next(state, joint)
        for s in range(len(found)):
            _hold(machine, found, s, (state, joint, after), facts, moves, (places, numbers))
        state = after
        if machine.terminal(state):
            break
    return len(found)


def _hold(machine, found, s, step, facts, moves, lookup) -> None:
    state, joint, after = step
    places, numbers = lookup
    roles = range(len(joint))

    def image(position):
        return machine.state([facts[found.facts[s, places[str(f)]]] for f in machine.facts(position)])

    def moved(role: int, move: str) -> str:
        return str(moves[role][found.moves[role][s, numbers[role][str(move)]]])

    seen = image(state)
    legal = machine.legal(seen)
    turned: list[str] = [""] * len(joint)
    for role in roles:
        other = found.roles[s, role]
        assert {moved(role, m) for m in machine.legal(state)[role]} == set(map(str, legal[other]))
        turned[other] = moved(role, joint[role])
    assert set(map(str, machine.facts(machine.next(seen, turned)))) == set(map(str, machine.facts(image(after))))
    assert machine.terminal(image(after)) == machine.terminal(after)
    goals, others = machine.goal(after), machine.goal(image(after))
    assert [others[found.roles[s, role]] for role in roles] == list(goals)


@pytest.mark.parametrize("name", bundled())
def test_symmetries_of_a_bundled_game_hold_at_every_position_of_a_random_game(name: str):
    if name not in ("chess", "mancala"):  # their domains are wide
        check(find_game(name).text)


@pytest.mark.long  # public games
@needs_shared
@pytest.mark.parametrize("name", PUBLIC)
def test_symmetries_of_a_public_game_hold_at_every_position_of_a_random_game(name: str):
    assert SHARED
    assert check((SHARED / "games" / f"{name}.kif").read_text(encoding="utf-8")) > 1


def test_tic_tac_toe_has_those_of_the_square_with_and_without_exchanged_roles():
    """A reflection of columns alone is none of names, as rows have the same numbers, but one of sorts."""
    _, _, _, found = found_in(find_game("ticTacToe").text)
    assert len(found) == 16
    assert sorted(found.roles[:, 0].tolist()) == [0] * 8 + [1] * 8


def test_breakthrough_is_reflected_by_columns_although_rows_and_columns_share_succ():
    _, facts, _, found = found_in(find_game("breakthrough").text)
    places = {str(fact): number for number, fact in enumerate(facts)}
    images = {str(facts[found.facts[s, places["(cell 2 1 white)"]]]) for s in range(len(found))}
    assert images == {"(cell 2 1 white)", "(cell 5 1 white)", "(cell 2 6 black)", "(cell 5 6 black)"}


def test_the_roles_of_breakthrough_are_symmetric_although_one_begins():
    _, _, _, found = found_in(find_game("breakthrough").text)
    assert {tuple(roles) for roles in found.roles.tolist()} == {(0, 1), (1, 0)}


def test_no_more_symmetries_are_given_than_asked_for():
    assert len(found_in(find_game("ticTacToe").text, 5)[3]) == 5


def test_a_symmetry_that_leads_out_of_the_given_facts_is_left_out():
    program = read_program(find_game("ticTacToe").text)[0]
    facts, moves = vocabulary(program)
    corner = next(fact for fact in facts if str(fact) == "(cell 1 1 x)")
    assert len(symmetries(program, [fact for fact in facts if fact != corner], moves)) < 16
    counters = [fact for fact in facts if "control" not in str(fact)]
    assert len(symmetries(program, counters, moves)) == 16


def test_past_the_search_limit_only_the_symmetries_found_are_returned():
    program = read_program(find_game("ticTacToe").text)[0]
    assert list(automorphisms(program, work=10)) == []
    facts, moves = vocabulary(program)
    assert len(symmetries(program, facts, moves, work=10)) == 1
