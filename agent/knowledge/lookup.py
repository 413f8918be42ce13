"""Lookup of what was studied of a match's game, in a background thread."""

from __future__ import annotations

import contextvars
import threading
from collections.abc import Callable
from typing import NamedTuple, TypeVar

import structlog

from agent.errors import SettingsError
from agent.knowledge.file_names import nothing_stored
from agent.knowledge.folder import Knowledge, knowledge_of
from agent.knowledge.solved import SolvedGames, solved_games
from agent.settings import KnowledgeSettings
from reasoner.identity import identify
from reasoner.rules.program import Program
from search.minimax.lesson import Lesson
from search.network.storage import Model
from search.solver.kept_proofs import KeptProofs

LOGGED_FIELDS = ("game", "date", "games", "minutes", "rating")
"""Fields of a studied game in the log."""


class Found(NamedTuple):
    """What was studied of a game: a network, or else an evaluation, or neither; and what was proven."""

    network: Model | None = None
    lesson: Lesson | None = None
    proofs: KeptProofs | None = None


Lookup = Callable[[], Found]
"""Function that returns what is found already. It never waits."""


def nothing() -> Found:
    """Return nothing; this function is the lookup if there are no studied games, or if their use is disabled."""
    return Found()


def look_up(program: Program, settings: KnowledgeSettings) -> Lookup:
    """Start the lookup of a game; return the function that gives its result. Errors are logged as one warning."""
    if not settings.use:
        return nothing
    try:
        knowledge, solved = knowledge_of(settings), solved_games(settings)
    except SettingsError as error:
        structlog.get_logger().warning("studied games are not used", reason=str(error))
        return nothing
    if nothing_stored(knowledge.folder) and not solved.has_proofs:
        return nothing
    found: list[Found] = []
    context = contextvars.copy_context()  # a copy of the context has the match id for the log
    thread = threading.Thread(
        target=lambda: context.run(_search, program, knowledge, solved, found), name="knowledge", daemon=True
    )
    try:
        thread.start()
    except RuntimeError as error:
        structlog.get_logger().warning("studied games are not used", reason=str(error))
    return lambda: found[0] if found else Found()


Kept = TypeVar("Kept")


def _search(program: Program, knowledge: Knowledge, solved: SolvedGames, found: list[Found]) -> None:
    log = structlog.get_logger()
    try:
        identity = identify(program)
    except Exception as error:  # any rulesheet may fail; the match continues without
        log.warning("studied games are not used", reason=str(error) or repr(error))
        return
    proofs = _kept("proofs are not used", lambda: solved.find_proofs(identity))
    studied = _kept("studied games are not used", lambda: knowledge.find(identity))
    taught = None
    if studied is None:
        taught = _kept("studied games are not used", lambda: knowledge.find_evaluation(identity))
    key = identity.key[:12]
    if proofs is not None:
        log.info("this game was solved", key=key, positions=len(proofs.hashes))
    if studied is not None:
        found.append(Found(network=studied, proofs=proofs))
        log.info("this game was studied", key=key, **{k: v for k, v in studied.about.items() if k in LOGGED_FIELDS})
    elif taught is not None:
        found.append(Found(lesson=taught.lesson, proofs=proofs))
        lesson = taught.lesson
        log.info(
            "an evaluation of this game was studied",
            key=key,
            game=taught.game,
            date=taught.date,
            games=lesson.games,
            seconds=lesson.seconds,
        )
    elif proofs is not None:
        found.append(Found(proofs=proofs))
    else:
        log.debug("not among the studied games", key=key)


def _kept(otherwise: str, find: Callable[[], Kept | None]) -> Kept | None:
    """Return what `find` finds; None if it fails, which is logged."""
    try:
        return find()
    except Exception as error:  # any file may fail; the match continues without
        structlog.get_logger().warning(otherwise, reason=str(error) or repr(error))
        return None
