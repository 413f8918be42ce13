"""The pages of research/ agree with their data."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[1] / "research"
TABLE = runpy.run_path(str(FOLDER / "table.py"))


def test_the_table_of_trials_is_the_one_that_its_rows_give():
    """The README's table is written by `python research/table.py`, and not by hand."""
    assert (FOLDER / "README.md").read_text(encoding="utf-8") == TABLE["page"]()


@pytest.mark.parametrize(
    ("results", "in_product", "expected"),
    [((30, 0, 10), True, "adopted"), ((30, 0, 10), False, "rejected"), ((11, 0, 9), True, "inconclusive")],
)
def test_a_verdict_needs_an_interval_without_50(results, in_product, expected):
    """11 of 20 is no proof, whether the product has the idea or not."""
    assert TABLE["verdict"](*TABLE["mean_and_interval"](*results), in_product) == expected


def test_results_that_all_agree_still_have_an_interval():
    """4 wins of 4 say less than 40 of 40."""
    assert TABLE["mean_and_interval"](4, 0, 0)[1] > TABLE["mean_and_interval"](40, 0, 0)[1] > 0
