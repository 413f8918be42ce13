"""Benchmark of tactics: how often the search finds the only good move of a position in a fifth of a second.

    python -m bench.tactics FILE... [--seconds 0.2] [--start 6] [--faults] [--make 34]

Each FILE is a public rulesheet: speedChess.kif, chess.kif or breakthrough.kif. The positions are in `tactics.csv`. In
half of them one move wins within three moves of both players, and no other does (*win*; a proven slower win counts as
found); in the others, each move but one loses within four (*defence*). --make replaces the positions of these games.
They come from the ends of games of self-play, and an exhaustive search proves the moves. Times are processor seconds of
one thread.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterator, Mapping
from math import inf
from pathlib import Path
from typing import NamedTuple

import click
import numpy as np

from bench.strength.seat import ProcessorClock
from reasoner import load_text
from reasoner.arrays import Floats, Words
from reasoner.kernels import kernel_norefcount
from reasoner.lanes import play
from reasoner.lanes.machine import CircuitMachine
from search import Search, SearchOptions, warm_up
from search.minimax.descent import combine
from search.minimax.expansion import Game, Pack, expand_pack, new_pack
from search.minimax.learner import Learner
from search.minimax.positions import SOLVED, USED, Positions, positions
from search.minimax.self_play import Manner, new_games, play_on
from search.native.tree import pack

SUITE = Path(__file__).with_name("tactics.csv")
WIN, DEFENCE = KINDS = ("win", "defence")
PLIES = 4
MAX_POSITIONS = 1 << 19
LEARNED_SECONDS, PLAYED_ROUNDS, PLACES, RECORDED = 2.0, 1500, 32, 1 << 17
"""Of the self-play: time of learning, moves in each place, places, maximum number of recorded positions."""
LAST_MOVES = 6
"""Positions are at most this many moves before the end of a game."""


class Exercise(NamedTuple):
    """A position, its facts separated by vertical bars, and its only good move."""

    game: str
    kind: str  # of KINDS
    move: str
    facts: str


def suite() -> list[Exercise]:
    """Return the exercises of the file."""
    if not SUITE.exists():
        return []
    with SUITE.open(newline="") as source:
        return [Exercise(**row) for row in csv.DictReader(source)]


class Player:
    """The search of a game, with what it learns in its start clock."""

    def __init__(self, machine: CircuitMachine, start: float) -> None:
        self._machine, self._clock = machine, ProcessorClock()
        self._options = SearchOptions(threads=1, memory_mib=64)
        learner = Search(machine, 0, machine.initial(), self._options, self._clock)
        learner.think(self._clock.now() + start)
        self._lesson = learner.lesson

    def choose(self, exercise: Exercise, seconds: float) -> tuple[str, bool]:
        """Return the move that a new search finds for the role that chooses, and whether the search proves a win."""
        state = self._machine.state(exercise.facts.split("|"))
        role = int(len(self._machine.legal(state)[1]) > 1)
        search = Search(self._machine, role, state, self._options, self._clock, lesson=self._lesson)
        search.think(self._clock.now() + seconds)
        return str(search.best()), search.solved and search.report().value == 100


@kernel_norefcount
def exhaust(program: play.Lanes, game: Game, tree: Positions, taken: Pack, plies: int) -> bool:
    """Expand all lines below position 0 ply by ply, until its value is exact; False: the memory is too small.

    The last ply is omitted if no move is known to end or to lose the game before it: then hardly all but one lose.
    """
    node, ends = 0, 1
    for ply in range(plies):
        exact = 0
        for child in range(tree.first[0], tree.first[0] + tree.sizes[0]):
            exact += tree.marks[child] & SOLVED
        if ply == plies - 1 and not exact:
            return True
        while node < ends:
            size = 0
            while node + size < ends and size < len(taken.asked) and not tree.marks[node + size] & SOLVED:
                taken.asked[size] = node + size
                size += 1
            if size == 0:
                node += 1
                continue
            done = expand_pack(program, game, tree, taken, size)
            if done == 0:
                return False
            node += done
        ends = int(tree.counts[USED])
        for at in range(node - 1, -1, -1):
            if tree.sizes[at]:
                combine(tree, at)
        if tree.marks[0] & SOLVED:
            return True
    return True


class Maker:
    """Makes exercises of a game: plays games, and proves which positions have only one good move."""

    def __init__(self, machine: CircuitMachine) -> None:
        circuit, emitted = machine.circuit, machine.program.code.load()
        self._machine, self._emitted = machine, emitted
        self._moves = [str(move) for own in circuit.moves for move in own]
        self._starts = np.cumsum([0, *map(len, circuit.moves)]).astype(np.int32)
        self._initial = circuit.initial[: circuit.searched]
        self._program = play.lanes(machine.program, emitted)
        self._tree = positions(MAX_POSITIONS, -(-circuit.searched // 64))
        self._pack = new_pack(self._program, emitted.rows, 1)

    def exercises(self, game: str, count: int) -> Iterator[Exercise]:
        """Yield different exercises, half of each kind."""
        seen = set[bytes]()
        wanted = Counter({"win": count // 2, "defence": count - count // 2})
        for words in self._ends():
            found = None if words.tobytes() in seen else self.only_move(words)
            seen.add(words.tobytes())
            if found is not None and wanted[found[0]]:
                wanted[found[0]] -= 1
                bits = np.unpackbits(words.view(np.uint8), bitorder="little")
                facts = [str(fact) for fact, true in zip(self._machine.circuit.bases, bits, strict=False) if true]
                yield Exercise(game, *found, "|".join(facts))
            if not wanted.total():
                return

    def _ends(self) -> Iterator[Words]:
        """Yield positions near the ends of games of self-play."""
        learner = Learner(self._machine, LEARNED_SECONDS, 1)
        learner.run(ProcessorClock(), inf, None)
        assert learner.lesson is not None
        learned, tree = learner.lesson.evaluation, self._tree
        manner = Manner(
            expansions=8,
            bonus=0.3 * learned.spread,
            quiet=inf,
            openings=8,
            temperature=0.1,
            stray=0.05,
            logit=learned.bias + float(learned.weights @ self._initial),
        )
        games = new_games(PLACES, RECORDED, tree.states.shape[1], 1)
        tree.states[-1] = pack(self._initial)
        play_on(self._program, self._game(learned.weights), tree, self._pack, games, manner, PLAYED_ROUNDS)
        rng, size = np.random.default_rng(1), int(games.counts[0])
        for number in rng.permutation(np.flatnonzero(np.isin(games.results, (0, 1)))):
            own = np.flatnonzero(games.played[:size] == number)
            yield from games.states[rng.permutation(own[np.argsort(games.step[own])][-LAST_MOVES:])]

    def _game(self, weights: Floats) -> Game:
        return Game(self._starts, weights.astype(np.float32), 0.0, float(self._machine.points))

    def only_move(self, words: Words) -> tuple[str, str] | None:
        """Return the kind and the move of a position with only one good move, else None."""
        tree, weights = self._tree, np.zeros(len(self._initial))
        tree.states[0], tree.counts[USED] = words, 1
        tree.sizes[0] = tree.marks[0] = tree.depths[0] = 0
        if not exhaust(self._program, self._game(weights), tree, self._pack, PLIES):
            return None
        children = np.arange(tree.first[0], tree.first[0] + tree.sizes[0])
        exact = (tree.marks[children] & SOLVED) > 0
        values = tree.values[children] if tree.movers[0] == 0 else 1 - tree.values[children]
        wins, lost = children[exact & (values == 1)], children[exact & (values == 0)]
        if len(wins) == 1 and tree.distances[wins[0]]:
            return WIN, self._moves[tree.moves[wins[0]]]
        if len(wins) == 0 and len(lost) == len(children) - 1 > 0:
            return DEFENCE, self._moves[tree.moves[np.setdiff1d(children, lost)[0]]]
        return None


def make(machines: Mapping[str, CircuitMachine], count: int) -> None:
    """Replace the exercises of these games in the file."""
    kept = [each for each in suite() if each.game not in machines]
    made = (each for game, machine in machines.items() for each in Maker(machine).exercises(game, count))
    rows = sorted([*kept, *made])
    with SUITE.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerows([Exercise._fields, *rows])


def machine_of(file: Path) -> CircuitMachine:
    """Load a rulesheet."""
    machine = load_text(file.read_text(), engine="circuit")
    assert isinstance(machine, CircuitMachine)
    return machine


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--seconds", default=0.2, show_default=True, help="For each position.")
@click.option("--start", default=6.0, show_default=True, help="Seconds of the start clock, in which a search learns.")
@click.option("--faults", is_flag=True, help="Print the positions with wrong moves.")
@click.option("--make", "count", default=0, help="Replace the positions of these games by so many new ones of each.")
def main(files: tuple[Path, ...], seconds: float, start: float, faults: bool, count: int) -> None:
    """Print for each game and kind how many moves were found."""
    warm_up()
    machines = {file.stem: machine_of(file) for file in files}
    if count:
        make(machines, count)
    found, total = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    for game, machine in machines.items():
        player = Player(machine, start)
        for each in suite():
            if each.game == game:
                (move, won), key = player.choose(each, seconds), (game, each.kind)
                good = move == each.move or (each.kind == WIN and won)
                total[key] += 1
                found[key] += good
                if faults and not good:
                    click.echo(f"{game} {each.kind}: {move} instead of {each.move} in {each.facts}")
    for game, kind in total:
        click.echo(f"{game:14} {kind:8} {found[game, kind]:3} of {total[game, kind]}")
    click.echo(f"{'all':23} {found.total():3} of {total.total()}")


if __name__ == "__main__":
    main()
