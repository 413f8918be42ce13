"""What is found in a rulesheet, and how long a match would look for it."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner

from bench.factoring.found import main

GAMES = Path(__file__).parents[2] / "games"


def test_a_game_is_told_with_what_it_splits_into_and_the_share_of_the_clock_that_looking_takes(tmp_path: Path) -> None:
    output = tmp_path / "found.json"
    options = ["--repeats", "1", "--start-clock", "50", "--output", str(output)]
    broken = tmp_path / "broken.kif"
    broken.write_text("(role")
    result = CliRunner().invoke(main, [str(GAMES / "hodgepodge.kif"), str(broken), *options])
    assert result.exit_code == 0, result.output
    told = json.loads(output.read_text())
    fault, split = told["games"]
    assert (split["kind"], split["subgames"], split["fault"]) == ("interdependent actions", 2, "")
    assert 0 < split["of_start"] < 0.1
    assert told["of_start"] == split["of_start"]
    assert fault["fault"]
