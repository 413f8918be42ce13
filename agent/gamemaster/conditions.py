"""Conditions of matches, shared by `ggp-agent match` and tournaments."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from agent.gamemaster.match import MatchSetup, SeatedPlayer
from agent.gamemaster.rulesheet import Rulesheet
from agent.gamemaster.scramble import Scrambler
from reasoner.machine import Machine

MAX_NAME = 80
"""Maximum characters of a game's name in a match id, which names the record's file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Conditions:
    """Clocks in seconds; a match is aborted after `max_steps` joint moves (0: never).

    `seed` seeds chance, the random moves in place of wrong answers, and scrambling, which replaces the games' names by
    made-up words.
    """

    start_clock: float = 10.0
    play_clock: float = 2.0
    max_steps: int = 0
    seed: int = 1
    scramble: bool = False

    def setup(
        self,
        number: int,
        sheet: Rulesheet,
        machine: Machine,
        seats: Callable[[str], Sequence[SeatedPlayer | None]],
        seed: str,
        wall: Callable[[], float],
    ) -> MatchSetup:
        """Set up one match. Its match id contains the game, the time and `number`.

        `seats` returns the players for a match id; `seed` is the seed of this match; `wall` returns seconds since 1970.
        """
        word = re.sub(r"[^A-Za-z0-9_-]", "_", sheet.name)[:MAX_NAME]
        match_id = f"{word}.{int(wall() * 1000)}.{number}"
        return MatchSetup(
            match_id=match_id,
            rulesheet=sheet,
            machine=machine,
            seats=tuple(seats(match_id)),
            start_clock=self.start_clock,
            play_clock=self.play_clock,
            wall=wall,
            max_steps=self.max_steps,
            seed=seed,
            scrambler=Scrambler.of(sheet.text, seed) if self.scramble else Scrambler(),
        )
