"""Code for AArch64, run by emulation, computes what the portable emitter's code computes, bit by bit."""

from pathlib import Path

import numpy as np
import pytest

from reasoner.compilation import BuildLimits
from reasoner.compilation.stages import build_circuit
from reasoner.lanes.lane_graph_builder import lane_graph
from reasoner.rules.read import read_program
from tests.reasoner.lanes.native.emulator import Emulator, missing_tools
from tests.reasoner.lanes.native.graphs import Both, random_graph
from tests.reasoner.lanes.native.machines import EMULATED, PROCESSORS, name
from tests.shared import SHARED, needs_shared
from tests.traces import small_recordings

pytestmark = [
    pytest.mark.skipif(missing_tools() is not None, reason=str(missing_tools())),
    pytest.mark.parametrize("target", EMULATED, ids=name),
]

GAMES = Path(__file__).parents[4] / "games"


@pytest.fixture(scope="module")
def emulators(tmp_path_factory):
    """By target a process that runs its code."""
    made = {target: Emulator(tmp_path_factory.mktemp("emulated"), cpu) for target, cpu in PROCESSORS.items()}
    yield made
    for emulator in made.values():
        emulator.close()


def of_game(path):
    """The lane graph of a rulesheet."""
    circuit = build_circuit(read_program(path.read_text())[0], BuildLimits(emitter="portable"), lambda _: None).circuit
    return lane_graph(circuit)


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("gates", [0, 10, 60, 400])
def test_small_graphs_give_the_same_rows(emulators, target, seed, gates):
    random = np.random.default_rng(seed)
    Both(random_graph(random, gates), target, random, emulators[target]).agree()


@pytest.mark.parametrize("near", [20, 500])
def test_graphs_with_more_values_alive_than_registers_give_the_same_rows(emulators, target, near):
    random = np.random.default_rng(near)
    graph = random_graph(random, 2000, bases=40, moves=30, randoms=40, near=near)
    Both(graph, target, random, emulators[target]).agree()


def test_graphs_with_rows_beyond_all_windows_give_the_same_rows(emulators, target):
    random = np.random.default_rng(1)
    graph = random_graph(random, 3000, bases=12_000, moves=8_000, near=16_000)
    Both(graph, target, random, emulators[target]).agree(sweeps=1)


@pytest.mark.parametrize("game", ["connectFour", "diceRace", "hodgepodge"])
def test_bundled_games_give_the_same_rows(emulators, target, game):
    Both(of_game(GAMES / f"{game}.kif"), target, np.random.default_rng(2), emulators[target]).agree()


@pytest.mark.long  # rulesheets that are built
@pytest.mark.shared
@needs_shared
@pytest.mark.parametrize("recording", small_recordings(16), ids=lambda recording: recording.name)
def test_recorded_games_give_the_same_rows(emulators, target, recording):
    Both(of_game(recording.rulesheet(SHARED)), target, np.random.default_rng(4), emulators[target]).agree()
