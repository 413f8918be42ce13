"""Evaluation features from a TOML file.

[[feature]]
name = "white pieces"      # for the log
conjunction = "(true (cell ?x ?y white))"
variables = ["?x", "?y"]
weights = [1.5, -1.5]      # optional: points per unit for each role, instead of fitting
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from types import UnionType

from agent.errors import SettingsError
from reasoner.lanes.machine import CircuitMachine
from search.evaluation.features import MOST_FEATURES, CountedFeature
from search.evaluation.written import written

KEYS = {"name", "conjunction", "variables", "weights"}


def features_from(path: str, machine: CircuitMachine) -> tuple[CountedFeature, ...]:
    """Load the features of a file. Raises SettingsError, StateError and TermError."""
    try:
        entries = tomllib.loads(Path(path).read_text(encoding="utf-8")).get("feature")
    except (OSError, ValueError, RecursionError) as error:
        raise SettingsError(f"{path}: cannot be read as TOML: {error}") from None
    if not isinstance(entries, list) or not 0 < len(entries) <= MOST_FEATURES:
        raise SettingsError(f"{path}: give 1 to {MOST_FEATURES} tables [[feature]]")
    return tuple(_feature(f"{path}: feature {i + 1}", entry, machine) for i, entry in enumerate(entries))


def _feature(where: str, entry: object, machine: CircuitMachine) -> CountedFeature:
    if not isinstance(entry, dict) or not {"conjunction", "variables"} <= entry.keys() <= KEYS:
        raise SettingsError(f"{where}: give conjunction and variables, optionally name and weights, and no other keys")
    conjunction, variables = entry["conjunction"], entry["variables"]
    if not isinstance(conjunction, str) or not _all(variables, str):
        raise SettingsError(f"{where}: conjunction must be a text, and variables a list of texts, as ['?x']")
    weights, roles = entry.get("weights"), len(machine.roles)
    if weights is not None and not (_all(weights, int | float) and len(weights) == roles):
        raise SettingsError(f"{where}: weights must be {roles} numbers, one per role")
    given = None if weights is None else tuple(map(float, weights))
    return written(machine, str(entry.get("name", conjunction)), conjunction, variables, given)


def _all(values: object, kind: type | UnionType) -> bool:
    return isinstance(values, list) and all(isinstance(value, kind) for value in values)
