"""Matches of puzzles are resumed where they were cut off, and all seeds make one table."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from bench.puzzles import Row, Sink, known, main, table

ROWS = [Row("maze", seed, 100, 6, 0.2 * seed, 0.1, 0, 1, "tree") for seed in (1, 2)]


def written(out: Path) -> None:
    sink = Sink(out)
    for row in ROWS:
        sink.add(row)
    sink.close()


def test_what_a_file_has_is_read_again_but_for_a_line_that_was_cut_off(tmp_path: Path) -> None:
    out = tmp_path / "puzzles.csv"
    written(out)
    out.write_text(out.read_text() + "hanoi,1,10")
    assert known(out) == ROWS
    sink = Sink(out)
    sink.close()
    assert known(out) == ROWS
    assert "hanoi" not in out.read_text()


def test_a_table_has_a_line_a_game_and_one_text_where_seeds_agree() -> None:
    assert list(table(ROWS))[2:] == ["| maze | 100 | 6 | 0.2, 0.4 | 1 | tree |"]


def test_a_table_is_printed_without_a_match_and_no_match_is_played_twice(tmp_path: Path) -> None:
    out = tmp_path / "puzzles.csv"
    written(out)
    shown = CliRunner().invoke(main, ["--table", "--out", str(out)])
    assert shown.exit_code == 0
    assert "| maze | 100 |" in shown.output
    wrong = CliRunner().invoke(main, ["--seeds", "one", "--out", str(out)])
    assert wrong.exit_code == 2
    assert "give a list such as 1,2,3" in wrong.output


@pytest.mark.long  # matches in processes of their own
def test_matches_are_played_on_a_core_and_kept_and_then_skipped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GGP_AGENT_WORKER_ENGINE", "relational")  # a circuit costs more than the match
    out = tmp_path / "puzzles.csv"
    arguments = ["lightsOut", "--seeds", "1,2", "--out", str(out), "--start-clock", "3", "--play-clock", "1"]
    first = CliRunner().invoke(main, arguments)
    assert first.exit_code == 0, first.output
    assert [(row.game, row.seed) for row in known(out)] == [("lightsOut", 1), ("lightsOut", 2)]
    again = CliRunner().invoke(main, arguments)
    assert again.exit_code == 0
    assert again.output == ""
