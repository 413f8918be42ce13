"""Settings: frozen values from config/default.toml, a file, the environment and flags.

Only `config/default.toml` has defaults, and it documents each key. The classes here give every key its type.
"""

from __future__ import annotations

import dataclasses
import difflib
import math
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_type_hints

from agent.errors import SettingsError
from agent.resources import read_toml, resources

DEFAULT_FILE = resources("config") / "default.toml"
PREFIX = "GGP_AGENT_"
SERVICE = ("GGP_AGENT_SERVICE_", "GGP_AGENT_PORT")
"""Variables that Kubernetes sets in all containers if a service is called ggp-agent; no section is called so."""
CHECKED = "GGP_AGENT_CHECKED"  # no setting: read by `reasoner.kernels.checked`

EMITTERS = ("avx512", "avx2", "neon", "portable")
"""The names in `reasoner.lanes.emitters`, repeated here because that import loads compiled kernels."""

_CHOICES = {
    "worker.engine": ("auto", "relational", "circuit"),
    "build.emitter": ("auto", *EMITTERS),
    "journal.sync": ("background", "never"),
    "log.format": ("console", "json"),
    "log.level": ("debug", "info", "warning", "error"),
}
_NAMES = {"rules.rewritings": ("store_statics", "keep_views", "unfold")}  # see `reasoner.rewrite.optional`
_REASONS = {"drop_useless": "matches need every fact, and circuits skip useless facts anyway"}
_AUTOMATIC = {"server.matches": ("worker.memory_mib", "build.memory_mib"), "page.analyses": ("worker.memory_mib",)}
"""Settings that may be "auto", with the settings of the memory that one match or analysis may need."""
AUTO = "auto"
PROCESSORS_EACH = 4
"""Processors per match or analysis, if the number of matches or analyses is automatic.

A search has one thread for every two processors.
"""
HIDDEN = "(hidden)"
"""Replaces the page's token wherever other users may read the settings."""
MAX_NUMBER = 1e15
"""Maximum value of every number: too large to limit any MiB or seconds, and finite after conversion to bytes."""
_POSITIVE = {
    "server.body_mib",
    "server.bodies_mib",
    "server.body_seconds",
    "server.connections",
    "clock.longest",
    "worker.evaluation",
    "rules.characters",
    "rules.words",
    "rules.rules",
    "rules.depth",
    "build.seconds",
    "build.memory_mib",
    "build.ground_rules",
    "build.gates",
}
"""Settings with which no message, match or build is possible if they are 0."""
_MOST = {"server.port": 65_535, "page.port": 65_535, "clock.margin_share": 1, "rules.depth": 200}
"""Maximum values of settings; `MAX_NUMBER` for others. Deeper rules exceed Python's recursion limit."""
_LIST = tuple[str, ...]
TRUTHS = {"true": True, "yes": True, "on": True, "1": True, "false": False, "no": False, "off": False, "0": False}
"""Words for booleans in the environment, in any case."""


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """Address of the agent, and limits of what it accepts."""

    host: str
    port: int
    name: str
    matches: int
    takeover: float
    starts_per_minute: int
    body_mib: float
    bodies_mib: float
    body_seconds: float
    connections: int
    allow: str
    proxies: str
    origins: str
    names: str
    stop_seconds: float


@dataclass(frozen=True, slots=True)
class ClockSettings:
    """Timing of answers, in seconds."""

    margin: float
    margin_share: float
    use_start: bool
    silence: float
    longest: float

    def margin_of(self, clock: float) -> float:
        """Seconds before the end of `clock` at which the answer is due."""
        return min(self.margin, clock * self.margin_share)


@dataclass(frozen=True, slots=True)
class PlayerSettings:
    """The player."""

    spec: str


@dataclass(frozen=True, slots=True)
class WorkerSettings:
    """The worker process of a match: reasoning and search."""

    engine: str
    memory_mib: int
    evaluation: float
    hang: float


@dataclass(frozen=True, slots=True)
class RulesSettings:
    """Limits of rulesheets."""

    characters: int
    words: int
    rules: int
    depth: int
    conditions: int
    arguments: int
    lenient: bool
    rewritings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BuildSettings:
    """Limits of building a circuit, and its code emitter."""

    emitter: str
    seconds: float
    memory_mib: int
    ground_rules: int
    gates: int


@dataclass(frozen=True, slots=True)
class JournalSettings:
    """Location and retention of match journals."""

    folder: str
    sync: str
    keep_days: float
    keep_mib: float


@dataclass(frozen=True, slots=True)
class KnowledgeSettings:
    """Location of studied games, and whether matches use them."""

    use: bool
    folder: str


@dataclass(frozen=True, slots=True)
class PageSettings:
    """The web page."""

    enabled: bool
    host: str
    port: int
    token: str
    certificate: str
    key: str
    matches: int
    idle: float
    people: int
    opponents: str
    analyses: int
    analysis_seconds: float
    urls: str


@dataclass(frozen=True, slots=True)
class ClusterSettings:
    """The Ray cluster that shares the search."""

    address: str
    socket: str


@dataclass(frozen=True, slots=True)
class LogSettings:
    """Format of the log."""

    format: str
    level: str
    length: int


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings, one field per section."""

    server: ServerSettings
    clock: ClockSettings
    player: PlayerSettings
    worker: WorkerSettings
    rules: RulesSettings
    build: BuildSettings
    journal: JournalSettings
    knowledge: KnowledgeSettings
    page: PageSettings
    cluster: ClusterSettings
    log: LogSettings


_SECTIONS = get_type_hints(Settings)
_TYPES = {f"{s}.{k}": kind for s, section in _SECTIONS.items() for k, kind in get_type_hints(section).items()}


def load_settings(
    file: Path | None = None, environment: Mapping[str, str] = os.environ, flags: Mapping[str, Any] | None = None
) -> Settings:
    """Load the effective settings. `flags` maps ``section.key`` to a value; None means not given.

    Raises SettingsError, which names the source, the key and the allowed values.
    """
    values = _from_file(DEFAULT_FILE)
    if file is not None:
        values |= _from_file(file)
    values |= _from_environment(environment)
    values |= {key: _checked(key, value, "flags") for key, value in (flags or {}).items() if value is not None}
    return _assemble(values)


def to_dict(settings: Settings) -> dict[str, Any]:
    """Return the settings as plain dictionaries for the command line of a process; the token is hidden."""
    tables = dataclasses.asdict(settings)
    tables["page"]["token"] = HIDDEN if settings.page.token else ""
    return tables


def from_dict(tables: Mapping[str, Any]) -> Settings:
    """Rebuild the settings from the result of `to_dict`."""
    return _assemble(_flatten(tables, "another process"))


def url_here(scheme: str, host: str, port: int) -> str:
    """Return the URL, for clients on this machine, of a server that listens on `host`."""
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    return f"{scheme}://{f'[{host}]' if ':' in host else host}:{port}"


def _assemble(given: Mapping[str, Any]) -> Settings:
    automatic = {key: parts for key, parts in _AUTOMATIC.items() if given[key] == AUTO}
    values = {**given, **{key: _fitting(sum(given[part] for part in parts)) for key, parts in automatic.items()}}
    sections = {
        name: section(**{key: values[f"{name}.{key}"] for key in get_type_hints(section)})
        for name, section in _SECTIONS.items()
    }
    settings = Settings(**sections)
    if settings.worker.hang <= settings.worker.evaluation:
        raise SettingsError("worker.hang must be more than worker.evaluation, or slow workers are killed")
    return settings


def _fitting(memory_mib: int) -> int:
    """Return how many matches or analyses with this memory fit the machine; at least one."""
    from reasoner.platform_calls import machine_memory, usable_processors  # late: most commands need neither

    by_processors, memory = usable_processors() // PROCESSORS_EACH, machine_memory()
    by_memory = memory // (memory_mib << 20) if memory and memory_mib else by_processors
    return max(1, min(by_processors, by_memory))


def _from_file(file: Path) -> dict[str, Any]:
    try:
        tables = read_toml(file)
    except OSError as error:
        raise SettingsError(f"{file}: cannot be read: {error.strerror}") from None
    except RecursionError:
        raise SettingsError(f"{file}: not a settings file: nested too deeply") from None
    except ValueError as error:  # also TOMLDecodeError and UnicodeDecodeError
        raise SettingsError(f"{file}: not a TOML file: {error}") from None
    return _flatten(tables, str(file))


def _flatten(tables: Mapping[str, Any], source: str) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for section, table in tables.items():
        if section not in _SECTIONS:
            raise SettingsError(f"{source}: unknown section [{section}]{_near(section, _SECTIONS)}")
        if not isinstance(table, dict):
            raise SettingsError(f"{source}: {section} must be a section: [{section}]")
        for key, value in table.items():
            values[f"{section}.{key}"] = _checked(f"{section}.{key}", value, source)
    return values


def _from_environment(environment: Mapping[str, str]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    names = {PREFIX + key.replace(".", "_").upper(): key for key in _TYPES}
    for name, text in environment.items():
        if not name.startswith(PREFIX) or name == CHECKED or name.startswith(SERVICE):
            continue
        if name not in names:
            raise SettingsError(f"environment: unknown variable {name}{_near(name, names)}")
        values[names[name]] = _checked(names[name], _parsed(text, _TYPES[names[name]]), f"environment ({name})")
    return values


def _parsed(text: str, kind: type) -> Any:  # noqa: ANN401 a setting's value may have any of the types
    """Convert `text` to `kind`; return it unchanged when it does not fit, so that the type check refuses it."""
    if kind is bool:
        return TRUTHS.get(text.lower(), text)
    if kind == _LIST:
        return [word.strip() for word in text.split(",") if word.strip()]
    try:
        return kind(text)
    except ValueError:
        return text


def _checked(key: str, value: Any, source: str) -> Any:  # noqa: ANN401 as above
    kind = _TYPES.get(key)
    if kind is None:
        section = key.split(".")[0]
        raise SettingsError(f"{source}: unknown key {key}{_near(key, [k for k in _TYPES if k.startswith(section)])}")
    if kind == _LIST:
        return _checked_names(key, value, source)
    if key in _AUTOMATIC and value == AUTO:
        return value
    if kind is float and type(value) is int:
        value = float(str(value))  # infinite if it is too large for a float
    if type(value) is not kind:
        wanted = _named(kind) + (f" or {AUTO}" if key in _AUTOMATIC else "")
        raise SettingsError(f"{source}: {key} must be {wanted}, not {value!r:.60}")
    if isinstance(value, str) and "\0" in value:  # no file, address or name contains NUL
        raise SettingsError(f"{source}: {key} must not contain a NUL character")
    if key.endswith(".host"):
        value = str(value).strip()
        if value.startswith("[") and value.endswith("]"):  # an IPv6 address as it is written in URLs
            value = value[1:-1]
    if key.endswith(".host") and not value:  # the system would take it for all addresses of the machine
        raise SettingsError(f"{source}: {key} is empty; give 127.0.0.1 (this machine only) or 0.0.0.0 (network)")
    if key in _CHOICES and value not in _CHOICES[key]:
        raise SettingsError(f"{source}: {key} must be one of {', '.join(_CHOICES[key])}, not {value!r:.60}")
    if isinstance(value, int | float) and not 0 <= value < math.inf:
        raise SettingsError(f"{source}: {key} must not be negative or infinite: {value!r:.60}")
    if key in _POSITIVE and not value:
        instead = '; worker.engine = "relational" builds no circuits' if key.startswith("build.") else ""
        raise SettingsError(f"{source}: {key} must be more than 0{instead}")
    if isinstance(value, int | float) and value > (most := _MOST.get(key, MAX_NUMBER)):
        raise SettingsError(f"{source}: {key} must be at most {most:.6g}, not {value!r:.60}")
    return value


def _checked_names(key: str, value: object, source: str) -> tuple[str, ...]:
    if not isinstance(value, list | tuple):
        raise SettingsError(f"{source}: {key} must be a list of names, not {value!r:.60}")
    for name in value:
        if name not in _NAMES[key]:
            word = str(name)  # a table or a list of a file cannot be looked up
            reason = f": {_REASONS[word]}" if word in _REASONS else _near(word, _NAMES[key])
            raise SettingsError(f"{source}: {key} does not accept {name!r:.60}{reason}")
    return tuple(value)


def _named(kind: type) -> str:
    return {bool: "true or false", int: "a whole number", float: "a number", str: "text"}[kind]


def _near(word: str, known: Iterable[str]) -> str:
    names = list(known)
    close = difflib.get_close_matches(word, names, n=3)
    return f"; did you mean {' or '.join(close)}?" if close else f"; known: {', '.join(names)}"
