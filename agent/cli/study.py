"""`ggp-agent study`: learn a game before the match, by self-play."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path

import click

from agent.cli.console import console
from agent.cli.knowledge import keep, knowledge_options
from agent.cluster.connection import check_address
from agent.gamemaster.games import find_game

FOLDER = click.Path(file_okay=False, path_type=Path)


@click.command()
@click.argument("game")
@click.option("--minutes", type=click.FloatRange(min=0, min_open=True), default=30.0, show_default=True, help="In all.")
@click.option("--out", type=FOLDER, metavar="FOLDER", help="Where all is kept; GAME.study otherwise.")
@click.option("--resume", is_flag=True, help="Go on with the study in that folder.")
@click.option("--threads", type=click.IntRange(1, 1024), help="Processors to use; all otherwise.")
@click.option("--cluster", metavar="ADDRESS", help="Play on all nodes of a Ray cluster: HOST:PORT, auto, or local.")
@click.option(
    "--simulations", type=click.IntRange(1), default=400, show_default=True, help="A move of self-play, at most."
)
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True)
@click.option("--keep/--no-keep", "kept", default=True, show_default=True, help="Use what is found in matches.")
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
    """Learn GAME by playing it against oneself; needs pip install 'ggp-agent[study]'.

    What is found lies in FOLDER as studied.npz, with report.html beside it, and is kept for matches of that game under
    any names. A study that was stopped, by Ctrl-C or anyhow else, goes on with --resume; --minutes counts all its
    parts together.
    """
    sheet = find_game(game)
    if cluster is not None:
        check_address(cluster)
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before numpy is loaded: processes are as many as processors
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
    if record.generation:
        rating = f"rated {record.points:+.0f} Elo, where the search without a network has 0"
        console().print(f"{told}; {folder.result} is {rating}; {folder.path / 'report.html'} tells more")
        if kept and useful(folder):
            console().print(keep(folder.result))
        elif kept:
            console().print("not kept: no matches have shown yet that it plays better; --resume with more --minutes")
    else:
        console().print(f"{told}, and no network has held its own in matches yet: --resume with more --minutes")
