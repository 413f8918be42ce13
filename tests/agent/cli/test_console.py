"""Commands run with closed standard streams."""

from __future__ import annotations

import sys

import pytest

from agent.cli.console import console, progress_console


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_a_closed_stream_is_no_terminal(monkeypatch, stream):
    monkeypatch.setattr(sys, stream, None)
    for each in (console(), progress_console()):
        each.print("text")
