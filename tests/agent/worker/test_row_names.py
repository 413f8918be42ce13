"""Which coordinate is a row, by the names of variables."""

import pytest

from agent.worker.row_names import rows_first
from reasoner.rules.read import read_program

RULES = """
(role me) (index 1) (index 2) (<= (init (cell ?{0} ?{1} b)) (index ?{0}) (index ?{1})) (init (at 1 1))
(<= (legal me (mark ?m ?n)) (true (cell ?m ?n b))) (<= (next (cell ?{0}2 ?{1}2 b)) (true (cell ?{0}2 ?{1}2 b)))
(goal me 100) (<= terminal (not (true (cell 1 1 b))))
"""


@pytest.mark.parametrize(
    ("first", "second", "found"), [("row", "col", ["cell"]), ("R", "C", ["cell"]), ("x", "y", []), ("col", "row", [])]
)
def test_rows_come_first_where_variables_say_so(first, second, found):
    program, _ = read_program(RULES.format(first, second))
    assert rows_first(program) == found
