"""faults.toml and docs/reference/diagnostics.md are complete, and true."""

from __future__ import annotations

import ast
import re
import runpy
from pathlib import Path

import pytest

from agent.cli.faults import FAULTS, explain
from reasoner.diagnostics import Diagnostic, Severity
from reasoner.errors import RulesError
from reasoner.language.notation import is_infix
from reasoner.rules.read import ReadLimits
from reasoner.rules.theory import with_theory
from tests.reasoner.rules.sheets import GAME, INFIX, OPERATIONS, diagnosed, without

ROOT = Path(__file__).resolve().parents[3]
PAGE = runpy.run_path(str(ROOT / "docs/write_diagnostics.py"))
PAST_A_LIMIT = {
    "too-long": ReadLimits(max_characters=100),
    "too-deep": ReadLimits(max_depth=2),
    "too-many-rules": ReadLimits(max_rules=2),
    "too-many-conditions": ReadLimits(max_conditions=0),
    "too-many-arguments": ReadLimits(max_arity=1),
}
CHARACTERS = {
    "a zero byte": "\0",
    "a lost byte": "\ufffd",
    "a lost byte in a comment": "; \ufffd",
    "a zero width space": "\u200b",
    "a no-break space": "\u00a0",
}
LENIENT = {"next-in-body", "bound-by-uses", "bound-by-name", "local-in-not", "body-in-head", "does-before-moves"}
_REPORTERS = {"error": 0, "warn": 0, "refuse": 2, "Diagnostic": 1}  # where each takes its code


@pytest.mark.parametrize("code", FAULTS)
def test_the_example_of_a_code_gives_it_with_the_severity_of_its_entry(code: str):
    example = FAULTS[code].example
    diagnostics = _of_theory() if example == "*a theory of (role black)*" else diagnosed(*_example(code, example))
    found = {(d.code, d.severity) for d in diagnostics}
    assert (code, FAULTS[code].severity) in found
    if code not in PAST_A_LIMIT:
        assert Severity.ERROR not in {severity for other, severity in found if other != code}


def test_the_page_has_the_tables_that_the_entries_give():
    """The page is written by `python docs/write_diagnostics.py`, and each section of the entries is a heading of it."""
    text = PAGE["PAGE"].read_text(encoding="utf-8")
    assert text == PAGE["page"]()
    assert all(f"| `{code}` |" in text for code in FAULTS)


def test_a_code_is_explained_with_its_example_and_fix():
    assert explain("missing-role").splitlines() == [
        "missing-role (error): The rulesheet has no role.",
        "  example: without role",
        "  fix: Add (role NAME) for each player.",
    ]


def _of_theory() -> tuple[Diagnostic, ...]:
    with pytest.raises(RulesError) as caught:
        with_theory(GAME, "(role black)")
    return caught.value.diagnostics


def _example(code: str, example: str) -> tuple[str, ReadLimits]:
    words = example.strip("*") if example.startswith("*") else ""
    if words.startswith("without"):
        return without(words.split()[1]), ReadLimits()
    if words.startswith("equalities"):
        doubled = " ".join(f"(not (distinct ?x{n + 1} (f ?x{n} ?x{n})))" for n in range(14))
        return f"{GAME} (<= (p ?x14) (role ?x0) {doubled})", ReadLimits()
    if words in CHARACTERS:
        return GAME + CHARACTERS[words], ReadLimits()
    if words == "past a limit":
        return GAME, PAST_A_LIMIT[code]
    game = OPERATIONS if "::" in example else INFIX if is_infix(example) else GAME
    return game + example, ReadLimits(lenient=code in LENIENT)


def test_every_code_of_the_reasoner_has_an_entry_and_every_entry_a_code():
    patterns = _codes_in_the_source()
    assert [code for code in FAULTS if not any(re.fullmatch(p, code) for p in patterns)] == []
    assert [p for p in patterns if not any(re.fullmatch(p, code) for code in FAULTS)] == []


def _codes_in_the_source() -> set[str]:
    """Patterns of all codes that are given to a report or a diagnostic; the parts of an f-string may be anything."""
    found = set()
    for path in (ROOT / "reasoner").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and len(node.args) > _position(node):
                found.add(_pattern(node.args[_position(node)]))
    return found - {""}


def _position(call: ast.Call) -> int:
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    return _REPORTERS.get(name, 1_000)


def _pattern(argument: ast.expr) -> str:
    if isinstance(argument, ast.Constant):
        return re.escape(str(argument.value))
    if isinstance(argument, ast.JoinedStr):
        parts = (part.value if isinstance(part, ast.Constant) else ".+" for part in argument.values)
        return "".join(map(str, parts))
    return ""
