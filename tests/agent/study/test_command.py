"""The command: it learns, can be stopped or killed at any moment, and goes on."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path

import pytest
from click.testing import CliRunner

from agent.cli import main

pytestmark = pytest.mark.skipif(find_spec("torch") is None, reason="studying is an extra")

LOOK = 0.02
"""Seconds between two looks at a study that another process makes."""


def command(folder: Path, *options: str) -> list[str]:
    return ["study", "ticTacToe", "--out", str(folder), "--threads", "1", "--simulations", "8", "--no-keep", *options]


def started(folder: Path, *options: str) -> subprocess.Popen:
    arguments = [sys.executable, "-m", "agent", *command(folder, *options)]
    return subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def wait_for_games(folder: Path, process: subprocess.Popen, before: int) -> None:
    """Until there are more games than before."""
    record = folder / "study.json"
    while not (record.exists() and json.loads(record.read_text())["games"] > before):
        assert process.poll() is None, process.stdout.read()
        time.sleep(LOOK)


def test_a_study_that_signals_end_goes_on_each_time_with_all_its_games(tmp_path):
    folder, before = tmp_path / "a", {"games": 0, "seconds": 0.0}
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
        with started(folder, "--minutes", "60", *(["--resume"] if before["games"] else [])) as process:
            wait_for_games(folder, process, before["games"])
            process.send_signal(number)
            process.wait(60)
        assert process.returncode == (-9 if number == signal.SIGKILL else 0)
        after = json.loads((folder / "study.json").read_text())
        assert after["games"] > before["games"]
        assert after["seconds"] > before["seconds"]
        before = after
    minutes = str(before["seconds"] / 60 + 0.01)
    done = CliRunner().invoke(main, command(folder, "--resume", "--minutes", minutes))
    assert done.exit_code == 0, done.output
    after = json.loads((folder / "study.json").read_text())
    assert after["games"] >= before["games"]
    assert after["seconds"] > before["seconds"]
    page = (folder / "report.html").read_text()
    assert "<h1>Study of ticTacToe</h1>" in page


def test_a_folder_with_a_study_is_not_written_over_unasked(tmp_path):
    (tmp_path / "study.json").write_text("{}")
    done = CliRunner().invoke(main, command(tmp_path))
    assert done.exit_code == 1
    assert "--resume goes on with it" in done.output


def test_what_cannot_be_studied_is_told_in_one_message(tmp_path):
    sheet = tmp_path / "endless.kif"
    sheet.write_text(
        "(role x) (init (a 1)) (<= (next (a 1)) (does x go)) (legal x go) (goal x 1) (<= terminal (true (b 1)))"
    )
    done = CliRunner().invoke(main, ["study", str(sheet), "--minutes", "0.1", "--out", str(tmp_path / "a")])
    assert done.exit_code == 1
    assert "no random game of this rulesheet ends" in done.output
    assert "Traceback" not in done.output
    assert not (tmp_path / "a" / "studied.npz").exists()
