"""The weight that a network's values deserve beside those of playouts, estimated from held-out games."""

from __future__ import annotations

import numpy as np

from reasoner.lanes.machine import CircuitMachine
from search.native.leaf_weight import best_weight, playout_values
from search.network import Network
from search.study.games import Games

MAX_POSITIONS, MIN_POSITIONS = 2048, 200


def value_weight(machine: CircuitMachine, network: Network, held: Games, max_steps: int, seed: int) -> float | None:
    """Return the weight, 0..1, with which the network's values and those of playouts predict held-out results best.

    None if too few positions have playouts that end within `max_steps`, or if the weight does not matter.
    """
    some = held.take(np.random.default_rng(seed).permutation(len(held))[:MAX_POSITIONS])
    if len(some) < MIN_POSITIONS:
        return None
    facts = np.unpackbits(some.observations, axis=1, count=len(network.facts))
    places = {base: place for place, base in enumerate(machine.circuit.bases)}
    bits = np.zeros((len(some), len(places)), np.uint8)
    bits[:, [places[fact] for fact in network.facts]] = facts
    rows, first, second = playout_values(machine, bits, max_steps, seed)
    if len(rows) < MIN_POSITIONS:
        return None
    return best_weight(some.results[rows], network.values(network.activations(facts[rows])), first, second)
