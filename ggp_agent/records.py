"""Records of matches, as `ggp-agent match --record` and the page write them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

from ggp_agent.boards import Board, board_of
from ggp_agent.loading import Origin
from reasoner.errors import ReasonerError, TermError
from reasoner.language.parse import read_term
from reasoner.language.terms import Compound

_FORM = "is not a match record: `ggp-agent match GAME --record DIR` writes records"
MAX_ROWS = 400
"""Maximum joint moves that a notebook lists."""


@dataclass(frozen=True)
class Record:
    """A recorded match. A notebook shows its last position, its result and its moves."""

    match_id: str
    game: str
    roles: tuple[str, ...]
    players: tuple[str, ...]  # per role
    states: tuple[tuple[str, ...], ...]  # the facts of each state, from the initial one
    moves: tuple[tuple[str, ...], ...]  # one move per role
    goals: tuple[int, ...] | None  # per role; None before the end
    rules: str  # the rulesheet; empty in records of other managers

    @classmethod
    def read(cls, file: str | Path) -> Record:
        """Read a record. Raises ValueError if the file is not a record, OSError if it cannot be read."""
        try:
            body = json.loads(Path(file).read_text(encoding="utf-8-sig"))
        except (ValueError, RecursionError) as error:
            raise ValueError(f"{file} {_FORM} ({error})") from None
        return cls.from_json(body, str(file))

    @classmethod
    def from_json(cls, body: Any, source: str = "the value") -> Record:  # noqa: ANN401 the parsed text of a file
        """Return the record in a parsed JSON object. Raises ValueError."""
        try:
            states = tuple(_facts(text) for text in body["states"])
            if not states:
                raise ValueError("it has no states")
            moves = tuple(tuple(map(_plain, joint)) for joint in body["moves"])
            goals = tuple(body["goalValues"]) if body.get("goalValues") else None
            players = tuple(map(str, body.get("playerNamesFromHost", ())))
            roles = tuple(map(str, body.get("roleNames", ())))
            name = str(body.get("gameName", ""))
            return cls(str(body["matchId"]), name, roles, players, states, moves, goals, str(body.get("rulesheet", "")))
        except (AttributeError, KeyError, TypeError, ValueError, TermError) as error:
            raise ValueError(f"{source} {_FORM} ({type(error).__name__}: {error})") from None

    def board(self, step: int = -1) -> Board:
        """Return the position after `step` joint moves as a picture; -1 is the last position.

        Raises ValueError if the record has no rules, IndexError if it has no such position.
        """
        if not self.rules:
            raise ValueError(f"the record {self.match_id} has no rulesheet, so its positions cannot be drawn")
        last = step in (-1, len(self.states) - 1) and self.goals is not None
        return board_of(Origin(self.game, self.rules, lenient=True), self.states[step], terminal=last)

    def _repr_html_(self) -> str:
        """Return the last position, the result and the moves for a notebook."""
        roles = self.roles or tuple(f"role {number}" for number in range(1, len(self.players) + 1))
        names = self.players or ("",) * len(roles)
        goals = self.goals or ("",) * len(roles)
        heads = "".join(
            f"<th>{escape(f'{role} ({name}) {goal}'.strip())}</th>"
            for role, name, goal in zip(roles, names, goals, strict=False)
        )
        rows = "".join(
            f"<tr><td>{step}</td>{''.join(f'<td>{escape(move)}</td>' for move in joint)}</tr>"
            for step, joint in enumerate(self.moves[:MAX_ROWS], 1)
        )
        try:
            board = self.board().svg if self.rules else ""
        except ReasonerError as error:  # a record of another program may hold any rules
            board = f"<p>{escape(f'no picture: {error}')}</p>"
        table = f"<table><tr><th></th>{heads}</tr>{rows}</table>"
        title = f"<strong>{escape(self.game or self.match_id)}</strong>, {len(self.moves)} steps"
        return f"<div><p>{title}</p>{board}<details><summary>Moves</summary>{table}</details></div>"


def _facts(text: str) -> tuple[str, ...]:
    """Return the facts of a state's text, ``( ( cell 1 1 b ) ( control white ) )``."""
    inside = text.strip().removeprefix("(").removesuffix(")").strip()
    if not inside:
        return ()
    term = read_term(f"(facts {inside})")
    assert isinstance(term, Compound)
    return tuple(map(str, term.arguments))


def _plain(move: str) -> str:
    return str(read_term(move))
