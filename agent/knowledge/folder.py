"""The folder of studied games: one file a game, whose name is the key of its rules."""

from __future__ import annotations

import contextlib
import os
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from agent.errors import KnowledgeError
from agent.settings import KnowledgeSettings
from reasoner.errors import ReasonerError
from reasoner.identity import Identity, identify
from reasoner.rules.read import read_program
from search.errors import SearchError, StorageError
from search.network.storage import SUFFIX, Studied, load, save
from search.network.translate import translated

MOST_FILES = 10_000
"""Of a folder that are looked at."""
_KEY = re.compile(r"[0-9]+-[0-9a-f]{40}")


@dataclass(frozen=True)
class Kept:
    """A file of the folder. `studied` is None where it cannot be read; `fault` then says why."""

    path: Path
    size: int  # bytes
    studied: Studied | None
    fault: str = ""

    @property
    def key(self) -> str:
        """That of its game."""
        return self.path.name.removesuffix(SUFFIX)

    @property
    def name(self) -> str:
        """What its game was called where it was studied."""
        return str(self.studied.about.get("game", "")) if self.studied else ""


class Knowledge:
    """What is kept in a folder, which need not be there yet."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @property
    def empty(self) -> bool:
        """Whether nothing is kept, at the price of a look."""
        return next(self._files(), None) is None

    def find(self, identity: Identity) -> Studied | None:
        """What is kept of a game, in its own words. Raises StorageError for a file that does not fit."""
        path = self._path(identity.key)
        if not path.is_file():
            return None
        studied = load(path)
        if studied.key != identity.key:
            raise StorageError(f"{path}: it holds another game than its name says: remove it.")
        try:
            return translated(studied, identity.symbols)
        except StorageError as fault:
            raise StorageError(f"{path}: {fault}") from None

    def all(self) -> list[Kept]:
        """What is kept, by name and key; what cannot be read comes first."""
        found = [_kept(path) for path in islice(self._files(), MOST_FILES)]
        return sorted(found, key=lambda kept: (kept.name.lower(), kept.key))

    def keep(self, studied: Studied, rules: str = "", name: str = "") -> Path:
        """Put a studied game into the folder, in place of what is there of that game.

        `rules` are those that its terms are spelled as, where it does not hold them itself. Raises KnowledgeError.
        """
        rules = rules or studied.rules
        identity = identity_of(rules)
        about = {"date": time.strftime("%Y-%m-%d", time.gmtime()), **({"game": name} if name else {}), **studied.about}
        kept = replace(studied, about=about, rules=rules, key=identity.key, symbols=identity.symbols)
        path = self._path(identity.key)
        try:
            translated(kept, identity.symbols)
            self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            save(path, kept)
        except OSError as error:
            raise KnowledgeError(f"cannot make the folder {self.folder}: {error.strerror}.") from error
        except SearchError as fault:
            raise KnowledgeError(f"what was studied cannot be kept: {fault}") from None
        return path

    def one(self, named: str) -> Kept:
        """The one game that a name, a key or the beginning of a key means. Raises KnowledgeError."""
        every = self.all()
        found = [kept for kept in every if named in (kept.name, kept.key, kept.key.partition("-")[2])]
        found = found or [kept for kept in every if kept.key.partition("-")[2].startswith(named)]
        if len(found) == 1:
            return found[0]
        known = ", ".join(kept.name or kept.key for kept in every[:20]) or "none"
        what = f"{len(found)} studied games are" if found else "no studied game is"
        hint = "give the beginning of a key" if found else f"kept are: {known}"
        raise KnowledgeError(f"{what} meant by {named!r:.80}; {hint}.")

    def remove(self, named: str) -> Kept:
        """Delete what is kept of one game. Raises KnowledgeError."""
        kept = self.one(named)
        try:
            kept.path.unlink()
        except OSError as error:
            raise KnowledgeError(f"cannot remove {kept.path}: {error.strerror}.") from error
        return kept

    def _path(self, key: str) -> Path:
        return self.folder / f"{key}{SUFFIX}"

    def _files(self) -> Iterator[Path]:
        with contextlib.suppress(OSError), os.scandir(self.folder) as entries:
            for entry in entries:
                if entry.name.endswith(SUFFIX) and _KEY.fullmatch(entry.name.removesuffix(SUFFIX)) and entry.is_file():
                    yield Path(entry.path)


def knowledge_of(settings: KnowledgeSettings) -> Knowledge:
    """The folder that the settings mean."""
    if settings.folder != "auto":
        return Knowledge(Path(settings.folder).expanduser())
    home = os.environ.get("XDG_DATA_HOME", "")
    return Knowledge((Path(home) if home else Path.home() / ".local" / "share") / "ggp-agent" / "knowledge")


def identity_of(rules: str) -> Identity:
    """The identity of a rulesheet's game. Raises KnowledgeError."""
    if not rules:
        raise KnowledgeError("the file does not hold the rules of its game: study the game anew.")
    try:
        return identify(read_program(rules)[0])
    except ReasonerError as error:
        raise KnowledgeError(f"its rules have no key: {error}") from None


def _kept(path: Path) -> Kept:
    try:
        size = path.stat().st_size
        return Kept(path, size, load(path))
    except (OSError, StorageError) as fault:
        return Kept(path, 0, None, str(fault))
