"""Commands run with closed standard streams."""

from __future__ import annotations

import io
import sys

import pytest
from rich.console import Console

from agent.cli.compiling import say_compiling
from agent.cli.console import console, progress_console


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_a_closed_stream_is_no_terminal(monkeypatch, stream):
    monkeypatch.setattr(sys, stream, None)
    for each in (console(), progress_console()):
        each.print("text")


class Full(io.StringIO):
    def write(self, _: str) -> int:
        raise OSError(28, "No space left on device")


def test_a_full_disk_does_not_fail_in_a_callback():
    say_compiling(Console(file=Full()))
