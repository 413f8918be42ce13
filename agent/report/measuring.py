"""Measure a rulesheet within a time: the order of the measurements, and the share of the time for each."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from itertools import pairwise

import numpy as np

from agent.report.measures import MEASURES, RANDOM_PLAY, Figure, constant_sum, depth, figures
from agent.report.play import Played, Waves, play
from agent.report.side_by_side import ALONE, CHUNK, Table, table_of
from reasoner import load_text
from reasoner.arrays import Ints
from reasoner.compilation import BuildLimits
from reasoner.lanes.machine import CircuitMachine
from reasoner.machine import Machine
from reasoner.platform_calls import usable_processors
from reasoner.rules.chance import is_chance
from reasoner.rules.read import read_program
from search.clock import MonotonicClock
from search.errors import SimultaneousError, UnopposedError, UnsolvableError
from search.factoring import factor
from search.solve import Solution, solution_of, solve_by_table, solve_puzzle
from search.solver import Solver, with_opposed_ends

RANDOM_ENDS, SOLVING_ENDS, SEARCHED_ENDS = 0.15, 0.3, 0.45
"""Shares of the time after which random play, solving and play with search end; the rest is for depth."""
SEARCHED_SHARE = 0.25
"""Minimum share of the remaining time for play with search."""
RANDOM_GAMES, SEARCHED_GAMES, DEPTH_GAMES = 20_000, 1_000, 500
PLAIN_WAVE, PLAIN_GAMES = 8, 200
"""Games of a wave, and maximum games of play with search, on a machine without a circuit."""
SEARCHED_LEVELS = (100, 30, 10)
"""Simulations per move in play with search; the first number that the time suffices for is used."""
DEPTH_LEVELS = (30, 100, 300, 1_000, 3_000)
TIMED, SPARE = 10, 2.0
"""Simulations that are timed to predict longer searches, and the factor by which these may take longer."""
ALONE_LEVELS = (100, 30)
"""In place of SEARCHED_LEVELS for one game on a circuit: a search evaluates some 100 positions at a time."""
CHUNKS, PLAIN_WAVES = (CHUNK, CHUNK // 2, CHUNK // 4, CHUNK // 8), (PLAIN_WAVE, PLAIN_WAVE // 2, PLAIN_WAVE // 4)
"""For strategic depth: numbers of games to try, searched together on a circuit, or in a wave on another machine."""
ALONE_WAVE = 2
"""Games of a wave, for strategic depth on a circuit, if games are searched one after the other."""
GROWTH = 1.3
"""Factor by which a simulation of a larger search may take longer than one of the last measured wave."""
SLICE_SECONDS = 0.5
"""Seconds between two moments at which Ctrl-C ends solving."""
SOLVER_MIB = (512, 128, 32)
"""Memory for solving; a smaller one is used if the process may not have as much."""
MAX_MOVES = 1_000
"""With more moves of all roles together, fewer random games are played at once."""
OFTEN = 30
"""A move that was legal this often in play with search, and never chosen, is listed; minimum games for this list."""
LISTED = 10
"""Maximum number of names listed."""


@dataclass
class Report:
    """The results for one rulesheet, filled in while it is measured."""

    game: str
    seed: int
    kind: dict[str, object] = field(default_factory=dict)
    size: dict[str, object] = field(default_factory=dict)
    figures: list[Figure] = field(default_factory=list)
    lengths: dict[str, list[int]] = field(default_factory=dict)  # joint moves of each game, by `Figure.play`
    rules: dict[str, object] = field(default_factory=dict)  # unused relations; moves never legal or chosen
    notes: list[str] = field(default_factory=list)  # what was not measured, and why
    seconds: float = 0.0

    def data(self) -> dict[str, object]:
        """Return everything for programs."""
        own = [asdict(each) | {"form": each.form, "source": MEASURES[each.measure][2]} for each in self.figures]
        return asdict(self) | {"figures": own, "seconds": round(self.seconds, 1)}


def measure(game: str, text: str, seconds: float, seed: int, tell: Callable[[str], None]) -> Report:
    """Measure a rulesheet for about `seconds`, the build not included. After Ctrl-C, return the results so far.

    tell: called with the name of each measurement. Raises ReasonerError if the rules are faulty.
    """
    report, began = Report(game, seed), time.monotonic()
    try:
        tell("reading the rules")
        report.rules["unused relations"] = [
            each.message for each in read_program(text)[1] if each.code == "unused-relation"
        ]
        machine = load_text(text, limits=BuildLimits(seconds=max(seconds, 60)), progress=tell)
        _Measurement(machine, report, seconds, seed).run(tell)
    except KeyboardInterrupt:
        report.notes.append("interrupted: the figures are of what was played until then")
    report.seconds = time.monotonic() - began
    return report


class _Measurement:
    """The measurements of a machine, in their order."""

    def __init__(self, machine: Machine, report: Report, seconds: float, seed: int) -> None:
        self._machine, self._report, self._seed = machine, report, seed
        self._began, self._seconds = time.monotonic(), seconds
        self._lanes = isinstance(machine, CircuitMachine)
        self._threads = usable_processors() if self._lanes else 1
        self._waves = Waves(self._threads, seed)
        self._players = [role for role, name in enumerate(machine.roles) if not is_chance(name)]
        self._opposed = False
        self._length = 1.0  # mean of random games

    def run(self, tell: Callable[[str], None]) -> None:
        """Measure everything."""
        self._kind()
        if self._machine.terminal(self._machine.initial()):
            self._report.notes.append("no game was played: the initial state is terminal")
            return
        tell("random play")
        self._within_memory("random play", self._random)
        if not self._players:
            self._report.notes.append("neither solved nor played with search: the only role is chance")
            return
        tell("solving")
        self._within_memory("solving", self._solve)
        if self._machine.hides:
            self._report.notes.append("no play with search: roles do not see the whole state, but this search does")
        else:
            for name, task in (("play with search", self._searched), ("strategic depth", self._depth)):
                tell(name)
                self._within_memory(name, task)

    def _within_memory(self, name: str, task: Callable[[], None]) -> None:
        try:
            task()
        except MemoryError:
            self._report.notes.append(f"{name}: more was not measured, because the memory does not suffice")

    def _end(self, share: float) -> float:
        return self._began + share * self._seconds

    def _kind(self) -> None:
        machine, initial = self._machine, self._machine.initial()
        self._report.kind.update(
            {
                "roles": [machine.roles[role] for role in self._players],
                "chance": len(self._players) < len(machine.roles),
                "hidden information": machine.hides,
            }
        )
        sizes = {"engine": machine.engine, "facts of the initial state": len(machine.facts(initial))}
        self._report.size.update(sizes)
        if isinstance(machine, CircuitMachine):
            shown = {"gates": machine.sizes.gates, "facts": machine.sizes.bases, "moves": machine.sizes.inputs}
            self._report.size.update(shown)
            found = factor(machine.circuit)
            self._report.kind["compound"] = f"{found.kind}, {len(found.subgames)} subgames" if found.splits else "no"

    def _random(self) -> None:
        size = PLAIN_WAVE
        if isinstance(self._machine, CircuitMachine):
            size = self._machine.lanes if sum(map(len, self._machine.circuit.moves)) <= MAX_MOVES else CHUNK
        levels = np.zeros((size, len(self._machine.roles)), np.int32)
        played: list[Played] = []
        games = RANDOM_GAMES if self._lanes else RANDOM_GAMES // 10
        try:
            self._waves.run(self._wave(levels, CHUNK), played, games, self._end(RANDOM_ENDS), self._end(1))
        finally:
            if played:
                self._of_random_play(Played.of(played))

    def _of_random_play(self, played: Played) -> None:
        kind = self._report.kind
        self._length = max(float(played.lengths.mean()), 1.0)
        kind["order of moves"] = "simultaneous" if played.joint.any() else "in turns"
        if len(self._players) > 1:
            kind["zero-sum"] = constant = constant_sum(played, self._players)
            self._opposed = constant and len(self._players) == 2
        self._add(played, RANDOM_PLAY)
        if isinstance(self._machine, CircuitMachine):
            moves = self._machine.circuit.moves
            names = [(role, str(move)) for role, own in enumerate(moves) for move in own]
            never = [f"{self._machine.roles[role]}: {move}" for role, move in names if not played.legal[role, move]]
            self._report.rules["moves never legal in random play"] = never

    def _add(self, played: Played, way: str) -> None:
        self._report.figures += figures(played, self._machine.roles, self._players, self._machine.points, way)
        self._report.lengths[way] = played.lengths.tolist()

    def _solve(self) -> None:
        machine, end = self._machine, self._end(SOLVING_ENDS)
        left = max(end - time.monotonic(), SLICE_SECONDS)
        try:
            if not self._lanes:
                raise UnsolvableError("the game has no circuit")
            found = self._solved(machine, end, left)
        except UnsolvableError as error:
            self._report.notes.append(f"not solved: {error}")
            return
        if found.goals is None:
            self._report.notes.append(f"not solved within {left:.0f} s")
            return
        self._report.kind["proven value"] = dict(zip(machine.roles, found.goals, strict=True))

    def _solved(self, machine: Machine, end: float, left: float) -> Solution:
        """Solve a game in the most memory that the process may have. Raises MemoryError."""
        for memory in SOLVER_MIB[:-1]:
            with suppress(MemoryError):
                return self._solved_within(memory, machine, end, left)
        return self._solved_within(SOLVER_MIB[-1], machine, end, left)

    def _solved_within(self, memory: int, machine: Machine, end: float, left: float) -> Solution:
        """Solve a game by the search of puzzles, by proof search, or by a table of all states. Raises MemoryError."""
        if len(machine.roles) == 1:
            return solve_puzzle(machine, None, left, self._threads, memory, MonotonicClock())
        try:
            solver = with_opposed_ends(Solver(machine, threads=self._threads, memory_mib=memory))
            while not solver.solved and (rest := end - time.monotonic()) > 0:
                solver.run(min(rest, SLICE_SECONDS))
            return solution_of(solver, left)
        except (SimultaneousError, UnopposedError):
            return solve_by_table(machine, None, left, memory, MonotonicClock())

    def _wave(self, levels: Ints, chunk: int) -> Callable[[int, Callable[[], bool]], Played]:
        def one(seed: int, stop: Callable[[], bool]) -> Played:
            table = table_of(self._machine, len(levels), seed, chunk)
            return play(table, self._players, levels, self._opposed, stop)

        return one

    def _cost(self, games: int, chunk: int) -> float:
        """Predict the seconds of a wave of `games`, for each simulation of a move. `chunk`: see `table_of`."""
        table: Table = table_of(self._machine, games, self._seed, chunk)
        some, mixed = np.arange(games), np.zeros(games, np.bool_)
        timed, spare = (ALONE_LEVELS[0], 1.0) if self._lanes and chunk == ALONE else (TIMED, SPARE)
        table.search(some[:1], timed, mixed[:1])  # allocates memory
        began = time.monotonic()
        table.search(some, timed, mixed)
        return spare * (time.monotonic() - began) * self._length / timed

    def _left(self, share: float = 1.0) -> float:
        """Seconds until the end of a measurement."""
        return self._end(share) - time.monotonic()

    def _searched(self) -> None:
        size, chunk = (CHUNK, CHUNK) if self._lanes else (PLAIN_WAVE, ALONE)
        cost = self._cost(size, chunk)  # the first search loads its kernels, which may take long
        end = max(self._end(SEARCHED_ENDS), time.monotonic() + SEARCHED_SHARE * self._left())
        level = next((each for each in SEARCHED_LEVELS if each * cost <= end - time.monotonic()), 0)
        if not level:  # many games at once take too long
            every: Sequence[int] = SEARCHED_LEVELS
            if not self._lanes or len(self._players) > 1:  # a search of one role would solve it by other methods
                size, chunk = 1, ALONE
                cost, every = self._cost(size, chunk), ALONE_LEVELS if self._lanes else SEARCHED_LEVELS
            level = next((each for each in every if each * cost <= end - time.monotonic()), every[-1])
        levels = np.full((size, len(self._machine.roles)), level, np.int32)
        played: list[Played] = []
        try:
            games = SEARCHED_GAMES if self._lanes else PLAIN_GAMES
            self._waves.run(self._wave(levels, chunk), played, games, end, self._end(1))
            if chunk == ALONE and self._too_long_for_depth(Played.of(played), cost):
                self._waves.run(self._wave(levels, chunk), played, games, self._end(1), self._end(1))
        finally:
            if played:
                self._of_searched_play(Played.of(played), f"{level} simulations")

    def _too_long_for_depth(self, played: Played, cost: float) -> bool:
        """Whether the rest of the time does not suffice for strategic depth; `cost` is for games of mean length."""
        length = float(played.lengths[played.terminal].mean()) if played.terminal.any() else self._length
        return cost * length / self._length * sum(DEPTH_LEVELS[:2]) > self._left()

    def _of_searched_play(self, played: Played, way: str) -> None:
        games, ended = len(played.lengths), int(played.terminal.sum())
        if ended:
            self._length = max(float(played.lengths[played.terminal].mean()), 1.0)
        if ended < games:
            self._report.notes.append(
                f"play with {way}: {games - ended} of {games} games did not end in the time; "
                "scores and draws are of the others, and the mean length is a lower bound"
            )
        self._add(played, way)
        if games >= OFTEN:
            self._report.rules["moves never chosen by search"] = self._never_chosen(played)

    def _never_chosen(self, played: Played) -> list[str]:
        often = [key for key, times in played.legal.items() if times >= OFTEN and not played.chosen[key]]
        return [f"{self._machine.roles[role]}: {move}" for role, move in sorted(often) if role in self._players]

    def _depth(self) -> None:
        """Play between searches of different size, or, for one role, with each size; the small ones first.

        As many games are played together as the time allows with all sizes. The time of each wave predicts that of the
        next. Each pair gets one wave before any gets more.
        """
        several = len(self._players) > 1
        pairs = [(less if several else more, more) for less, more in pairwise(DEPTH_LEVELS)]
        pairs = pairs if several else [(DEPTH_LEVELS[0],) * 2, *pairs]
        size, chunk, cost = self._sizes(sum(map(sum, pairs)), several)
        limit = DEPTH_GAMES if self._lanes else 4 * PLAIN_WAVE
        waves = Waves(min(self._threads, -(-limit // size)), self._seed + 1)
        played: dict[tuple[int, int], list[Played]] = {}
        try:
            while short := [pair for pair in pairs if _games(played.get(pair, ())) < limit]:
                for pair in short:
                    if cost * sum(pair) > self._left():
                        if pair not in played:
                            self._report.notes.append(f"strategic depth: no time for {pair[1]} simulations a move")
                        return
                    began = time.monotonic()
                    found: list[Played] = []
                    waves.run(self._wave(self._levels(size, pair), chunk), found, 1, self._end(1), self._end(1))
                    played.setdefault(pair, []).extend(wave for wave in found if not wave.cut)
                    if not played[pair]:
                        self._report.notes.append(f"strategic depth: no games with {pair[1]} simulations ended in time")
                        return
                    cost = GROWTH * (time.monotonic() - began) / sum(pair)
        finally:
            for (less, more), own in played.items():
                self._report.figures += self._gain(own, self._stronger(size), more, less)

    def _sizes(self, simulations: int, several: bool) -> tuple[int, int, float]:
        """Return games of a wave, games searched together, and cost, so that `simulations` a move fit into the time.

        With `several` roles, each search is for half of the games.
        """
        together = [((1 + several) * chunk, chunk) for chunk in CHUNKS] if self._lanes else []
        waves = PLAIN_WAVES if not self._lanes else (ALONE_WAVE,) if several else ()
        alone = [(wave, ALONE) for wave in waves]
        for size, chunk in (*together, *alone):
            if self._left() <= 0:  # even one search may take long, where games are endless
                return size, chunk, math.inf
            cost = self._cost(chunk or -(-size // (1 + several)), chunk)
            if cost * simulations <= self._left():
                break
        return size, chunk, cost

    def _stronger(self, size: int) -> np.ndarray:
        """Return which roles search more: each player in every other game.  # [games, R]."""
        turn = np.cumsum([role in self._players for role in range(len(self._machine.roles))])
        stronger: np.ndarray = (turn[None, :] + np.arange(size)[:, None]) % 2 == 0
        return stronger

    def _levels(self, size: int, pair: tuple[int, int]) -> Ints:
        levels: Ints = np.where(self._stronger(size), pair[1], pair[0]).astype(np.int32)
        return levels

    def _gain(self, waves: Sequence[Played], stronger: np.ndarray, more: int, less: int) -> Iterator[Figure]:
        if waves and len(self._players) > 1:
            every = Played.of(waves)
            yield depth(every, self._players, np.tile(stronger, (len(waves), 1)), more, less)
        elif waves:
            own = figures(
                Played.of(waves), self._machine.roles, self._players, self._machine.points, f"{more} simulations"
            )
            yield from (each for each in own if each.measure == "score")


def _games(waves: Sequence[Played]) -> int:
    return sum(len(wave.lengths) for wave in waves)
