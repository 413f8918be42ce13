"""What may be placed in a position of a game: contents of cells, fields with one value, and other facts."""

from itertools import pairwise
from pathlib import Path

import pytest
from msgspec.structs import replace

from agent.boards.edits import domain_of
from agent.boards.find_boards import layouts_of
from agent.boards.look import Look
from agent.page.still import look_of_rules
from agent.worker.term_text import view_of
from agent.worker.viewing import first_view
from agent.worker.worker_messages import Position
from reasoner.relational.machine import RelationalMachine
from reasoner.rules.read import read_program
from tests.agent.boards.drawn import calls_of

GAMES = Path(__file__).resolve().parents[3] / "games"


def domain(rules):
    program, _ = read_program(rules)
    machine = RelationalMachine(program)
    first = replace(Position(0, [], *view_of(machine, machine.initial())), **first_view(program, 0))
    return domain_of(first, look_of_rules(program, "")), first


def game(name):
    return (GAMES / f"{name}.kif").read_text()


def fields(found):
    return {field["name"]: field["values"] for field in found["fields"]}


@pytest.mark.parametrize("declared", [True, False])
def test_every_sign_may_be_in_every_cell_and_one_role_is_in_control(declared):
    """Also where the rules declare no facts: then what occurs in random games may be everywhere."""
    rules = game("ticTacToe")
    rules = rules if declared else rules.replace("(base ", "(basis ")
    found, _ = domain(rules)
    assert len(found["cells"]) == 9 * 3
    assert {one["fact"] for one in found["cells"] if one["place"] == (0, 0, 0)} == {
        "(cell 1 3 x)",
        "(cell 1 3 o)",
        "(cell 1 3 b)",
    }
    assert found["several"] == [False]
    assert fields(found) == {"control": ["cross", "nought"]} or fields(found) == {"control": ["nought", "cross"]}
    assert found["flags"] == []


def test_a_fact_that_the_rules_do_not_declare_is_not_offered():
    found, first = domain(game("checkers"))
    assert found["cells"]
    assert {one["fact"] for one in found["cells"]} <= set(first.possible)


def test_numbers_with_a_name_are_fields_and_switches_are_flags():
    found, _ = domain(game("nim"))
    assert found["cells"] == []
    assert all(len(values) > 1 for values in fields(found).values())
    assert fields(found)["stones right"] == [*map(str, range(6))]
    found, _ = domain(game("allButtons"))
    assert "(lit 1 p)" in found["flags"]
    found, _ = domain(game("mancala"))
    assert len(fields(found)["store north"]) > 20  # of a successor relation


@pytest.mark.parametrize("name", ["chess", "hex", "connectFour", "mancala", "hiddenCoin", "hanoi"])
def test_each_fact_of_a_position_can_be_placed(name):
    """Nothing of the first position is lost when it is edited."""
    found, first = domain(game(name))
    offered = {one["fact"] for one in found["cells"]} | set(found["flags"])
    offered |= {fact for field in found["fields"] for fact in field["facts"]}
    assert set(first.facts) <= offered


def test_relations_with_many_arguments_are_facts_of_their_own():
    """The search for a value takes time with the square of the arguments, and all visitors wait for it."""
    signs = [" ".join(["0"] * 40 + [str(number)]) for number in range(8)]
    rules = "(role me) (legal me go) (goal me 0) (init (w " + signs[0] + ")) "
    rules += " ".join(f"(<= (next (w {after})) (true (w {before})))" for before, after in pairwise(signs))
    found, _ = domain(rules + f" (<= terminal (true (w {signs[-1]})))")
    assert (found["fields"], f"(w {signs[0]})" in found["flags"]) == ([], True)


@pytest.mark.parametrize("declared", [True, False])
def test_the_work_is_limited_for_a_board_with_hundreds_of_contents(declared):
    """A stranger's rules may have as many contents as cells: the facts of all pairs are not made."""
    facts = [f"(cell {n % 30} {n // 30} thing{n})" for n in range(900)]
    first = Position(0, [], facts, False, None, possible=facts if declared else [])
    look = Look(layouts_of(facts, ()))
    assert len(look.layouts[0].symbols) == 900
    assert calls_of(lambda: domain_of(first, look)) < 500_000


def test_the_work_for_fields_grows_with_the_number_of_relations():
    """Each relation is compared with its own facts only: a stranger's rules may have thousands of relations."""

    def work(count):
        sides = [[f"(f{n} {value})" for n in range(count)] for value in ("a", "b")]
        first = Position(0, [], sides[0], False, None, sample=[([], side) for side in sides])
        assert len(domain_of(first, Look())["fields"]) == min(count, 60)
        return calls_of(lambda: domain_of(first, Look()))

    assert work(800) < 12 * work(100)
