"""If a step of the new user's path fails, one message names the step and the fix."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from bench.newcomer import main


@pytest.fixture
def tools(tmp_path, monkeypatch) -> Path:
    """A folder whose programs come before the system's; `git` makes the folder that it is to clone into."""
    given = tmp_path / "bin"
    given.mkdir()
    program(given / "git", 'mkdir -p "$4"')
    monkeypatch.setenv("PATH", f"{given}{os.pathsep}{os.environ['PATH']}")
    return given


def program(file: Path, text: str) -> None:
    file.write_text(f"#!/bin/sh\n{text}\n")
    file.chmod(file.stat().st_mode | stat.S_IXUSR)


def walked() -> Result:
    done = CliRunner().invoke(main, [])
    assert done.exit_code == 1
    assert isinstance(done.exception, SystemExit)
    return done


def test_a_download_that_fails_is_reported_in_one_message(tools):
    program(tools / "make", "exit 2")
    assert walked().output == (
        "Error: make install failed with exit code 2, see above: "
        "if a download failed, check that pip reaches its index, and measure again\n"
    )


def test_a_repository_that_cannot_be_cloned_is_reported(tools):
    program(tools / "git", "exit 128")
    assert "git clone failed with exit code 128" in walked().output


def test_an_agent_that_ends_before_it_listens_is_reported(tools):
    program(tools / "make", "mkdir -p .venv/bin; ln -s /bin/false .venv/bin/ggp-agent")
    assert walked().output == "Error: ggp-agent serve ended before it listened, see above\n"
