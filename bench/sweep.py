"""Sweep over many rulesheets: `python -m bench.sweep FOLDER` plays every seat of every game against one opponent.

Matches run over HTTP and by the wall clock, as in a tournament. The last lines list each seat whose score is below
95, each late or illegal answer, and each match that did not end within the steps. Results are stored after each
match; the same command resumes.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from agent.gamemaster.games import kif_game
from agent.tournament.arena import JudgedGame
from agent.tournament.plan import TournamentPlan
from agent.tournament.play import Tournament, TournamentObserver
from agent.tournament.schedule import Pairing
from agent.tournament.store import Outcome, ResultStore
from reasoner import load_text
from reasoner.errors import ReasonerError
from reasoner.rules.chance import is_chance

OURS, OTHER = "ours", "other"
WANTED = 95
"""Goal, in percent of the highest goal of the rules, below which a seat is listed."""
SUFFIXES = (".kif", ".gdl")


@click.command()
@click.argument("folders", nargs=-1, required=True, type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--player", default="mcts", show_default=True, help="The player, as for `ggp-agent match`.")
@click.option("--against", default="random", show_default=True, help="The opponent, as for `ggp-agent match`.")
@click.option("--start", default=10.0, show_default=True, help="Seconds before the first move.")
@click.option("--move", default=0.5, show_default=True, help="Seconds for each move.")
@click.option("--one-seat", is_flag=True, help="Play one seat of each game, drawn by lot, instead of all seats.")
@click.option("--games", type=click.IntRange(1), help="Number of games, drawn by lot.  [default: all]")
@click.option("--max-steps", default=200, show_default=True, help="Abort a match after this many steps.")
@click.option("--at-once", default=1, show_default=True, help="Concurrent matches.")
@click.option("--seed", default=1, show_default=True)
@click.option("--results", type=click.Path(dir_okay=False, path_type=Path), default=Path("sweep.sqlite"))
def main(
    folders: Sequence[Path],
    player: str,
    against: str,
    start: float,
    move: float,
    one_seat: bool,
    games: int | None,
    max_steps: int,
    at_once: int,
    seed: int,
    results: Path,
) -> None:
    """Play each seat of the rulesheets in FOLDERS against an opponent; list low scores and wrong answers."""
    boards = dict(_boards(_drawn(folders, games, seed)))
    plan = TournamentPlan(
        players={OURS: player, OTHER: against},
        games=tuple(boards),
        start_clock=start,
        play_clock=move,
        max_steps=max_steps,
        parallel=at_once,
        seed=seed,
    )
    with contextlib.closing(ResultStore(results, plan.fingerprint)) as store:
        asyncio.run(Sweep(plan, boards, store, _Teller(), one_seat=one_seat).run())
        outcomes = store.outcomes()
    report(outcomes)


def _drawn(folders: Sequence[Path], games: int | None, seed: int) -> list[Path]:
    files = sorted(file for folder in folders for file in folder.iterdir() if file.suffix in SUFFIXES)
    return files if games is None else sorted(random.Random(seed).sample(files, min(games, len(files))))


def _boards(files: Sequence[Path]) -> Iterator[tuple[str, JudgedGame]]:
    """Yield the games with two or more players besides chance."""
    for file in files:
        try:
            sheet = kif_game(str(file))
            machine = load_text(sheet.text, engine="relational")
        except ReasonerError as error:
            click.echo(f"{file}: {error}", err=True)
            continue
        if sum(not is_chance(role) for role in machine.roles) > 1:
            yield str(file), JudgedGame(sheet, machine)


@dataclass(frozen=True)
class Sweep(Tournament):
    """A tournament in which the agent takes one seat of each match, and the opponent all others."""

    one_seat: bool = False

    def pairings(self) -> tuple[Pairing, ...]:
        """Return a match for each seat of each game, or for one seat that is drawn by lot."""
        return tuple(pairing for game, board in self.boards.items() for pairing in self._of_game(game, board))

    def _of_game(self, game: str, board: JudgedGame) -> Iterator[Pairing]:
        seats = sum(not is_chance(role) for role in board.machine.roles)
        drawn = random.Random(f"{self.plan.seed}/{game}").randrange(seats)
        for seat in (drawn,) if self.one_seat else range(seats):
            players = tuple(OURS if other == seat else OTHER for other in range(seats))
            yield Pairing(json.dumps([game, seat]), game, players, f"{self.plan.seed}/{game}")


class _Teller(TournamentObserver):
    """Prints each match as it ends."""

    def end(self, outcome: Outcome) -> None:
        """See `TournamentObserver`."""
        goals = outcome.goals or ("-",) * len(outcome.players)
        seats = ", ".join(f"{who} {goal}" for who, goal in zip(outcome.players, goals, strict=True))
        wrong = " ".join(outcome.errors[seat] for seat, who in enumerate(outcome.players) if who == OURS).strip()
        click.echo(f"{Path(outcome.game).stem}: {seats}; {outcome.steps} steps; {outcome.seconds:.0f} s {wrong}")


def report(outcomes: Sequence[Outcome]) -> None:
    """Print each seat with a low score or a wrong answer, and the mean of all matches that ended."""
    scores = []
    for outcome in sorted(outcomes, key=lambda outcome: (outcome.game, outcome.players)):
        for seat, who in enumerate(outcome.players):
            if who != OURS:
                continue
            score = outcome.goals[seat] if outcome.completed else None
            if score is not None:
                scores.append(score)
            if score is None or score < WANTED or outcome.errors[seat]:
                ended = "not ended" if score is None else f"{score:.0f}"
                click.echo(f"{Path(outcome.game).stem} as {outcome.roles[seat]}: {ended} {outcome.errors[seat]}")
    click.echo(f"mean {sum(scores) / max(len(scores), 1):.1f} of {len(scores)} seats")


if __name__ == "__main__":
    main()
