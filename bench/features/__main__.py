"""Benchmark of logical features: `python -m bench.features` compares counting here with SWI-Prolog, on equal counts.

It repeats the conditions of Kaneko, Yamaguchi and Kawai's experiment: 126 features of 2 to 6 literals over Othello,
more than 10,000 positions from play. Here every position is counted, all together by the relational engine and
compiled, and some one at a time. Prolog, hundreds of times slower, counts an even sample of them, on which the counts
must be equal. Times are CPU seconds of one thread.
"""

from __future__ import annotations

import json
import tempfile
import time
from pathlib import Path
from random import Random
from statistics import geometric_mean, mean

import click
import numpy as np
from numpy.typing import NDArray

from bench.__main__ import machine_described
from bench.features import prolog
from bench.features.draw import Feature, draw
from bench.features.othello import THEORY, rulesheet
from reasoner import load, warm_up
from reasoner.machine import State
from reasoner.relational.machine import RelationalMachine
from reasoner.rules.theory import with_theory

FEATURES, MOST_ZERO, MOST_SOLUTIONS = 126, 25, 20_000


def positions(machine: RelationalMachine, count: int, random: Random) -> list[State]:
    """Return the positions of random games in order."""
    state, found = machine.initial(), []
    while len(found) < count:
        if machine.terminal(state):
            state = machine.initial()
        found.append(state)
        state = machine.next(state, [random.choice(moves) for moves in machine.legal(state)])
    return found


def drawn(machine: RelationalMachine, sample: list[State], random: Random) -> list[Feature]:
    """Draw features of which at most a fifth are zero in the whole sample, without too many solutions for Prolog."""
    features: list[Feature] = []
    zero = 0
    while len(features) < FEATURES:
        candidates = [draw(random) for _ in range(50)]
        everything = [(text, variables_of(text)) for text, _ in candidates]
        solutions = machine.counts(sample, everything).max(axis=0)
        values = machine.counts(sample, candidates).max(axis=0)
        for feature, most, value in zip(candidates, solutions, values, strict=True):
            if most <= MOST_SOLUTIONS and (value or zero < MOST_ZERO) and len(features) < FEATURES:
                features.append(feature)
                zero += not value
    return features


def variables_of(text: str) -> tuple[str, ...]:
    """Return the variables of a conjunction."""
    return tuple(dict.fromkeys(word.strip("()") for word in text.split() if word.startswith("?")))


def one_at_a_time(machine: RelationalMachine, states: list[State], features: list[Feature]) -> list[float]:
    """Return the CPU seconds of each position."""
    spent = []
    for state in states:
        began = time.process_time()
        machine.counts([state], features)
        spent.append(time.process_time() - began)
    return spent


def in_lanes(
    states: list[State], relational: RelationalMachine, features: list[Feature]
) -> tuple[dict[str, float], NDArray[np.int64]]:
    """Measure counting by compiled features for a position, without and with the build; also return the counts."""
    machine = load(rulesheet(), "circuit", theory=THEORY)
    given = [machine.state(relational.facts(state)) for state in states]
    warm_up()
    began = time.process_time()
    program = machine.compile_counts(features)
    building = program.seconds + time.process_time() - began  # in the build's process and in this one
    spent = []
    for _ in range(3):
        began = time.process_time()
        counts = machine.counts(given, features)
        spent.append(time.process_time() - began)
    report = {
        "compiled_ms": round(1e3 * min(spent) / len(states), 5),
        "compiled_building_s": round(building, 2),
        "compiled_with_building_ms": round(1e3 * (min(spent) + building) / len(states), 4),
        "compiled_gates": program.gates,
        "compiled_groups_left_out": int(program.refused.sum()),
    }
    return report, counts


@click.command()
@click.option("--positions", "count", default=10_400, show_default=True)
@click.option("--prolog-positions", default=100, show_default=True)
@click.option("--seed", default=1, show_default=True)
@click.option("--picture", type=click.Path(path_type=Path), help="Draw the scatter plot to this file.")
@click.option("--json", "output", type=click.Path(path_type=Path), help="Write the report to this file.")
def main(count: int, prolog_positions: int, seed: int, picture: Path | None, output: Path | None) -> None:
    """Measure all methods and compare the counts."""
    program, random = with_theory(rulesheet(), THEORY), Random(seed)
    machine = RelationalMachine(program)
    features = drawn(machine, positions(machine, 2_000, random)[::50], random)
    every = max(1, count // prolog_positions)
    machine = RelationalMachine(program)  # a machine without the cache of the sampling
    states = positions(machine, count, Random(seed))
    ours = machine.counts(states[::every], features)
    began = time.process_time()
    together = machine.counts(states, features)
    batched = (time.process_time() - began) / count
    began = time.process_time()
    machine.counts(states, [("(corner s11)", ())])
    relations = (time.process_time() - began) / count
    single = one_at_a_time(machine, states[::every], features)
    compiled, compiled_counts = in_lanes(states, machine, features)
    np.testing.assert_array_equal(compiled_counts, together)
    held = [machine.facts(state) for state in states[::every]]
    with tempfile.TemporaryDirectory() as folder:
        runs = [
            prolog.run(prolog.prolog_program(program, features, held, table_all), Path(folder), 36_000)
            for table_all in (True, False)
        ]
    best = min(runs, key=lambda found: sum(seconds for seconds, _ in found))
    for found in runs:
        np.testing.assert_array_equal(ours, np.array([counts for _, counts in found]))
    theirs = [seconds for seconds, _ in best]
    report = {
        "machine": machine_described(),
        "positions": count,
        "prolog_positions": len(theirs),
        "features": len(features),
        "literals_mean": round(mean(text.count("(") for text, _ in features), 2),
        "zero_everywhere": int((ours.max(axis=0) == 0).sum()),
        "prolog_ms": round(1e3 * mean(theirs), 2),
        "one_at_a_time_ms": round(1e3 * mean(single), 4),
        "batched_ms": round(1e3 * batched, 4),
        "batched_relations_ms": round(1e3 * relations, 4),
        "x_one_at_a_time": round(mean(theirs) / mean(single), 1),
        "x_one_at_a_time_geometric": round(geometric_mean(t / s for t, s in zip(theirs, single, strict=True)), 1),
        "x_batched": round(mean(theirs) / batched, 1),
        **compiled,
        "x_compiled": round(1e3 * mean(theirs) / compiled["compiled_ms"], 1),
        "x_compiled_with_building": round(1e3 * mean(theirs) / compiled["compiled_with_building_ms"], 1),
    }
    click.echo(json.dumps(report, indent=1))
    if output:
        output.write_text(json.dumps({**report, "points": [*zip(single, theirs, strict=True)]}, indent=1) + "\n")
    if picture:
        from bench.features.scatter import scatter

        scatter(single, theirs, picture)


if __name__ == "__main__":
    main()
