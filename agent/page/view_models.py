"""JSON views of the agent, the running match, a game against the agent, and the search."""

from __future__ import annotations

from functools import cache

from agent.boards.move_cells import places
from agent.page.answers import (
    AgentView,
    EngineView,
    PersonGameView,
    RunningClock,
    RunningMatchView,
    ThinkingView,
)
from agent.page.games.people_game import Seat
from agent.page.games.person_game import PersonGame
from agent.page.history import MatchLog, Moment
from agent.page.host import Host
from agent.page.match_views import position, summary
from agent.page.people_answers import PeopleGameView
from agent.page.watching import RunningMatch
from agent.resources import own_version

FORCED = 4
"""Maximum positions that are searched backwards for one in which the agent had a choice."""


_version = cache(own_version)


def agent_view(host: Host) -> AgentView:
    """Return the agent's name, player and free match slots."""
    return {
        "name": host.name,
        "player": host.settings.player.spec,
        "version": _version(),
        "free": host.matches.free,
        "room": host.matches.room,
        "places": host.settings.server.matches,
        "ready": host.workers.warm,
        "playing": host.gallery.current() is not None,
        "beside": host.gallery.beside(),
        "turnedAway": [
            {"matchId": one.match_id, "reason": one.reason, "at": round(one.at * 1000)}
            for one in host.gallery.turned_away
        ],
    }


def match_view(running: RunningMatch) -> RunningMatchView:
    """Return the running match."""
    log = running.log
    return {
        **summary(log),
        "asked": _asked(running.asked),
        "position": position(log),
    }


def thinking_view(log: MatchLog) -> ThinkingView | None:
    """Return the latest search figures with their position, and the playout rates; None without figures.

    Figures of positions with a choice are preferred to those of forced moves.
    """
    thoughts = [(step, moment.thinking) for step, moment in enumerate(log.moments) if moment.thinking]
    if not thoughts:
        return None
    chosen = [(step, thought) for step, thought in thoughts[-FORCED:] if len(thought.get("moves", ())) > 1]
    step, figures = (chosen or thoughts)[-1]
    return {"step": step, "figures": figures, "rates": log.rates, "role": log.role}


def engine_view(log: MatchLog) -> EngineView | None:
    """Return the last engine, whether a faster one is being built, and the simulations per second."""
    told = (moment.thinking for moment in reversed(log.moments) if moment.thinking and "engine" in moment.thinking)
    figures = next(told, None)
    if figures is None:
        return None
    simulations, seconds = figures.get("simulations"), figures.get("seconds")
    known = isinstance(simulations, int | float) and isinstance(seconds, int | float)
    rate = simulations / seconds if known and seconds else None
    engine, building, missing = (figures.get(key) for key in ("engine", "building", "missing"))
    return {"engine": engine, "building": building, "missing": missing, "rate": rate}


def person_game_view(table: PersonGame, asked: tuple[float, float] | None) -> PersonGameView:
    """Return a game against the agent; `asked` is the start of the agent's clock and its length."""
    plan, log = table.plan, table.log
    own = table.legal[plan.role] if table.phase == "person" and plan.role is not None else []
    return {
        **summary(log),
        "table": table.key,
        "phase": table.phase,
        "person": plan.role,
        "notes": table.notes,
        "percepts": table.percepts,
        "back": None if table.hides or table.remote else _back(table),
        "hides": table.hides,
        "remote": table.remote,
        "simulations": plan.simulations,
        "game": plan.game,
        "engine": engine_view(log),
        "waiting": table.waiting,
        "terminal": log.terminal,
        "asked": _asked(asked),
        "position": position(log),
        "moves": places(own, log.last.facts, log.layouts, log.look.starts) if own and log.last else [],
    }


def people_game_view(seat: Seat) -> PeopleGameView:
    """Return a game between people as one place sees it."""
    game, log, role = seat.game, seat.log, seat.role
    mine = role is not None and role in game.awaited
    own = game.legal(role) if role is not None and mine else []
    taken = [one not in game.seats or game.seats[one].taken for one in range(len(log.roles))]
    running = game.phase == "playing"
    return {
        **summary(log),
        "players": ["you" if one == role else name for one, name in enumerate(log.players)],
        "phase": ("person" if mine else "others") if running else game.phase,
        "person": role,
        "hides": game.hides,
        "game": game.plan.game,
        "invite": None if role is None else game.invite,
        "watch": game.watching.key,
        "taken": taken,
        "present": [one not in game.seats or game.seats[one].present for one in range(len(log.roles))],
        "awaited": [one for one in game.awaited if not game.hides or one == role],  # who has a choice may be hidden
        "offers": sorted(game.offers),
        "even": game.even,
        "again": sorted(game.heirs) if game.rematch and not game.rematch.over else [],
        "percepts": [] if role is None else game.percepts(role),
        "terminal": log.terminal,
        "asked": _asked(game.asked),
        "position": position(log),
        "moves": places(own, log.last.facts, log.layouts, log.look.starts) if own and log.last else [],
    }


def _back(table: PersonGame) -> int | None:
    """Return the step of the person's previous choice; None if there is none."""
    role, moments = table.plan.role, table.log.moments
    chosen = (step for step in range(len(moments) - 2, -1, -1) if role is not None and _chooses(moments[step], role))
    return next(chosen, None)


def _chooses(moment: Moment, role: int) -> bool:
    return role < len(moment.choices) and moment.choices[role] > 1


def _asked(asked: tuple[float, float] | None) -> RunningClock | None:
    return None if asked is None else {"at": round(asked[0] * 1000), "seconds": asked[1]}
