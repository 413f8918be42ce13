"""Lookup of the studied network of a match's game, in a background thread."""

from __future__ import annotations

import contextvars
import threading
from collections.abc import Callable

import structlog

from agent.errors import SettingsError
from agent.knowledge.folder import Knowledge, knowledge_of
from agent.settings import KnowledgeSettings
from reasoner.identity import identify
from reasoner.rules.program import Program
from search.network.storage import Model

Lookup = Callable[[], Model | None]
"""Function that returns the network if it is found already, else None. It never waits."""

LOGGED_FIELDS = ("game", "date", "games", "minutes", "rating")
"""Fields of a studied game in the log."""


def nothing() -> Model | None:
    """Return None; this function is the lookup if there are no studied games, or if their use is disabled."""
    return None


def look_up(program: Program, settings: KnowledgeSettings) -> Lookup:
    """Start the lookup of a game; return the function that gives its result. Errors are logged as one warning."""
    if not settings.use:
        return nothing
    try:
        knowledge = knowledge_of(settings)
    except SettingsError as error:
        structlog.get_logger().warning("studied games are not used", reason=str(error))
        return nothing
    if knowledge.empty:
        return nothing
    found: list[Model] = []
    context = contextvars.copy_context()  # a copy of the context has the match id for the log
    thread = threading.Thread(
        target=lambda: context.run(_search, program, knowledge, found), name="knowledge", daemon=True
    )
    try:
        thread.start()
    except RuntimeError as error:
        structlog.get_logger().warning("studied games are not used", reason=str(error))
    return lambda: found[0] if found else None


def _search(program: Program, knowledge: Knowledge, found: list[Model]) -> None:
    log = structlog.get_logger()
    try:
        identity = identify(program)
        studied = knowledge.find(identity)
    except Exception as error:  # any file or rulesheet may fail; the match continues without
        log.warning("studied games are not used", reason=str(error) or repr(error))
        return
    if studied is None:
        log.debug("not among the studied games", key=identity.key[:12])
        return
    found.append(studied)
    log.info(
        "this game was studied", key=identity.key[:12], **{k: v for k, v in studied.about.items() if k in LOGGED_FIELDS}
    )
