"""The small inputs that users stumbled over: `check` names the fault of each, and plays a game of what it reads."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from agent.cli import main
from tests.shared import SHARED, needs_shared

CODES = {
    "amp_silent.gdl": {"missing-and"},
    "bigscore.kif": {"high-goal", "goal-out-of-range"},
    "block2.kif": {"foreign-comment"},
    "comma_silent.gdl": {"comma-in-body"},
    "cstyle.kif": {"foreign-comment"},
    "derived_as_fluent.kif": {"never-true"},
    "equals.kif": {"undefined-relation"},
    "fire.kif": {"depends-on-does"},
    "hybrid_arrow.kif": {"foreign-arrow"},
    "latin1.kif": {"lost-byte-in-comment"},
    "lenient_fact.kif": {"variable-in-fact"},
    "lenient_rule.kif": {"unsafe-variable"},
    "nbsp.kif": {"odd-space"},
    "neg_keyword.gdl": {"word-for-sign"},
    "ortest.gdl": {"word-for-sign", "foreign-comment"},
    "upper_random.kif": set[str](),
}


@needs_shared
@pytest.mark.parametrize("name", CODES)
def test_check_names_the_fault_of_a_case(name: str):
    """Errors end with exit code 1; what has only warnings is played at random by `check`."""
    result = CliRunner().invoke(main, ["check", f"{SHARED}/cases/{name}", "--json"])
    found = json.loads(result.stdout)
    assert {told["code"] for told in found} >= CODES[name]
    assert result.exit_code == int(any(told["severity"] == "error" for told in found))
    assert all(told["fix"] for told in found)


@needs_shared
def test_every_case_has_its_codes():
    assert SHARED is not None
    assert {path.name for path in (SHARED / "cases").iterdir()} == set(CODES)
