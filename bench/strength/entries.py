"""Entries: the players named on the command line.

- ``ours[:key=value,...]``: this checkout's search, with these settings
- ``commit:REV[:key=value,...]``: the search of another commit of this repository
- ``http://HOST:PORT``: a player that is already running
- ``fairy-stockfish:variant=V[,skill=N][,elo=N][,nodes=N]``: an engine behind UCI
- ``exact``: Connect Four on 7 columns and 6 rows, solved
- ``module:Class``, or another SPEC of ``ggp-agent match``: a player that this checkout's agent plays
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from agent.errors import SpecError
from agent.players.spec import check_spec, check_spelling
from bench.strength import versions
from bench.strength.seat import FILES

SEARCHES = ("ours", "commit")
PLAYER = "player"
URLS = ("http://", "https://")
FORMS = (
    "ours[:key=value,...], commit:REV[:key=value,...], a URL, fairy-stockfish:variant=NAME,..., exact, or module:Class"
)


@dataclass(frozen=True)
class Entry:
    """A side of the matches. `folder` has the code of a search; `version` identifies the code, as far as known."""

    text: str
    kind: str  # ours, commit, url, fairy-stockfish, exact, player
    settings: tuple[tuple[str, str], ...] = ()
    folder: Path | None = None
    version: str = ""

    @property
    def searches(self) -> bool:
        """Whether the entry is a version of this repository's own search."""
        return self.kind in SEARCHES

    @property
    def spec(self) -> str:
        """The player's specification for `serve`."""
        if self.kind == PLAYER:
            return self.text
        return "mcts" + ":" * bool(self.settings) + ",".join(f"{key}={value}" for key, value in self.settings)


def entry(text: str) -> Entry:
    """Parse an entry; another commit's files are checked out. Raises ValueError."""
    if text.startswith(URLS):
        return Entry(text, "url")
    kind, _, rest = text.partition(":")
    if kind == "ours":
        return _checked(Entry(text, kind, _settings(rest, text), versions.ROOT, versions.fingerprint(versions.ROOT)))
    if kind == "commit":
        name, _, rest = rest.partition(":")
        folder = versions.checkout(name)
        return Entry(text, kind, _settings(rest, text), folder, versions.fingerprint(folder))
    if kind == "fairy-stockfish":
        return Entry(text, kind, _settings(rest, text))
    if text == "exact":
        return Entry(text, kind)
    try:
        check_spec(text)
    except SpecError as error:
        raise ValueError(f"{text!r:.80} is not a valid opponent: give {FORMS} ({error})") from None
    return Entry(text, PLAYER, version=versions.fingerprint(versions.ROOT))


def _checked(own: Entry) -> Entry:
    """Return the entry if this checkout's search has all its settings; other commits check their own."""
    try:
        check_spelling(replace(own, settings=tuple(each for each in own.settings if each[0] not in FILES)).spec)
    except SpecError as error:
        raise ValueError(f"{own.text!r:.80}: {error}") from None
    return own


def _settings(text: str, whole: str) -> tuple[tuple[str, str], ...]:
    parts = [part.partition("=") for part in text.split(",") if part]
    if any(not (key and equals and value) for key, equals, value in parts):
        raise ValueError(f"{whole!r:.80}: settings are key=value,...")
    return tuple((key, value) for key, _, value in parts)
