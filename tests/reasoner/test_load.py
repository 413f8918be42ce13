"""`reasoner.load` chooses the engine, and says clearly what it cannot load."""

import copy
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

import reasoner
from reasoner import load, load_text
from reasoner.compilation import BuildLimits
from reasoner.errors import LimitError, RulesError
from reasoner.language.bundled import bundled_sheets

GAMES = Path(__file__).parents[2] / "games"
ENDLESS = """(role r) (init (p 0)) (legal r go) (goal r 100) (<= terminal (true (p (s 0))))
(<= (next (p (s ?x))) (true (p ?x)))"""
QUICK = BuildLimits(seconds=0.5)


def test_a_game_that_grounds_is_compiled():
    assert load(GAMES / "ticTacToe.kif").engine == "circuit"


def test_text_is_loaded_like_a_file():
    path = GAMES / "ticTacToe.kif"
    assert load(path.read_text(), engine="relational").roles == load(path, engine="relational").roles


def test_a_game_that_does_not_ground_is_played_relationally():
    machine = load(ENDLESS, limits=QUICK)
    assert machine.engine == "relational"
    assert machine.terminal(machine.next(machine.initial(), ["go"]))


def test_a_requested_circuit_that_cannot_be_built_raises():
    with pytest.raises(LimitError):
        load(ENDLESS, engine="circuit", limits=QUICK)


@pytest.mark.parametrize(
    "limits",
    [
        {"seconds": None},
        {"seconds": float("nan")},
        {"seconds": 0},
        {"memory_mb": -1},
        {"memory_mb": 0.5},
        {"gates": "9"},
    ],
)
def test_limits_that_are_no_positive_numbers_are_refused(limits):
    with pytest.raises(ValueError, match=rf"BuildLimits\({next(iter(limits))}=.*: give a positive"):
        BuildLimits(**limits)


def test_limits_too_large_to_limit_anything_are_accepted():
    assert load("ticTacToe", engine="circuit", limits=BuildLimits(float("inf"), 10**15)).engine == "circuit"


def test_an_unknown_engine_is_refused():
    with pytest.raises(ValueError, match="circuit, relational"):
        load("(role r)", engine="prolog")


@pytest.mark.parametrize("name", sorted(path.stem for ending in ("kif", "gdl") for path in GAMES.glob(f"*.{ending}")))
def test_every_bundled_game_is_loaded_by_its_name(name):
    """As the commands and the environments take it."""
    assert load(name, engine="relational").roles == load(bundled_sheets()[name], engine="relational").roles


PATH = r"neither rules nor a bundled game; give a file as a path: load\(Path"


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("conectFour", "did you mean the bundled game 'connectFour'"),
        *((name, PATH) for name in ("nimm.kif", "games/nim.kif", "my games/nim (2).kif", " nothing\n")),
    ],
)
def test_a_name_in_place_of_rules_is_answered_with_the_game_that_was_meant_or_a_path(name, said):
    with pytest.raises(ValueError, match=said):
        load(name)


def test_rules_in_error_carry_all_their_diagnostics():
    with pytest.raises(RulesError) as caught:
        load("(role r) (legal r ?x)")
    codes = {diagnostic.code for diagnostic in caught.value.diagnostics}
    assert len(codes) >= 3  # the unbound variable, no goal, no terminal


def test_the_package_is_imported_without_numba():
    """`--help` does not wait for the compiler."""
    script = "import reasoner, sys; sys.exit('numba' in sys.modules or 'lark' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", script], cwd=GAMES.parent, check=False).returncode == 0


def test_kernels_can_be_compiled_ahead():
    reasoner.warm_up()


def test_text_that_is_known_to_be_rules_is_no_name():
    """A rulesheet that holds only a game's name does not become that game, and its last line may end like a file."""
    with pytest.raises(RulesError):
        load_text("ticTacToe")
    rules = "(role r) (init a) (legal r x) (next a) (<= terminal (true a)) (goal r 1) ; from a.kif"
    assert load_text(rules, "relational").roles == ("r",)


@pytest.mark.parametrize("engine", ["circuit", "relational"])
def test_a_machine_that_is_pickled_or_copied_says_what_to_do_instead(engine):
    machine = load(GAMES / "ticTacToe.kif", engine=engine)
    for send in (pickle.dumps, copy.deepcopy):
        with pytest.raises(TypeError, match="send the rules, and load them again"):
            send(machine)
