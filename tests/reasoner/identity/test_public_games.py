"""Each public game has a key of its own, in whatever words and order its rules are written."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from random import Random

import pytest

from reasoner.identity import Identity, identify
from reasoner.relational.machine import RelationalMachine
from reasoner.rules.program import Program
from reasoner.rules.read import read_program
from tests.reasoner.identity.spellings import mutants, scrambled
from tests.reasoner.identity.test_identify import between, initial_facts
from tests.reasoner.identity.translated import translated
from tests.shared import SHARED, needs_shared
from tests.traces import Replayer, recordings

pytestmark = [needs_shared, pytest.mark.long]  # hundreds of rulesheets, each of them twice

ALIKE = {"ruleDepthLinear"}
"""So much alike in itself that the search meets its limit; it takes a second."""
SLOW = {"chess"}
"""Games that are not played here."""
SHEETS = {path.stem: path for path in sorted((SHARED / "games").glob("*.kif"))} if SHARED else {}
DRAWN = sorted({*Random(43).sample(list(SHEETS), 30), *ALIKE}) if SHEETS else []
"""Some of them; `python -m tests.agree_identity` tries all."""
REPLAYED = [r for r in recordings(SHARED) if r.game in DRAWN[::3] and r.game not in SLOW] if SHARED else []


@cache
def program_of(path: Path) -> Program:
    return read_program(path.read_text(encoding="utf-8"))[0]


@cache
def identity_of(path: Path) -> Identity:
    return identify(program_of(path))


@pytest.mark.parametrize("name", DRAWN)
def test_a_public_game_keeps_its_key_when_it_is_scrambled_and_its_names_are_matched(name: str):
    text = SHEETS[name].read_text(encoding="utf-8")
    identity = identity_of(SHEETS[name])
    program, _ = scrambled(text, 3)
    found = identify(program)
    assert found.key == identity.key
    assert identity.complete == (name not in ALIKE)
    names = between(identity, found)
    assert {names.term(fact) for fact in initial_facts(program_of(SHEETS[name]))} == initial_facts(program)
    assert {names.term(role) for role in program_of(SHEETS[name]).roles} == set(program.roles)


@pytest.mark.parametrize("recording", REPLAYED, ids=lambda recording: recording.game)
def test_recorded_play_in_the_matched_names_is_play_of_the_scrambled_game(recording):
    text = recording.rulesheet(SHARED).read_text(encoding="utf-8")
    program, _ = scrambled(text, 4)
    machine = RelationalMachine(program)
    names = between(identify(read_program(text)[0]), identify(program))
    assert Replayer(machine, translated(recording, names, machine.roles)).run(4).disagreement is None


def test_public_games_of_one_key_are_one_game_whose_names_match_fact_for_fact():
    sheets = [p for p in SHEETS.values() if p.stem not in ALIKE]
    sheets += [p for p in sorted((SHARED / "games_infix").glob("*.gdl")) if p.stem not in ("skirmish", "lines")]
    keys: dict[str, list[Path]] = {}
    for sheet in sheets:
        keys.setdefault(identity_of(sheet).key, []).append(sheet)
    for first, *others in keys.values():
        for other in others:
            names = between(identity_of(first), identity_of(other))
            assert {names.term(f) for f in initial_facts(program_of(first))} == initial_facts(program_of(other))
            assert _rules_in_play(program_of(first)) == _rules_in_play(program_of(other))
    assert len(keys) > len(sheets) - 8


def _rules_in_play(program: Program) -> list[tuple[str, int, int]]:
    """What stays of rules when all names are taken away but keywords: how many with which heads and bodies."""
    fixed = ("role", "init", "next", "legal", "goal", "terminal")
    return sorted(
        (r.head.name if r.head.name in fixed else "", len(r.head.arguments), len(r.body)) for r in program.rules
    )


def test_a_public_game_with_one_rule_changed_is_another_game():
    same = []
    for seed, name in enumerate(DRAWN):
        if name not in ALIKE:
            for done, mutant in mutants(program_of(SHEETS[name]), seed, 1):
                if identify(mutant).key == identity_of(SHEETS[name]).key:
                    same.append((name, done))
    assert same == []
