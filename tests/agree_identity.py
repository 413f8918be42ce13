"""Every public game's key against all others, its scrambled twin and mutants of it: ``python -m tests.agree_identity``.

Recorded play is replayed in full in the scrambled game, in the names that the keys have matched. Takes minutes.
"""

from __future__ import annotations

import sys
import time

import click

from reasoner.identity import Identity, Translation, identify
from reasoner.relational.machine import RelationalMachine
from reasoner.rules.read import read_program
from tests.reasoner.identity.spellings import mutants, scrambled
from tests.reasoner.identity.translated import translated
from tests.shared import SHARED
from tests.traces import Recording, Replayer, recordings

MUTANTS = 4
STEPS = 12


def main() -> int:
    """Prints what it finds, and returns 1 where a key or a name is wrong."""
    assert SHARED, "the shared rulesheets are not beside the checkout"
    keys: dict[str, str] = {}
    faults = 0
    started = time.process_time()
    games = recordings(SHARED)
    for seed, recording in enumerate(games):
        text = recording.rulesheet(SHARED).read_text(encoding="utf-8")
        program = read_program(text)[0]
        identity = identify(program)
        first = keys.setdefault(identity.key, recording.game)
        if first != recording.game:
            click.echo(f"{recording.game} is {first}")
        for done, mutant in mutants(program, seed, MUTANTS if identity.complete else 0):
            if identify(mutant).key == identity.key:
                click.echo(f"{recording.game} is the same with one rule changed ({done})")
        fault = _fault(text, identity, recording, seed)
        if fault:
            faults += 1
            click.echo(f"{recording.game} {fault}")
    click.echo(
        f"{len(games)} games, {len(keys)} keys, {faults} faults, {time.process_time() - started:.0f} s of a processor"
    )
    return int(faults > 0)


def _fault(text: str, identity: Identity, recording: Recording, seed: int) -> str | None:
    program, _ = scrambled(text, seed)
    found = identify(program)
    names = Translation.between(identity.symbols, found.symbols)
    if found.key != identity.key or names is None:
        return "has another key when scrambled"
    machine = RelationalMachine(program)
    replay = Replayer(machine, translated(recording, names, machine.roles)).run(STEPS)
    return replay.disagreement and f"plays otherwise in the matched names: {replay.disagreement}"


if __name__ == "__main__":
    sys.exit(main())
