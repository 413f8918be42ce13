"""How far a first start has compiled: told by one process to another as a line, shown by the command line."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TextIO

Progress = Callable[[int, int], None]
"""Told the kernels compiled so far, and how many there are at most."""

_LINE = re.compile(r"compiling (\d+) of at most (\d+) kernels")


def silent(_done: int, _of: int) -> None:
    """Nobody is told."""


def progress_line(done: int, of: int) -> str:
    """What is told, without the end of the line."""
    return f"compiling {done} of at most {of} kernels"


def read_progress(line: str) -> tuple[int, int] | None:
    """The numbers in such a line; None of any other."""
    found = _LINE.fullmatch(line)
    return (int(found[1]), int(found[2])) if found else None


def first_word(lines: TextIO) -> str:
    """The first line that tells something else, without its end; empty where there is none."""
    while read_progress(line := lines.readline().rstrip("\n")):
        pass
    return line
