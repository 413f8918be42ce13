"""Benchmark of games of imperfect information: `python -m bench.imperfect GAME... [--against PLAYER]`.

Each match is played in this process, with a fixed number of simulations per move. The measured player plays each role
except chance, one role after the other. Times are processor times. Three columns of the output need an explanation:

- *others*: the mean goal of the other roles;
- *of points*: the measured player's share of the goals of all roles; a role for which the rules derive several goals
  counts as a role without a goal;
- *alive*: the share of the joint moves tried for the belief that agree with the percepts.
"""

from __future__ import annotations

import math
import statistics

import click

from agent.gamemaster.games import kif_game
from bench.imperfect.players import PLAYERS
from bench.imperfect.run import Sums, play
from reasoner import load
from reasoner.rules.chance import is_chance

HEADER = (
    "game  role  matches  mean goal  ± 95%  others  of points  ± 95%  steps  illegal  states  alive  died  particles/s"
    "  s/move"
)


@click.command()
@click.argument("games", nargs=-1, required=True)
@click.option("--player", type=click.Choice(list(PLAYERS)), default="informed", show_default=True)
@click.option("--against", type=click.Choice(list(PLAYERS)), default="random", show_default=True)
@click.option("--matches", type=click.IntRange(min=1), default=20, show_default=True, help="Matches of each role.")
@click.option(
    "--simulations", type=click.IntRange(min=1), default=2_000, show_default=True, help="Simulations per move."
)
@click.option("--seed", type=int, default=1, show_default=True)
@click.option("--role", "only", help="Play this role only.")
def main(
    games: tuple[str, ...], player: str, against: str, matches: int, simulations: int, seed: int, only: str | None
) -> None:
    """Play GAME, a bundled name, a file or a URL, and print one line per role."""
    click.echo(HEADER)
    for game in games:
        machine = load(kif_game(game).text)
        for role, name in enumerate(machine.roles):
            if is_chance(name) or only not in (None, name):
                continue
            sums = Sums()
            for number in range(matches):
                play(machine, role, (player, against), simulations, seed + number, sums)
            click.echo(_line(game.rpartition("/")[2].removesuffix(".kif"), name, sums))


def _line(game: str, role: str, sums: Sums) -> str:
    count = len(sums.goals)
    spread = 1.96 * statistics.stdev(sums.goals) / math.sqrt(count) if count > 1 else 0.0
    figures = (
        f"{statistics.mean(sums.goals):.1f}",
        f"{spread:.1f}",
        *_against(sums),
        f"{statistics.mean(sums.steps):.2f}",
        sums.illegal,
        f"{sums.states / max(sums.moves, 1):.0f}",
        f"{sums.fitted / max(sums.tried, 1):.4f}",
        sums.died,
        f"{sums.tried / max(sums.believing, 1e-9):,.0f}",
        f"{sums.choosing / max(sums.moves, 1):.3f}",
    )
    return "  ".join(map(str, (game, role, count, *figures)))


def _against(sums: Sums) -> tuple[str, str, str]:
    """Return the others' mean goal, and the player's share of all points with its interval by the delta method."""
    total = sum(sums.goals) + sum(sums.others)
    if not sums.others or not total:
        return "-", "-", "-"
    share, count = sum(sums.goals) / total, len(sums.goals)
    apart = [ours - share * (ours + theirs) for ours, theirs in zip(sums.goals, sums.others, strict=True)]
    spread = 1.96 * statistics.pstdev(apart) * math.sqrt(count) / total
    return f"{statistics.mean(sums.others):.1f}", f"{100 * share:.1f}", f"{100 * spread:.1f}"


if __name__ == "__main__":
    main()
