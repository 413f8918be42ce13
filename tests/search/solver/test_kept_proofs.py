"""Proofs that are kept make a later search of the game short, under any names, and a damaged file names itself."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from agent.cli.moves import state_after
from agent.gamemaster.games import bundled_game
from agent.gamemaster.scramble import Scrambler
from agent.knowledge.folder import identity_of
from reasoner.kernels import kernel
from search.errors import StorageError
from search.solver import Solver
from search.solver.kept_proofs import KeptProofs, load, longest, save
from search.solver.proof_table import BUCKET, find, new_table, place_proofs, store
from tests.machines import built

RULES = bundled_game("connectFour").text
MOVES = [f"(drop {column})" for column in "361351112176613456"]


@pytest.fixture(scope="module")
def solver() -> Solver:
    machine = built(RULES)
    found = Solver(machine, state_after(machine, MOVES), memory_mib=4)
    assert found.run(60)
    return found


@pytest.fixture(scope="module")
def proofs(solver: Solver) -> KeptProofs:
    identity = identity_of(RULES)
    return solver.kept_proofs()._replace(key=identity.key, symbols=identity.symbols)


def test_a_search_with_the_proofs_is_short_under_other_names(solver: Solver, proofs: KeptProofs):
    scrambler = Scrambler.of(RULES, 4)
    rules = scrambler.rules(RULES)
    machine = built(rules)
    facts = sorted(str(scrambler.term(fact)) for fact in solver.machine.facts(solver.state))
    again = Solver(
        machine, machine.state(facts), memory_mib=4, seed=9, proofs=proofs.translated(identity_of(rules).symbols)
    )
    assert again.run(60)
    assert again.low == solver.low
    assert again.expansions < solver.expansions / 50


def test_a_search_with_the_proofs_is_short_if_the_roles_have_another_order(solver: Solver, proofs: KeptProofs):
    rules = re.sub(r"(\(role \w+\))(\s*)(\(role \w+\))", r"\3\2\1", RULES)
    machine = built(rules)
    assert machine.roles == solver.machine.roles[::-1]
    facts = sorted(map(str, solver.machine.facts(solver.state)))
    again = Solver(machine, machine.state(facts), memory_mib=4, proofs=proofs.translated(identity_of(rules).symbols))
    assert again.run(60)
    assert again.low == solver.goals(solver.low)[1]
    assert again.expansions < solver.expansions / 50


def test_a_file_gives_back_what_was_kept(proofs: KeptProofs, tmp_path: Path):
    save(tmp_path / "p", proofs)
    found = load(tmp_path / "p")
    assert (found.role, found.facts, found.key, found.symbols) == (
        proofs.role,
        proofs.facts,
        proofs.key,
        proofs.symbols,
    )
    for name in ("words", "hashes", "bounds"):
        assert (getattr(found, name) == getattr(proofs, name)).all()


@pytest.mark.parametrize("damage", [lambda data: data[:-1], lambda data: data[:-9] + b"x" + data[-8:], lambda _: b"{}"])
def test_a_damaged_file_names_itself(proofs: KeptProofs, tmp_path: Path, damage):
    file = tmp_path / "p"
    save(file, proofs)
    file.write_bytes(damage(file.read_bytes()))
    with pytest.raises(StorageError, match="p is damaged: remove it"):
        load(file)


@kernel
def store_all(table, codes, bounds, proof, expansions):
    for i in range(len(codes)):
        store(table, codes[i], bounds[i, 0], bounds[i, 1], 50, proof, 9, expansions[i])


@kernel
def count_found(table, codes):
    found = 0
    for i in range(len(codes)):
        found += find(table, codes[i])[0] >= 0
    return found


def test_a_file_with_any_wrong_bit_in_its_head_is_refused(proofs: KeptProofs, tmp_path: Path):
    """With `(cell 2 0 0)` for `(cell 2 1 0)` among the symbols, a solver proved a wrong value."""
    few = proofs._replace(hashes=proofs.hashes[:2], bounds=proofs.bounds[:2])
    save(tmp_path / "p", few)
    good = (tmp_path / "p").read_bytes()
    for place in range(0, 8 * good.index(b"\n"), 5):
        damaged = bytearray(good)
        damaged[place // 8] ^= 1 << place % 8
        (tmp_path / "p").write_bytes(damaged)
        with pytest.raises(StorageError):
            load(tmp_path / "p")


def test_the_positions_of_the_longest_searches_are_kept():
    table, codes = new_table(1), np.arange(1, 40, dtype=np.uint64) << np.uint64(20)
    store_all(table, codes, np.full((39, 2), (50, 255)), 0, 2 ** np.arange(39))
    store_all(table, np.array([99 << 20], np.uint64), np.array([[0, 100]]), 7, np.array([2**50]))  # nothing is proven
    hashes, bounds = longest(table, 0, 100, most=5)
    assert hashes.tolist() == codes[:-6:-1].tolist()
    assert (bounds == (50, 255)).all()


def test_proofs_stay_in_a_table_that_is_full():
    table = new_table(1)
    hashes = np.random.default_rng(1).integers(1, 2**63, 4 * len(table), np.uint64)
    place_proofs(table, hashes, np.full((len(hashes), 2), (100, 255), np.uint8))
    fit, rest = np.split(hashes, [len(table) // BUCKET])
    before = count_found(table, fit)
    assert before > 0.95 * len(fit)  # a bucket may get more positions than it keeps
    assert count_found(table, rest) == 0
    others = np.random.default_rng(2).integers(1, 2**63, 2 * len(table), np.uint64)
    store_all(table, others, np.zeros((len(others), 2), np.int64), 9, np.full(len(others), 2**40))
    assert count_found(table, fit) == before
