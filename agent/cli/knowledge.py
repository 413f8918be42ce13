"""Management of studied games: `ggp-agent study --list`, `--export`, `--import`, `--remove`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from agent.cli.console import console
from agent.cli.paths import FILE
from agent.cli.tables import Group, parted
from agent.cli.words import counted
from agent.settings import load_settings

if TYPE_CHECKING:  # imported where it is used: most runs do not need it
    from agent.knowledge.folder import Kept, Knowledge
    from search.minimax.lesson import Lesson
    from search.minimax.storage import StoredLesson
    from search.network.storage import Model

COLUMNS = ("game", "key", "roles", "games", "minutes", "rating", "evaluation", "date", "size")
KEY = 10
"""Characters of a key in the list."""
LONGEST = 40
"""Maximum characters shown of a text from a file."""


MIN_KEPT_SECONDS, MIN_KEPT_MINUTES = 50.0, 10
"""Least seconds of learning for an evaluation to be stored, and the minutes of a study that are enough for it."""


def knowledge_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options that manage the stored games instead of studying a game."""
    for option in (
        _option("--remove", "GAME", "Remove the studied GAME, given by name or key prefix.", _remove),
        _option("--import", "FILE", "Add the studied game in FILE.", _import, type=FILE),
        _option(
            "--export",
            "GAME FILE",
            "Write all that is stored of the studied GAME to FILE.",
            _export,
            type=(str, FILE),
        ),
        _option("--list", None, "List the studied games.", _list, is_flag=True),
    ):
        command = option(command)
    return command


def keep(path: Path) -> str:
    """Store the result of a study for matches, unless a longer study is stored already; return a message.

    Raises KnowledgeError.
    """
    from search.network.storage import load

    knowledge, studied = _knowledge(), load(path)
    there = _kept_of(knowledge, studied)
    if there is None:
        return f"stored for matches as {knowledge.keep(studied)}"
    minutes = _minutes(there.studied)
    if minutes > _minutes(studied):
        return (
            f"not stored: matches use a longer study of this game ({minutes:g} minutes); to use this one, "
            f"--remove {_number(there)}, then --import {path}"
        )
    return f"stored for matches as {knowledge.keep(studied)}; it replaces a study of {minutes:g} minutes"


def keep_evaluation(lesson: Lesson, rules: str, name: str) -> str:
    """Store an evaluation for matches, unless one that was learned as long is stored already; return a message.

    A short study stores none: a match learns for about as long, and goes on in the opponents' time. Raises
    KnowledgeError.
    """
    if lesson.seconds < MIN_KEPT_SECONDS:
        return (
            f"its evaluation is not stored: it was learned for {lesson.seconds:.0f} seconds, as matches do by "
            f"themselves; study for {MIN_KEPT_MINUTES} minutes or more"
        )
    from agent.knowledge.folder import identity_of
    from search.errors import StorageError

    knowledge, identity = _knowledge(), identity_of(rules)
    try:
        there = knowledge.find_evaluation(identity)
    except StorageError:  # damaged
        there = None
    if there is not None and there.lesson.seconds >= lesson.seconds:
        return f"its evaluation is not stored: matches use one that was learned for {there.lesson.seconds:.0f} seconds"
    return f"its evaluation is stored for matches as {knowledge.keep_evaluation(lesson, identity, name)}"


def _option(
    name: str,
    metavar: str | None,
    told: str,
    act: Callable[[Any], None],
    **more: Any,  # noqa: ANN401 as click.option
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    def called(ctx: click.Context, _option: click.Parameter, value: Any) -> None:  # noqa: ANN401 as click parses it
        if value not in (None, False) and not ctx.resilient_parsing:
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
        click.echo(f"no studied games in {knowledge.folder}; `ggp-agent study GAME` studies one")
        return
    rows, out = [_row(kept) for kept in every], console()
    numbers = [Group(COLUMNS[part], [row[part] for row in rows]) for part in (slice(3, 7), slice(7, 9))]
    groups = [Group(COLUMNS[1:3], [row[1:3] for row in rows], "left"), *numbers]
    for table in parted(COLUMNS[0], [row[0] for row in rows], groups, out.width):
        out.print(table)
    for kept in every:
        if kept.fault:
            click.echo(f"damaged: {kept.fault}", err=True)


def _row(kept: Kept) -> tuple[str, ...]:
    about = kept.studied.about if kept.studied else {"date": kept.taught.date} if kept.taught else {}
    roles = ", ".join(map(str, kept.studied.network.roles)) if kept.studied else ""
    told = (about.get(column, "") for column in ("games", "minutes", "rating"))
    evaluation = f"{kept.taught.lesson.seconds:.0f} s" if kept.taught else ""
    name = kept.name if kept.studied or kept.taught else "damaged"
    size = f"{kept.size / 1e6:.1f} MB"
    return tuple(map(_shown, (name, _number(kept), roles, *told, evaluation, about.get("date", ""), size)))


def _number(kept: Kept) -> str:
    """Return the key prefix that the options accept."""
    return kept.key.partition("-")[2][:KEY]


def _minutes(studied: Model | None) -> float:
    """Return the minutes of study; 0 if unknown or unreadable."""
    minutes = studied.about.get("minutes", 0) if studied else 0
    return float(minutes) if isinstance(minutes, int | float) else 0.0


def _kept_of(knowledge: Knowledge, studied: Model) -> Kept | None:
    """Return the stored network of the same game, if any. Raises KnowledgeError."""
    from agent.knowledge.folder import identity_of

    key = identity_of(studied.rules).key
    return next((kept for kept in knowledge.all() if kept.key == key and kept.network), None)


def _shown(value: object) -> str:
    """Format a value from a file: no control characters, at most LONGEST characters."""
    text = "".join(c if c.isprintable() else "?" for c in str(value)[: LONGEST + 1])
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def _export(given: tuple[str, Path]) -> None:
    from search.minimax import storage
    from search.network.storage import load, save

    name, file = given
    kept = _knowledge().one(name)
    taught = storage.load(kept.evaluation) if kept.evaluation is not None else None
    if kept.network is not None:
        evaluation = storage.to_bytes(taught).decode() if taught is not None else ""
        save(file, replace(load(kept.network), evaluation=evaluation))
    elif taught is not None:
        storage.save(file, taught)
    parts = " and ".join(("its network",) * bool(kept.network) + ("its evaluation",) * bool(taught))
    click.echo(f"{_shown(kept.name)}: {parts} written to {file}, {file.stat().st_size / 1e6:.1f} MB")


def _import(file: Path) -> None:
    from search.files import read_given
    from search.minimax import storage
    from search.network.archive import MAX_BYTES
    from search.network.storage import read

    knowledge, own = _knowledge(), f"the evaluation in {file}"
    if (data := read_given(file, MAX_BYTES))[:1] == b"{":
        _import_evaluation(knowledge, storage.read(data, str(file)))
        return
    studied = read(data, str(file))
    taught = storage.read(studied.evaluation.encode(), own) if studied.evaluation else None
    _import_network(knowledge, studied, taught)
    if taught is not None:
        _import_evaluation(knowledge, taught)


def _import_network(knowledge: Knowledge, studied: Model, taught: StoredLesson | None) -> None:
    """Store a network, unless one is stored, or it came with the evaluation of another game."""
    from agent.errors import KnowledgeError
    from agent.knowledge.folder import identity_of

    if (there := _kept_of(knowledge, studied)) is not None:
        raise KnowledgeError(f"a study of this game is stored already: --remove {_number(there)} first")
    if taught is not None and taught.key != identity_of(studied.rules).key:
        raise KnowledgeError("its network and its evaluation belong to different games: export the game again.")
    path = knowledge.keep(studied)
    facts = counted(len(studied.network.facts), "fact")
    click.echo(f"{_shown(studied.about.get('game', 'a game'))}, a network of {facts}, is stored as {path}")


def _import_evaluation(knowledge: Knowledge, taught: StoredLesson) -> None:
    path = knowledge.import_evaluation(taught)
    seconds = f"learned for {taught.lesson.seconds:.0f} seconds"
    click.echo(f"{_shown(taught.game or 'a game')}, an evaluation {seconds}, is stored as {path}")


def _remove(name: str) -> None:
    kept = _knowledge().remove(name)
    click.echo(f"{_shown(kept.name or kept.key)} was removed")
