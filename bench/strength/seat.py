"""Program that plays roles of a match: it reads lines of JSON from standard input, and answers each with a line.

    {"rules": TEXT}                                         {"engine": NAME}
    {"begin": [ROLE, ...], "settings": {NAME: TEXT}}        {}
    {"think": [ROLE, ...], "seconds": S}                    {"moves": {ROLE: {"move": TEXT, ...}}}
    {"joint": [MOVE, ...]}                                  {}

Roles are numbers. S is processor seconds of this process; if S is null, the settings give the number of simulations.
The answer to a faulty line is {"fault": TEXT}. The program must run with the code of other commits. Therefore it uses
only `load`, `Search`, `SearchOptions`, and for the settings `network` and `proofs` the loaders of these files.
"""

from __future__ import annotations

import json
import math
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_type_hints

from reasoner import load
from reasoner.errors import ReasonerError
from reasoner.machine import Machine
from search import Search, SearchOptions, warm_up

if TYPE_CHECKING:  # older versions lack the module
    from search.solver.kept_proofs import KeptProofs

DEFAULTS = {"threads": "1", "memory_mib": "256"}
WORDS = {"true": True, "yes": True, "on": True, "1": True, "false": False, "no": False, "off": False, "0": False}
FILES = ("network", "proofs")
"""Settings that are not options of the search: the files of a studied network and of a solver's proofs."""
MAX_MACHINES = 40
"""Maximum number of cached machines; the oldest is dropped for a new one."""


class ProcessorClock:
    """Clock of this process's processor seconds, so that other processes do not count."""

    def now(self) -> float:
        """Return the time in seconds."""
        return time.process_time()


class Seat:
    """The machine of the game, and a search for each role."""

    def __init__(self) -> None:
        self._machines: dict[str, Machine] = {}
        self._searches: dict[int, Search] = {}
        self._started = False  # whether a joint move was made
        self._clock = ProcessorClock()

    def answer(self, question: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the answer to a line."""
        if "rules" in question:
            return self._rules(question["rules"])
        if "begin" in question:
            return self._begin(question["begin"], question["settings"])
        if "think" in question:
            return {"moves": {role: self._think(role, question["seconds"]) for role in question["think"]}}
        return self._joint(question["joint"])

    def _rules(self, text: str) -> Mapping[str, Any]:
        if text not in self._machines:
            while len(self._machines) >= MAX_MACHINES:
                del self._machines[next(iter(self._machines))]
            self._machines[text] = _machine(text)
        self._machine = self._machines[text]
        return {"engine": self._machine.engine}

    def _begin(self, roles: Sequence[int], settings: Mapping[str, str]) -> Mapping[str, Any]:
        self._state = self._machine.initial()
        network = studied(settings["network"]) if "network" in settings else {}
        proofs = kept_proofs(settings["proofs"]) if "proofs" in settings else None
        options = options_of(DEFAULTS | {name: text for name, text in settings.items() if name not in FILES})
        self._searches.clear()
        self._started = False
        for role in roles:
            self._searches[role] = Search(self._machine, role, self._state, options, self._clock, **network)
            if proofs is not None:
                self._searches[role].use_proofs(proofs)
        return {}

    def _think(self, role: int, seconds: float | None) -> Mapping[str, Any]:
        search, began = self._searches[role], self._clock.now()
        if not (search.forced and self._started):  # the start clock is for all roles
            search.think(math.inf if seconds is None else began + seconds)
        move, report = search.best(), search.report()
        values = {each.move: each.value for each in report.moves}
        return {
            "move": str(move),
            "value": round(values.get(move, 0.0), 2),
            "simulations": report.simulations,
            "playouts": report.playouts,
            "seconds": round(self._clock.now() - began, 4),
            "solved": report.solved,
        }

    def _joint(self, moves: Sequence[str]) -> Mapping[str, Any]:
        self._started = True
        legal = self._machine.legal(self._state)
        joint = [{str(each): each for each in own}[move] for own, move in zip(legal, moves, strict=True)]
        self._state = self._machine.next(self._state, joint)
        if not self._machine.terminal(self._state):
            for search in self._searches.values():
                search.advance(joint, self._state)
        return {}


def studied(file: str) -> dict[str, Any]:
    """Return the arguments of a search that uses a studied network."""
    from search.network.storage import load as load_studied  # late import: older versions lack this module

    return {"studied": load_studied(Path(file))}


def kept_proofs(file: str) -> KeptProofs:
    """Return what `ggp-agent solve` has kept; its facts must be spelled as in the rules."""
    from search.solver.kept_proofs import load as load_proofs  # late import, as above

    return load_proofs(Path(file))


def options_of(settings: Mapping[str, str]) -> SearchOptions:
    """Parse the options of a search. Raises ValueError on unknown ones."""
    kinds = get_type_hints(SearchOptions)
    unknown = settings.keys() - kinds.keys()
    if unknown:
        raise ValueError(f"this version has no setting {', '.join(sorted(unknown))}")
    return SearchOptions(**{name: _value(name, text, kinds[name]) for name, text in settings.items()})


def _value(name: str, text: str, kind: Callable[[str], Any]) -> Any:  # noqa: ANN401 the type of the option
    if kind is not bool:
        return kind(text)
    if text.lower() not in WORDS:
        raise ValueError(f"{name}={text} is neither on nor off: give one of {', '.join(WORDS)}")
    return WORDS[text.lower()]


def _machine(text: str) -> Machine:
    try:
        return load(text, "circuit")
    except ReasonerError:
        return load(text, "relational")


def main() -> None:
    """Answer until the input ends."""
    warm_up()
    seat, out = Seat(), sys.stdout
    sys.stdout = sys.stderr  # so that output of a library is not read as an answer
    for line in sys.stdin:
        try:
            found = seat.answer(json.loads(line))
        except Exception as error:
            found = {"fault": f"{type(error).__name__}: {error}"}
        print(json.dumps(found), file=out, flush=True)


if __name__ == "__main__":
    main()
