"""Batch of games that can be pickled and copied with its states and random generators.

Unpickling builds the circuit from the rules, once per process, because compiled code cannot be pickled.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from functools import cache
from pathlib import Path

from agent.gamemaster.addresses import is_url
from agent.gamemaster.errors import GameError
from agent.gamemaster.games import kif_game
from agent.gamemaster.rulesheet import Rulesheet
from reasoner import load_text
from reasoner.arrays import Bytes, Words
from reasoner.batch import Batch
from reasoner.errors import LimitError
from reasoner.lanes.machine import CircuitMachine


class GameBatch(Batch):
    """`games` games of a rulesheet, without automatic restart. Raises the errors of `machine_of_sheet`.

    Until `sow` sets a seed, each batch has its own random seed, so that concurrent environments play different games.
    """

    def __init__(self, sheet: Rulesheet, games: int, wrong: str) -> None:
        super().__init__(machine_of_sheet(sheet), games, seed=secrets.randbits(64), again=False, wrong=wrong)
        self._sheet = sheet

    def __reduce__(
        self,
    ) -> tuple[Callable[[Rulesheet, int, str, Bytes, Words], GameBatch], tuple[Rulesheet, int, str, Bytes, Words]]:
        return _arrived, (self._sheet, self.games, self.wrong, self.states.copy(), self.draws)


def _arrived(sheet: Rulesheet, games: int, wrong: str, states: Bytes, draws: Words) -> GameBatch:
    batch = GameBatch(sheet, games, wrong)
    batch.put(states)
    batch.draws = draws
    return batch


def sheet_of(game: str | Path) -> Rulesheet:
    """Load the rules of a bundled game, a file or a URL, in KIF. Raises GameError, RulesError.

    A URL is fetched once per process. A file is read each time, because it may have changed.
    """
    return _fetched(str(game)) if is_url(str(game)) else kif_game(str(game))


@cache
def _fetched(url: str) -> Rulesheet:
    return kif_game(url)


@cache
def machine_of_sheet(sheet: Rulesheet) -> CircuitMachine:
    """Build the circuit of a rulesheet, once per process.

    Raises GameError if it is too large, RulesError for faulty rules.
    """
    try:
        machine = load_text(sheet.text, "circuit")
    except LimitError as error:
        raise GameError(f"{sheet.name} has no circuit, which environments need: {error}") from error
    assert isinstance(machine, CircuitMachine)
    return machine
