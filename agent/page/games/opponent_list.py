"""The setting page.opponents: specifications and addresses of players by name."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from agent.errors import SettingsError, SpecError
from agent.gamemaster.addresses import has_host, is_url
from agent.players.spec import check_spelling

MAX_OPPONENTS = 32


def opponents_of(text: str) -> Mapping[str, str]:
    """Parse the setting page.opponents: specifications by name. Raises SettingsError."""
    found: dict[str, str] = {}
    for part in filter(None, (part.strip() for part in text.split(";"))):
        name, equals, spec = (word.strip() for word in part.partition("="))
        if not (name and equals and spec) or name in found:
            raise SettingsError(f"page.opponents: {part!r:.80} must be NAME=PLAYER, each name once")
        if is_url(spec):
            if not has_host(spec):
                raise SettingsError(
                    f"page.opponents: {spec!r:.80} of {name!r:.80} is not the address of a player:"
                    " write NAME=http://HOST:PORT"
                )
        else:
            try:
                check_spelling(spec)
            except SpecError as error:
                raise SettingsError(f"page.opponents: {error}") from None
        found[name] = spec
    if len(found) > MAX_OPPONENTS:
        raise SettingsError(f"page.opponents: at most {MAX_OPPONENTS} players")
    return MappingProxyType(found)
