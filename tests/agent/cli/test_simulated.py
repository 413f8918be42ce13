"""`ggp-agent check --simulate`."""

import json

from click.testing import CliRunner

from agent.cli import main
from agent.gamemaster.games import BUNDLED

ENDLESS = """
(role r) (init (at a)) (<= (legal r go) (true (at ?x)))
(<= (next (at b)) (true (at a)) (does r go)) (<= (next (at a)) (true (at b)) (does r go))
(<= terminal (not somewhere)) (<= somewhere (true (at ?x))) (<= (goal r 1) (true (at a)))
"""


def check(*arguments):
    return CliRunner().invoke(main, ["check", *map(str, arguments)])


def test_a_good_game_shows_its_figures():
    result = check(BUNDLED / "nim.kif", "--simulate", 5)
    assert result.exit_code == 0
    assert "5 random games; " in result.output
    assert "0 errors" in result.output


def test_a_fault_shows_the_moves_that_lead_to_it_and_ends_with_1(tmp_path):
    (tmp_path / "endless.kif").write_text(ENDLESS)
    result = check(tmp_path / "endless.kif", "--simulate", 2, "--steps", 40)
    assert result.exit_code == 1
    assert "[endless-play]" in result.output
    assert "      1. go" in result.output
    assert "and 10 more joint moves" in result.output
    assert "not checked: no `base` and no `input`" in result.output


def test_json_holds_all_moves(tmp_path):
    (tmp_path / "endless.kif").write_text(ENDLESS)
    (entry,) = json.loads(check(tmp_path / "endless.kif", "--simulate", 2, "--steps", 40, "--json").output)
    (fault,) = [fault for fault in entry["simulation"]["faults"] if fault["code"] == "endless-play"]
    assert fault["moves"] == [["go"]] * 40
    assert fault["games"] == 2


def test_rules_in_error_are_not_played(tmp_path):
    (tmp_path / "x.kif").write_text("(role r)")
    result = check(tmp_path / "x.kif", "--simulate", 2)
    assert result.exit_code == 1
    assert "random game" not in result.output
