"""A match log as the JSON that the page draws, and as a record in the form of ggp.org."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from agent.gamemaster.records import MatchRecord
from agent.page.board import picture
from agent.page.history import MatchLog, Moment
from agent.page.story import story
from agent.page.trail import BACK, cells_of, trail
from agent.protocol.elements import tokens


def summary(log: MatchLog) -> dict[str, Any]:
    """One line of the history."""
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
        "status": log.status,
        "opposed": log.opposed,
        "note": log.note,
        "startClock": log.start_clock,
        "playClock": log.play_clock,
    }


def position(log: MatchLog, index: int = -1) -> dict[str, Any]:
    """One position as a picture, with the joint move that led to it and the thinking in it."""
    if not log.moments:
        return {"step": 0, "joint": [], "errors": [], "picture": None, "at": 0}
    moment = log.moments[index]
    step = index if index >= 0 else len(log.moments) + index
    return {
        "step": step,
        "joint": moment.joint,
        "errors": moment.error,
        "picture": _picture(log, step),
        "at": round(moment.at * 1000),
    }


def _picture(log: MatchLog, step: int) -> dict[str, Any]:
    """A position as a board, with what has just been moved on it."""
    moments = log.moments[max(0, step - BACK) : step + 1]
    drawn = picture(moments[-1].facts, log.look, terminal=log.terminal and step == len(log.moments) - 1)
    if log.terminal and log.cause and step == len(log.moments) - 1:
        drawn["cause"] = cells_of(log.cause, log.look)
    return drawn | {"step": step, "moved": trail([(one.joint, one.facts) for one in moments], log.look)}


def replay(log: MatchLog) -> dict[str, Any]:
    """A whole match: its summary, and every position with the thinking in it."""
    return _replayed(log, [_step(log, index) for index in range(len(log.moments))])


async def replay_kindly(log: MatchLog) -> dict[str, Any]:
    """The same of a match that may be long, drawn a position at a time, with others answered in between."""
    steps = []
    for index in range(len(log.moments)):
        steps.append(_step(log, index))
        await asyncio.sleep(0)
    return _replayed(log, steps)


def _step(log: MatchLog, index: int) -> dict[str, Any]:
    return {**position(log, index), "thinking": log.moments[index].thinking}


def _replayed(log: MatchLog, steps: list[dict[str, Any]]) -> dict[str, Any]:
    return {**summary(log), "steps": steps, "rates": log.rates, "faults": log.faults, "story": story(log)}


def record(log: MatchLog) -> Mapping[str, object]:
    """The record in the form of ggp.org; what a watcher cannot know is left empty."""
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
        aborted=log.status != "playing" and not log.terminal,
    )
    return made.as_json()


def _state(moment: Moment) -> str:
    return f"( {' '.join(map(_spaced, moment.facts))} )"


def _spaced(text: str) -> str:
    return " ".join(tokens(text))
