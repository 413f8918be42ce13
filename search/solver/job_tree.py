"""Search of one position by many solvers: the upper part of the proof tree, whose leaves are jobs.

This is job-level proof-number search (Wu et al. 2011, "Job-level proof-number search for Connect6"). A job searches the
position of a leaf for some seconds, in the memory of its worker. A leaf that its job leaves undecided is expanded; its
children begin with the numbers that the worker found. The next job is the leaf to which the smallest numbers lead. A
job in progress makes the numbers of the nodes above it larger, so that the next job goes elsewhere. A job that is lost
with its worker is given to another one.

The numbers of a node follow from those of its children as in `proof_numbers`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import NamedTuple, Protocol

from reasoner.machine import State
from search.clock import Clock
from search.errors import UnsolvableError
from search.solver.expansion import OVER
from search.solver.proof_numbers import DEEP
from search.solver.proof_table import INFINITE
from search.solver.solver import REASONS, Numbers, Solver

JOB_SECONDS = 2.0
LEAVES_PER_WORKER = 2
"""Leaves of the first tree, before any job has ended."""
WAIT_SECONDS = 0.5
"""Maximum wait for a result before the clock is read again."""


class Job(NamedTuple):
    """A position to search, by its facts, for the question whether the first role's score reaches `threshold`."""

    number: int
    facts: tuple[str, ...]
    threshold: int
    seconds: float


class JobDone(NamedTuple):
    """The result of a job: the numbers of its position, and of the position after each move."""

    number: int
    position: Numbers
    children: dict[str, Numbers]  # by the text of the move of the role that chooses
    expansions: int


class Workers(Protocol):
    """Solvers elsewhere; each takes one job at a time."""

    @property
    def width(self) -> int:
        """The number of workers at present."""

    @property
    def waiting(self) -> int:
        """The number of jobs that were submitted and are not done."""

    def submit(self, job: Job) -> None:
        """Give a job to a worker as soon as one is idle."""

    def next_done(self, timeout: float) -> JobDone | None:
        """Return a result, or None after `timeout` seconds. Raises UnsolvableError."""


def work(solver: Solver, job: Job) -> JobDone:
    """Do a job with the solver of this process."""
    before = solver.expansions
    position, children = solver.examine(solver.machine.state(job.facts), job.threshold, job.seconds)
    return JobDone(job.number, position, children, solver.expansions - before)


@dataclass(eq=False, slots=True)
class _Node:
    """A position above or at a job; `children` is empty for a leaf."""

    state: State
    numbers: Numbers
    maximizes: bool = True
    children: list[_Node] = field(default_factory=list)
    parents: list[_Node] = field(default_factory=list)
    searched: bool = False  # its own job is done
    busy: int = 0  # jobs in progress at the node or below, by the paths on which they were chosen

    @property
    def decided(self) -> bool:
        return self.numbers.proof == 0 or self.numbers.disproof == 0


class JobTree:
    """The positions above the jobs of one threshold."""

    def __init__(self, solver: Solver, threshold: int, numbers: Iterator[int]) -> None:
        """Begin with the solver's position; `numbers` are those of the jobs, different ones for each tree."""
        self._solver, self._threshold = solver, threshold
        self.root = _Node(solver.state, Numbers(solver.low, solver.high, 1, 1))
        self._nodes: dict[State, _Node] = {solver.state: self.root}
        self._paths: dict[int, list[_Node]] = {}  # of the jobs in progress
        self._numbers = numbers

    def grow(self, leaves: int) -> None:
        """Expand the best leaves until there are so many, or the root is decided."""
        found = 1
        while found < leaves and (path := self._best_leaf()) is not None:
            self._expand(path[-1], {})
            found = sum(not node.children and not node.decided for node in self._nodes.values())

    def next_job(self) -> Job | None:
        """Return the job of the best leaf, None if all leaves are in work."""
        path = self._best_leaf()
        if path is None:
            return None
        number = next(self._numbers)
        self._paths[number] = path
        for node in path:
            node.busy += 1
        facts = tuple(sorted(map(str, self._solver.machine.facts(path[-1].state))))
        return Job(number, facts, self._threshold, JOB_SECONDS)

    def receive(self, done: JobDone) -> None:
        """Enter the result of a job. A result for an earlier tree is ignored."""
        path = self._paths.pop(done.number, None)
        if path is None:
            return
        for node in path:
            node.busy -= 1
        leaf = path[-1]
        if leaf.decided:
            return
        leaf.numbers, leaf.searched = done.position, True
        if not leaf.decided:
            self._expand(leaf, done.children)
        self._update(leaf.parents)

    def decided(self) -> list[tuple[State, Numbers]]:
        """Return the positions whose bounds decide the question."""
        return [(state, node.numbers) for state, node in self._nodes.items() if node.decided]

    def _best_leaf(self) -> list[_Node] | None:
        """Return the path to the best leaf that is not in work."""
        if self.root.decided:
            return None
        full = set[int]()  # nodes all of whose leaves are in work
        path = [self.root]
        while path:
            node = path[-1]
            if not node.children:
                if not node.busy:
                    return path
                full.add(id(node))
            free = [child for child in node.children if not child.decided and id(child) not in full]
            if not free:
                full.add(id(path.pop()))
                continue
            path.append(min(free, key=_cost_to_prove if node.maximizes else _cost_to_disprove))
        return None

    def _expand(self, node: _Node, known: dict[str, Numbers]) -> None:
        """Add the children of a leaf; `known` has the numbers after some moves."""
        machine = self._solver.machine
        chooser, found = self._solver.numbered_children(node.state, self._threshold)
        assert chooser != OVER, "a leaf that is over is decided"
        above = self._above(node)
        node.maximizes = chooser == self._solver.first
        legal = machine.legal(node.state)
        by_text = {str(move): move for move in legal[chooser]}
        for text, numbers in found.items():
            joint = [by_text.get(text, own[0]) if role == chooser else own[0] for role, own in enumerate(legal)]
            state = machine.next(node.state, joint)
            child = self._nodes.get(state)
            if child is None:
                child = self._nodes[state] = _Node(state, known.get(text, numbers))
            elif child in above:
                raise UnsolvableError(REASONS[DEEP])
            child.parents.append(node)
            node.children.append(child)
        self._update([node])

    def _above(self, node: _Node) -> set[_Node]:
        """Return a node and the nodes above it."""
        found, left = {node}, [node]
        while left:
            new = [parent for parent in left.pop().parents if parent not in found]
            found.update(new)
            left += new
        return found

    def _update(self, nodes: list[_Node]) -> None:
        """Compute the numbers of these nodes and of those above them."""
        left = list(nodes)
        while left:
            node = left.pop()
            numbers = _numbers_of(node, self._threshold)
            if numbers != node.numbers:
                node.numbers = numbers
                left += node.parents


def _cost_to_prove(node: _Node) -> int:
    return node.numbers.proof * (1 + node.busy)


def _cost_to_disprove(node: _Node) -> int:
    return node.numbers.disproof * (1 + node.busy)


def _numbers_of(node: _Node, threshold: int) -> Numbers:
    """Return the numbers of an expanded node."""
    every = [child.numbers for child in node.children]
    choose = max if node.maximizes else min
    low, high = choose(each.low for each in every), choose(each.high for each in every)
    if low >= threshold:
        return Numbers(low, high, 0, INFINITE)
    if high < threshold:
        return Numbers(low, high, INFINITE, 0)
    open_ = [each for each in every if each.proof and each.disproof]
    least = min(each.proof if node.maximizes else each.disproof for each in open_)
    most = max(each.disproof if node.maximizes else each.proof for each in open_) + len(open_) - 1
    most = min(most, INFINITE - 1)
    return Numbers(low, high, least, most) if node.maximizes else Numbers(low, high, most, least)


def solve_by_jobs(
    solver: Solver, workers: Workers, seconds: float, clock: Clock, watch: Callable[[JobTree], object] = lambda _: None
) -> bool:
    """Find the score of the solver's position by jobs, for at most `seconds`; return whether it is known.

    watch: called several times a second; it may raise an exception to interrupt the work.
    Raises UnsolvableError.
    """
    end, numbers = clock.now() + seconds, count()
    while not solver.solved:
        threshold = solver.trying
        tree = JobTree(solver, threshold, numbers)
        tree.grow(LEAVES_PER_WORKER * max(workers.width, 1))
        while not tree.root.decided and clock.now() < end:
            while workers.waiting < max(workers.width, 1) and (job := tree.next_job()) is not None:
                workers.submit(job)
            if (done := workers.next_done(min(WAIT_SECONDS, max(end - clock.now(), 0.0)))) is not None:
                solver.elsewhere += done.expansions
                tree.receive(done)
            watch(tree)
        for state, known in tree.decided():
            solver.enter_numbers(state, known, threshold)
        solver.narrow(tree.root.numbers)
        if clock.now() >= end:
            break
    return solver.solved
