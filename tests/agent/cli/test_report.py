"""`ggp-agent report`."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner

from agent.cli import main


def ran(*arguments: str, code: int = 0) -> str:
    done = CliRunner().invoke(main, ["report", *arguments])
    assert done.exit_code == code, done.output
    return done.output


def test_a_report_as_data_and_as_a_page(tmp_path: Path):
    page, other_name = tmp_path / "nim.html", tmp_path / "old"
    page.write_text("old")
    other_name.hardlink_to(page)
    found = json.loads(ran("nim", "--minutes", "0.02", "--json", "--html", str(page)))
    assert {"game", "seed", "kind", "size", "figures", "lengths", "rules", "notes", "seconds"} == set(found)
    first = found["figures"][0]
    assert {"measure", "name", "play", "value", "low", "high", "count", "form", "source"} == set(first)
    text = page.read_text()
    assert "<svg" in text
    assert "prefers-color-scheme: dark" in text
    assert "http" not in text
    assert other_name.read_text() == "old"  # the page is a new file: a full disk would have left the old one


def test_two_games_are_compared_and_differences_marked(tmp_path: Path):
    page = tmp_path / "both.html"
    shown = ran("--compare", "nim", "ticTacToe", "--minutes", "0.02", "--html", str(page))
    line = next(line for line in shown.splitlines() if "length in joint moves" in line and "random" in line)
    assert line.rstrip().endswith("differs")
    assert "nim and ticTacToe" in page.read_text()


def test_a_report_of_plain_names_is_printed_in_every_encoding():
    """Minutes of play would be lost with a terminal or a locale that is not in UTF-8."""
    done = CliRunner(charset="ascii").invoke(main, ["report", "nim", "--minutes", "0.02"])
    assert done.exit_code == 0, done.output
    assert "length in joint moves" in done.output


def test_a_seed_of_any_size_is_accepted():
    assert "nim" in ran("nim", "--minutes", "0.02", "--seed", str(2**70))


def test_wrong_use_is_told():
    assert "give one game" in ran(code=2)
    assert "give one game" in ran("nim", "--compare", "nim", "ticTacToe", code=2)
    assert "nmi" in ran("nmi", code=2)


def test_the_faulty_one_of_two_games_is_named_before_any_is_measured(tmp_path: Path):
    faulty = tmp_path / "faulty.kif"
    faulty.write_text("(role a) (")
    assert f"Error: {faulty}: line 1, column 10: " in ran("--compare", "nim", str(faulty), "--minutes", "60", code=1)


def test_a_page_that_cannot_be_written_is_told(tmp_path: Path):
    assert "cannot write" in ran("nim", "--minutes", "0.005", "--html", str(tmp_path / "none" / "x.html"), code=2)
