"""`ggp-agent study --list`, `--export`, `--import`, `--remove`: the folder of studied games."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from agent.cli.console import console
from agent.cli.tables import Group, parted
from agent.cli.words import counted
from agent.settings import load_settings

if TYPE_CHECKING:  # what is kept is looked at only where one of the options is given
    from agent.knowledge.folder import Kept, Knowledge
    from search.network.storage import Studied

FILE = click.Path(dir_okay=False, path_type=Path)
COLUMNS = ("game", "key", "roles", "games", "minutes", "rating", "date", "size")
KEY = 10
"""Characters of a key that are shown."""
LONGEST = 40
"""Characters of a stranger's words that are shown."""


def knowledge_options(command: Callable[..., None]) -> Callable[..., None]:
    """The options, each of which does its own thing instead of a study."""
    for option in (
        _option("--remove", "GAME", "Remove what is kept of GAME: its name, or its key's beginning.", _remove),
        _option("--import", "FILE", "Keep the studied game that is in FILE.", _import, type=FILE),
        _option("--export", "GAME FILE", "Write what is kept of GAME into FILE.", _export, type=(str, FILE)),
        _option("--list", None, "List the studied games that are kept.", _list, is_flag=True),
    ):
        command = option(command)
    return command


def keep(path: Path) -> str:
    """Keep what a study has found, so that matches use it, but not in place of what was studied longer; what to tell.

    Raises KnowledgeError.
    """
    from search.network.storage import load

    knowledge, studied = _knowledge(), load(path)
    there = _kept_of(knowledge, studied)
    if there is None:
        return f"kept for matches as {knowledge.keep(studied)}"
    minutes = _minutes(there.studied)
    if minutes > _minutes(studied):
        return (
            f"not kept: matches use what {minutes:g} minutes of study have found of this game; to use this one, "
            f"--remove {_number(there)}, then --import {path}"
        )
    return f"kept for matches as {knowledge.keep(studied)}, in place of what {minutes:g} minutes of study had found"


def _option(
    name: str,
    metavar: str | None,
    told: str,
    act: Callable[[Any], None],
    **more: Any,  # noqa: ANN401 what click.option takes
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    def called(ctx: click.Context, _option: click.Parameter, value: Any) -> None:  # noqa: ANN401 what click has read
        if value and not ctx.resilient_parsing:
            act(value)
            ctx.exit()

    return click.option(name, metavar=metavar, help=told, callback=called, is_eager=True, expose_value=False, **more)


def _knowledge() -> Knowledge:
    from agent.knowledge.folder import knowledge_of

    return knowledge_of(load_settings().knowledge)


def _list(_: bool) -> None:
    knowledge = _knowledge()
    every = knowledge.all()
    if not every:
        click.echo(f"no studied games are kept in {knowledge.folder}; `ggp-agent study GAME` studies one")
        return
    rows, out = [_row(kept) for kept in every], console()
    numbers = [Group(COLUMNS[part], [row[part] for row in rows]) for part in (slice(3, 6), slice(6, 8))]
    groups = [Group(COLUMNS[1:3], [row[1:3] for row in rows], "left"), *numbers]
    for table in parted(COLUMNS[0], [row[0] for row in rows], groups, out.width):
        out.print(table)
    for kept in every:
        if kept.fault:
            click.echo(f"damaged: {kept.fault}", err=True)


def _row(kept: Kept) -> tuple[str, ...]:
    about = kept.studied.about if kept.studied else {}
    roles = ", ".join(map(str, kept.studied.network.roles)) if kept.studied else ""
    told = (about.get(column, "") for column in ("games", "minutes", "rating", "date"))
    name = kept.name if kept.studied else "damaged"
    return tuple(map(_shown, (name, _number(kept), roles, *told, f"{kept.size / 1e6:.1f} MB")))


def _number(kept: Kept) -> str:
    """The beginning of its key, by which people name it."""
    return kept.key.partition("-")[2][:KEY]


def _minutes(studied: Studied | None) -> float:
    """Of its study; 0 where the file does not say it, or cannot be read."""
    minutes = studied.about.get("minutes", 0) if studied else 0
    return float(minutes) if isinstance(minutes, int | float) else 0.0


def _kept_of(knowledge: Knowledge, studied: Studied) -> Kept | None:
    """What is kept of the same game. Raises KnowledgeError."""
    from agent.knowledge.folder import identity_of

    key = identity_of(studied.rules).key
    return next((kept for kept in knowledge.all() if kept.key == key), None)


def _shown(value: object) -> str:
    """A stranger's word or number: no control characters, not long."""
    text = "".join(c if c.isprintable() else "?" for c in str(value)[: LONGEST + 1])
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def _export(given: tuple[str, Path]) -> None:
    from search.network.storage import load, save

    name, file = given
    kept = _knowledge().one(name)
    save(file, load(kept.path))
    click.echo(f"{_shown(kept.name)} is in {file}, {kept.size / 1e6:.1f} MB")


def _import(file: Path) -> None:
    from agent.errors import KnowledgeError
    from search.network.storage import load

    knowledge, studied = _knowledge(), load(file)
    if (there := _kept_of(knowledge, studied)) is not None:
        raise KnowledgeError(f"this game is kept already, and stays as it is: --remove {_number(there)} first.")
    path = knowledge.keep(studied)
    facts = counted(len(studied.network.facts), "fact")
    click.echo(f"{_shown(studied.about.get('game', 'a game'))}, a network of {facts}, is kept as {path}")


def _remove(name: str) -> None:
    kept = _knowledge().remove(name)
    click.echo(f"{_shown(kept.name or kept.key)} is no longer kept")
