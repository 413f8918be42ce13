"""The games compared, and what each library calls them. It needs nothing that is not in every Python."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Compared:
    """One game: a bundled rulesheet's name or one in the folder given, and its names elsewhere (empty: not there)."""

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
"""Of processor time, of one measurement."""
