"""Public rulesheets and the test rulesheets of the usual game manager."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from random import Random

import pytest

from reasoner.diagnostics import Diagnostic, Severity
from reasoner.language.grammar import parse
from reasoner.language.source import Source
from reasoner.language.write import write
from reasoner.rules.convert import convert
from reasoner.rules.points import most_points
from reasoner.rules.program import Program, is_auxiliary
from reasoner.rules.read import ReadLimits, read_program
from reasoner.rules.statements import rule_list
from reasoner.rules.strata import stratify
from tests.reasoner.rules.sheets import diagnosed
from tests.shared import SHARED, needs_shared

pytestmark = [needs_shared, pytest.mark.long]  # hundreds of rulesheets

UNSAFE = {"test_case_3b": 1, "test_case_3e": 1, "test_case_3f": 1}
WARNED = {
    "test_case_1a": "empty-body",
    "test_case_2c": "unused-relation",
    "test_case_3c": "undefined-relation",
    "test_invalid_function_arities_differ": "several-arities",
    "test_invalid_sentence_arities_differ": "several-arities",
}


def sheets(folder: str) -> list[Path]:
    return sorted(p for p in (SHARED / folder).iterdir() if p.suffix in (".kif", ".gdl")) if SHARED else []


BOTH = [*sheets("games"), *sheets("games_infix")]
DRAWN = sorted(Random(43).sample([path for path in BOTH if path.stat().st_size < 50_000], 40)) if BOTH else []


def text(path: Path) -> str:
    return path.read_bytes().decode("utf-8", errors="replace")


@cache
def read(path: Path) -> tuple[Program, tuple[Diagnostic, ...]]:
    return read_program(text(path))


def test_every_public_game_is_accepted_and_none_has_a_high_goal():
    """The bound on goals is close enough that none has another scale for nothing."""
    paths = [*BOTH, *sheets("games_gdl2")]
    assert {path.name for path in paths if most_points(read(path)[0].rules) != 100} == set()
    assert len(paths) > 200


def test_public_games_read_back_from_their_normal_form():
    for path in DRAWN:
        program, _ = read(path)
        if not any(is_auxiliary(rule.head.relation) for rule in program.rules):
            assert read_program(str(program))[0] == program, path.name


def test_games_with_a_negative_cycle_of_relations_are_proved_stratified():
    cyclic = {p.stem for p in sheets("games") if any(c.negative_cycle for c in stratify(read(p)[0]))}
    assert {"futoshiki6", "hidato19", "queens08lg"} <= cyclic
    for path in sheets("games"):
        messages = [d.message for d in read(path)[1] if d.code == "stratified-only-when-grounded"]
        assert bool(messages) == (path.stem in cyclic)
        assert all("no atom depends on its own negation" in message for message in messages)


@pytest.mark.parametrize("path", sheets("gdl_tests"), ids=lambda path: path.stem)
def test_the_test_rulesheets_are_accepted_or_refused_as_documented(path: Path):
    found = diagnosed(text(path))
    errors = {d.code for d in found if d.severity is Severity.ERROR}
    assert errors == ({"unsafe-variable"} if path.stem in UNSAFE else set())
    if path.stem in WARNED:
        assert WARNED[path.stem] in {d.code for d in found}


def statements(text: str) -> list[str]:
    return list(map(write, parse(Source(text), ReadLimits())))


def expected(text: str, names: dict[str, str]) -> list[str]:
    """The statements of `text` with every word as the map says; what it does not hold is a keyword or connective."""
    given = rule_list(parse(Source(text), ReadLimits()))
    bare = (re.sub(r"^\(<= ((?:[^\s()]+|\([^()]*\)))\)$", r"\1", write(e)) for e in given)  # a rule without a body
    return [re.sub(r"[^\s()]+", lambda word: names.get(word[0], word[0].lower()), line) for line in bare]


@pytest.mark.parametrize("path", DRAWN, ids=lambda path: path.name)
def test_a_public_rulesheet_goes_to_the_other_notation_and_back(path):
    written = convert(text(path), "kif").text if path.suffix == ".gdl" else text(path)
    there = convert(written, "infix")
    back = convert(there.text, "kif")
    for conversion in (there, back):
        assert len(set(conversion.names.values())) == len(conversion.names)
    names = {old: back.names[new] for old, new in there.names.items()}
    assert statements(back.text) == expected(written, names)


@pytest.mark.parametrize("path", sheets("games_gdl2"), ids=lambda path: path.name)
def test_a_public_rulesheet_of_gdl_ii_is_accepted_in_the_other_notation(path):
    """Some are only accepted because GDL-II is read leniently."""
    read_program(convert(text(path), "infix").text)
