"""`ggp-agent study`: learn a game before the match, by self-play."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path

import click

from agent.cli.console import console
from agent.cli.finite_range import FiniteRange
from agent.cli.knowledge import keep, keep_evaluation, knowledge_options
from agent.cli.paths import FOLDER
from agent.cluster.connection import check_address
from agent.gamemaster.games import find_game


@click.command()
@click.argument("game")
@click.option(
    "--minutes",
    type=FiniteRange(min=0, min_open=True),
    default=30.0,
    show_default=True,
    help="Total time, including resumed runs.",
)
@click.option("--out", type=FOLDER, metavar="FOLDER", help="Folder for all results. Default: GAME.study.")
@click.option("--resume", is_flag=True, help="Resume the study in this folder.")
@click.option("--threads", type=click.IntRange(1, 1024), help="Processors to use. Default: all.")
@click.option("--cluster", metavar="ADDRESS", help="Play on all nodes of a Ray cluster: HOST:PORT, auto, or local.")
@click.option(
    "--simulations", type=click.IntRange(1), default=128, show_default=True, help="Maximum simulations per move."
)
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Seed of all random choices.")
@click.option("--keep/--no-keep", "kept", default=True, show_default=True, help="Store the result for matches.")
@knowledge_options
def study(
    game: str,
    minutes: float,
    out: Path | None,
    resume: bool,
    threads: int | None,
    cluster: str | None,
    simulations: int,
    seed: int,
    kept: bool,
) -> None:
    """Learn GAME by self-play; requires pip install 'ggp-agent[study]'.

    Writes studied.npz and report.html to FOLDER, and stores the result for matches of this game, even with scrambled
    names. --resume continues a stopped study; --minutes is the total of all its runs.
    """
    sheet = find_game(game)
    if cluster is not None:
        check_address(cluster)
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before numpy loads: one process per processor
    from agent.cluster.self_play import ClusterActors
    from agent.study.display import StudyDisplay
    from agent.study.local import LocalActors
    from agent.study.run import study_game, useful
    from reasoner.platform_calls import usable_processors
    from search.study.folder import StudyFolder
    from search.study.options import StudyOptions

    folder = StudyFolder(out or Path(f"{sheet.name}.study"))
    options = StudyOptions(seconds=60 * minutes, simulations=simulations, seed=seed)
    actors = (
        partial(ClusterActors, cluster) if cluster is not None else lambda: LocalActors(threads or usable_processors())
    )
    display = StudyDisplay(console(), options.seconds)
    record = study_game(sheet, folder, options, actors, display, resume)
    told = f"{record.games} games in {record.seconds / 60:.1f} minutes"
    lesson = folder.load_lesson()
    if kept and lesson is not None and lesson.trusted:
        console().print(keep_evaluation(lesson, sheet.text, sheet.name))
    if record.generation:
        helps = useful(folder)
        rating = f"rated {record.points:+.0f} Elo above the search without a network"
        verdict = rating if helps else "not shown to improve the search"
        console().print(f"{told}; {folder.result} is {verdict}; see {folder.path / 'report.html'}")
        if kept and helps:
            console().print(keep(folder.result))
        elif not helps:
            console().print(
                "matches do not use it before it has won its evaluation matches; --resume with more --minutes"
            )
    else:
        console().print(f"{told}; no network has passed its evaluation matches yet: --resume with more --minutes")
