"""The report says what is there, and for each thing that is missing what to do."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

from click.testing import CliRunner

from agent.cli import doctor as module
from agent.cli import main
from reasoner.lanes.emitters import EMITTERS

ROOT = Path(__file__).resolve().parents[3]


def report(*arguments, environment=None):
    done = CliRunner().invoke(main, ["doctor", "--json", *arguments], env=environment)
    return done.exit_code, {found["name"]: found for found in json.loads(done.output)}


def test_the_report_names_what_this_machine_runs():
    code, found = report()
    assert code == 0
    assert found["emitter"]["found"] in EMITTERS
    assert re.match(r"[\d,]+ MiB; at most 4,096 MiB for a match", found["memory"]["found"])
    assert re.match(r"\d+ of \d+", found["processors"]["found"])
    assert {"Python", "kernels", "knowledge", "browser", "plugins", "settings"} <= found.keys()


def test_every_extra_that_a_user_may_want_is_reported():
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    assert module.EXTRAS.keys() == extras.keys() - {"dev", "bench", "docs"}


def test_what_is_missing_comes_with_the_command_that_installs_it(monkeypatch):
    monkeypatch.setattr(module, "find_spec", lambda name: None if name == "torch" else object())
    done = CliRunner().invoke(main, ["doctor"])
    assert "extra study" in done.output
    assert "note: pip install 'ggp-agent[study]'" in done.output
    assert "ggp-agent[cluster]" not in done.output


def test_a_folder_that_cannot_be_written_is_an_error_with_a_remedy(tmp_path):
    (tmp_path / "file").write_text("")
    code, found = report(environment={"GGP_AGENT_JOURNAL_FOLDER": str(tmp_path / "file" / "journals")})
    assert code == 1
    assert found["journal"]["error"]
    assert "set journal.folder to a writable folder" in found["journal"]["fix"]


def test_a_folder_that_the_system_refuses_is_an_error_with_a_fix(tmp_path):
    refused = str(tmp_path / ("x" * 300))
    code, found = report(environment={"GGP_AGENT_KNOWLEDGE_FOLDER": refused, "GGP_AGENT_JOURNAL_FOLDER": refused})
    assert code == 1
    assert "cannot be read (File name too long): set knowledge.folder" in found["knowledge"]["fix"]
