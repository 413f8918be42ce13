"""Conversion of a match log to the page's JSON and to a ggp.org match record."""

from __future__ import annotations

import asyncio
import json
from collections import OrderedDict
from collections.abc import Mapping
from typing import Any

from aiohttp import web

from agent.boards.board import picture
from agent.boards.look import Look
from agent.boards.pictures import Picture
from agent.boards.trail import BACK, cells_of, trail
from agent.gamemaster.records import MatchRecord
from agent.page.answers import MatchSummary, PositionView, StepView
from agent.page.drawing import Drawing
from agent.page.errors import UnknownError
from agent.page.history import MatchLog, Moment
from agent.page.story import story
from agent.page.titles import PASTED
from agent.protocol.elements import tokens

KEPT = 8
"""Matches whose JSON is cached."""
MAX_KEPT = 16 << 20
"""Maximum characters of the cache."""
Version = tuple[Look, bool, tuple[str, ...] | None, int, int]


def summary(log: MatchLog) -> MatchSummary:
    """Return one entry of the history."""
    return {
        "key": log.key,
        "title": log.title,
        "matchId": log.match_id,
        "began": round(log.began * 1000),
        "roles": log.roles,
        "players": log.players,
        "role": log.role,
        "steps": log.steps,
        "goals": log.goals,
        "points": log.points,
        "status": log.status,
        "opposed": log.opposed,
        "note": log.note,
        "startClock": log.start_clock,
        "playClock": log.play_clock,
    }


def position(log: MatchLog, index: int | None = None) -> PositionView:
    """Return one position, by default the last, as a picture, with its joint move and its time."""
    moment, step = (log.last, log.turn) if index is None else (log.moments[index], index)
    if moment is None:
        return {"step": 0, "joint": [], "errors": [], "picture": None, "at": 0}
    return {
        "step": step,
        "joint": moment.joint,
        "errors": moment.error,
        "picture": _picture(log, step, moment),
        "at": round(moment.at * 1000),
    }


async def earlier(log: MatchLog | None, request: web.Request, drawing: Drawing) -> PositionView:
    """Return the position after the number of joint moves that the request's path gives. Raises UnknownError."""
    step = int(request.match_info["step"])
    if log is not None and step < len(log.moments):
        await drawing.draw(log)
    if log is None or step >= len(log.moments):
        raise UnknownError
    return position(log, step)


def _picture(log: MatchLog, step: int, moment: Moment) -> Picture:
    """Return a position as a picture, with the last moves if they are known."""
    before = log.moments[max(0, step - BACK) : step] if step <= len(log.moments) else []
    moments, over = [*before, moment], log.terminal and step == log.turn
    drawn = picture(moment.facts, log.look, terminal=over)
    if over and log.cause:
        drawn["cause"] = cells_of(log.cause, log.look)
    drawn["step"], drawn["moved"] = step, trail([(one.joint, one.facts) for one in moments], log.look)
    return drawn


def replay(log: MatchLog) -> dict[str, Any]:
    """Return a whole match: its summary, and every position with its search figures."""
    return {**_around(log), "steps": [_step(log, index) for index in range(len(log.moments))]}


class Replays:
    """Whole matches as JSON text, with a cache of the last few."""

    def __init__(self) -> None:
        self._kept: OrderedDict[int, tuple[MatchLog, Version, str]] = OrderedDict()

    async def text(self, log: MatchLog) -> str:
        """Return `replay` as text, yielding to the event loop after each position."""
        version = _version(log)
        kept = self._kept.pop(log.key, None)  # possibly of a deleted match with this number
        same = kept is not None and kept[0] is log and kept[1] == version
        steps = kept[2] if kept and same else await _written(log)
        if log.status != "playing":
            self._kept[log.key] = log, version, steps
        while len(self._kept) > KEPT or sum(len(text) for *_, text in self._kept.values()) > MAX_KEPT:
            self._kept.popitem(last=False)
        return f'{json.dumps(_around(log), allow_nan=False)[:-1]}, "steps": {steps}}}'


async def _written(log: MatchLog) -> str:
    """Return the positions of a match as JSON text."""
    steps = []
    for index in range(len(log.moments)):
        steps.append(json.dumps(_step(log, index), allow_nan=False))
        await asyncio.sleep(0)
    return f"[{', '.join(steps)}]"


def _version(log: MatchLog) -> Version:
    """Return the cache key of a match; it changes when figures or a look arrive after the end of the match."""
    thoughts = sum(moment.thinking is not None for moment in log.moments)
    return log.look, log.terminal, log.cause, thoughts, len(log.moments)


def _step(log: MatchLog, index: int) -> StepView:
    return {**position(log, index), "thinking": log.moments[index].thinking}


def _around(log: MatchLog) -> dict[str, Any]:
    """Return a match as `replay` does, without its positions."""
    return {**summary(log), "rates": log.rates, "faults": log.faults, "story": story(log)}


def record(log: MatchLog) -> Mapping[str, object]:
    """Return the match record in the form of ggp.org; unknown fields are empty."""
    moves = log.moments[1:]
    silent = ("",) * len(log.roles)
    made = MatchRecord(
        match_id=log.match_id,
        random_token="",
        start_time=round(log.began * 1000),
        start_clock=log.start_clock,
        play_clock=log.play_clock,
        game_url="",
        states=tuple(_state(moment) for moment in log.moments),
        state_times=tuple(round(moment.at * 1000) for moment in log.moments),
        moves=tuple(tuple(map(_spaced, moment.joint)) for moment in moves),
        errors=(silent, *(moment.error or silent for moment in moves)),
        player_names=log.players or silent,
        goals=log.goals or (),
        completed=log.terminal,
        aborted=log.status != "playing" and not log.terminal and not log.partial,
        game="" if log.title in (log.match_id, PASTED) else log.title,
        roles=log.roles,
        rules=log.rules,
    )
    return made.as_json()


def _state(moment: Moment) -> str:
    return f"( {' '.join(map(_spaced, moment.facts))} )"


def _spaced(text: str) -> str:
    return " ".join(tokens(text))
