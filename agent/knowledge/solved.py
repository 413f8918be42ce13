"""Solved games: the proven value of the initial state, one file per game, found under any spelling of its rules."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple, cast

import msgspec
from msgspec import Meta

from agent.errors import KnowledgeError, reason_of
from agent.resources import knowledge_folder
from agent.settings import KnowledgeSettings
from reasoner.errors import ReasonerError
from reasoner.identity import Identity, Translation
from reasoner.language.parse import read_term
from search.errors import StorageError
from search.files import is_stored, read_stored, store

if TYPE_CHECKING:
    from search.solver.kept_proofs import KeptProofs

SUFFIX, PROOFS_SUFFIX = ".solved.json", ".proofs"
MAX_BYTES = 4 << 20
"""Maximum size of a file that is read."""
MAX_GOAL = 2**31 - 1
"""Maximum goal that a file may state."""


class SolvedGame(NamedTuple):
    """The proven value of a game."""

    goals: dict[str, float]  # goal of each role if all play perfectly
    line: list[str]  # moves that reach these goals; moves of roles with only one legal move are omitted
    positions: int  # number of positions expanded for the proof
    seconds: float  # duration of the proof
    date: str  # of the proof, as 2026-01-31
    distance: int | None = None  # joint moves to the win of a role; None: no role wins, or it is not known


class _Stored(msgspec.Struct):
    goals: dict[str, Annotated[int, Meta(ge=0, le=MAX_GOAL)] | Annotated[float, Meta(ge=0, le=MAX_GOAL)]]
    line: list[str]
    positions: Annotated[int, Meta(ge=0)]
    seconds: Annotated[float, Meta(ge=0, le=1e12)]
    date: Annotated[str, Meta(pattern=r"^\d{4}-\d\d-\d\d\Z")]
    symbols: list[str]
    distance: Annotated[int, Meta(ge=0)] | None = None
    key: str = ""  # of the game; older files have none
    sha256: str = ""  # of all else; older files have none


class SolvedGames:
    """The solved games in a folder, which need not exist yet."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def find(self, identity: Identity, roles: Sequence[str]) -> SolvedGame | None:
        """Return the value of a game with these roles, translated to the names of `identity`; None if unknown.

        Raises KnowledgeError.
        """
        path = self.path(identity)
        try:
            if not is_stored(path):
                return None
            if len(data := read_stored(path, MAX_BYTES)) > MAX_BYTES:
                raise ValueError("it is too large")
            return _translated(json.loads(data), identity, roles)
        except StorageError as fault:
            raise KnowledgeError(str(fault)) from None
        except (ValueError, RecursionError, ReasonerError) as error:
            raise KnowledgeError(f"{path} is damaged: remove it, and solve the game again ({error}).") from None

    def keep(self, identity: Identity, game: SolvedGame) -> Path:
        """Store the value of a game; return the file. Raises KnowledgeError."""
        path = self.path(identity)
        record = game._asdict() | {"symbols": list(map(str, identity.symbols)), "key": identity.key}
        try:
            is_stored(path)
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            store(path, json.dumps(record | {"sha256": _checksum(record)}).encode("ascii"))
        except OSError as error:
            raise KnowledgeError(f"cannot write {path}: {reason_of(error)}.") from error
        except StorageError as fault:
            raise KnowledgeError(str(fault)) from None
        return path

    @property
    def has_proofs(self) -> bool:
        """Whether proofs of some game are stored, as far as the folder can be read."""
        with suppress(OSError):
            return any(path.name.endswith(PROOFS_SUFFIX) for path in self._folder.iterdir())
        return False

    def find_proofs(self, identity: Identity) -> KeptProofs | None:
        """Return the proofs of a game, translated to the names of `identity`; None if there are none.

        Raises StorageError for a damaged file, and for a pipe or folder in its place.
        """
        from search.solver import kept_proofs  # late import: it loads compiled kernels

        path = self._proofs(identity)
        if not is_stored(path):
            return None
        proofs = kept_proofs.load(path)
        if proofs.key != identity.key:
            raise StorageError(f"{path}: its content and its name belong to different games: remove the file.")
        return proofs.translated(identity.symbols)

    def keep_proofs(self, identity: Identity, proofs: KeptProofs) -> Path:
        """Store the proofs of a game; return the file. Raises KnowledgeError."""
        from search.solver import kept_proofs  # late import, as above

        path = self._proofs(identity)
        try:
            is_stored(path)
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            kept_proofs.save(path, proofs._replace(key=identity.key, symbols=identity.symbols))
        except OSError as error:
            raise KnowledgeError(f"cannot write {path}: {reason_of(error)}.") from error
        except StorageError as fault:
            raise KnowledgeError(str(fault)) from None
        return path

    def _proofs(self, identity: Identity) -> Path:
        return self._folder / f"{identity.key}{PROOFS_SUFFIX}"

    def path(self, identity: Identity) -> Path:
        """Return the file of a game."""
        return self._folder / f"{identity.key}{SUFFIX}"


def solved_games(settings: KnowledgeSettings) -> SolvedGames:
    """Return the configured folder of solved games. Raises SettingsError."""
    return SolvedGames(knowledge_folder(settings.folder))


def solved_today(
    roles: Sequence[str],
    goals: Sequence[float],
    line: Sequence[str],
    positions: int,
    seconds: float,
    distance: int | None = None,
) -> SolvedGame:
    """Return a game that was solved today."""
    date = time.strftime("%Y-%m-%d", time.gmtime())
    return SolvedGame(dict(zip(roles, goals, strict=True)), list(line), positions, seconds, date, distance)


def _checksum(record: object) -> str:
    """Return the checksum of all in a record but its own checksum."""
    rest = {name: value for name, value in dict(cast(Mapping[str, object], record)).items() if name != "sha256"}
    return sha256(json.dumps(rest, sort_keys=True).encode("ascii")).hexdigest()


def _translated(record: object, identity: Identity, roles: Sequence[str]) -> SolvedGame:
    """Return a stored game in the words of `identity`. Raises ValueError unless it is that game, with `roles`."""
    stored = msgspec.convert(record, _Stored)
    if stored.sha256 not in ("", _checksum(record)):
        raise ValueError("its checksum is wrong")
    if stored.key not in ("", identity.key):
        raise ValueError("it belongs to another game")
    names = Translation.between([read_term(symbol) for symbol in stored.symbols], identity.symbols)

    def spelled(text: str) -> str:
        image = names.term(read_term(text)) if names is not None else None
        if image is None:
            raise ValueError(f"{text[:80]} is not a term of the game")
        return str(image)

    goals = {spelled(role): goal for role, goal in stored.goals.items()}
    if set(goals) != set(roles):
        raise ValueError("each role must have a goal")
    line = list(map(spelled, stored.line))
    return SolvedGame(goals, line, stored.positions, stored.seconds, stored.date, stored.distance)
