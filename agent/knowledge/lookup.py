"""What was studied of the game of a match, looked up on a thread while the match begins."""

from __future__ import annotations

import contextvars
import threading
from collections.abc import Callable

import structlog

from agent.knowledge.folder import Knowledge, knowledge_of
from agent.settings import KnowledgeSettings
from reasoner.identity import identify
from reasoner.rules.program import Program
from search.network.storage import Studied

Lookup = Callable[[], Studied | None]
"""What was found so far; it never waits."""

TOLD = ("game", "date", "games", "minutes", "rating")
"""What the log says of a studied game."""


def nothing() -> Studied | None:
    """Nothing is kept, or nothing shall be used."""
    return None


def look_up(program: Program, settings: KnowledgeSettings) -> Lookup:
    """Begin to look for a game; at once where there is nothing. What goes wrong is one warning."""
    if not settings.use:
        return nothing
    knowledge = knowledge_of(settings)
    if knowledge.empty:
        return nothing
    found: list[Studied] = []
    context = contextvars.copy_context()  # the log knows the match by it
    thread = threading.Thread(
        target=lambda: context.run(_search, program, knowledge, found), name="knowledge", daemon=True
    )
    try:
        thread.start()
    except RuntimeError as error:
        structlog.get_logger().warning("studied games are not looked at", reason=str(error))
    return lambda: found[0] if found else None


def _search(program: Program, knowledge: Knowledge, found: list[Studied]) -> None:
    log = structlog.get_logger()
    try:
        identity = identify(program)
        studied = knowledge.find(identity)
    except Exception as error:  # a stranger's file or rulesheet may hit any limit, and a match goes on without
        log.warning("studied games are not used", reason=str(error) or repr(error))
        return
    if studied is None:
        log.debug("not among the studied games", key=identity.key[:12])
        return
    found.append(studied)
    log.info("this game was studied", key=identity.key[:12], **{k: v for k, v in studied.about.items() if k in TOLD})
