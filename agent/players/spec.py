"""A player's specification: ``mcts``, ``mcts:key=value,...``, ``random``, ``legal``, ``module:Class``, a plugin's name.

``openspiel:mcts`` and ``openspiel:mcts,key=value,...`` are OpenSpiel's search, if installed.
"""

from __future__ import annotations

import difflib
import importlib
import math
import secrets
import sys
from collections.abc import Callable, Mapping
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any, get_type_hints

from agent.errors import SpecError
from agent.players.base import Player
from agent.players.legal import LegalPlayer
from agent.players.options import MctsOptions
from agent.players.plugins import PLAYERS, installed, option_types, player_class
from agent.players.random import RandomOptions, RandomPlayer
from agent.settings import TRUTHS
from search.options import RENAMED

BUILT_IN = ("mcts", "random", "legal")
OPTIONS: dict[str, type[Any]] = {"mcts": MctsOptions, "random": RandomOptions}
"""Option classes of the built-in players."""
OPENSPIEL = "agent.environments.spiel_player"
"""Module of OpenSpiel's search. Imported by name, because it is in a higher layer and needs an extra."""


def check_spec(spec: str) -> None:
    """Raise SpecError like `player_factory`, without loading the built-in players."""
    check_spelling(spec)
    name, rest = _parts(spec)
    if name == "openspiel":
        _of_openspiel(rest, spec)
    elif name not in BUILT_IN:
        _of_others(name, rest, spec)


def check_spelling(spec: str) -> None:
    """Raise SpecError for wrong options of a built-in player, or for a text that names no player.

    A custom class is not imported, because that would run its module here.
    """
    name, rest = _parts(spec)
    if name in OPTIONS:
        _options(OPTIONS[name], rest, spec)


def player_factory(spec: str) -> Callable[[], Player]:
    """Return a factory that creates a player for each match. Raises SpecError, whose message shows the valid forms.

    Without a ``seed``, each player gets a random one, so that matches differ.
    """
    name, rest = _parts(spec)
    if name == "mcts":
        from agent.players.mcts import MctsPlayer  # late import: it loads the search

        make_options = _options(MctsOptions, rest, spec)
        return lambda: MctsPlayer(make_options())
    if name == "random":
        make_random = _options(RandomOptions, rest, spec)
        return lambda: RandomPlayer(make_random())
    if name == "openspiel":
        return _of_openspiel(rest, spec)
    return LegalPlayer if name == "legal" else _of_others(name, rest, spec)


def is_of_module(spec: str) -> bool:
    """Whether a player is ``module:Class`` or a plugin, and not a built-in one. Raises SpecError for other texts."""
    return _parts(spec)[0] not in (*BUILT_IN, "openspiel")


def _parts(spec: str) -> tuple[str, str]:
    """Split a specification into a player's name and its options, or a module and a class. Raises SpecError."""
    name, _, rest = spec.strip().partition(":")
    if rest.startswith("//"):
        address = "the address of a running player begins with http:// or https://, and only matches take addresses"
        raise SpecError(f"{spec!r:.80} is not a player: {address}")
    if name.endswith(".py"):
        raise SpecError(f"{spec!r:.80} names a file: write {Path(name).stem}:{rest or 'Class'}")
    if name in OPTIONS or (name == "legal" and not rest) or (name != "legal" and rest) or name in installed(PLAYERS):
        return name, rest
    given = f"{spec!r:.80} is not a player{_meant(name)}"
    plugins = "".join(f", {plugin}" for plugin in sorted(installed(PLAYERS)))
    raise SpecError(f"{given}: give {', '.join(BUILT_IN)}{plugins}, mcts:key=value,... or module:Class")


def _of_openspiel(rest: str, spec: str) -> Callable[[], Player]:
    """Return a factory of OpenSpiel's search with options."""
    bot, _, options = rest.partition(",")
    if bot != "mcts":
        raise SpecError(f"{spec!r:.80}: supported OpenSpiel bots: openspiel:mcts and openspiel:mcts,key=value,...")
    try:
        extra = importlib.import_module(OPENSPIEL)
    except ImportError as error:
        raise SpecError(f"{spec!r:.80} cannot be played: {error}") from None
    make_options = _options(extra.SpielOptions, options, spec)
    return lambda: extra.SpielPlayer(make_options())


def _options(kind: type[Any], text: str, spec: str) -> Callable[[], Any]:
    """Parse ``key=value,...`` and return a factory of the options."""
    given = _given(get_type_hints(kind), text, spec)
    try:
        kind(**given)
    except ValueError as error:
        raise SpecError(f"{spec!r:.80}: {error}") from None
    return lambda: kind(**{"seed": secrets.randbits(31), **given})


def _given(types: Mapping[str, type], text: str, spec: str) -> dict[str, Any]:
    """Parse ``key=value,...``; `types` has the types of all keys."""
    given: dict[str, Any] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        key, equals, value = part.partition("=")
        if not equals or key not in types:
            raise SpecError(f"{spec!r:.80}: unknown setting {key!r:.40}{_near(key, types)}")
        given[key] = _value(types[key], value, f"{spec!r:.80}: {key}")
    return given


def _value(kind: type, text: str, where: str) -> Any:  # noqa: ANN401 a setting may have any of these types
    try:
        value = TRUTHS[text.lower()] if kind is bool else kind(text)
        if kind is float and not math.isfinite(value):
            raise ValueError
    except (KeyError, ValueError):
        named = {bool: "true or false", int: "a whole number", float: "a number"}.get(kind, kind.__name__)
        raise SpecError(f"{where} must be {named}, not {text!r:.40}") from None
    return value


def _meant(name: str) -> str:
    close = difflib.get_close_matches(name, BUILT_IN, n=1)
    return f" (did you mean {close[0]}?)" if close else ""


def _near(key: str, known: Mapping[str, Any]) -> str:
    close = [RENAMED[key]] if key in RENAMED else difflib.get_close_matches(key, known, n=1)
    hint = f" (did you mean {close[0]}?)" if close else ""
    return f"{hint}; the settings are {', '.join(known) or 'none'}"


def _of_others(name: str, rest: str, spec: str) -> Callable[[], Player]:
    """Return a factory of a plugin with options, or of a class in a module."""
    plugin = installed(PLAYERS).get(name)
    if plugin is None:
        return _from_module(name, rest)
    kind = player_class(plugin)
    given = _given(option_types(kind), rest, spec)
    return lambda: kind(**given)


def _from_module(module_name: str, class_name: str) -> Callable[[], Player]:
    """Import a class from a module, which may be in the current directory."""
    if class_name.partition("/")[0].isdigit():  # an address without its scheme
        address = f"{module_name}:{class_name}"
        raise SpecError(f"{address:.80} is not a player; a running player is given as a URL: http://{address:.80}")
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    try:
        with redirect_stdout(sys.stderr):  # the commands' own output may be JSON, or read by another process
            module = importlib.import_module(module_name)
    except (Exception, SystemExit) as error:  # the imported code may raise anything
        meant = _meant(module_name) if isinstance(error, ModuleNotFoundError) else ""
        why = f"SyntaxError: {error}" if isinstance(error, SyntaxError) else repr(error)
        raise SpecError(f"{module_name}:{class_name}: cannot import {module_name}: {why:.200}{meant}") from None
    if ":" in class_name or "," in class_name or "=" in class_name:
        text = "module:Class takes no options: write the values into the class, or make it a plugin"
        raise SpecError(f"{module_name}:{class_name:.80}: {text}")
    if not hasattr(module, class_name):
        players = [name for name, kind in vars(module).items() if _is_player(kind)]
        known = f"; its players: {', '.join(players)}" if players else " and no player at all"
        own, file = Path(here, f"{module_name}.py"), module.__file__ or ""
        other = f"; it is {file}: rename {own.name} of this folder" if own.is_file() and Path(file) != own else ""
        raise SpecError(f"{module_name}:{class_name}: {module_name} has no {class_name}{known}{other}")
    found = getattr(module, class_name)
    if not (isinstance(found, type) and issubclass(found, Player)):
        raise SpecError(f"{module_name}:{class_name}: {class_name} is not a subclass of ggp_agent.Player")
    if found.play is Player.play:
        raise SpecError(f"{module_name}:{class_name}: {class_name} has no method play")
    return found


def _is_player(kind: object) -> bool:
    return isinstance(kind, type) and issubclass(kind, Player) and kind is not Player
