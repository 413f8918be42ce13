"""docs/reference/diagnostics.md is complete, and true."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from reasoner.diagnostics import Diagnostic
from reasoner.errors import RulesError
from reasoner.language.notation import is_infix
from reasoner.rules.read import ReadLimits
from reasoner.rules.theory import with_theory
from tests.reasoner.rules.sheets import GAME, INFIX, OPERATIONS, diagnosed, without

ROOT = Path(__file__).resolve().parents[3]
ROW = re.compile(
    r"\| `(?P<code>[a-z-]+)` \| (?P<kind>error|warning) \| .+ \| (?:`(?P<text>.+)`|\*(?P<words>.+)\*) \| .+ \|"
)
ROWS = [
    match
    for line in (ROOT / "docs/reference/diagnostics.md").read_text().splitlines()
    if (match := ROW.fullmatch(line))
]
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


@pytest.mark.parametrize("row", ROWS, ids=[row["code"] for row in ROWS])
def test_the_example_of_a_code_gives_it_with_the_kind_that_the_table_says(row: re.Match[str]):
    diagnostics = _of_theory() if row["words"] == "a theory of (role black)" else diagnosed(*_example(row))
    found = {(d.code, str(d.severity)) for d in diagnostics}
    assert (row["code"], row["kind"]) in found
    if row["code"] not in PAST_A_LIMIT:
        assert "error" not in {kind for code, kind in found if code != row["code"]}


def _of_theory() -> tuple[Diagnostic, ...]:
    with pytest.raises(RulesError) as caught:
        with_theory(GAME, "(role black)")
    return caught.value.diagnostics


def _example(row: re.Match[str]) -> tuple[str, ReadLimits]:
    words = row["words"] or ""
    if words.startswith("without"):
        return without(words.split()[1]), ReadLimits()
    if words in CHARACTERS:
        return GAME + CHARACTERS[words], ReadLimits()
    if words == "past a limit":
        return GAME, PAST_A_LIMIT[row["code"]]
    game = OPERATIONS if "::" in row["text"] else INFIX if is_infix(row["text"]) else GAME
    return game + row["text"], ReadLimits(lenient=row["code"] in LENIENT)


def test_every_code_of_the_reasoner_has_a_row_and_every_row_a_code():
    patterns = _codes_in_the_source()
    documented = [row["code"] for row in ROWS]
    assert len(documented) == len(set(documented))
    assert [code for code in documented if not any(re.fullmatch(p, code) for p in patterns)] == []
    assert [p for p in patterns if not any(re.fullmatch(p, code) for code in documented)] == []


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
