"""Faulty rulesheets as students write them: `check` reports each fault, and nothing that is right."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from agent.cli import main
from reasoner.rules.read import read_program
from tests.agent.cli.student_sheets import INFIX, KIF, Sheet

SHEETS = (*KIF, *INFIX)


@pytest.mark.parametrize("sheet", SHEETS, ids=[sheet.name for sheet in SHEETS])
def test_a_faulty_rulesheet_is_read_as_it_is_meant_or_told_where_it_is_not(sheet: Sheet, tmp_path):
    """Each fault has its code, its line and a fix that mends it; what is read is what the author meant."""
    file = tmp_path / ("x.kif" if sheet in KIF else "x.gdl")
    file.write_text(sheet.text)
    result = CliRunner().invoke(main, ["check", str(file), "--json"])
    found = [(d["severity"], d["code"], d["line"] or 0, d["fix"]) for d in json.loads(result.stdout)]
    assert [fault[:3] for fault in found] == [told[:3] for told in sheet.told]
    for (*_, fix), (*_, said) in zip(found, sheet.told, strict=True):
        assert said in fix
    errors = any(severity == "error" for severity, *_ in found)
    assert result.exit_code == int(errors)
    if not errors:
        rules = set(map(str, read_program(sheet.text)[0].rules))
        assert set(sheet.read) <= rules
        assert not rules & set(sheet.unread)
