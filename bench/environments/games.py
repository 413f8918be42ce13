"""The games compared, with their names in each library. This file needs only the standard library."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Compared:
    """One game: its rulesheet (bundled or in the given folder), and its names in the libraries (empty: missing)."""

    name: str
    rulesheet: str
    openspiel: str
    pgx: str


GAMES = (
    Compared("tic-tac-toe", "ticTacToe", "tic_tac_toe", "tic_tac_toe"),
    Compared("connect four", "connectFour", "connect_four", "connect_four"),
    Compared("breakthrough", "breakthrough", "breakthrough", ""),
    Compared("othello", "reversi", "othello", "othello"),
    Compared("hex 9x9", "hex", "hex(board_size=9)", "hex"),  # pgx: 11x11, the only size that works
    Compared("chess", "chess", "chess", "chess"),
)
BATCHES = (1, 512, 8192)
SECONDS = 1.0
"""Processor seconds of one measurement."""
