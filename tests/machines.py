"""Machines on circuits, each built once for a process of tests, in it; no test changes one."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import pytest

from reasoner.compilation import BuildLimits
from reasoner.compilation.stages import build_circuit
from reasoner.lanes.machine import CircuitMachine
from reasoner.loading import playing
from reasoner.relational.machine import RelationalMachine
from reasoner.rules.read import read_program

LARGE = 5_000
"""Characters of a rulesheet that builds for seconds."""
BUNDLED = [
    pytest.param(sheet, id=sheet.stem, marks=[pytest.mark.long] if sheet.stat().st_size > LARGE else [])
    for sheet in sorted((Path(__file__).parents[1] / "games").glob("*.kif"))
]
"""The bundled rulesheets, as parameters of tests."""
SOME = [sheet for number, sheet in enumerate(BUNDLED) if number % 3 == 0 or sheet.id == "diceRace"]
"""Fewer of them: of one role, of two in turn and at once, of three, with chance, and with hidden facts."""


def built(rules: str | Path) -> CircuitMachine:
    """The machine of rules, or of a rulesheet."""
    return _built(rules.read_text(encoding="utf-8") if isinstance(rules, Path) else rules)


@lru_cache(128)
def _built(text: str) -> CircuitMachine:
    program, _ = read_program(text)
    return playing(build_circuit(program, BuildLimits(), lambda _: None), RelationalMachine(program))
