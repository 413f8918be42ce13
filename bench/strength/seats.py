"""Processes that play the sides of matches by processor seconds; one side thinks at a time."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

PROGRAM = Path(__file__).with_name("seat.py")


class SeatError(Exception):
    """A program that plays a side has failed; the message describes the failure."""


class Side(Protocol):
    """Interface of a side, which plays its roles in one match after the other."""

    def begin(self, roles: Sequence[int], seed: int) -> None:
        """Begin a match in which the side plays `roles`."""

    def think(self, roles: Sequence[int], seconds: float | None) -> Mapping[int, Mapping[str, Any]]:
        """Return for each role a ``move``, and a report of the search."""

    def joint(self, moves: Sequence[str]) -> None:
        """Record a joint move."""

    def close(self) -> None:
        """Release its resources."""


class SeatProcess:
    """A search with the code in `folder`, in its own process, which plays many matches."""

    def __init__(self, folder: Path, settings: Mapping[str, str]) -> None:
        self._settings = dict(settings)
        paths = {"PYTHONPATH": str(folder), "PYTHONSAFEPATH": "1"}
        self._process = subprocess.Popen(
            [sys.executable, str(PROGRAM)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=folder,
            env={**os.environ, **paths},
        )

    def rules(self, text: str) -> None:
        """Set the game of the next matches."""
        self._asked({"rules": text})

    def begin(self, roles: Sequence[int], seed: int) -> None:
        """See `Side`."""
        self._asked({"begin": list(roles), "settings": {"seed": str(seed)} | self._settings})

    def think(self, roles: Sequence[int], seconds: float | None) -> Mapping[int, Mapping[str, Any]]:
        """See `Side`."""
        moves = self._asked({"think": list(roles), "seconds": seconds})["moves"]
        return {int(role): move for role, move in moves.items()}

    def joint(self, moves: Sequence[str]) -> None:
        """See `Side`."""
        self._asked({"joint": list(moves)})

    def close(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            if stream:
                stream.close()

    def _asked(self, question: Mapping[str, Any]) -> Mapping[str, Any]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            print(json.dumps(question), file=self._process.stdin, flush=True)
            line = self._process.stdout.readline()
        except OSError as error:
            raise SeatError(f"a player's process has ended: {error}") from error
        answer = json.loads(line) if line else {"fault": "its process ended"}
        if "fault" in answer:
            raise SeatError(answer["fault"])
        return dict(answer)
