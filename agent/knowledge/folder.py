"""Folder of studied games: a network and an evaluation per game, in files named by the key of its rules."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import groupby, islice
from pathlib import Path

from agent.errors import KnowledgeError, reason_of
from agent.knowledge.file_names import EVALUATION, NETWORK, is_key, key_of, stored_files
from agent.resources import knowledge_folder
from agent.settings import KnowledgeSettings
from reasoner.errors import ReasonerError
from reasoner.identity import Identity, identify
from reasoner.rules.read import read_program
from search.errors import SearchError, StorageError
from search.files import is_stored
from search.minimax import storage
from search.minimax.lesson import Lesson
from search.minimax.storage import StoredLesson
from search.network.storage import Model, load, save
from search.network.translate import translated

MAX_FILES = 10_000
"""Maximum number of files read."""


@dataclass(frozen=True)
class Kept:
    """What is stored of a game, in one file or two. `fault` is the reason if one of them cannot be read."""

    key: str
    network: Path | None = None
    evaluation: Path | None = None
    size: int = 0  # bytes
    studied: Model | None = None
    taught: StoredLesson | None = None
    fault: str = ""

    @property
    def name(self) -> str:
        """The name of its game."""
        if self.studied:
            return str(self.studied.about.get("game", ""))
        return self.taught.game if self.taught else ""


class Knowledge:
    """The studied games in a folder, which need not exist yet."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def find(self, identity: Identity) -> Model | None:
        """Load the studied game, translated to the names of `identity`; None if there is none.

        Raises StorageError for an invalid file, and for a pipe or folder in its place.
        """
        path = self._path(identity.key)
        if not is_stored(path):
            return None
        studied = load(path)
        if studied.key != identity.key:
            raise StorageError(f"{path}: its content and its name belong to different games: remove the file.")
        try:
            return translated(studied, identity.symbols)
        except StorageError as fault:
            raise StorageError(f"{path}: {fault}") from None

    def find_evaluation(self, identity: Identity) -> StoredLesson | None:
        """Load the learned evaluation of a game, translated likewise; None if there is none. Raises likewise."""
        path = self._path(identity.key, EVALUATION)
        if not is_stored(path):
            return None
        taught = storage.load(path)
        if taught.key != identity.key:
            raise StorageError(f"{path}: its content and its name belong to different games: remove the file.")
        try:
            return taught.translated(identity.symbols)
        except StorageError as fault:
            raise StorageError(f"{path}: {fault}") from None

    def all(self) -> list[Kept]:
        """Return all games, sorted by name and key; unreadable ones come first. Raises KnowledgeError."""
        try:
            paths = sorted(islice(stored_files(self.folder), MAX_FILES))
            found = [_kept(key, own) for key, own in groupby(paths, lambda path: key_of(path.name))]
        except OSError as error:
            raise KnowledgeError(f"cannot read the folder {self.folder}: {reason_of(error)}.") from error
        return sorted(found, key=lambda kept: (kept.name.lower(), kept.key))

    def keep(self, studied: Model, rules: str = "", name: str = "") -> Path:
        """Store a studied game; replace an older study of the same game.

        `rules` is needed if the studied game does not contain its own rules. Raises KnowledgeError.
        """
        rules = rules or studied.rules
        identity = identity_of(rules)
        about = {"date": time.strftime("%Y-%m-%d", time.gmtime()), **({"game": name} if name else {}), **studied.about}
        kept = replace(studied, about=about, rules=rules, key=identity.key, symbols=identity.symbols)
        kept = replace(kept, evaluation="")  # it has a file of its own
        path = self._path(identity.key)
        with self._storing(path):
            translated(kept, identity.symbols)
            save(path, kept)
        return path

    def keep_evaluation(self, lesson: Lesson, identity: Identity, name: str) -> Path:
        """Store a learned evaluation of a game; replace an older one. Raises KnowledgeError."""
        date = time.strftime("%Y-%m-%d", time.gmtime())
        path = self._path(identity.key, EVALUATION)
        with self._storing(path):
            storage.save(path, StoredLesson(lesson, name, date, identity.key, identity.symbols))
        return path

    def import_evaluation(self, taught: StoredLesson) -> Path:
        """Store an evaluation that was exported. Raises KnowledgeError, also if one of its game is stored already."""
        if not is_key(taught.key):
            raise KnowledgeError("the evaluation has no key of its game: export it again where it was studied.")
        path = self._path(taught.key, EVALUATION)
        if is_stored(path):
            raise KnowledgeError(f"an evaluation of this game is stored already: remove {path} first.")
        with self._storing(path):
            storage.save(path, taught.translated(taught.symbols))
        return path

    @contextlib.contextmanager
    def _storing(self, path: Path) -> Iterator[None]:
        """Create the folder; report what fails while a file is stored in it."""
        try:
            is_stored(path)
            self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            yield
        except OSError as error:
            raise KnowledgeError(f"cannot create the folder {self.folder}: {reason_of(error)}.") from error
        except SearchError as fault:
            raise KnowledgeError(f"the studied game cannot be stored: {fault}") from None

    def one(self, named: str) -> Kept:
        """Find the game with this name, key or key prefix. Raises KnowledgeError."""
        if not named:  # an unset shell variable; every key begins with it
            raise KnowledgeError("the name of the studied game is empty; give its name, or the beginning of its key.")
        every = self.all()
        found = [kept for kept in every if named in (kept.name, kept.key, kept.key.partition("-")[2])]
        found = found or [kept for kept in every if kept.key.partition("-")[2].startswith(named)]
        if len(found) == 1:
            return found[0]
        known = ", ".join(kept.name or kept.key for kept in every[:20]) or "none"
        what = f"{len(found)} studied games match" if found else "no studied game matches"
        hint = "give the beginning of a key" if found else f"stored games: {known}"
        raise KnowledgeError(f"{what} {named!r:.80}; {hint}.")

    def remove(self, named: str) -> Kept:
        """Delete a studied game. Raises KnowledgeError."""
        kept = self.one(named)
        for path in filter(None, (kept.network, kept.evaluation)):
            try:
                path.unlink()
            except OSError as error:
                raise KnowledgeError(f"cannot remove {path}: {error.strerror}.") from error
        return kept

    def _path(self, key: str, suffix: str = NETWORK) -> Path:
        return self.folder / f"{key}{suffix}"


def knowledge_of(settings: KnowledgeSettings) -> Knowledge:
    """Return the configured folder of studied games. Raises SettingsError."""
    return Knowledge(knowledge_folder(settings.folder))


def identity_of(rules: str) -> Identity:
    """Compute the identity of a rulesheet's game. Raises KnowledgeError."""
    if not rules:
        raise KnowledgeError("the file does not contain the rules of its game: study the game again.")
    try:
        return identify(read_program(rules)[0])
    except ReasonerError as error:
        raise KnowledgeError(f"cannot compute a key of its rules: {error}") from None


def _kept(key: str, paths: Iterable[Path]) -> Kept:
    kept = Kept(key)
    for path in paths:
        network = path.name.endswith(NETWORK)
        kept = replace(kept, network=path) if network else replace(kept, evaluation=path)
        try:
            kept = replace(kept, size=kept.size + path.stat().st_size)
            kept = replace(kept, studied=load(path)) if network else replace(kept, taught=storage.load(path))
        except (OSError, StorageError) as fault:
            kept = replace(kept, fault=str(fault))
    return kept
