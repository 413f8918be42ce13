"""Emission of native code for a lane graph, section by section.

    network     copy the section's gates to a graph of their own, with trees of ANDs as chains
    cover       replace gates by three-input tables
    outputs     plan which values stay in memory, and add the copies that this needs
    ordered     order the tables
    allocate    choose registers and rows, and write instructions
    encode      write bytes, by the target

LEGAL is emitted first, because it places the values that sections share. The other sections may use the rows that LEGAL
needs only while it runs, and each may reuse the rows of the sections before it. PREFER is emitted second, because later
sections must not overwrite its result.
"""

from __future__ import annotations

from contextlib import nullcontext
from typing import NamedTuple

import numpy as np

from reasoner.arrays import Ints
from reasoner.background import in_background
from reasoner.lanes.lane_graph import CHOOSE, GOAL, LEGAL, NEXT, PREFER, REST, SECTIONS, LaneGraph
from reasoner.lanes.loaded import Layout, rows_of
from reasoner.lanes.native.allocate import allocate, room
from reasoner.lanes.native.code import NativeCode, Section
from reasoner.lanes.native.instructions import LOAD, MEMORY, OPERATION, STORE
from reasoner.lanes.native.lut_mapping import EXACT_PASSES, Cover, cover
from reasoner.lanes.native.lut_order import ordered
from reasoner.lanes.native.registers import COUNT, FLIP, POOLED, ROW, ROWS, Room
from reasoner.lanes.native.section_aig import Network, SectionSpec, network
from reasoner.lanes.native.section_outputs import Outputs, outputs
from reasoner.lanes.native.targets import Target
from reasoner.lanes.section_contract import ANYWHERE, Contract, contract_of

ALIGNMENT = 64
"""Alignment of functions in bytes."""

NOWHERE = -1
"""Marks a node without a literal over rows."""


AFTERWARDS = (GOAL, CHOOSE, NEXT, REST)
"""The sections after LEGAL and PREFER. A thread can run their steps before `allocate` in parallel with these two."""


MAX_PARALLEL_GATES = 700_000
"""Maximum gates for which sections are mapped in parallel with LEGAL, because two sections at a time take more memory:
a quarter more for amazonsTorus. In larger graphs the thread starts after LEGAL is mapped. Baseline code is mapped
without a thread, because it is emitted in parallel with other work."""


class _SectionNetwork(NamedTuple):
    """A section's gates and its required results."""

    section: int
    contract: Contract
    updates: Ints  # [n, 2] for each base to update its node, and the literal of its next value
    network: Network


class _Ordered(NamedTuple):
    """A section's tables in the order of computation."""

    part: _SectionNetwork
    cover: Cover
    stored: Outputs
    draws: Ints  # [random bits] the leaf that is the random bit, or -1
    random: Ints  # [leaves + 1] the number of the leaf's random bit, or -1
    order: Ints


def emit(graph: LaneGraph, target: Target, *, baseline: bool = False) -> NativeCode:
    """Emit the code of all sections for a target; baseline code is emitted faster, but has slightly more tables."""
    return _Emitter(graph, target, baseline).code()


class _Emitter:
    """Emitter of all sections, one after another; `place` records where the results of the emitted sections are."""

    def __init__(self, graph: LaneGraph, target: Target, baseline: bool) -> None:
        self.graph, self.target, self.baseline = graph, target, baseline
        self.layout = Layout(len(graph.circuit.bases), len(graph.legal))
        self.hold = graph.hold
        self.place = np.full(self.hold + 1, NOWHERE, np.int32)  # for each node its literal over rows
        self.place[: self.layout.hold] = 2 * np.arange(self.layout.hold)
        self.place[self.hold] = 2 * self.layout.hold
        self.alias = np.full(self.hold + 1, NOWHERE, np.int32)  # for each gate of LEGAL the leaf's literal it equals
        self.rows = self.layout.free
        self.pool = np.zeros(0, np.int32)
        self.bytes = bytearray()

    def code(self) -> NativeCode:
        """Emit all sections."""
        graph = self.graph
        legal = self._network(LEGAL)
        self._note_aliases(legal)

        def afterwards() -> list[_Ordered]:
            return [self._ordered(self._network(section)) for section in AFTERWARDS]

        mapped = self._ordered(legal) if len(graph.left) > MAX_PARALLEL_GATES else None
        with nullcontext(afterwards) if self.baseline else in_background(afterwards) as others:
            emitted = {LEGAL: self._section(mapped or self._ordered(legal))}
            emitted[PREFER] = self._section(self._ordered(self._network(PREFER)))
        emitted |= {mapped.part.section: self._section(mapped) for mapped in others()}
        sections = tuple(emitted[section] for section in SECTIONS)
        goals = graph.goals.copy()
        goals[:, 2] = self._placed(graph.goals[:, 2])
        return NativeCode(
            emitter=self.target.name,
            code=bytes(self.bytes),
            sections=sections,
            rows=self.rows,
            left=rows_of(self._placed(graph.left_by_legal()), self.layout),
            legal=self._placed(graph.legal).astype(np.uint32),
            able=self._placed(graph.able).astype(np.uint32),
            terminal=int(self._placed(np.array([graph.terminal]))[0]),
            won=int(self._placed(np.array([graph.won]))[0]),
            goals=goals,
        )

    def _placed(self, literals: Ints) -> Ints:
        """Convert literals to literals over rows."""
        placed: Ints = self.place[literals >> 1] ^ (literals & 1)
        return placed

    def _network(self, section: int) -> _SectionNetwork:
        """The network of a section. The aliases of LEGAL must be recorded before the networks of other sections."""
        graph, contract = self.graph, contract_of(self.graph, self.layout, section)
        bases = np.array(contract.updates, np.int32)
        updates = np.stack([bases + 1, graph.next[bases]], axis=1).astype(np.int32)
        nodes, first = graph.sections[section], graph.first_gate
        if section == PREFER:
            nodes = self._with_legality(nodes, contract.roots)
        aig = network(
            SectionSpec(graph.left, graph.right, first, nodes, contract.roots, updates, self.hold, self.alias)
        )
        return _SectionNetwork(section, contract, updates, aig)

    def _ordered(self, part: _SectionNetwork) -> _Ordered:
        """A section's tables in order; the order does not depend on the allocated rows."""
        contract, updates, aig = part.contract, part.updates, part.network
        bases = _bases(aig, updates)
        changed = aig.updates != bases
        covered, stored = outputs(
            cover(aig, self.target.selection, 0 if self.baseline else EXACT_PASSES),
            np.concatenate([aig.roots, aig.updates[changed]]),
            np.concatenate([contract.rows, updates[changed, 0]]),
            np.concatenate([np.full(len(contract.roots), -1, np.int32), bases[changed] >> 1]),
        )
        draws, random = self._random(aig, contract.draws)
        order = ordered(covered, stored.node[stored.node >= 0], random, len(draws))
        return _Ordered(part, covered, stored, draws, random, order)

    def _section(self, mapped: _Ordered) -> Section:
        """The code of a section. The sections whose rows or results it uses must be emitted before it."""
        leaf = np.where(mapped.random < 0, self.place[mapped.part.network.leaves], NOWHERE)
        target, random = self.target, self.layout.random
        result = room(mapped.cover, mapped.order, mapped.stored, leaf, random, self.rows, self.pool, target)
        allocate(result, mapped.cover, mapped.order, mapped.stored, mapped.draws, target.stretch, target.selection)
        self._settle(mapped.part.contract.roots, mapped.part.network, mapped.stored, result, leaf)
        self.rows, self.pool = int(result.counts[ROWS]), result.pool[: result.counts[POOLED]].copy()
        return self._encoded(result.code[: result.counts[COUNT]], int((mapped.order >= 0).sum()))

    def _with_legality(self, nodes: Ints, roots: Ints) -> Ints:
        """A section's gates, and copies of the gates of LEGAL that the section needs but LEGAL does not store.

        If LEGAL stored them, it would be slower for callers that do not run this section.
        """
        graph = self.graph
        gates = nodes - graph.first_gate
        waiting = [np.concatenate((graph.left[gates], graph.right[gates], roots)) >> 1]
        missing = np.zeros(len(self.place), np.bool_)
        missing[graph.sections[LEGAL]] = self.place[graph.sections[LEGAL]] == NOWHERE
        found: list[Ints] = [nodes]
        while len(read := np.unique(waiting.pop())) and len(read := read[missing[read]]):
            missing[read] = False
            found.append(read.astype(np.int32))
            gates = read - graph.first_gate
            waiting.append(np.concatenate((graph.left[gates], graph.right[gates])) >> 1)
        return np.unique(np.concatenate(found)).astype(np.int32)

    def _note_aliases(self, legal: _SectionNetwork) -> None:
        """Record the roots of LEGAL that equal leaves, so that no section has two leaves for one row."""
        aig, (roots, rows, *_) = legal.network, legal.contract
        leaves = (rows == ANYWHERE) & (aig.roots >> 1 < len(aig.leaves)) & (self.place[roots >> 1] == NOWHERE)
        found, node = aig.roots[leaves], roots[leaves] >> 1
        self.alias[node] = 2 * aig.leaves[found >> 1] | (found ^ roots[leaves]) & 1

    def _settle(self, roots: Ints, aig: Network, stored: Outputs, result: Room, leaf: Ints) -> None:
        """Record in `place` the rows of the roots' nodes."""
        asked = np.flatnonzero(stored.row[: len(roots)] == ANYWHERE)
        node, root, flip = stored.node[asked], roots[asked] >> 1, (aig.roots[asked] ^ roots[asked]) & 1
        kept = node >= 0
        value = result.values[node[kept]]
        self.place[root[kept]] = 2 * value[:, ROW] + (value[:, FLIP] ^ flip[kept])
        leaves = ~kept & (self.place[root] == NOWHERE)  # gates that equal leaves
        self.place[root[leaves]] = leaf[aig.roots[asked[leaves]] >> 1] ^ flip[leaves]

    def _encoded(self, instructions: Ints, tables: int) -> Section:
        self.bytes += bytes(-len(self.bytes) % ALIGNMENT)
        start, code = len(self.bytes), self.target.encode(instructions, self.rows)
        self.bytes += code
        kinds = instructions[:, OPERATION]
        loads, stores = int((kinds == LOAD | MEMORY).sum()), int((kinds == STORE | MEMORY).sum())
        return Section(start, len(code), tables, len(instructions), loads, stores)

    def _random(self, aig: Network, draws: bool) -> tuple[Ints, Ints]:
        """The leaf of each random bit, or -1; the number of each leaf's random bit, or -1."""
        start = self.layout.hold
        number = aig.leaves - start
        number[(number < 0) | (number >= self.graph.randoms)] = -1
        leaf = np.full(self.graph.randoms if draws else 0, -1, np.int32)
        leaves = np.flatnonzero(number >= 0)
        leaf[number[leaves]] = leaves
        return leaf, number.astype(np.int32)


def _bases(aig: Network, updates: Ints) -> Ints:
    """The network's literals of the updated bases."""
    order = np.argsort(aig.leaves[1:], kind="stable") + 1
    found = order[np.searchsorted(aig.leaves[order], updates[:, 0])] if len(updates) else np.zeros(0, np.int64)
    return (2 * found).astype(np.int32)
