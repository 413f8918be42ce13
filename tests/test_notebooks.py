"""The notebooks of the documentation run from the first cell to the last, and show boards."""

from __future__ import annotations

import ast
import json
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
NOTEBOOKS = sorted((ROOT / "docs").rglob("*.ipynb"))


def shown(cell: str, names: dict[str, object]) -> str:
    """Run a cell as a notebook does, and return the HTML of its last expression, or its text."""
    *before, last = ast.parse(cell).body
    if not isinstance(last, ast.Expr):
        exec(compile(cell, "cell", "exec"), names)
        return ""
    exec(compile(ast.Module(before, []), "cell", "exec"), names)
    value = eval(compile(ast.Expression(last.value), "cell", "eval"), names)
    return value._repr_html_() if hasattr(value, "_repr_html_") else repr(value)


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.name)
def test_a_notebook_runs_and_shows_a_board(notebook):
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    names: dict[str, object] = {}
    outputs = [shown("".join(cell["source"]), names) for cell in cells if cell["cell_type"] == "code"]
    boards = [output for output in outputs if output.startswith("<svg")]
    assert len(boards) >= 2
    assert all("<script" not in output for output in outputs)
    assert all(cell.get("outputs", []) == [] for cell in cells), "clear the outputs before a commit"
