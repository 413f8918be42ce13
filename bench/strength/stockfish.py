"""Fairy-Stockfish through the Universal Chess Interface (UCI), for rulesheets of variants that it supports.

A move of a rulesheet names two cells in its last four arguments, files as letters or numbers: ``(move 3 2 4 3)`` and
``(move wp c 2 d 3)`` are ``c2d3``. The engine's name of a promotion is longer; it is found among the engine's
legal moves in the position. Where a rulesheet forbids some of these moves, the engine searches only the others.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence

from reasoner.language.terms import Term

COMMANDS = ("fairy-stockfish", "/usr/games/fairy-stockfish")
OPTIONS = {"skill": "Skill Level", "elo": "UCI_Elo", "hash": "Hash"}
CELLS = re.compile(r"\(.*?\s([a-z]|\d+) (\d+) ([a-z]|\d+) (\d+)\)")
QUEEN = "q"


class Stockfish:
    """One engine, thinking on one thread. Raises ValueError if it is not installed or does not know a setting."""

    def __init__(self, settings: Mapping[str, str]) -> None:
        unknown = settings.keys() - OPTIONS.keys() - {"variant", "nodes"}
        if unknown or "variant" not in settings:
            raise ValueError(f"fairy-stockfish takes variant=NAME, and skill, elo, nodes, hash; not {sorted(unknown)}")
        command = next(filter(None, map(shutil.which, COMMANDS)), None)
        if command is None:
            raise ValueError("fairy-stockfish is not installed (Debian package fairy-stockfish)")
        self._nodes = settings.get("nodes")
        self._engine = subprocess.Popen([command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self._tell("uci")
        known = self._until("uciok")
        if not re.search(rf"UCI_Variant .*var {re.escape(settings['variant'])}\b", "\n".join(known)):
            self.close()
            raise ValueError(f"fairy-stockfish does not know the variant {settings['variant']}")
        self._set("UCI_Variant", settings["variant"])
        self._set("Threads", "1")
        self._set("UCI_LimitStrength", str("elo" in settings).lower())
        for key in OPTIONS.keys() & settings.keys():
            self._set(OPTIONS[key], settings[key])
        self._known: list[str] = []  # the engine's names of the moves of this match
        self._line: list[str] = []  # the same moves with the rulesheet's names

    def choose(self, played: Sequence[Sequence[str]], role: int, legal: Sequence[Term], seconds: float | None) -> str:  # noqa: ARG002 `played` shows who moves
        """See `chooser.Chooser`."""
        self._follow([move for joint in played for move in map(cells, joint) if move])
        names = self._names()
        both = shared(names, legal)
        limit = f"nodes {self._nodes}" if self._nodes or seconds is None else f"movetime {max(int(1000 * seconds), 1)}"
        self._tell(f"go {limit}" + (f" searchmoves {' '.join(both)}" if 0 < len(both) < len(names) else ""))
        best = self._until("bestmove")[-1].split()[1]
        for move in legal:
            if cells(str(move)) == best[:4]:
                return str(move)
        raise ValueError(f"fairy-stockfish plays {best}, which is not legal: check that variant=NAME is this game")

    def close(self) -> None:
        """End the engine."""
        self._engine.kill()
        self._engine.wait()
        for stream in (self._engine.stdin, self._engine.stdout):
            if stream:
                stream.close()

    def _follow(self, line: list[str]) -> None:
        """Find the engine's names of the new moves."""
        if line[: len(self._line)] != self._line:
            self._known, self._line = [], []
            self._tell("ucinewgame")
        for move in line[len(self._line) :]:
            self._known.append(self._named(move))
            self._line.append(move)

    def _names(self) -> list[str]:
        """Return the engine's names of its legal moves."""
        self._position()
        self._tell("go perft 1")
        return [name.partition(":")[0] for name in self._until("Nodes searched") if ": 1" in name]

    def _named(self, move: str) -> str:
        names = self._names()
        found = [name for name in (move, move + QUEEN) if name in names]
        if not found:
            raise ValueError(f"fairy-stockfish has no move {move}: check that variant=NAME is this game")
        return found[0]

    def _position(self) -> None:
        self._tell(f"position startpos moves {' '.join(self._known)}" if self._known else "position startpos")

    def _set(self, name: str, value: str) -> None:
        self._tell(f"setoption name {name} value {value}")

    def _tell(self, line: str) -> None:
        assert self._engine.stdin is not None
        print(line, file=self._engine.stdin, flush=True)

    def _until(self, word: str) -> list[str]:
        """Return all lines up to one that begins with `word`."""
        assert self._engine.stdout is not None
        lines: list[str] = []
        for line in self._engine.stdout:
            lines.append(line.strip())
            if lines[-1].startswith(word):
                return lines
        raise ValueError(f"fairy-stockfish ended without sending {word}")


def shared(names: Sequence[str], legal: Sequence[Term]) -> list[str]:
    """Return the engine's moves that are legal in the rulesheet; of promotions only those to a queen."""
    known = {cells(str(move)) for move in legal}
    return [name for name in names if name[:4] in known and (len(name) == len("c2d3") or name.endswith(QUEEN))]


def cells(move: str) -> str:
    """Return ``c2d3`` for a move from one cell to another, an empty string for other moves."""
    found = CELLS.fullmatch(move)
    if not found:
        return ""
    return f"{_file(found[1])}{found[2]}{_file(found[3])}{found[4]}"


def _file(name: str) -> str:
    return chr(ord("a") + int(name) - 1) if name.isdigit() else name
