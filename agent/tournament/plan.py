"""Plan of a tournament: parsing and validation of its TOML file."""

from __future__ import annotations

import difflib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, get_type_hints

from agent.errors import SpecError
from agent.gamemaster.conditions import Conditions
from agent.gamemaster.series import check_specs
from agent.resources import read_toml
from agent.tournament.errors import PlanError

ROUND_ROBIN = "round-robin"
GAUNTLET = "gauntlet"


@dataclass(frozen=True, slots=True)
class TournamentPlan(Conditions):
    """A tournament plan. The field names are the keys of the file.

    players:     a table of player names with their SPEC or URL.
    games:       bundled names, files or URLs.
    style:       round-robin (all pairs) or gauntlet (`challenger` against all others).
    rounds:      repetitions of each line-up in each seating.
    parallel:    number of simultaneous matches.
    start_clock: seconds before the first move; `play_clock`: seconds per move.
    max_steps:   abort a match without a result after this many joint moves; 0: never.
    seed:        for chance, scrambling, and random moves in place of wrong answers; all seatings of a line-up use the
                 same seed.
    scramble:    replace the games' names by made-up words.
    records:     folder for match records; empty: none.
    """

    players: Mapping[str, str]
    games: tuple[str, ...]
    style: str = ROUND_ROBIN
    challenger: str = ""
    rounds: int = 1
    parallel: int = 1
    records: str = ""
    name: str = field(default="")

    @property
    def fingerprint(self) -> str:
        """The part of the plan that must not change between runs, as JSON. Games, rounds and `parallel` may change."""
        loose = {"games", "rounds", "parallel", "records", "name"}
        return json.dumps({k: v for k, v in asdict(self).items() if k not in loose}, sort_keys=True)


def read_plan(file: Path) -> TournamentPlan:
    """Load a plan. Raises PlanError."""
    try:
        table = read_toml(file)
    except OSError as error:
        raise PlanError(f"{file}: cannot be read: {error.strerror}") from None
    except RecursionError:
        raise PlanError(f"{file}: not a plan: nested too deeply") from None
    except ValueError as error:  # also TOMLDecodeError and UnicodeDecodeError
        raise PlanError(f"{file}: not a TOML file: {error}") from None
    try:
        return _checked({"name": file.stem, **table})
    except PlanError as error:
        raise PlanError(f"{file}: {error}") from None


def _checked(table: Mapping[str, Any]) -> TournamentPlan:
    types = get_type_hints(TournamentPlan)
    for key in table:
        if key not in types:
            close = difflib.get_close_matches(key, types, n=1)
            hint = f"did you mean {close[0]}?" if close else f"known: {', '.join(types)}"
            raise PlanError(f"unknown key {key}; {hint}")
    values = {key: _value(key, table[key], types[key]) for key in table}
    _check_players(values.get("players", {}))
    for key in ("players", "games"):
        if not values.get(key):
            raise PlanError(f"{key} needs at least one entry; `ggp-agent tournament --help` shows an example")
    plan = TournamentPlan(**values)
    _check_numbers(plan)
    _check_style(plan)
    return plan


def _value(key: str, value: Any, kind: Any) -> Any:  # noqa: ANN401 a TOML value may have any type
    if key == "games" and isinstance(value, list) and all(isinstance(game, str) for game in value):
        if twice := [game for game in dict.fromkeys(value) if value.count(game) > 1]:
            raise PlanError(f"games has {twice[0]!r:.60} twice; `rounds` sets how often each game is played")
        return tuple(value)
    if key == "players" and isinstance(value, dict):
        return dict(value)
    if kind is float and type(value) is int:
        return float(str(value))  # infinite if it is too large for a float
    if kind in (int, float, str, bool) and type(value) is kind:
        return value
    wanted = {"games": 'a list of texts: ["ticTacToe"]', "players": 'a table of texts: [players] me = "mcts"'}
    names = {int: "a whole number", float: "a number", str: "text", bool: "true or false"}
    raise PlanError(f"{key} must be {wanted.get(key) or names[kind]}, not {value!r:.60}")


def _check_numbers(plan: TournamentPlan) -> None:
    for key, value, least in (
        ("rounds", plan.rounds, 1),
        ("parallel", plan.parallel, 1),
        ("max_steps", plan.max_steps, 0),
        ("start_clock", plan.start_clock, 0.001),
        ("play_clock", plan.play_clock, 0.001),
    ):
        if not least <= value <= 1_000_000:
            raise PlanError(f"{key} must be from {least} to 1,000,000, not {value}")


def _check_style(plan: TournamentPlan) -> None:
    if plan.style not in (ROUND_ROBIN, GAUNTLET):
        raise PlanError(f"style must be {ROUND_ROBIN} or {GAUNTLET}, not {plan.style!r:.60}")
    if plan.style == GAUNTLET and plan.challenger not in plan.players:
        raise PlanError(f"challenger must be one of the players ({', '.join(plan.players)})")


def _check_players(players: Mapping[str, Any]) -> None:
    for index, (name, spec) in enumerate(players.items()):
        if not isinstance(spec, str):
            raise PlanError(f'players.{name} must be text such as "mcts", not {spec!r:.60}{_misplaced(name)}')
        try:
            check_specs([*list(players.values())[:index], spec])
        except SpecError as error:
            raise PlanError(f"players.{name}: {error}{_misplaced(name)}") from None


def _misplaced(name: str) -> str:
    """Return the advice for a wrong player who is named like a key of the plan."""
    known = name in get_type_hints(TournamentPlan)
    return f"; a key that is no player, such as {name}, must come before [players]" if known else ""
