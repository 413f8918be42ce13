"""Folder of studied games: one file per game, named by the key of its rules."""

from __future__ import annotations

import contextlib
import os
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from agent.errors import KnowledgeError, reason_of
from agent.knowledge.access import is_stored
from agent.resources import knowledge_folder
from agent.settings import KnowledgeSettings
from reasoner.errors import ReasonerError
from reasoner.identity import Identity, identify
from reasoner.rules.read import read_program
from search.errors import SearchError, StorageError
from search.network.storage import SUFFIX, Model, load, save
from search.network.translate import translated

MAX_FILES = 10_000
"""Maximum number of files read."""
_KEY = re.compile(r"[0-9]+-[0-9a-f]{40}")


@dataclass(frozen=True)
class Kept:
    """A file of the folder. `studied` is None if the file cannot be read; `fault` is then the reason."""

    path: Path
    size: int  # bytes
    studied: Model | None
    fault: str = ""

    @property
    def key(self) -> str:
        """The key of its game."""
        return self.path.name.removesuffix(SUFFIX)

    @property
    def name(self) -> str:
        """The name of its game."""
        return str(self.studied.about.get("game", "")) if self.studied else ""


class Knowledge:
    """The studied games in a folder, which need not exist yet."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @property
    def empty(self) -> bool:
        """Whether no games are stored, as far as the folder can be read; reads at most one entry."""
        try:
            return next(self.files(), None) is None
        except OSError:
            return False

    def files(self) -> Iterator[Path]:
        """Yield the paths of all files; none if there is no folder. Raises OSError."""
        with contextlib.suppress(FileNotFoundError), os.scandir(self.folder) as entries:
            for entry in entries:
                if entry.name.endswith(SUFFIX) and _KEY.fullmatch(entry.name.removesuffix(SUFFIX)) and entry.is_file():
                    yield Path(entry.path)

    def find(self, identity: Identity) -> Model | None:
        """Load the studied game, translated to the names of `identity`; None if there is none.

        Raises StorageError for an invalid file, KnowledgeError for a pipe or folder.
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

    def all(self) -> list[Kept]:
        """Return all files, sorted by name and key; unreadable ones come first. Raises KnowledgeError."""
        try:
            found = [_kept(path) for path in islice(self.files(), MAX_FILES)]
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
        path = self._path(identity.key)
        try:
            is_stored(path)
            translated(kept, identity.symbols)
            self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            save(path, kept)
        except OSError as error:
            raise KnowledgeError(f"cannot create the folder {self.folder}: {reason_of(error)}.") from error
        except SearchError as fault:
            raise KnowledgeError(f"the studied game cannot be stored: {fault}") from None
        return path

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
        try:
            kept.path.unlink()
        except OSError as error:
            raise KnowledgeError(f"cannot remove {kept.path}: {error.strerror}.") from error
        return kept

    def _path(self, key: str) -> Path:
        return self.folder / f"{key}{SUFFIX}"


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


def _kept(path: Path) -> Kept:
    try:
        size = path.stat().st_size
        return Kept(path, size, load(path))
    except (OSError, StorageError) as fault:
        return Kept(path, 0, None, str(fault))
