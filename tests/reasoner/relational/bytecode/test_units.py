"""Units of evaluation: how a program's rules are split into them."""

from functools import partial

from reasoner.relational.bytecode.units import cut
from reasoner.rules.read import read_program
from tests.timing import least_seconds

GAME = """(role a) (legal a x) (goal a 100) (init (s 0)) (<= (next (s 1)) (true (s 0))) (<= terminal (true (s 1)))
(<= (c0 ?x) (true (s ?x))) (<= (next (k)) (c{last} 1)) """


def chain(count):
    """A program with a chain of relations, each of which reads the one before."""
    rules = " ".join(f"(<= (c{i} ?x) (c{i - 1} ?x))" for i in range(1, count))
    return read_program(GAME.format(last=count - 1) + rules)[0]


def test_each_unit_has_the_rules_of_its_relations_in_the_order_of_the_text():
    rules = "(<= (p ?x) (q ?x)) (<= (r ?x) (p ?x)) (<= (q ?x) (p ?x)) (<= (p ?x) (c0 ?x)) (<= (next (m)) (r 1))"
    found = cut(read_program(GAME.format(last=0) + rules)[0])
    unit = next(unit for unit in found.units if ("p", 1) in unit.relations)
    assert set(unit.relations) == {("p", 1), ("q", 1)}
    assert [str(rule.body[0].atom) for rule in unit.rules] == ["(q ?x)", "(p ?x)", "(c0 ?x)"]


def test_many_relations_are_cut_in_linear_time():
    """If each unit searched all rules for its own, 8 times as many relations would take some 60 times as long."""
    times = [least_seconds(partial(cut, chain(count))) for count in (1_000, 8_000)]
    assert times[1] < 40 * times[0]
