from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from reasoner.diagnostics import Diagnostic, Severity, Span, as_json, render

TEXT = "(role white)\r\n(<= (goal ?r 1)\r\n\t(not (p ?r)))\r\n"
FAULT = Diagnostic(Severity.ERROR, "unsafe-variable", "the variable ?r is unbound", "Bind it.", Span(3, 10, 2))


def test_a_fault_is_shown_with_its_line_and_a_caret_under_it():
    assert render(FAULT, TEXT, "game.kif").splitlines() == [
        "game.kif:3:10: error: the variable ?r is unbound [unsafe-variable]",
        " 3 |  (not (p ?r)))",
        "   |          ^^",
        "   fix: Bind it.",
    ]


def test_a_fault_without_a_place_is_shown_without_a_line():
    fault = Diagnostic(Severity.WARNING, "gdl-ii", "message", "Fix.")
    assert render(fault, TEXT, "game.kif") == "game.kif: warning: message [gdl-ii]\n   fix: Fix."


def test_of_a_long_line_only_what_is_near_the_fault_is_shown():
    text = "x" * 1_000_000 + "(p ?y)" + "x" * 1_000_000
    fault = Diagnostic(Severity.ERROR, "code", "message", "Fix.", Span(1, 1_000_004, 2))
    _, line, caret, _ = render(fault, text, "f").splitlines()
    assert len(line) < 120
    assert line[caret.index("^") :][:2] == "?y"


@given(st.text(max_size=200), st.integers(1, 9), st.integers(1, 300), st.integers(1, 300))
def test_any_place_in_any_text_can_be_shown(text: str, line: int, column: int, length: int):
    shown = render(Diagnostic(Severity.ERROR, "c", "m", "f", Span(line, column, length)), text, "f")
    assert "^" in shown
    assert len(shown.split("\n")) == 4


def test_a_word_of_thousands_of_letters_is_shown_by_its_beginning():
    """Rules may hold such words; a terminal or a page shows one message a line."""
    fault = Diagnostic(Severity.ERROR, "code", f"the goal {'9' * 5000} is none", f"Write {'x' * 199} or {'y' * 200}.")
    assert fault.message == f"the goal {'9' * 100}… is none"
    assert fault.fix == f"Write {'x' * 199} or {'y' * 100}…"


def test_a_fault_as_data_names_its_file_place_rule_and_fix():
    assert as_json(FAULT, "game.kif") == {
        "file": "game.kif",
        "line": 3,
        "column": 10,
        "length": 2,
        "severity": "error",
        "code": "unsafe-variable",
        "message": "the variable ?r is unbound",
        "fix": "Bind it.",
    }
    assert as_json(Diagnostic(Severity.WARNING, "c", "m", "f"), "g")["line"] is None
