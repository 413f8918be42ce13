"""The bundled compound games in infix, the notation of the chapter that describes them, are the same games."""

from random import Random

import pytest

from agent.cli.check import faults
from agent.gamemaster.games import BUNDLED, bundled_game, read_game
from reasoner import load

SHEETS = sorted((BUNDLED / "infix").glob("*.gdl"))


def test_every_compound_game_is_there():
    buttons = {f"{name}Buttons" for name in ("all", "best", "fused", "joint", "multiple")}
    assert {path.stem for path in SHEETS} == {*buttons, "hodgepodge", "jointTicTacToe", "multipleTicTacToe"}


@pytest.mark.parametrize("path", SHEETS, ids=lambda path: path.stem)
def test_both_notations_have_the_same_states_moves_and_goals(path):
    infix, kif = (load(text, engine="relational") for text in (read_game(path).text, bundled_game(path.stem).text))
    assert infix.roles == kif.roles
    rng = Random(1)
    for _ in range(4):
        states = (infix.initial(), kif.initial())
        while True:
            assert infix.facts(states[0]) == kif.facts(states[1])
            assert infix.goal(states[0]) == kif.goal(states[1])
            assert infix.terminal(states[0]) == kif.terminal(states[1])
            if infix.terminal(states[0]):
                break
            legal = infix.legal(states[0])
            assert list(map(set, legal)) == list(map(set, kif.legal(states[1])))
            joint = [rng.choice(moves) for moves in legal]
            states = (infix.next(states[0], joint), kif.next(states[1], joint))


@pytest.mark.parametrize("path", SHEETS, ids=lambda path: path.stem)
def test_it_has_no_faults(path):
    assert faults(read_game(path).text) == ()
