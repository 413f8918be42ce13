"""Random lane graphs, and native and portable code side by side on the same rows."""

import ctypes
from types import SimpleNamespace

import numpy as np

from reasoner.lanes import native, portable
from reasoner.lanes.lane_graph import CHOOSE, GOAL, LEGAL, NEXT, PREFER, REST, LaneGraph
from reasoner.lanes.loaded import Layout
from reasoner.lanes.rows import WORDS, aligned

FUNCTION = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)
ALL = np.uint64(2**64 - 1)


def random_graph(random, gates=60, bases=6, moves=5, randoms=8, near=12):
    """A lane graph whose sections have up to `gates` gates; operands are mostly among the `near` nodes before.

    `won` is, as in every lane graph, a fact of the state: it depends on no random bit.
    """
    first = 1 + bases + moves + randoms
    searched = int(random.integers(min(2, bases), bases + 1))
    left, right, sections, known = [], [], [], {}
    state, shown = range(1, 1 + searched), range(1 + searched, 1 + bases)  # REST alone reads what play does not need
    played, drawn = range(1 + bases, 1 + bases + moves), range(1 + bases + moves, first)
    by_chance = set(drawn)  # what depends on a random bit
    for section, reads in {
        LEGAL: [],
        GOAL: [],
        CHOOSE: drawn,
        NEXT: played,
        REST: [*shown, *played],
        PREFER: drawn,
    }.items():
        nodes = [*state, *reads, *(known[LEGAL][1:] if section else [])]
        own = []
        for _ in range(int(random.integers(0, gates + 1))):
            a, b = _two(random, nodes, near)
            exclusive = random.random() < 0.2
            flips = random.integers(0, 1 if exclusive else 2, 2)
            low, high = sorted((2 * a + int(flips[0]), 2 * b + int(flips[1])))
            left.append(high if exclusive else low)
            right.append(low if exclusive else high)
            own.append(first + len(left) - 1)
            nodes.append(own[-1])
            if a in by_chance or b in by_chance:
                by_chance.add(own[-1])
        sections.append(np.array(own, np.int32))
        known[section] = [0, *nodes]

    def literals(section, count):
        from_section = known[section][-30:] if random.random() < 0.7 else known[section]
        return (2 * random.choice(from_section, count) + random.integers(0, 2, count)).astype(np.int32)

    legal = literals(LEGAL, moves)
    of_state = [node for node in sections[PREFER].tolist() if node not in by_chance]
    return LaneGraph(
        circuit=SimpleNamespace(bases=range(bases), searched=searched, moves=(range(moves),)),
        randoms=randoms,
        left=np.array(left, np.int32),
        right=np.array(right, np.int32),
        sections=tuple(sections),
        legal=legal,
        able=literals(LEGAL, 2),
        terminal=int(literals(LEGAL, 1)[0]),
        stop=int(literals(LEGAL, 1)[0]),
        goals=np.stack([np.zeros(3, np.int32), np.arange(3, dtype=np.int32), literals(GOAL, 3)], axis=1),
        chosen=np.where(random.random(moves) < 0.8, literals(CHOOSE, moves), -1).astype(np.int32),
        exclusive=np.zeros((0, 2), np.int32),
        next=np.concatenate([literals(NEXT, searched), literals(REST, bases - searched)]),
        drawn=np.zeros((0, 2), np.int32),
        preferred=np.where(random.random(moves) < 0.8, literals(PREFER, moves), -1).astype(np.int32),
        won=2 * of_state[-1] if of_state else int(literals(LEGAL, 1)[0]),
    )


def _two(random, nodes, near):
    """Two nodes, mostly late ones."""
    late = nodes[-near:] if random.random() < 0.8 else nodes
    a, b = random.choice(len(late), 2, replace=False)
    return late[a], late[b]


class Mapped:
    """Code in this process, and its rows."""

    def __init__(self, code):
        self.code = code.load()
        self.values = aligned(self.code.rows)

    def run(self, section):
        """Run a section."""
        FUNCTION(int(self.code.entries[section]))(self.values.ctypes.data, int(self.code.operands[section]))


class Emulated:
    """Native code that an emulator runs, and its rows."""

    def __init__(self, code, emulator):
        self.code, self._emulator = code, emulator
        self.values = np.zeros(code.rows * WORDS, np.uint64)

    def run(self, section):
        """Run a section."""
        self.values[:] = self._emulator.run(self.code.code, self.code.sections[section].start, self.values)


class Both:
    """A target's code and portable code side by side; rows begin alike wherever a section may read first."""

    def __init__(self, graph, target, random, emulator=None):
        ours = native.emit(graph, target)
        self.sides = [Emulated(ours, emulator) if emulator else Mapped(ours), Mapped(portable.emit(graph))]
        self.layout = Layout(len(graph.circuit.bases), len(graph.legal))
        given = random.integers(0, 2**64, self.layout.free * WORDS, np.uint64)
        given[:WORDS] = 0
        for side in self.sides:
            side.values[:] = random.integers(0, 2**64, len(side.values), np.uint64)
            side.values[: len(given)] = given

    def run(self, section):
        """Run a section of both."""
        for side in self.sides:
            side.run(section)

    def results(self, name):
        """What both hold for some results, `name` of Emitted."""
        for side in self.sides:
            literals = np.atleast_1d(getattr(side.code, name)).astype(np.int64)
            literals = literals[:, 2] if literals.ndim == 2 else literals
            rows = side.values.reshape(-1, WORDS)[literals >> 1]
            yield rows ^ np.where(literals & 1, ALL, 0)[:, None].astype(np.uint64)

    def agree_on(self, *names):
        """Whether both hold the same for these results."""
        return all(np.array_equal(*self.results(name)) for name in names)

    def share_rows(self):
        """Whether all rows that emitters share are alike."""
        end = self.layout.free * WORDS
        return np.array_equal(*(side.values[:end] for side in self.sides))

    def agree(self, sweeps=2):
        """Assert that both do the same in all sections, in the order of play."""
        for _ in range(sweeps):
            self.run(LEGAL)
            assert self.agree_on("legal", "able", "terminal")
            self.run(PREFER)
            assert self.agree_on("legal", "able", "terminal", "won")
            assert self.share_rows()
            self.run(GOAL)
            assert self.agree_on("goals", "won")
            self.run(CHOOSE)
            assert self.agree_on("legal", "able", "terminal")
            assert self.share_rows()
            self.run(REST)
            self.run(NEXT)
            assert self.share_rows()
