"""Recorded games in a batch: each playout a game of it, stepped by its recorded moves; then every state set at once."""

from __future__ import annotations

import numpy as np

from reasoner.batch import STAY, Batch
from reasoner.lanes.machine import CircuitMachine
from reasoner.language.parse import read_term
from tests.traces import Recording, both


class BatchReplayer:
    """Holds a batch of a machine's games against a recording. `compared` grows as it goes."""

    def __init__(self, machine: CircuitMachine, recording: Recording) -> None:
        self.machine = machine
        self.recording = recording
        self.compared = 0
        self.always = {str(fact) for fact in machine.circuit.always}

    def run(self) -> str | None:
        """What differs first, if anything does."""
        return self._played() or self._put()

    def _played(self) -> str | None:
        """Step by step, the games that are over staying as they are."""
        playouts = self.recording.playouts
        batch = Batch(self.machine, len(playouts), again=False)
        places = [{str(move): i for i, move in enumerate(own)} for own in batch.moves]
        for number in range(max(map(len, playouts))):
            steps = [playout[min(number, len(playout) - 1)] for playout in playouts]
            fault = self._seen(batch, steps)
            if fault:
                return f"step {number + 1}, {fault}"
            actions = np.full((len(playouts), len(batch.roles)), STAY)
            for game, step in enumerate(steps):
                if number < len(playouts[game]) and step.get("moves"):
                    moves = [str(read_term(move)) for move in step["moves"]]
                    actions[game] = [known[move] for known, move in zip(places, moves, strict=True)]
            batch.step(actions)
        return None

    def _put(self) -> str | None:
        """All recorded states, each in a game of its own."""
        steps = [step for playout in self.recording.playouts for step in playout]
        states = [self.machine.state(step["state"]) for step in steps]
        batch = Batch(self.machine, len(steps), again=False)
        batch.put(states)
        if [row.tobytes() for row in batch.states] != states:
            return "states set are not those read back"
        fault = self._seen(batch, steps)
        self.compared += 0 if fault else len(steps)
        return fault

    def _seen(self, batch: Batch, steps: list[dict]) -> str | None:
        values, names = batch.values(), np.array([str(fact) for fact in batch.facts], object)
        moves = [np.array([str(move) for move in own], object) for own in batch.moves]
        for game, step in enumerate(steps):
            found, recorded = {*names[batch.observation[game].astype(bool)], *self.always}, set(step["state"])
            if found != {str(read_term(fact)) for fact in recorded}:
                return f"game {game}: facts {both(found, recorded)}"
            if batch.terminal[game] != step["terminal"]:
                return f"game {game}: terminal is {batch.terminal[game]}, recorded {step['terminal']}"
            if any(g is not None and g != v for g, v in zip(step["goals"], values[game].tolist(), strict=True)):
                return f"game {game}: goals are {values[game]}, recorded {step['goals']}"
            if batch.ended[game] and not np.array_equal(batch.goals[game], values[game]):
                return f"game {game}: goals at the end are {batch.goals[game]}, its values {values[game]}"
            for own, legal, recorded in zip(moves, batch.legal, step.get("legal", ()), strict=False):
                if set(own[legal[game]]) != {str(read_term(move)) for move in recorded}:
                    return f"game {game}: moves {both(set(own[legal[game]]), set(recorded))}"
        return None
